import Base
import VitalDecoders
import Vitals

/// A weight scale (Weight Scale Service 1.0.1).
///
/// It is asleep until somebody steps on it. Some send the weight once, some while it settles: of a run of values the last
/// one counts that came twice, or else the last one. Can honestly claim: the weight of whoever stood on it.
struct WeightScaleDriver: SensorDriver {
    private let context: DriverContext
    private var clock = SensorClockOffset()
    private var subscribedAt: Moment?
    /// What came within one settling, the oldest first; nothing while nobody stands on it.
    private var run: [Frame] = []

    /// A value, and when it came.
    private struct Frame {
        var value: WeightMeasurement
        var moment: Moment
        /// Whether the value before it in the run was the same.
        var isRepeated = false
    }

    /// How long after a value the next one may still be of the same settling.
    static let settling = Duration.seconds(3)
    /// What comes within less is a memory rather than a settling, if it came when the link began.
    private static let quickestSettling = Duration.seconds(1)
    /// How far apart the time stamps of one settling may be, in milliseconds.
    private static let longestRun: Int64 = 60_000
    /// The most values of a settling that are kept.
    private static let limit = 256

    init(_ context: DriverContext) { self.context = context }

    mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction] {
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
        case .failed: return []
        }
    }

    mutating func end(at now: Moment) -> [DriverAction] { finishRun() }

    private static let measurement = CharacteristicType.weightMeasurement.uuid

    /// Takes a value, which may be one of several while somebody settles.
    private mutating func settle(_ value: WeightMeasurement, at now: Moment) -> [DriverAction] {
        var actions: [DriverAction] = []
        if let last = run.last, !isSameRun(last, value, at: now) { actions = finishRun() }
        let isRepeated = run.last?.value.rawWeight == value.rawWeight
        if run.count >= Self.limit { run.removeFirst() }
        run.append(Frame(value: value, moment: now, isRepeated: isRepeated))
        return actions + [.setTimer(Self.settling)]
    }

    /// Whether a value belongs to the settling of the one before it: that of the same person within a short time.
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
        // Nobody settles as fast as a memory is handed over.
        let mayBeStored =
            chosen.value.timestamp == nil && run[run.count - 1].moment.since(run[0].moment) < Self.quickestSettling
            && subscribedAt.map { run[0].moment.since($0) < SensorClockOffset.handingOver } == true
        let content = Self.content(of: chosen.value)
        let entry = DriverAction.entry(
            content,
            SensorStamp(
                time: time, isTimeKnown: taken.isKnown, quality: isUnsettled ? .questionable : .good,
                remark: isUnsettled ? "not marked as final" : nil, mayBeStored: mayBeStored), taken: taken.moment)
        guard case .noMeasurement = content else { return [entry] }
        return [entry, .notice("It measured without a result. Stand still on it, and measure again.")]
    }

    /// The weight, or why there is none.
    private static func content(of value: WeightMeasurement) -> RecordEntry.Content {
        if let weight = weight(value) { return .weight(weight) }
        return .noMeasurement(.weight, value.weight == nil ? .unusable : .outOfRange)
    }

    /// The weight in kilograms; `nil` for what no body has.
    private static func weight(_ value: WeightMeasurement) -> VitalValue? {
        guard let hundredths = value.weight?.rounded(toExponent: -2) else { return nil }
        // A pound is 0.45359237 kg.
        let kilograms = value.isImperial ? (Int(hundredths) * 45_359_237 + 50_000_000) / 100_000_000 : Int(hundredths)
        return RecordEntry.weights.contains(kilograms) ? VitalValue(hundredths: kilograms) : nil
    }
}
