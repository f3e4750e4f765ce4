import VitalDecoders

/// Creates sensors from a scenario's list `sensors`.
enum SensorReader {
    static let fields =
        [
            "name", "address", "addressType", "kind", "copies", "rssi", "rssiNoise", "txPower", "appearance", "battery",
            "interval", "advertises", "manufacturerData", "deviceInformation", "temperature", "skinTemperature",
            "heartRate", "oxygenSaturation", "pulseRate", "perfusion", "services", "inRange", "pairing", "passkey",
            "electrocardiogram", "rhythm", "respirationRate", "motion",
        ] + ConversationReader.fields

    /// Reads one sensor, or as many as its field `copies` asks for.
    static func read(_ node: ScenarioNode) throws(ScenarioError) -> [SensorDescription] {
        let object = try node.object(fields)
        let kind = try object.required("kind").word(SensorDescription.Kind.self)
        let address = try ScenarioReader.address(try object.required("address"))
        var sensor = SensorDescription(kind: kind, name: try object.required("name").text(), address: address)
        if let device = try BuiltInDevice.object(kind) { try readAll(device, &sensor) }
        try readAll(object, &sensor)
        try ConversationReader.check(sensor, node)
        guard let copies = object["copies"] else { return [sensor] }
        return try Self.copies(of: sensor, try copies.integer(1...1000), copies)
    }

    /// Reads everything but the identity: kind, name, address and copies.
    private static func readAll(_ object: ScenarioObject, _ sensor: inout SensorDescription) throws(ScenarioError) {
        try readRadio(object, &sensor)
        try VitalsReader.read(object, &sensor)
        if let field = object["battery"] {
            sensor.battery = field.value.isNull ? nil : try QuantityReader.read(field)
        }
        if let field = object["interval"] { sensor.interval = try field.number(0.001...86_400, "a number of seconds") }
        if let field = object["deviceInformation"] { sensor.information = try information(field, sensor.information) }
        for service in try object["services"]?.list() ?? [] {
            sensor.services.append(try CustomServiceReader.read(service))
        }
        try ConversationReader.read(object, &sensor)
        sensor.pairing = try pairing(object) ?? sensor.pairing
    }

    private static func pairing(_ object: ScenarioObject) throws(ScenarioError) -> PairingBehaviour? {
        guard let field = object["pairing"] else {
            if let passkey = object["passkey"] { throw passkey.mistake("a passkey is for a sensor with 'pairing'") }
            return nil
        }
        var behaviour = PairingBehaviour(method: try field.word(PairingMethod.self))
        if let field = object["passkey"] { behaviour.passkey = try field.integer(0...999_999) }
        return behaviour
    }

    private static func readRadio(
        _ object: ScenarioObject, _ sensor: inout SensorDescription
    ) throws(ScenarioError) {
        if let field = object["addressType"] { sensor.addressType = try field.word(SensorDescription.AddressType.self) }
        if let field = object["rssi"] { sensor.signalStrength = try field.integer(-127...20) }
        if let field = object["rssiNoise"] { sensor.signalNoise = try field.integer(0...40) }
        if let field = object["txPower"] { sensor.transmitPower = try field.integer(-127...20) }
        if let field = object["appearance"] { sensor.appearance = UInt16(try field.integer(0...0xFFFF)) }
        if let field = object["inRange"] { sensor.isInRange = try field.boolean() }
        if let field = object["advertises"] {
            sensor.advertisedServices = []
            for uuid in try field.list() { sensor.advertisedServices.append(try ScenarioReader.uuid(uuid)) }
        }
        for node in try object["manufacturerData"]?.list() ?? [] {
            let data = try node.object(["company", "data"])
            sensor.manufacturerData.append(
                SensorDescription.CompanyData(
                    company: UInt16(try data.required("company").integer(0...0xFFFF)),
                    octets: try data.required("data").octets(0...27)))
        }
    }

    private static func information(
        _ node: ScenarioNode, _ standard: SensorDescription.DeviceInformation?
    ) throws(ScenarioError) -> SensorDescription.DeviceInformation? {
        if node.value.isNull { return nil }
        let object = try node.object(["manufacturer", "model", "serial", "firmware"])
        var information = standard ?? SensorDescription.DeviceInformation()
        if let field = object["manufacturer"] { information.manufacturer = try field.string() }
        if let field = object["model"] { information.model = try field.string() }
        if let field = object["serial"] { information.serial = try field.string() }
        if let field = object["firmware"] { information.firmware = try field.string() }
        return information
    }

