/// A place in a text, as people count: the first line and the first column are 1.
public struct TextPosition: Hashable, Sendable {
    /// The line.
    public var line = 1
    /// Counted in Unicode scalars.
    public var column = 1
}

/// A value of a JSON5 text, with the place where it begins.
public struct JSON5Value: Hashable, Sendable {
    /// The value itself.
    public var content: Content
    /// Where it begins; the first place of a text for a value that was made otherwise.
    public var position: TextPosition

    /// Makes a value that comes from no text.
    public init(_ content: Content) {
        self.init(content: content, position: TextPosition())
    }

    init(content: Content, position: TextPosition) {
        self.content = content
        self.position = position
    }

    /// A value by its kind.
    public enum Content: Hashable, Sendable {
        /// Nothing.
        case null
        /// True or false.
        case boolean(Bool)
        /// May be infinite or not a number: JSON5 allows both, what reads the value decides.
        case number(Double)
        /// A text.
        case string(String)
        /// A list.
        case array([JSON5Value])
        /// Names and their values, in the order of the text.
        case object([JSON5Member])
    }

    /// What kind of value it is, for a sentence.
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

    /// Makes a member that comes from no text.
    public init(_ name: String, _ value: JSON5Value) {
        self.init(name: name, namePosition: TextPosition(), value: value)
    }

    init(name: String, namePosition: TextPosition, value: JSON5Value) {
        self.name = name
        self.namePosition = namePosition
        self.value = value
    }
}

/// Why a text is no JSON5, and where.
public struct JSON5Error: Error, Hashable, Sendable {
    /// Where.
    public var position: TextPosition
    /// What is wrong, for people.
    public var reason: String
}
