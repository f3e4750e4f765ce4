import Base
import SensorDrivers
import VitalDecoders
import Vitals

/// A sensor's clock: how it is read and set, and how far its time stamps can be used.
///
/// Quirk sensor-clocks: sensors' clocks run ahead, are stuck at an epoch or ignore summer time, so no time stamp is
/// used for rules unless the clock was compared with this computer's.
struct SensorClockOffset: Hashable, Sendable {
    /// How far the sensor's clock was ahead before it was set, in milliseconds; `nil` if unknown.
    private(set) var ahead: Int64?

    /// A smaller deviation counts as correct.
    static let tolerance: Int64 = 120_000
    /// Older time stamps are rejected.
    static let longestStorage: Int64 = 400 * 86_400_000

    /// The requests for a sensor with a clock: read it first, then set it.
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

    /// Handles a read clock; returns whether the characteristic is one.
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

    /// How long after the start of a link stored values are expected.
    static let handingOver = Duration.seconds(5)

    /// When a value was measured, and whether that is known.
    ///
    /// - Parameters:
    ///   - time: The sensor's time of the measurement; `nil` when it sent none. An impossible time, or one without a date, means
    ///     that the sensor does not know the time.
    ///   - minutes: The minutes to add to it.
    ///   - isStored: Whether a measurement without a time stamp may be an old one.
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
