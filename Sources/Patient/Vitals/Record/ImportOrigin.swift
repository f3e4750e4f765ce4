import Base

/// Where an imported entry comes from.
public struct ImportOrigin: Codable, Hashable, Sendable {
    /// The entry's identifier in every file that contains it, sanitized and bounded: the same key is imported once.
    public private(set) var key: String
    /// The file and its format, sanitized and bounded: "labs.csv (csv)".
    public private(set) var source: String
    /// When it was entered in its original system, in milliseconds since 1970-01-01T00:00:00Z; `nil` if the file does
    /// not contain that.
    public var enteredAt: Int64?

    /// The greatest number of characters (Unicode scalars) of a key.
    public static let keyLimit = 64
    /// The greatest number of characters (Unicode scalars) of a source.
    public static let sourceLimit = 60

    /// Creates an origin; its texts are sanitized and cut.
    public init(key: String, source: String, enteredAt: Int64? = nil) {
        self.key = sanitized(key, limit: Self.keyLimit)
        self.source = sanitized(source, limit: Self.sourceLimit)
        self.enteredAt = enteredAt
    }
}
