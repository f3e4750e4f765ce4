import BlueZ
import Vitals

/// Decides what a user may try on a characteristic.
///
/// Reads and subscriptions change nothing in a sensor. Writes may: a control point can delete records, stop a session
/// of a glucose sensor, start a measurement. So a medical sensor is written to only in the services of every peripheral
/// (names and clocks), and control points are never written to.
struct ExplorationRule {
    /// Control points of the Bluetooth SIG that change something in a device, by assigned number: Heart Rate, Record
    /// Access, CGM Specific Ops, User, Insulin Delivery, Cycling Power, Fitness Machine, Reconnection, Elapsed Time.
    private static let controlPoints: Set<UInt32> = [
        0x2A39, 0x2A52, 0x2A55, 0x2A66, 0x2A9F, 0x2AAC, 0x2AD9, 0x2B1F, 0x2B25, 0x2B1E, 0x2B20, 0x2B21, 0x2B22,
    ]
    /// Services with harmless writes: Generic Access, Current Time.
    private static let general: Set<UInt32> = [0x1800, 0x1805]

    private let isMedical: Bool

    /// Creates the rule of a device.
    ///
    /// - Parameters:
    ///   - kind: The kind of the device.
    ///   - services: All its services.
    init(kind: SensorKind, services: [BluetoothUUID]) {
        isMedical = kind != .other || services.contains(where: Self.isMedical)
    }

    func offered(_ characteristic: Characteristic, of service: BluetoothUUID) -> [Exploration.Kind] {
        var offered: [Exploration.Kind] = []
        if characteristic.flags.contains(.read) { offered.append(.read) }
        if !characteristic.flags.isDisjoint(with: [.notify, .indicate]) { offered.append(.subscribe) }
        let isGeneral = service.assignedNumber.map(Self.general.contains) ?? false
        let isControlPoint = characteristic.uuid.assignedNumber.map(Self.controlPoints.contains) ?? false
        guard !isControlPoint, isGeneral || !isMedical else { return offered }
        if characteristic.flags.contains(.write) { offered.append(.write) }
        if characteristic.flags.contains(.writeWithoutResponse) { offered.append(.writeWithoutResponse) }
        return offered
    }

    /// Whether a service belongs to a device that measures or treats a patient, including unsupported ones.
    private static func isMedical(_ service: BluetoothUUID) -> Bool {
        if SupportedSensors.kind(services: [service], name: nil) != .other { return true }
        if let number = service.assignedNumber { return medical.contains(number) }
        return makers.contains(service)
    }

    /// Services of devices that Bedside does not read, or not by this service alone, by assigned number: body
    /// composition, insulin delivery, physical activity, Dexcom, PM100 firmware update, Omron, Libre.
    private static let medical: Set<UInt32> = [0x181B, 0x183A, 0x183E, 0xFEBC, 0xFEE8, 0xFE4A, 0xFDE3]

    /// Omron's, Dexcom's, MiaoMiao's and Libre's own services.
    private static let makers: Set<BluetoothUUID> = [
        BluetoothUUID(high: 0xECBE_3980_C9A2_11E1, low: 0xB1BD_0002_A5D5_C51B),
        BluetoothUUID(high: 0xF808_3532_849E_531C, low: 0xC594_30F1_F86A_4EA5), MiaoMiaoDriver.service,
        BluetoothUUID(high: 0x0898_10CC_EF89_11E9, low: 0x81B4_2A2A_E2DB_CCE4),
    ]
}
