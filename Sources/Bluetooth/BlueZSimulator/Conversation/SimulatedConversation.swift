import Glibc
import VitalDecoders

/// The state of a simulated sensor's conversation.
struct SimulatedConversation {
    let description: ConversationDescription
    var records: StoredRecords?
    /// The octets saved by rules, by name.
    private(set) var saved: [String: [UInt8]] = [:]
    private var clockError: Double
    /// When it was last active, in seconds of the scenario.
    var lastActivity = 0.0
    /// The number of random octets drawn so far.
    private var draws = 0

    init(_ description: ConversationDescription) {
        self.description = description
        records = description.records.map(StoredRecords.init)
        clockError = description.clockError
    }

    /// Whether it sleeps until a user measures.
    var isEpisodic: Bool { description.sleepsAfter != nil }

    /// The first rule that matches an event; its octets are saved.
    mutating func rule(
        for event: Event, isOnBody: Bool, noise: Noise, _ filling: TemplateFilling
    ) -> ConversationRule? {
        guard
            let rule = description.rules.first(where: { rule in
                guard rule.isOnBody.map({ $0 == isOnBody }) ?? true else { return false }
                switch (rule.trigger, event) {
                case (.written(let uuid, let pattern), .written(let octets, let to)):
                    return uuid == to && pattern.matches(octets, filling)
                case (.subscribed(let uuid), .subscribed(let to)): return uuid == to
                case (.measured, .measured): return true
                default: return false
                }
            })
        else { return nil }
        var filling = filling
        for (name, template) in rule.saves {
            draws += 1
            let draw = noise.stream(draws)
            filling.random = { count in (0..<count).map { UInt8(truncatingIfNeeded: draw.bits(at: $0) >> 24) } }
            saved[name] = template.octets(filling)
        }
        return rule
    }

    enum Event {
        case written([UInt8], to: BluetoothUUID)
        case subscribed(BluetoothUUID)
        case measured
    }

    // MARK: Clock

    /// Its clock, some seconds before or after now.
    func time(in seconds: Double) -> DateTime {
        DateTime(localTime: Self.now + seconds + clockError)
    }

    /// Sets its clock from a Current Time (2A2B) or Date Time (2A08); shorter octets are ignored.
    mutating func setClock(_ octets: [UInt8]) {
        guard octets.count >= 7 else { return }
        var parts = tm()
        parts.tm_year = (Int32(octets[0]) | Int32(octets[1]) << 8) - 1900
        (parts.tm_mon, parts.tm_mday) = (Int32(octets[2]) - 1, Int32(octets[3]))
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (Int32(octets[4]), Int32(octets[5]), Int32(octets[6]))
        parts.tm_isdst = -1
        let moment = mktime(&parts)
        if moment != -1 { clockError = Double(moment) - Self.now.rounded(.down) }
    }

    private static var now: Double {
        var moment = timespec()
        clock_gettime(CLOCK_REALTIME, &moment)
        return Double(moment.tv_sec) + Double(moment.tv_nsec) / 1e9
    }
}
