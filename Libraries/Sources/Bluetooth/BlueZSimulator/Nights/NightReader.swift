import VitalDecoders

/// Reads the nights of a ring in a scenario.
enum NightReader {
    static let fields = [
        "start", "daysAgo", "length", "interval", "saturation", "pulseRate", "falls", "gaps", "weakPulses", "movements",
        "reminder", "defect", "name",
    ]

    /// The most spells of one kind in a night, and the longest night in seconds.
    private static let mostSpells = 2000
    private static let longest = 43_200.0

    static func read(_ node: ScenarioNode, of ring: RingProtocol) throws(ScenarioError) -> StoredNightsDescription {
        var nights: [NightDescription] = []
        for night in try node.list() { nights.append(try Self.night(night, of: ring)) }
        return StoredNightsDescription(ring: ring, nights: nights)
    }

    private static func night(_ node: ScenarioNode, of ring: RingProtocol) throws(ScenarioError) -> NightDescription {
        let object = try node.object(fields)
        var night = NightDescription(
            start: try start(object), length: try object.required("length").number(1...longest, "a number of seconds"),
            interval: try object["interval"]?.integer(1...60) ?? ring.interval,
            saturation: try object["saturation"].map { (node) throws(ScenarioError) in try QuantityReader.read(node) }
                ?? Quantity(constant: 96),
            pulseRate: try object["pulseRate"].map { (node) throws(ScenarioError) in try QuantityReader.read(node) }
                ?? Quantity(constant: 60))
        if let field = object["falls"] {
            for (fall, at) in try repeated(field, ["depth", "recovery"]) {
                night.falls.append(
                    NightDescription.Fall(
                        at: at, depth: try fall.required("depth").number(0...100, "percent"),
                        length: try fall.required("length").number(1...longest, "a number of seconds"),
                        recovery: try fall["recovery"]?.number(1...longest, "a number of seconds") ?? 15))
            }
        }
        if let field = object["gaps"] { night.gaps = try spells(field) }
        if let field = object["weakPulses"] { night.weakPulses = try spells(field) }
        if let field = object["movements"] {
            for (movement, at) in try repeated(field, ["strength"]) {
                night.movements.append(
                    NightDescription.Movement(
                        spell: try spell(movement, at), strength: try movement["strength"]?.integer(1...255) ?? 20))
            }
        }
        if let field = object["reminder"] { night.reminder = try field.integer(1...100) }
        if let field = object["defect"] { night.defect = try field.word(NightDescription.Defect.self) }
        if let field = object["name"] { night.name = try field.string() }
        return night
    }

    private static func start(_ object: ScenarioObject) throws(ScenarioError) -> NightDescription.Start {
        let field = try object.required("start")
        if let days = object["daysAgo"], field.value.text?.utf8.count != 8 {
            throw days.mistake("days ago are for a night whose start is a time of day")
        }
        guard let text = field.value.text else {
            return .seconds(try field.number(-31_536_000...31_536_000, "a number of seconds"))
        }
        // A time of day is that of any day.
        let isTimeOfDay = text.utf8.count == 8
        guard let time = DateTime(ringText: isTimeOfDay ? "1970-01-01 \(text)" : text),
            DateTime(clockSeconds: time.clockSeconds) == time
        else {
            throw field.mistake("expected '2026-11-28 22:41:05', '22:41:05' or a number of seconds")
        }
        guard isTimeOfDay else { return .clock(time.clockSeconds) }
        return .evening(time.clockSeconds, daysAgo: try object["daysAgo"]?.integer(0...365) ?? 1)
    }

    private static func spells(_ node: ScenarioNode) throws(ScenarioError) -> [NightDescription.Spell] {
        var spells: [NightDescription.Spell] = []
        for (object, at) in try repeated(node, []) { spells.append(try spell(object, at)) }
        return spells
    }

    private static func spell(_ object: ScenarioObject, _ at: Double) throws(ScenarioError) -> NightDescription.Spell {
        NightDescription.Spell(at: at, length: try object.required("length").number(1...longest, "a number of seconds"))
    }

    /// The members of a list, as often as each says, with the second of the night at which each begins.
    private static func repeated(
        _ node: ScenarioNode, _ fields: [String]
    ) throws(ScenarioError) -> [(ScenarioObject, Double)] {
        var members: [(ScenarioObject, Double)] = []
        for member in try node.list() {
            let object = try member.object(["at", "length", "count", "every"] + fields)
            let at = try object.required("at").number(0...longest, "a number of seconds")
            let count = try object["count"]?.integer(1...mostSpells) ?? 1
            let every = count == 1 ? 0 : try object.required("every").number(1...longest, "a number of seconds")
            for number in 0..<count { members.append((object, at + Double(number) * every)) }
            guard members.count <= mostSpells else {
                throw node.mistake("expected at most \(mostSpells) in a night, found \(members.count)")
            }
        }
        return members
    }
}
