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
            "uuid", "flags", "value", "values", "offBody", "pieces", "echoes", "needsPairing",
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
        if let field = object["pieces"] { characteristic.pieces = try field.integer(1...512) }
        if let field = object["echoes"] { characteristic.echoes = try ScenarioReader.uuid(field) }
        if let field = object["needsPairing"] { characteristic.needsPairing = try field.boolean() }
        return characteristic
    }
}
