import Base

/// Keys with their values, in the order of the file.
public struct ConfigurationTable: Hashable, Sendable {
    /// The keys with their values.
    public let members: [Member]
    /// The notation of the table.
    let form: Form
    private let indices: [String: Int]

    /// The notation of a table.
    enum Form: Hashable, Sendable {
        /// The whole file, or a section with a heading `[name]` or `[[name]]`.
        case section
        /// Only implied by its sections, such as `limits` by `[limits.spo2]`.
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
        /// The position of the value; for a section that of its first key.
        public let valuePosition: TextPosition
        /// The offsets of the value in the file; `nil` for one or more sections.
        let valueOffsets: Range<Int>?

        /// Whether two members have the same key and the same value, whatever their positions.
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

    /// Creates a table that is not from a file.
    public init(_ values: [(key: String, value: ConfigurationValue)]) {
        let start = TextPosition(line: 1, column: 1)
        self.init(
            values.map {
                Member(key: $0.key, value: $0.value, keyPosition: start, valuePosition: start, valueOffsets: nil)
            }, form: .inline)
    }

    /// The member with a key; `nil` if there is none.
    public subscript(key: String) -> Member? { indices[key].map { members[$0] } }

    /// Whether two tables have the same members in the same order, in any notation.
    public static func == (lhs: ConfigurationTable, rhs: ConfigurationTable) -> Bool { lhs.members == rhs.members }

    public func hash(into hasher: inout Hasher) { hasher.combine(members) }
}
