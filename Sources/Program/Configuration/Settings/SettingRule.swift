import Monitoring

/// An order of two settings, such as a low limit below a high one.
struct SettingRule: Sendable {
    /// The relation of the first setting to the second.
    enum Relation: Hashable, Sendable {
        case below, atMost, above, atLeast

        var text: String {
            switch self {
            case .below: "must be below"
            case .atMost: "must not be above"
            case .above: "must be above"
            case .atLeast: "must not be below"
            }
        }

        var converse: Relation {
            switch self {
            case .below: .above
            case .atMost: .atLeast
            case .above: .below
            case .atLeast: .atMost
            }
        }
    }

    /// The name of the setting with the smaller value.
    let first: String
    /// The name of the setting with the greater value.
    let second: String
    /// Whether settings satisfy the rule.
    let holds: @Sendable (Settings) -> Bool
    private let firstToSecond: Relation
    /// The compared values, where they differ from those in the file.
    private let texts: (@Sendable (Settings) -> (String, String))?

    /// A rule that the value at one path is below, or not above, the value at another; a value that is off satisfies
    /// it.
    init<Value: Comparable & Sendable>(
        _ first: String, _ firstPath: any KeyPath<Settings, Value?> & Sendable, _ relation: Relation,
        _ second: String, _ secondPath: any KeyPath<Settings, Value?> & Sendable
    ) {
        self.init(first: first, second: second, relation) { settings in
            guard let one = settings[keyPath: firstPath], let other = settings[keyPath: secondPath] else { return true }
            return relation == .below ? one < other : one <= other
        }
    }

    /// A rule between two settings that cannot be off.
    init<Value: Comparable & Sendable>(
        _ first: String, _ firstPath: any KeyPath<Settings, Value> & Sendable, _ relation: Relation,
        _ second: String, _ secondPath: any KeyPath<Settings, Value> & Sendable
    ) {
        self.init(first: first, second: second, relation) { settings in
            let (one, other) = (settings[keyPath: firstPath], settings[keyPath: secondPath])
            return relation == .below ? one < other : one <= other
        }
    }

    /// A rule between computed values; a value that is off satisfies it.
    init<Value: Comparable & Sendable>(
        _ first: String, _ relation: Relation, _ second: String, text: @escaping @Sendable (Value) -> String,
        values: @escaping @Sendable (Settings) -> (Value?, Value?)
    ) {
        self.init(
            first: first, second: second, relation,
            texts: { settings in
                let (one, other) = values(settings)
                return (one.map(text) ?? "off", other.map(text) ?? "off")
            }
        ) { settings in
            guard case (let one?, let other?) = values(settings) else { return true }
            return relation == .below ? one < other : one <= other
        }
    }

    private init(
        first: String, second: String, _ relation: Relation,
        texts: (@Sendable (Settings) -> (String, String))? = nil, holds: @escaping @Sendable (Settings) -> Bool
    ) {
        self.first = first
        self.second = second
        self.holds = holds
        self.texts = texts
        firstToSecond = relation
    }

    /// The converse rule, for messages only.
    var converse: SettingRule {
        let turned = texts.map { texts in
            { @Sendable (settings: Settings) in
                let (one, other) = texts(settings)
                return (other, one)
            }
        }
        return SettingRule(first: second, second: first, firstToSecond.converse, texts: turned, holds: holds)
    }

    /// The error of the second setting, without its name.
    func reason(in settings: Settings, firstLine: Int?) -> String {
        let names = [first, second].map { name in SettingTable.setting(named: name) }
        let literals = names.map { $0?.value(in: settings).literal ?? "" }
        let values = texts.map { [$0(settings).0, $0(settings).1] } ?? literals
        let isSameSection = names[0]?.section == names[1]?.section
        let other = isSameSection ? names[0]?.key ?? first : first
        let place =
            firstLine.map { "line \($0)" }
            ?? (literals[0] == "\"same\""
                ? "the daily one" : names[0]?.value(in: settings) == names[0]?.defaultValue ? "its default" : "")
        return "\(values[1]) \(firstToSecond.converse.text) \(other), which is \(values[0])"
            + (place.isEmpty ? "" : " (\(place))") + "; change one of the two"
    }
}
