/// A place in a text, as people count: the first line and the first column are 1.
struct TextPosition: Hashable, Sendable {
    var line = 1
    /// Counted in Unicode scalars.
    var column = 1
}

/// A value of a JSON5 text, with the place where it begins.
struct JSON5Value: Hashable, Sendable {
    var content: Content
    var position: TextPosition

    enum Content: Hashable, Sendable {
        case null
        case boolean(Bool)
        /// May be infinite or not a number: JSON5 allows both, what reads the value decides.
        case number(Double)
        case string(String)
        case array([JSON5Value])
        case object([JSON5Member])
    }

    /// What kind of value it is, for a sentence.
    var kind: String {
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
struct JSON5Member: Hashable, Sendable {
    var name: String
    var namePosition: TextPosition
    var value: JSON5Value
}

/// Why a text is no JSON5, and where.
struct JSON5Mistake: Error, Hashable {
    var position: TextPosition
    var reason: String
}
