/// A key press reported by a terminal.
public enum Key: Hashable, Sendable {
    /// A key with a character.
    case character(Unicode.Scalar)
    /// A pasted character: part of a text, never a command.
    case pasted(Unicode.Scalar)
    /// An arrow key.
    case up, down, left, right
    /// A key that moves by more than one step.
    case pageUp, pageDown, home, end
    /// The key that confirms.
    case enter
    /// The key that closes.
    case escape
    /// A key that deletes the character before or after the cursor, or the text before it (Ctrl-U).
    case backspace, delete, eraseLine
    /// The key that moves to the next field.
    case tab
    /// A function key by its number, from 1 on.
    case function(Int)
    /// Any other key.
    case other
}

extension Key {
    /// The keys that have a name instead of a character, in the order of the keyboard.
    private static let named: [(name: String, key: Key)] = [
        ("Esc", .escape), ("Enter", .enter), ("Tab", .tab), ("Space", .character(" ")), ("Backspace", .backspace),
        ("Del", .delete), ("Up", .up), ("Down", .down), ("Left", .left), ("Right", .right), ("PgUp", .pageUp),
        ("PgDn", .pageDown), ("Home", .home), ("End", .end),
    ]

    /// The names of the named keys.
    public static let names = named.map(\.name) + (1...12).map { "F\($0)" }

    /// The key's name, such as `a`, `PgDn` or `F5`.
    public var name: String {
        if let name = Self.named.first(where: { $0.key == self })?.name { return name }
        switch self {
        case .character(let scalar), .pasted(let scalar): return String(scalar)
        case .function(let number): return "F\(number)"
        default: return "?"
        }
    }

    /// The key of this name; `nil` for unknown names.
    public init?(name: String) {
        if let key = Self.named.first(where: { $0.name.lowercased() == name.lowercased() })?.key {
            self = key
        } else if let scalar = name.unicodeScalars.first, name.unicodeScalars.count == 1, scalar.printable == scalar,
            scalar.columns > 0, scalar != " "
        {
            self = .character(scalar)
        } else if name.lowercased().hasPrefix("f"), let number = Int(name.dropFirst()), (1...12).contains(number),
            name.dropFirst().first != "0", name.dropFirst().first != "+"
        {
            self = .function(number)
        } else {
            return nil
        }
    }
}

/// An action with the mouse, at a cell counted from 0.
public enum MouseAction: Hashable, Sendable {
    /// The first button was pressed.
    case click(column: Int, row: Int)
    /// The wheel was turned by a notch, away from the user or towards.
    case wheelUp, wheelDown
}
