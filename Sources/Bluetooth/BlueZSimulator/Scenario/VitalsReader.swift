import VitalDecoders

/// Reads the measured quantities of a sensor.
enum VitalsReader {
    private static let oximeters: Set<SensorDescription.Kind> = [
        .oximeter, .oximeterRing, .fingertipOximeter, .jumperOximeter, .bciOximeter, .noninOximeter,
    ]

    /// The kinds of sensors that may have each field.
    private static let kinds: [(field: String, kinds: Set<SensorDescription.Kind>)] = [
        ("temperature", [.thermometer, .core]), ("skinTemperature", [.core]), ("heartRate", [.heartRateStrap]),
        ("oxygenSaturation", oximeters), ("pulseRate", oximeters), ("perfusion", oximeters),
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
