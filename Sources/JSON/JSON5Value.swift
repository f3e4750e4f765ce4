/// A position in a text; the first line and the first column are 1.
public struct TextPosition: Hashable, Sendable {
    /// The line.
    public var line = 1
    /// Counted in Unicode scalars.
    public var column = 1
}

/// A value of a JSON5 text, with its position.
public struct JSON5Value: Hashable, Sendable {
    /// The value itself.
    public var content: Content
    /// Where it begins; line 1, column 1 for a value that was not parsed.
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
        /// May be infinite or not a number: JSON5 allows both, and the caller decides.
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
        case .number(let number): number.isFinite ? "a number" : "\(number)"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

/// A name and its value within an object.
public struct JSON5Member: Hashable, Sendable {
    /// The name.
    public var name: String
    /// Where the name begins.
    public var namePosition: TextPosition
    /// The value.
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

/// Why a text is not valid JSON5, and where.
public struct JSON5Error: Error, Hashable, Sendable {
    /// Where.
    public var position: TextPosition
    /// What is wrong, for the user.
    public var reason: String
}
