import Base
import SensorDrivers
import VitalDecoders
import Vitals

/// A weight scale (Weight Scale Service 1.0.1).
///
/// It sleeps until a person steps on it. Some scales send the weight once, others while it settles: of a series of
/// values, the last one that came twice counts, or else the last one. It measures the weight of the person on it.
public struct WeightScaleDriver: SensorDriver {
    private let context: DriverContext
    private var clock = SensorClockOffset()
    private var subscribedAt: Moment?
    /// The values of one settling, the oldest first; empty while the scale is free.
    private var run: [Frame] = []

    /// A value with its time.
    private struct Frame {
        var value: WeightMeasurement
        var moment: Moment
        /// Whether the previous value of the series was equal.
        var isRepeated = false
    }

    /// The longest time between two values of one settling.
    static let settling = Duration.seconds(3)
    /// Values within a shorter time after the start of the link may be stored ones.
    private static let quickestSettling = Duration.seconds(1)
    /// The greatest difference of the time stamps of one settling, in milliseconds.
    private static let longestRun: Int64 = 60_000
    /// The most values to keep of a settling.
    private static let limit = 256

    public init(_ context: DriverContext) { self.context = context }

    public mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction] {
        switch event {
        case .connected(let attributes):
            guard attributes[Self.measurement]?.isNotifying == true else {
                return [.refuse("It has the service of a weight scale, but no measurements.")]
            }
            return SensorClockOffset.requests(attributes, context, at: now) + [.request(.subscribe(Self.measurement))]
        case .succeeded(let request):
            guard request.uuid == Self.measurement else { return [] }
            subscribedAt = now
            return [.streaming]
        case .read(let octets, let uuid):
            _ = clock.read(octets, of: uuid, context, at: now)
            return []
        case .received(let octets, let uuid):
            do throws(MalformedValueError) {
                return settle(try WeightMeasurement(octets), at: now)
            } catch {
                return [.malformed(octets, of: uuid, error)]
            }
        case .timerFired: return finishRun()
        case .newSensorAnswered, .nights: return []
        case .failed: return []
        }
    }

    public mutating func end(at now: Moment) -> [DriverAction] { finishRun() }

    private static let measurement = CharacteristicType.weightMeasurement.uuid

    /// Handles a value, which may be one of several while the weight settles.
    private mutating func settle(_ value: WeightMeasurement, at now: Moment) -> [DriverAction] {
        var actions: [DriverAction] = []
        if let last = run.last, !isSameRun(last, value, at: now) { actions = finishRun() }
        let isRepeated = run.last?.value.rawWeight == value.rawWeight
        if run.count >= Self.limit { run.removeFirst() }
        run.append(Frame(value: value, moment: now, isRepeated: isRepeated))
        return actions + [.setTimer(Self.settling)]
    }

    /// Whether a value belongs to the same settling as the last one: the same user within a short time.
    private func isSameRun(_ last: Frame, _ value: WeightMeasurement, at now: Moment) -> Bool {
        guard last.value.userIdentifier == value.userIdentifier, last.value.isImperial == value.isImperial,
            now.since(last.moment) <= Self.settling
        else { return false }
        switch (last.value.timestamp, value.timestamp) {
        case (nil, nil): return true
        case (let first?, let second?):
            guard let first = milliseconds(first), let second = milliseconds(second) else { return first == second }
            return abs(second.subtractingSaturated(first)) <= Self.longestRun
        default: return false
        }
    }

    private func milliseconds(_ time: DateTime) -> Int64? { DeviceTime(time).flatMap(context.milliseconds) }

    /// Reports the weight of a settling.
    private mutating func finishRun() -> [DriverAction] {
        defer { run = [] }
        let weights = run.filter { Self.weight($0.value) != nil }
        let final = weights.filter { $0.value.reservedFlags == 0 }
        guard let chosen = final.last(where: \.isRepeated) ?? final.last ?? weights.last ?? run.last else { return [] }
        let isUnsettled = final.isEmpty && !weights.isEmpty
        let time = chosen.value.timestamp.flatMap { DeviceTime($0) }
        let taken = clock.taken(chosen.value.timestamp, context, at: chosen.moment)
        // No weight settles as fast as stored values are transferred.
        let mayBeStored =
            chosen.value.timestamp == nil && run[run.count - 1].moment.since(run[0].moment) < Self.quickestSettling
            && subscribedAt.map { run[0].moment.since($0) < SensorClockOffset.handingOver } == true
        let content = Self.content(of: chosen.value)
        let entry = DriverAction.entry(
            content,
            EntryFacts(
                deviceTime: time, isTimeKnown: taken.isKnown, quality: isUnsettled ? .questionable : .good,
                remark: isUnsettled ? "not marked as final" : nil,
                user: chosen.value.userIdentifier.map { Int($0) }, mayBeStored: mayBeStored), taken: taken.moment)
        guard case .noMeasurement = content else { return [entry] }
        return [entry, .notice("It measured without a result. Stand still on it, and measure again.")]
    }

    /// The weight, or the reason for its absence.
    private static func content(of value: WeightMeasurement) -> RecordEntry.Content {
        if let weight = weight(value) { return .weight(weight) }
        return .noMeasurement(.weight, value.weight == nil ? .unusable : .outOfRange)
    }

    /// The weight in kilograms; `nil` for an impossible weight.
    private static func weight(_ value: WeightMeasurement) -> VitalValue? {
        guard let hundredths = value.weight?.rounded(toExponent: -2) else { return nil }
        // A pound is 0.45359237 kg.
        let kilograms = value.isImperial ? (Int(hundredths) * 45_359_237 + 50_000_000) / 100_000_000 : Int(hundredths)
        return RecordEntry.weights.contains(kilograms) ? VitalValue(hundredths: kilograms) : nil
    }
}
