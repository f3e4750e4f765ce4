import BlueZ
import Vitals

/// What a user may try on a characteristic.
///
/// Reading and subscribing change nothing in a sensor. Writing may: a control point can delete records, stop a session of
/// a glucose sensor, start a measurement. So nothing is written to what measures a patient but to the services that every
/// peripheral has (names and clocks), and to no control point of anything.
enum ExplorationRule {
    /// Control points of the Bluetooth SIG that change something in a device, by assigned number: Heart Rate, Record
    /// Access, CGM Specific Ops, User, Insulin Delivery, Cycling Power, Fitness Machine, Reconnection, Elapsed Time.
    private static let controlPoints: Set<UInt32> = [
        0x2A39, 0x2A52, 0x2A55, 0x2A66, 0x2A9F, 0x2AAC, 0x2AD9, 0x2B1F, 0x2B25, 0x2B1E, 0x2B20, 0x2B21, 0x2B22,
    ]
    /// Services in which a sensor's user may write: Generic Access, Current Time.
    private static let harmless: Set<UInt32> = [0x1800, 0x1805]

    /// What is offered on a characteristic.
    ///
    /// - Parameters:
    ///   - characteristic: The characteristic.
    ///   - service: Its service.
    ///   - services: All services of the device.
    ///   - kind: What the device is.
    static func offered(
        _ characteristic: Characteristic, of service: BluetoothUUID, among services: [BluetoothUUID], kind: SensorKind
    ) -> [Exploration.Kind] {
        var offered: [Exploration.Kind] = []
        if characteristic.flags.contains(.read) { offered.append(.read) }
        if !characteristic.flags.isDisjoint(with: [.notify, .indicate]) { offered.append(.subscribe) }
        let isHarmless = service.assignedNumber.map(harmless.contains) ?? false
        let isMedical = kind != .other || services.contains(where: isMedical)
        let isControlPoint = characteristic.uuid.assignedNumber.map(controlPoints.contains) ?? false
        guard !isControlPoint, isHarmless || !isMedical else { return offered }
        if characteristic.flags.contains(.write) { offered.append(.write) }
        if characteristic.flags.contains(.writeWithoutResponse) { offered.append(.writeWithoutResponse) }
        return offered
    }

    /// Whether a service is of a device that measures or treats a patient, also one that Bedside does not read.
    private static func isMedical(_ service: BluetoothUUID) -> Bool {
        if SupportedSensors.kind(services: [service], name: nil) != .other { return true }
        if let number = service.assignedNumber { return medical.contains(number) }
        return makers.contains(service)
    }

    /// By assigned number: glucose, thermometer, heart rate, blood pressure, weight, CGM, pulse oximeter, insulin delivery,
    /// physical activity, Dexcom, new firmware of the PM100, Omron.
    private static let medical: Set<UInt32> = [
        0x1808, 0x1809, 0x180D, 0x1810, 0x181B, 0x181D, 0x181F, 0x1822, 0x183A, 0x183E, 0xFEBC, 0xFEE8, 0xFE4A, 0xFDE3,
    ]

    /// Omron's, Dexcom's and Libre's own services.
    private static let makers: Set<BluetoothUUID> = Set(
        [
            "ECBE3980-C9A2-11E1-B1BD-0002A5D5C51B", "F8083532-849E-531C-C594-30F1F86A4EA5",
            "6E400001-B5A3-F393-E0A9-E50E24DCCA9E", "089810CC-EF89-11E9-81B4-2A2AE2DBCCE4",
        ].compactMap { BluetoothUUID($0) })
}