    /// Equal sensors with numbered names and consecutive addresses.
    private static func copies(
        of sensor: SensorDescription, _ count: Int, _ node: ScenarioNode
    ) throws(ScenarioError) -> [SensorDescription] {
        let first = BluetoothAddress(sensor.address)?.rawValue ?? 0
        guard first + UInt64(count) <= 1 << 48 else { throw node.mistake("there are too few addresses left") }
        return (0..<count).map { index in
            var copy = sensor
            copy.name = "\(sensor.name) \(index + 1)"
            copy.address = BluetoothAddress(rawValue: first + UInt64(index)).description
            return copy
        }
    }
}

/// Reads the services of a scenario.
enum CustomServiceReader {
    static func read(_ node: ScenarioNode) throws(ScenarioError) -> CustomService {
        let object = try node.object(["uuid", "characteristics"])
        var characteristics: [CustomCharacteristic] = []
        for characteristic in try object["characteristics"]?.list() ?? [] {
            characteristics.append(try Self.characteristic(characteristic))
        }
        for characteristic in characteristics {
            guard let echoed = characteristic.echoes, !characteristics.contains(where: { $0.uuid == echoed }) else {
                continue
            }
            throw node.mistake("the service has no characteristic \(echoed) that could be echoed")
        }
        return CustomService(
            uuid: try ScenarioReader.uuid(try object.required("uuid")), characteristics: characteristics)
    }

    private static func characteristic(_ node: ScenarioNode) throws(ScenarioError) -> CustomCharacteristic {
        let object = try node.object([
            "uuid", "flags", "value", "values", "offBody", "pieces", "echoes", "needsPairing", "wave",
        ])
        var flags: [CharacteristicFlag] = []
        for flag in try object.required("flags").list() { flags.append(try flag.word(CharacteristicFlag.self)) }
        var values: [OctetTemplate] = []
        if let value = object["value"] { values.append(try OctetTemplateReader.template(value)) }
        for value in try object["values"]?.list() ?? [] { values.append(try OctetTemplateReader.template(value)) }
        var characteristic = CustomCharacteristic(
            uuid: try ScenarioReader.uuid(try object.required("uuid")), flags: flags, values: values)
        for value in try object["offBody"]?.list() ?? [] {
            characteristic.offBody.append(try OctetTemplateReader.template(value))
        }
        for template in values + characteristic.offBody where template.hasSamples {
            throw node.mistake("the place '{samples}' is for a wave")
        }
        if let field = object["pieces"] { characteristic.pieces = try field.integer(1...512) }
        if let field = object["echoes"] { characteristic.echoes = try ScenarioReader.uuid(field) }
        if let field = object["wave"] { characteristic.wave = try WaveReader.characteristic(field) }
        if let field = object["needsPairing"] { characteristic.needsPairing = try field.boolean() }
        return characteristic
    }
}

/// Reads the measured quantities of a sensor.
enum VitalsReader {
    private static let oximeters: Set<SensorDescription.Kind> = [
        .oximeter, .oximeterRing, .oximeterRingS, .fingertipOximeter, .jumperOximeter, .bciOximeter,
        .noninOximeter,
    ]

    private static let hearts = Set(SensorDescription.Kind.allCases.filter(\.hasHeartRate))

    /// The kinds of sensors that may have each field.
    private static let kinds: [(field: String, kinds: Set<SensorDescription.Kind>)] = [
        ("temperature", [.thermometer, .core]), ("skinTemperature", [.core]), ("heartRate", hearts),
        ("oxygenSaturation", oximeters), ("pulseRate", oximeters), ("perfusion", oximeters),
        ("electrocardiogram", [.heartRateStrap]), ("rhythm", oximeters.union(hearts)),
        ("respirationRate", oximeters.union(hearts)), ("motion", oximeters.union(hearts)),
    ]

    static func read(_ object: ScenarioObject, _ sensor: inout SensorDescription) throws(ScenarioError) {
        for (name, kinds) in kinds {
            if let field = object[name], !kinds.contains(sensor.kind) {
                throw field.mistake("a sensor of the kind '\(sensor.kind.rawValue)' has no \(name)")
            }
        }
        if let field = object["temperature"] { try readTemperature(field, &sensor.vitals.temperature) }
        if let field = object["skinTemperature"] {
            sensor.vitals.temperature.skin = try QuantityReader.read(field)
        }
        if let field = object["heartRate"] { try readHeartRate(field, &sensor.vitals.heartRate) }
        if let field = object["oxygenSaturation"] {
            let names = QuantityReader.fields + ["status"]
            sensor.vitals.oximetry.saturation = try QuantityReader.read(field, besides: ["status"])
            if field.value.members != nil, let status = try field.object(names)["status"] {
                sensor.vitals.oximetry.sendsStatus = try status.boolean()
            }
        }
        if let field = object["pulseRate"] { sensor.vitals.oximetry.pulseRate = try QuantityReader.read(field) }
        if let field = object["perfusion"] { sensor.vitals.oximetry.amplitude = try QuantityReader.read(field) }
        if let field = object["rhythm"] { sensor.vitals.body.rhythm = try field.word(HeartRhythm.self) }
        if let field = object["respirationRate"] {
            sensor.vitals.body.respirationRate = try QuantityReader.read(field)
        }
        if let field = object["motion"] { sensor.vitals.body.motion = try QuantityReader.read(field) }
        if let field = object["electrocardiogram"] {
            sensor.vitals.electrocardiogram = try electrocardiogram(field)
        }
    }

