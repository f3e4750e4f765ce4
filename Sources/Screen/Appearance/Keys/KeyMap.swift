/// The keys of each command: the table of keys with the user's changes.
public struct KeyMap: Hashable, Sendable {
    /// The user's keys for commands, which replace the default ones.
    public private(set) var changes: [Command: [Key]] = [:]

    public static let usual = KeyMap()

    public init() {}

    /// The keys of a command: the default ones unless they were changed; a command without keys cannot be given.
    public subscript(command: Command) -> [Key] {
        get { changes[command] ?? Self.usualKeys(of: command) }
        set { changes[command] = newValue == Self.usualKeys(of: command) ? nil : newValue }
    }

    private static func usualKeys(of command: Command) -> [Key] {
        usualKeys[command] ?? []
    }

    private static let usualKeys = Dictionary(
        KeyBinding.table.map { ($0.command, $0.keys) }, uniquingKeysWith: { first, _ in first })

    /// The table with the present keys, without commands that have none.
    public var bindings: [KeyBinding] {
        if changes.isEmpty { return KeyBinding.table }
        return KeyBinding.table.compactMap { binding in
            guard let keys = changes[binding.command] else { return binding }
            if keys.isEmpty { return nil }
            var changed = binding
            changed.keys = keys
            return changed
        }
    }

    /// The name of a command's first key; empty when it has none.
    public func name(of command: Command) -> String { self[command].first?.name ?? "" }
}

extension KeyMap {
    /// Why keys cannot be bound.
    public struct Conflict: Hashable, Sendable {
        /// The command whose keys are wrong.
        public var command: Command
        /// The command that has the key already, if any.
        public var other: Command?
        /// The problem and its remedy, without a full stop.
        public var reason: String
    }

    /// Commands that must have a key: otherwise the program could not be ended, or alarms not be answered.
    static let indispensable: [Command] = [.acknowledge, .quit, .close]

    /// The first conflict; `nil` for none.
    public var conflict: Conflict? {
        for command in Self.indispensable where self[command].isEmpty {
            return Conflict(command: command, reason: "\(command.name) must have a key; give it one")
        }
        for binding in KeyBinding.table where binding.command != .close && self[binding.command].contains(.escape) {
            return Conflict(
                command: binding.command, other: .close,
                reason: "Esc closes what is open and never does anything else; choose another key")
        }
        if !self[.close].contains(.escape) {
            return Conflict(command: .close, reason: "Esc must stay among the keys of close")
        }
        for (index, binding) in KeyBinding.table.enumerated() {
            for key in self[binding.command] {
                for other in KeyBinding.table[(index + 1)...]
                where other.context.overlaps(binding.context) && self[other.command].contains(key) {
                    // The changed command is reported.
                    let isOther = changes[other.command] != nil
                    let (blamed, owner) =
                        isOther ? (other.command, binding.command) : (binding.command, other.command)
                    let usual = changes[owner] == nil ? ", as usual" : ""
                    return Conflict(
                        command: blamed, other: owner,
                        reason:
                            "the key \(key.name) belongs to \(owner.name), too\(usual); give one of the two another key"
                    )
                }
            }
        }
        return nil
    }
}
