import Base

/// A value of a JSON5 text, with its position.
public struct JSON5Value: Hashable, Sendable {
    /// The value itself.
    public var content: Content
    /// Its position; line 1, column 1 for a value that was not parsed.
    public var position: TextPosition

    /// Creates a value that was not parsed.
    public init(_ content: Content) {
        self.init(content: content, position: TextPosition())
    }

    init(content: Content, position: TextPosition) {
        self.content = content
        self.position = position
    }

    /// The kinds of values.
    public enum Content: Hashable, Sendable {
        /// Nothing.
        case null
        /// True or false.
        case boolean(Bool)
        /// An integer without point and exponent, of at most 64 bits.
        case integer(Int64)
        /// Any other number; may be infinite or NaN in JSON5.
        case number(Double)
        /// A text.
        case string(String)
        /// A list.
        case array([JSON5Value])
        /// The members, in the order of the text.
        case object([JSON5Member])
    }

    /// A description of the kind, for an error message.
    public var kind: String {
        switch content {
        case .null: "null"
        case .boolean: "a boolean"
        case .integer: "a number"
        case .number(let number): number.isFinite ? "a number" : "\(number)"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

extension JSON5Value {
    /// The member of an object with this name; `nil` if it is missing, or for another kind of value.
    public subscript(name: String) -> JSON5Value? {
        members?.first { $0.name == name }?.value
    }

    /// The members of an object, in the order of the text.
    public var members: [JSON5Member]? {
        if case .object(let members) = content { members } else { nil }
    }

    /// The elements of a list.
    public var elements: [JSON5Value]? {
        if case .array(let elements) = content { elements } else { nil }
    }

    public var text: String? {
        if case .string(let text) = content { text } else { nil }
    }

    /// True or false.
    public var boolean: Bool? {
        if case .boolean(let boolean) = content { boolean } else { nil }
    }

    /// An integer, also if it is written with a point or an exponent.
    public var whole: Int? {
        switch content {
        case .integer(let integer): Int(exactly: integer)
        case .number(let number): Int(exactly: number)
        default: nil
        }
    }

    /// Any number, rounded to a double.
    public var number: Double? {
        switch content {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    public var isNull: Bool {
        if case .null = content { true } else { false }
    }
}

/// A name and its value within an object.
public struct JSON5Member: Hashable, Sendable {
    public var name: String
    /// Where the name begins.
    public var namePosition: TextPosition
    public var value: JSON5Value

    /// Creates a member that was not parsed.
    public init(_ name: String, _ value: JSON5Value) {
        self.init(name: name, namePosition: TextPosition(), value: value)
    }

    init(name: String, namePosition: TextPosition, value: JSON5Value) {
        self.name = name
        self.namePosition = namePosition
        self.value = value
    }
}

/// Why a text is not valid, and where.
public struct JSON5Error: Error, Hashable, Sendable, CustomStringConvertible {
    public var position: TextPosition
    /// What is wrong, for the user.
    public var reason: String

    /// The error in one line.
    public var description: String { "line \(position.line), column \(position.column): \(reason)" }
}
