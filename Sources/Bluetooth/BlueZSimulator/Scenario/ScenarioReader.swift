import VitalDecoders

/// Creates a scenario from its text.
struct ScenarioReader {
    static let fields = ["title", "seed", "repeatAfter", "adapter", "sensors", "events"]

    static func read(_ root: ScenarioNode) throws(ScenarioError) -> Scenario {
        let object = try root.object(fields, "an object with title, sensors and events")
        var sensors: [SensorDescription] = []
        for node in try object.required("sensors").list() {
            for sensor in try SensorReader.read(node) {
                if sensors.contains(where: { $0.address == sensor.address }) {
                    throw node.mistake("the address \(sensor.address) is given to two sensors")
                }
                sensors.append(sensor)
            }
        }
        var events: [ScenarioEvent] = []
        let language = CommandLanguage(sensors: sensors)
        for node in try object["events"]?.list() ?? [] {
            events.append(try EventReader(language: language, sensors: sensors).read(node))
        }
        return Scenario(
            title: try object["title"]?.text() ?? "Untitled scenario",
            adapter: try adapter(object["adapter"]), sensors: sensors, events: events,
            period: try object["repeatAfter"]?.number(1...1_000_000_000, "a number of seconds"),
            seed: UInt64(try object["seed"]?.integer(0...1 << 53) ?? 1))
    }

    private static func adapter(_ node: ScenarioNode?) throws(ScenarioError) -> AdapterDescription {
        var adapter = AdapterDescription()
        guard let node else { return adapter }
        let object = try node.object(["address", "name", "powered", "plugged", "filterDuplicates", "powerState"])
        if let field = object["address"] { adapter.address = try address(field) }
        if let field = object["name"] { adapter.name = try field.text() }
        if let field = object["powered"] { adapter.isPowered = try field.boolean() }
        if let field = object["plugged"] { adapter.isPlugged = try field.boolean() }
        if let field = object["filterDuplicates"] { adapter.filtersDuplicates = try field.boolean() }
        if let field = object["powerState"] { adapter.hasPowerState = try field.boolean() }
        return adapter
    }

    static func address(_ node: ScenarioNode) throws(ScenarioError) -> String {
        let address = try node.string().uppercased()
        guard BluetoothAddress(address) != nil else {
            throw node.mistake("expected an address such as 'C0:52:49:00:00:01'")
        }
        return address
    }

    static func uuid(_ node: ScenarioNode) throws(ScenarioError) -> BluetoothUUID {
        guard let uuid = BluetoothUUID(try node.string()) else {
            throw node.mistake("expected a UUID of 4 or 32 hexadecimal digits, such as '180D'")
        }
        return uuid
    }
}
