import VitalDecoders

/// Creates sensors from a scenario's list `sensors`.
enum SensorReader {
    static let fields =
        [
            "name", "address", "addressType", "kind", "copies", "rssi", "rssiNoise", "txPower", "appearance", "battery",
            "interval", "advertises", "manufacturerData", "deviceInformation", "temperature", "skinTemperature",
            "heartRate", "oxygenSaturation", "pulseRate", "perfusion", "services", "inRange", "pairing", "passkey",
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