    /// The ECG of a strap: `true` for one with the usual settings.
    private static func electrocardiogram(
        _ node: ScenarioNode
    ) throws(ScenarioError) -> SimulatedVitals.Electrocardiogram? {
        if let isThere = node.value.boolean { return isThere ? SimulatedVitals.Electrocardiogram() : nil }
        let object = try node.object(
            ["amplitude", "mains", "sampleRate", "delay", "compressed"], "true, false or an object")
        var settings = SimulatedVitals.Electrocardiogram()
        if let field = object["amplitude"] { settings.amplitude = try QuantityReader.read(field) }
        if let field = object["mains"] { settings.mains = try QuantityReader.read(field) }
        if let field = object["sampleRate"] {
            settings.sampleRate = try field.number(120...140, "a number of samples a second")
        }
        if let field = object["delay"] { settings.delay = try field.number(0...3600, "a number of seconds") }
        if let field = object["compressed"] { settings.isCompressed = try field.boolean() }
        return settings
    }

    private static func readTemperature(
        _ node: ScenarioNode, _ temperature: inout SimulatedVitals.Temperature
    ) throws(ScenarioError) {
        let names = ["unit", "type", "timestamp"]
        temperature.value = try QuantityReader.read(node, besides: names)
        guard node.value.members != nil else { return }
        let object = try node.object(QuantityReader.fields + names)
        if let field = object["unit"] { temperature.unit = try field.word(TemperatureUnit.self) }
        if let field = object["timestamp"] { temperature.isTimestamped = try field.boolean() }
        guard let field = object["type"] else { return }
        if field.value.isNull {
            temperature.type = nil
        } else {
            temperature.type = try assignedNumber(field)
        }
    }

    private static func readHeartRate(
        _ node: ScenarioNode, _ heartRate: inout SimulatedVitals.HeartRate
    ) throws(ScenarioError) {
        let names = ["contact", "rrIntervals", "energy", "location", "wide"]
        heartRate.value = try QuantityReader.read(node, besides: names)
        guard node.value.members != nil else { return }
        let object = try node.object(QuantityReader.fields + names)
        if let field = object["contact"] { heartRate.contact = try contact(field) }
        if let field = object["rrIntervals"] { heartRate.intervals = try field.boolean() ? .computed : .none }
        if let field = object["energy"] { heartRate.energy = UInt16(try field.integer(0...65535)) }
        if let field = object["location"] { heartRate.location = try assignedNumber(field) }
        if let field = object["wide"] { heartRate.isWide = try field.boolean() }
    }

    private static func contact(_ node: ScenarioNode) throws(ScenarioError) -> Bool? {
        switch node.value.content {
        case .boolean(let isTrue): return isTrue
        case .string("unsupported"): return nil
        case .string(let word): throw node.unknown(word, among: ["unsupported"])
        default: throw node.expected("true, false or 'unsupported'")
        }
    }

    /// A number of a list of the Bluetooth SIG, by its name.
    private static func assignedNumber<Number: AssignedNumber>(_ node: ScenarioNode) throws(ScenarioError) -> Number {
        let name = try node.string()
        if let number = Number(name: name) { return number }
        throw node.unknown(name, among: Number.assigned.map(\.name))
    }
}

extension SensorDescription {
    /// Creates a sensor of a kind with its defaults.
    init(kind: Kind, name: String, address: String) {
        self.init(name: name, address: address, kind: kind)
        switch kind {
        case .thermometer:
            appearance = 0x0300
            transmitPower = 0
            advertisedServices = [HealthThermometerService.uuid, DeviceInformationService.uuid]
        case .core:
            appearance = 0x0300
            advertisedServices = [
                HealthThermometerService.uuid, DeviceInformationService.uuid, BatteryService.uuid,
                CoreBodyTemperatureService.uuid,
            ]
            vitals.temperature.type = .body
        case .heartRateStrap:
            appearance = 0x0341
            transmitPower = 0
            advertisedServices = [HeartRateService.uuid]
        case .oximeter:
            appearance = 0x0C40
            advertisedServices = [PulseOximeterService.uuid]
        case .generic:
            return
        default:
            information = DeviceInformation()
            return
        }
        battery = Quantity(constant: 87)
        information = DeviceInformation()
    }
}
