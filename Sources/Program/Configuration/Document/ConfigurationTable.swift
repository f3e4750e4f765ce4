import Base

/// Keys with their values, in the order of the file.
public struct ConfigurationTable: Hashable, Sendable {
    /// The keys with their values.
    public let members: [Member]
    /// How it is written.
    let form: Form
    private let indices: [String: Int]

    /// How a table is written.
    enum Form: Hashable, Sendable {
        /// As the whole file, or below its `[name]` or `[[name]]`.
        case section
        /// Only by the sections in it, such as `limits` by `[limits.spo2]`.
        case implied
        /// By dotted keys, such as `spo2` by `spo2.low = 90`.
        case dotted
        /// In braces.
        case inline
    }

    /// A key with its value.
    public struct Member: Hashable, Sendable {
        public let key: String
        public let value: ConfigurationValue
        public let keyPosition: TextPosition
        /// The position of the value; of the first key for a section.
        public let valuePosition: TextPosition
        /// The offsets of the value in the file; `nil` for a section and for several of them.
        let valueOffsets: Range<Int>?

        /// Whether two members have the same key and the same value, wherever they stand.
        public static func == (lhs: Member, rhs: Member) -> Bool {
            lhs.key == rhs.key && lhs.value == rhs.value
        }

        /// Hashes key and value.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(key)
            hasher.combine(value)
        }
    }

    init(_ members: [Member], form: Form) {
        self.members = members
        self.form = form
        indices = Dictionary(members.enumerated().map { ($1.key, $0) }) { first, _ in first }
    }

    /// A table that is in no file.
    public init(_ values: [(key: String, value: ConfigurationValue)]) {
        let start = TextPosition(line: 1, column: 1)
        self.init(
            values.map {
                Member(key: $0.key, value: $0.value, keyPosition: start, valuePosition: start, valueOffsets: nil)
            }, form: .inline)
    }

    /// The key with its value; `nil` where the file does not have it.
    public subscript(key: String) -> Member? { indices[key].map { members[$0] } }

    /// Whether two tables have the same members in the same order, however they are written.
    public static func == (lhs: ConfigurationTable, rhs: ConfigurationTable) -> Bool { lhs.members == rhs.members }

    public func hash(into hasher: inout Hasher) { hasher.combine(members) }
}
