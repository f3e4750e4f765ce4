/// A value in SQLite; the store uses integers, texts and blobs only.
enum SQLiteValue: Hashable, Sendable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    init(integerLiteral value: Int64) {
        self = .integer(value)
    }

    init(stringLiteral value: String) {
        self = .text(value)
    }

    init(nilLiteral: ()) {
        self = .null
    }

    /// An integer, or null for `nil`.
    init(_ integer: (some BinaryInteger)?) {
        self = integer.map { .integer(Int64(clamping: $0)) } ?? .null
    }

    /// A text, or null for `nil`.
    init(_ text: String?) {
        self = text.map { .text($0) } ?? .null
    }
}
