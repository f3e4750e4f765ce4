import BlueZ
import KnownSensors
import Vitals

// Reports the services and characteristics of the inspected sensor.
extension SensorSupervisor {
    /// Inspects a sensor, or none: reports its services and every value of its characteristics, starting with the known
    /// ones.
    ///
    /// It causes no additional reads.
    public func inspect(_ address: String?) {
        inspection = address.flatMap { BluetoothAddress($0) }.map { Inspection(of: $0) }
        if let inspection, let session = sessions[inspection.address] { reportServices(of: session) }
    }

    /// Reports the services of the inspected sensor, and their stored values.
    func reportServices(of session: SensorSession) {
        let address = session.address
        guard inspection?.address == address else { return }
        Task(executorPreference: loop) { await self.askForServices(of: address) }
    }

    private func askForServices(of address: BluetoothAddress) async {
        if let peripheral = await central.peripheral(address), let session = sessions[address] {
            reportAdvertised(peripheral, session, at: .now())
        }
        guard let adapter = sessions[address]?.adapter else { return }
        let services = await central.services(of: address, on: adapter)
        guard let session = sessions[address], inspection?.address == address,
            let described = inspection?.number(services, kind: session.identity.kind)
        else { return }
        // Without a link BlueZ may have none; the earlier ones are better than none.
        guard !described.isEmpty else { return }
        report(.services(session.identity, described), at: .now())
        for value in session.held.all { reportOctets(value, of: session) }
    }

    /// Stores a value, and reports it if the sensor is inspected.
    func keep(
        _ octets: [UInt8], of characteristic: ReadCharacteristic, _ reference: CharacteristicReference,
        from session: SensorSession, at moment: Moment
    ) {
        session.held.keep(octets, of: characteristic, reference, at: moment)
        guard inspection?.address == session.address else { return }
        reportOctets(LastValues.Value(reference: reference, octets: octets, moment: moment), of: session)
    }

    /// Stores a value of any characteristic, and reports it if the sensor is inspected.
    func keep(
        _ octets: [UInt8], _ reference: CharacteristicReference, from session: SensorSession, at moment: Moment
    ) {
        if let known = ReadCharacteristic(uuid: reference.uuid) {
            return keep(octets, of: known, reference, from: session, at: moment)
        }
        session.held.keep(octets, reference, at: moment)
        guard inspection?.address == session.address else { return }
        reportOctets(LastValues.Value(reference: reference, octets: octets, moment: moment), of: session)
    }

    /// Reports what the inspected sensor advertises, if it has changed.
    func reportAdvertised(_ peripheral: Peripheral, _ session: SensorSession, at moment: Moment) {
        guard inspection?.address == session.address else { return }
        let data = AdvertisedData(peripheral)
        guard inspection?.advertised != data else { return }
        inspection?.advertised = data
        report(.advertised(session.identity, data), at: moment)
    }

    private func reportOctets(_ value: LastValues.Value, of session: SensorSession) {
        guard let octets = inspection?.described(value) else { return }
        report(.octets(session.identity, octets), at: .now())
    }
}

/// The last octets of one sensor's characteristics, for a later inspection.
///
/// Without an inspection the octets are only stored, not decoded or reported.
struct LastValues {
    /// The value of one characteristic.
    struct Value {
        var reference: CharacteristicReference
        var octets: [UInt8]
        var moment: Moment
    }

    private var values = [Value?](repeating: nil, count: ReadCharacteristic.allCases.count)
    /// The values of characteristics that only a driver, or no decoder, understands.
    private var others: [CharacteristicReference: Value] = [:]

    /// Stores a value.
    mutating func keep(
        _ octets: [UInt8], of characteristic: ReadCharacteristic, _ reference: CharacteristicReference,
        at moment: Moment
    ) {
        values[characteristic.rawValue] = Value(reference: reference, octets: octets, moment: moment)
    }

    /// Stores a value of any characteristic.
    mutating func keep(_ octets: [UInt8], _ reference: CharacteristicReference, at moment: Moment) {
        guard others.count < SensorService.limit || others[reference] != nil else { return }
        others[reference] = Value(reference: reference, octets: octets, moment: moment)
    }

    /// Every stored value.
    var all: [Value] {
        values.compactMap { $0 }
            + others.values.sorted { $0.reference.path.description < $1.reference.path.description }
    }
}

/// The inspected sensor, and the numbers of its characteristics.
struct Inspection {
    /// The sensor.
    let address: BluetoothAddress
    /// The numbers of its characteristics as reported.
    private(set) var numbers: [CharacteristicReference: Int] = [:]
    /// What it was reported to advertise.
    var advertised: AdvertisedData?

    init(of address: BluetoothAddress) {
        self.address = address
    }

    /// Numbers the characteristics of services again, and describes the services.
    mutating func number(_ services: [Service], kind: SensorKind) -> [SensorService] {
        numbers = [:]
        let rule = ExplorationRule(kind: kind, services: services.map(\.uuid))
        let described = services.map { service in
            SensorService(
                uuid: service.uuid.description,
                characteristics: service.characteristics.map { characteristic in
                    let number = numbers.count
                    numbers[characteristic.reference] = number
                    return SensorCharacteristic(
                        number: number, uuid: characteristic.uuid.description,
                        properties: characteristic.flags.names,
                        descriptors: characteristic.descriptors.map(\.uuid.description),
                        offered: rule.offered(characteristic, of: service.uuid))
                })
        }
        return SensorService.bounded(described)
    }

    func reference(_ number: Int) -> CharacteristicReference? { numbers.first { $0.value == number }?.key }

    /// A value as reported; `nil` if its characteristic was not reported.
    func described(_ value: LastValues.Value) -> CharacteristicOctets? {
        guard let number = numbers[value.reference], number < SensorService.limit else { return nil }
        return CharacteristicOctets(number: number, octets: value.octets, moment: value.moment)
    }
}

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
        if !characteristic.flags.isDisjoint(with: [.notify, .indicate]) {
            offered += [.subscribe, .unsubscribe]
        }
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
