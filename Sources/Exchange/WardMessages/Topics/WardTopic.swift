import Vitals

/// A topic of a bed: `bedside/v1/<site>/<bed>/…`.
///
/// Topics come from a broker, to which others may publish; any other form is refused.
public struct WardTopic: Hashable, Sendable {
    public var bed: WardBed
    /// The subject of its messages.
    public var subject: Subject

    /// The subjects below a bed.
    public enum Subject: Hashable, Sendable {
        /// The presence of the bed's monitor; the only retained message, and the last will.
        case session
        /// The full picture.
        case birth
        /// A reading of a vital.
        case vital(Vital)
        /// A reading of a vital that only newer versions know, by its name.
        case unknownVital(WardToken)
        /// The complete state of an alarm, by its number.
        case alarm(Int)
        /// The proof of life.
        case heartbeat
        /// A batch of recorded readings, by the key of its first one.
        case history(WardHistoryKey)
        /// The key up to which the collector has stored everything.
        case historyAcknowledgement
        /// A request to the bed.
        case command(WardCommand.Name, request: WardToken)
        /// The bed's answer to a request.
        case commandResult(request: WardToken)
    }

    /// The first two levels of all topics; the second is the version.
    public static let root = "bedside/v1"
    /// The greatest length of a topic, in bytes.
    static let longest = 200

    public init(_ bed: WardBed, _ subject: Subject) {
        self.bed = bed
        self.subject = subject
    }

    /// Reads a topic.
    ///
    /// - Returns: `nil` for any text that is not a topic of a bed.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        let levels = text.split(separator: "/", omittingEmptySubsequences: false)
        guard levels.count >= 5, "\(levels[0])/\(levels[1])" == Self.root, let site = WardToken(levels[2]),
            let bed = WardToken(levels[3]), let subject = Self.subject(levels[4...])
        else { return nil }
        self.init(WardBed(site: site, bed: bed), subject)
    }

    private static func subject(_ levels: ArraySlice<Substring>) -> Subject? {
        let name = levels.first ?? ""
        let rest = Array(levels.dropFirst())
        switch (name, rest.count) {
        case ("session", 0): return .session
        case ("birth", 0): return .birth
        case ("heartbeat", 0): return .heartbeat
        case ("vital", 1):
            return Vital(rawValue: String(rest[0])).map { .vital($0) } ?? WardToken(rest[0]).map { .unknownVital($0) }
        case ("alarm", 1):
            guard let number = Int(rest[0]), WardBounds.alarmNumbers.contains(number), "\(number)" == rest[0] else {
                return nil
            }
            return .alarm(number)
        case ("history", 1):
            return rest[0] == "ack" ? .historyAcknowledgement : WardHistoryKey(level: rest[0]).map { .history($0) }
        case ("cmd", 2):
            guard let name = WardCommand.Name(rawValue: String(rest[0])), let request = WardToken(rest[1]) else {
                return nil
            }
            return .command(name, request: request)
        case ("cmd-result", 1): return WardToken(rest[0]).map { .commandResult(request: $0) }
        default: return nil
        }
    }

    /// The topic as the broker has it.
    public var text: String {
        let levels =
            switch subject {
            case .session: "session"
            case .birth: "birth"
            case .vital(let vital): "vital/\(vital.rawValue)"
            case .unknownVital(let name): "vital/\(name)"
            case .alarm(let number): "alarm/\(number)"
            case .heartbeat: "heartbeat"
            case .history(let key): "history/\(key.level)"
            case .historyAcknowledgement: "history/ack"
            case .command(let name, let request): "cmd/\(name.rawValue)/\(request)"
            case .commandResult(let request): "cmd-result/\(request)"
            }
        return "\(Self.root)/\(bed.site)/\(bed.bed)/\(levels)"
    }
}

extension WardTopic {
    /// The topic filters of a ward screen, for one site, or for all of them.
    public static func wardFilters(site: WardToken?) -> [String] {
        let base = "\(root)/\(site?.text ?? "+")/+"
        return ["session", "birth", "vital/+", "alarm/+", "heartbeat", "cmd-result/+"].map { "\(base)/\($0)" }
    }

    /// The topic filters of a collector, for one site, or for all of them.
    public static func collectorFilters(site: WardToken?) -> [String] {
        let base = "\(root)/\(site?.text ?? "+")/+"
        return ["session", "history/+"].map { "\(base)/\($0)" }
    }

    /// The topic filters of a bed's own monitor.
    public static func bedFilters(_ bed: WardBed) -> [String] {
        let base = "\(root)/\(bed.site)/\(bed.bed)"
        return ["\(base)/cmd/+/+", "\(base)/history/ack"]
    }
}
