import Base
import VitalDecoders
import Vitals

/// A sensor's own clock: read, set, and what its stamps are worth.
///
/// Quirk sensor-clocks: they run ahead, stand at an epoch or forget summer time, so no stamp is trusted for judging
/// unless the clock was compared with ours.
struct SensorClockOffset: Hashable, Sendable {
    /// By how much the sensor's clock was ahead before it was set, in milliseconds; `nil` when that is not known.
    private(set) var ahead: Int64?

    /// A clock that is ahead or behind by less counts as right.
    static let tolerance: Int64 = 120_000
    /// An older stamp is not believed.
    static let longestStorage: Int64 = 400 * 86_400_000

    /// What to ask a sensor that has a clock: first what it says, then to set it.
    static func requests(_ attributes: [DriverAttribute], _ context: DriverContext, at now: Moment) -> [DriverAction] {
        let time = context.localTime(now)
        var actions: [DriverAction] = []
        for (uuid, octets) in [
            (CharacteristicType.currentTime.uuid, CurrentTime(dateTime: time).octets),
            (CharacteristicType.dateTime.uuid, time.octets),
        ] {
            guard let clock = attributes[uuid] else { continue }
            if clock.isReadable { actions.append(.request(.read(uuid, isOptional: true))) }
            if clock.isWritable { actions.append(.request(.write(octets, to: uuid, isOptional: true))) }
            break
        }
        return actions
    }

    /// The clock was read; returns whether the characteristic was one.
    mutating func read(
        _ octets: [UInt8], of uuid: BluetoothUUID, _ context: DriverContext, at now: Moment
    ) -> Bool {
        let time: DateTime?
        switch uuid {
        case CharacteristicType.currentTime.uuid: time = (try? CurrentTime(octets))?.dateTime
        case CharacteristicType.dateTime.uuid: time = try? DateTime(octets)
        default: return false
        }
        if let time = time.flatMap({ DeviceTime($0) }), let read = context.milliseconds(time) {
            let difference = read.subtractingSaturated(now.wallMilliseconds)
            ahead = abs(difference) <= Self.tolerance ? 0 : difference
        }
        return true
    }

    /// How long after its beginning a link is used to hand over what was stored.
    static let handingOver = Duration.seconds(5)

    /// When something was measured, and whether that is known.
    ///
    /// - Parameters:
    ///   - time: The sensor's time of the measurement; `nil` when it sent none. One that no calendar has, or without a date,
    ///     says that the sensor does not know when it was.
    ///   - minutes: How many minutes to add to it.
    ///   - isStored: Whether a measurement without a stamp may be an old one.
    func taken(
        _ time: DateTime?, plus minutes: Int16 = 0, _ context: DriverContext, isStored: Bool = false, at now: Moment
    ) -> (moment: Moment, isKnown: Bool) {
        guard let time else { return (now, !isStored) }
        guard let start = DeviceTime(time).flatMap(context.milliseconds) else { return (now, false) }
        let stamp = start.addingSaturated(Int64(minutes) * 60_000)
        let difference = now.wallMilliseconds.subtractingSaturated(stamp)
        if abs(difference) <= Self.tolerance { return (now.advanced(by: .milliseconds(-max(0, difference))), true) }
        let age = difference.addingSaturated(ahead ?? 0)
        guard ahead != nil, age >= -Self.tolerance, age <= Self.longestStorage else { return (now, false) }
        return (now.advanced(by: .milliseconds(-max(0, age))), true)
    }
}
