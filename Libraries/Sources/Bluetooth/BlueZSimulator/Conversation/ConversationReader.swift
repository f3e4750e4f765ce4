import VitalDecoders

/// Reads the conversation of a sensor in a scenario.
enum ConversationReader {
    static let fields = [
        "conversation", "records", "nights", "quantities", "identifier", "clock", "sleepsAfter", "wakesEvery",
    ]

    static func read(_ object: ScenarioObject, _ sensor: inout SensorDescription) throws(ScenarioError) {
        if let field = object["quantities"] {
            for (name, node) in try field.namedMembers() {
                guard QuantityExpression(Substring(name))?.name == name else {
                    throw node.mistake("expected a name of letters and digits")
                }
                sensor.conversation.quantities[name] = try QuantityReader.read(node)
            }
        }
        if let field = object["identifier"] {
            let identifier = try field.string().uppercased()
            guard identifier.utf8.count == 6 else { throw field.mistake("expected six letters and digits") }
            sensor.conversation.identifier = identifier
        }
        if let field = object["clock"] {
            sensor.conversation.clockError = try field.number(-1e9...1e9, "a number of seconds")
        }
        if let field = object["sleepsAfter"] {
            sensor.conversation.sleepsAfter = try field.number(0.1...86_400, "a number of seconds")
        }
        if let field = object["wakesEvery"] {
            sensor.conversation.wakesEvery = try field.number(1...86_400, "a number of seconds")
        }
        if let field = object["records"] { sensor.conversation.records = try records(field) }
        if let field = object["nights"] {
            guard let ring = RingProtocol(sensor.kind) else {
                throw field.mistake("nights are for an oximeterRing or an oximeterRingS")
            }
            sensor.conversation.nights = try NightReader.read(field, of: ring)
        }
        guard let field = object["conversation"] else { return }
        sensor.conversation.rules = []
        for node in try field.list() { sensor.conversation.rules.append(try rule(node)) }
    }

    private static func rule(_ node: ScenarioNode) throws(ScenarioError) -> ConversationRule {
        let object = try node.object([
            "written", "octets", "subscribed", "measured", "worn", "saves", "answers", "error",
        ])
        var rule = ConversationRule(trigger: try trigger(object, node))
        if let field = object["worn"] { rule.isOnBody = try field.boolean() }
        for (name, value) in try object["saves"]?.namedMembers() ?? [] {
            rule.saves[name] = try OctetTemplateReader.template(value)
        }
        for answer in try object["answers"]?.list() ?? [] { rule.answers.append(try Self.answer(answer)) }
        if let field = object["error"] { rule.error = UInt8(try field.integer(1...255)) }
        return rule
    }

    private static func trigger(
        _ object: ScenarioObject, _ node: ScenarioNode
    ) throws(ScenarioError) -> ConversationRule.Trigger {
        if let field = object["written"] {
            let pattern =
                if let octets = object["octets"] { try OctetTemplateReader.pattern(octets) } else {
                    OctetTemplate([.rest])
                }
            return .written(try ScenarioReader.uuid(field), pattern)
        }
        if let field = object["octets"] { throw field.mistake("octets to compare are for a rule with 'written'") }
        if let field = object["subscribed"] { return .subscribed(try ScenarioReader.uuid(field)) }
        guard let field = object["measured"], try field.boolean() else {
            throw node.mistake("expected one of written, subscribed and measured")
        }
        return .measured
    }

