import BlueZ
import Vitals

/// What a user may try on a characteristic.
///
/// Reading and subscribing change nothing in a sensor. Writing may: a control point can delete records, stop a session of
/// a glucose sensor, start a measurement. So nothing is written to what measures a patient but to the services that every
/// peripheral has (names and clocks), and to no control point of anything.
struct ExplorationRule {
    /// Control points of the Bluetooth SIG that change something in a device, by assigned number: Heart Rate, Record
    /// Access, CGM Specific Ops, User, Insulin Delivery, Cycling Power, Fitness Machine, Reconnection, Elapsed Time.
    private static let controlPoints: Set<UInt32> = [
        0x2A39, 0x2A52, 0x2A55, 0x2A66, 0x2A9F, 0x2AAC, 0x2AD9, 0x2B1F, 0x2B25, 0x2B1E, 0x2B20, 0x2B21, 0x2B22,
    ]
    /// Services in which anybody may write: Generic Access, Current Time.
    private static let general: Set<UInt32> = [0x1800, 0x1805]

    private let isMedical: Bool

    /// Makes the rule of a device.
    ///
    /// - Parameters:
    ///   - kind: What it is.
    ///   - services: All its services.
    init(kind: SensorKind, services: [BluetoothUUID]) {
        isMedical = kind != .other || services.contains(where: Self.isMedical)
    }

    /// What is offered on a characteristic of a service.
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

    /// Whether a service is of a device that measures or treats a patient, also one that Bedside does not read.
    private static func isMedical(_ service: BluetoothUUID) -> Bool {
        if SupportedSensors.kind(services: [service], name: nil) != .other { return true }
        if let number = service.assignedNumber { return medical.contains(number) }
        return makers.contains(service)
    }

    /// Of devices that we do not read, or not by this service alone, by assigned number: body composition, insulin
    /// delivery, physical activity, Dexcom, new firmware of the PM100, Omron, Libre.
    private static let medical: Set<UInt32> = [0x181B, 0x183A, 0x183E, 0xFEBC, 0xFEE8, 0xFE4A, 0xFDE3]

    /// Omron's, Dexcom's, MiaoMiao's and Libre's own services.
    private static let makers: Set<BluetoothUUID> = [
        BluetoothUUID(high: 0xECBE_3980_C9A2_11E1, low: 0xB1BD_0002_A5D5_C51B),
        BluetoothUUID(high: 0xF808_3532_849E_531C, low: 0xC594_30F1_F86A_4EA5), MiaoMiaoDriver.service,
        BluetoothUUID(high: 0x0898_10CC_EF89_11E9, low: 0x81B4_2A2A_E2DB_CCE4),
    ]
}
