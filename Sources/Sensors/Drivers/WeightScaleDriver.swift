import VitalDecoders
import Vitals

/// A weight scale (Weight Scale Service 1.0.1).
///
/// It is asleep until somebody steps on it. Can honestly claim: the weight of whoever stood on it.
struct WeightScaleDriver: SensorDriver {
    private let context: DriverContext
    private var clock = SensorClockOffset()

    init(_ context: DriverContext) { self.context = context }

    mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction] {
        switch event {
        case .connected(let attributes):
            guard attributes[Self.measurement]?.isNotifying == true else {
                return [.refuse("It has the service of a weight scale, but no measurements.")]
            }
            return SensorClockOffset.requests(attributes, context, at: now) + [.request(.subscribe(Self.measurement))]
        case .succeeded(let request): return request.uuid == Self.measurement ? [.streaming] : []
        case .read(let octets, let uuid):
            _ = clock.read(octets, of: uuid, context, at: now)
            return []
        case .received(let octets, let uuid):
            do throws(MalformedValueError) {
                return measured(try WeightMeasurement(octets), at: now)
            } catch {
                return [.malformed(octets, of: uuid, error)]
            }
        case .failed, .timerFired: return []
        }
    }

    private static let measurement = CharacteristicType.weightMeasurement.uuid

    private func measured(_ value: WeightMeasurement, at now: Moment) -> [DriverAction] {
        let content = Self.content(of: value)
        let time = value.timestamp.flatMap { DeviceTime($0) }
        let taken = clock.taken(value.timestamp, context, at: now)
        let entry = DriverAction.entry(
            content, SensorStamp(time: time, isTimeKnown: taken.isKnown), taken: taken.moment)
        guard case .noMeasurement = content else { return [entry] }
        return [entry, .notice("It measured without a result. Stand still on it, and measure again.")]
    }

    /// The weight, or why there is none.
    private static func content(of value: WeightMeasurement) -> RecordEntry.Content {
        guard let weight = value.weight, let hundredths = weight.rounded(toExponent: -2) else {
            return .noMeasurement(.weight, .unusable)
        }
        // A pound is 0.45359237 kg.
        let kilograms = value.isImperial ? (Int(hundredths) * 45_359_237 + 50_000_000) / 100_000_000 : Int(hundredths)
        guard RecordEntry.weights.contains(kilograms) else { return .noMeasurement(.weight, .outOfRange) }
        return .weight(VitalValue(hundredths: kilograms))
    }
}