    private static func answer(_ node: ScenarioNode) throws(ScenarioError) -> ConversationAnswer {
        let object = try node.object(["from", "octets", "after", "pieces", "hangUp", "wave"])
        var answer: ConversationAnswer
        if let field = object["hangUp"], try field.boolean() {
            answer = ConversationAnswer(act: .hangUp)
        } else {
            let octets = try OctetTemplateReader.template(try object.required("octets"))
            let pieces = try object["pieces"]?.integer(1...512)
            let uuid = try ScenarioReader.uuid(try object.required("from"))
            let wave = try object["wave"].map { (node) throws(ScenarioError) in
                try WaveReader.answer(node, frame: octets)
            }
            if octets.hasSamples, wave == nil { throw node.mistake("the place '{samples}' is for a wave") }
            answer = ConversationAnswer(act: .send(octets, from: uuid, pieces: pieces, wave: wave))
        }
        if let field = object["after"] { answer.delay = try field.number(0...86_400, "a number of seconds") }
        return answer
    }

    private static func records(_ node: ScenarioNode) throws(ScenarioError) -> RecordsDescription {
        let object = try node.object(["from", "octets", "context", "control", "count", "every", "first", "continues"])
        var records = RecordsDescription(
            characteristic: try ScenarioReader.uuid(try object.required("from")),
            octets: try OctetTemplateReader.template(try object.required("octets")))
        if let field = object["context"] {
            let context = try field.object(["from", "octets"])
            records.context = try ScenarioReader.uuid(try context.required("from"))
            records.contextOctets = try OctetTemplateReader.template(try context.required("octets"))
        }
        if let field = object["control"] { records.control = try ScenarioReader.uuid(field) }
        if let field = object["count"] { records.count = try field.integer(0...10_000) }
        if let field = object["every"] { records.interval = try field.number(1...31_536_000, "a number of seconds") }
        if let field = object["continues"] { records.isContinued = try field.boolean() }
        if let field = object["first"] { records.firstSequence = try field.integer(0...65_535) }
        return records
    }

    // MARK: What fits together

    /// Checks that every characteristic and quantity named in a conversation exists.
    static func check(_ sensor: SensorDescription, _ node: ScenarioNode) throws(ScenarioError) {
        let conversation = sensor.conversation
        let characteristics = GattDatabase(of: sensor).services.flatMap(\.characteristics).map(\.uuid)
        let templates = conversation.templates + sensor.services.flatMap(\.characteristics).flatMap(\.templates)
        for uuid in conversation.characteristics where !characteristics.contains(uuid) {
            throw node.mistake("the conversation names the characteristic \(uuid), which the sensor does not have")
        }
        let known = SimulatedPeripheral.CommonQuantity.allCases.map(\.rawValue) + Array(conversation.quantities.keys)
        for name in templates.flatMap(\.quantities) where !known.contains(name) {
            throw node.unknown(name, among: known.sorted())
        }
        let saved = conversation.rules.flatMap(\.saves.keys)
        for name in templates.flatMap(\.savedNames) where !saved.contains(name) {
            throw node.mistake("nothing saves '\(name)'")
        }
    }
}

extension ConversationDescription {
    fileprivate var templates: [OctetTemplate] {
        var templates: [OctetTemplate] = []
        if let records { templates += [records.octets, records.contextOctets] }
        for rule in rules {
            if case .written(_, let pattern) = rule.trigger { templates.append(pattern) }
            templates += rule.saves.values
            for case .send(let octets, _, _, let wave) in rule.answers.map(\.act) {
                templates += [octets] + (wave?.templates ?? [])
            }
        }
        return templates
    }

    fileprivate var characteristics: [BluetoothUUID] {
        var uuids = [records?.characteristic, records?.context, records?.control].compactMap(\.self)
        for rule in rules {
            switch rule.trigger {
            case .written(let uuid, _), .subscribed(let uuid): uuids.append(uuid)
            case .measured: break
            }
            for case .send(_, let uuid, _, _) in rule.answers.map(\.act) { uuids.append(uuid) }
        }
        return uuids
    }
}

extension OctetTemplate {
    fileprivate var savedNames: [String] {
        func names(_ part: Part) -> [String] {
            switch part {
            case .saved(let name): [name]
            case .dexcomHash(let inner): names(inner)
            default: []
            }
        }
        return parts.flatMap(names)
    }
}
