import SensorDrivers
import VitalDecoders
import Vitals

/// An xBridge or wixel of the xDrip project, which forwards the data of a Dexcom G4 transmitter.
///
/// Packets `11 00` or `15 00`: raw and filtered counts, batteries, transmitter; acknowledged by `02 F0`. The counts are
/// no concentration until the user calibrates them (`CalibrationLine`). Source: a public description only (xBridge2);
/// not verified on a device.
public struct XDripBridgeDriver: SensorDriver {
    public static let service = BluetoothUUID(0xFFE0)
    public static let characteristic = BluetoothUUID(0xFFE1)
    public static var patience: Duration { .seconds(900) }

    private var newest: Moment?

    public init(_ context: DriverContext) {}

    public mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction] {
        switch event {
        case .connected: return [.request(.subscribe(Self.characteristic))]
        case .received(let octets, _): return received(octets, at: now)
        case .succeeded, .failed, .read, .timerFired, .newSensorAnswered, .nights: return []
        }
    }

    private mutating func received(_ octets: [UInt8], at now: Moment) -> [DriverAction] {
        guard let length = octets.first, octets.count >= 2 else { return [] }
        switch (length, octets[1]) {
        case (0x11, 0x00), (0x15, 0x00):
            guard octets.count >= Int(length) else {
                let reason = "\(octets.count) of \(length) octets present"
                let error = MalformedValueError(offset: octets.count, reason: reason)
                return [.malformed(octets, of: Self.characteristic, error)]
            }
            let acknowledgement = DriverAction.request(.writeWithoutResponse([0x02, 0xF0], to: Self.characteristic))
            // The same packet is repeated until it is acknowledged.
            if let newest, now.since(newest) < .seconds(120) { return [acknowledgement] }
            newest = now
            let battery: [DriverAction] = octets[11] <= 100 ? [.battery(Int(octets[11]))] : []
            let raw = RawGlucose(
                count: Int(Self.number(octets[2...5])), serial: Self.transmitter(Self.number(octets[12...15])),
                method: .line)
            return [acknowledgement, .streaming] + battery + [
                .reading(.glucose, .noMeasurement(.uncalibrated), DriverReadingDetails(raw: raw))
            ]
        // A beacon: the bridge is running, and reports its transmitter.
        case (0x07, 0xF1): return [.streaming]
        default: return []
        }
    }

    private static func number(_ octets: ArraySlice<UInt8>) -> UInt32 {
        octets.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The identifier that is printed on a transmitter: five digits of base 32.
    static func transmitter(_ number: UInt32) -> String {
        String((0..<5).map { digits[Int(number >> (20 - 5 * UInt32($0)) & 31)] })
    }

    /// The digits of an identifier: no I, O, V and Z.
    private static let digits = Array("0123456789ABCDEFGHJKLMNPQRSTUWXY")
}
