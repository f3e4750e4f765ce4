import JSON
import Monitoring
import Vitals

/// The key of a recorded row, the same wherever the row is copied to.
public struct WardHistoryKey: Hashable, Comparable, Sendable {
    /// The random name of the store in which the row was recorded first.
    public var store: WardToken
    /// When it was recorded there, in milliseconds since 1970 (UTC).
    public var wallMilliseconds: Int64
    /// Distinguishes it from others of the same millisecond, of whatever kind.
    public var number: Int64

    public init(store: WardToken, wallMilliseconds: Int64, number: Int64) {
        self.store = store
        self.wallMilliseconds = wallMilliseconds
        self.number = number
    }

    /// The level of a topic that names it: `<store>.<ms>.<number>`.
    var level: String { "\(store).\(wallMilliseconds).\(number)" }

    init?(level: some StringProtocol) {
        let parts = level.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let store = WardToken(parts[0]), let wall = Int64(parts[1]),
            let number = Int64(parts[2]), "\(wall)" == parts[1], "\(number)" == parts[2],
            WardBounds.wallMilliseconds.contains(wall), WardBounds.counts.contains(number)
        else { return nil }
        self.init(store: store, wallMilliseconds: wall, number: number)
    }

    /// Orders keys of a store by time.
    public static func < (left: WardHistoryKey, right: WardHistoryKey) -> Bool {
        (left.store, left.wallMilliseconds, left.number) < (right.store, right.wallMilliseconds, right.number)
    }
}

/// What was recorded at a bed, for the collector; it never changes a live value.
public struct WardHistoryBatch: Hashable, Sendable {
    /// The greatest number of rows.
    public static let mostRows = 200

    /// The greatest length of its payload, in bytes.
    public static let mostBytes = WardBounds.historyBytes

    /// A recorded row.
    public struct Row: Hashable, Sendable {
        /// Its key.
        public var key: WardHistoryKey
        /// What was recorded; its moment is the one of recording, on both clocks of the bed.
        public var content: RecordedContent
        /// The run of the program that recorded it.
        public var run: Int64

        public init(key: WardHistoryKey, _ content: RecordedContent, run: Int64) {
            self.key = key
            self.content = content
            self.run = run
        }
    }

    /// A row that cannot be taken.
    public struct Refusal: Hashable, Sendable {
        /// Its key.
        public var key: WardHistoryKey
        /// How many rows of the batch, refused ones too, come before it.
        public var place: Int
        /// Why, as a clause.
        public var reason: String
    }

    /// The rows; at most ``mostRows``.
    public var rows: [Row]
    /// What was read and cannot be taken; the other rows can.
    public internal(set) var refusals: [Refusal] = []
    /// Whether a simulator made them.
    public var isSimulated: Bool

    public init(rows: [Row], isSimulated: Bool) {
        self.rows = rows
        self.isSimulated = isSimulated
    }

    /// The keys of the rows, refused ones too, in their order.
    public var keys: [WardHistoryKey] {
        var keys = rows.map(\.key)
        for refusal in refusals { keys.insert(refusal.key, at: min(refusal.place, keys.count)) }
        return keys
    }
}

/// The collector's answer to batches.
public struct WardHistoryAcknowledgement: Hashable, Sendable {
    /// The key up to which it has stored everything that it was sent.
    public var stored: WardHistoryKey
    /// How many rows of the batch it cannot take.
    public var refusedCount: Int
    /// Why it cannot take the first of them, as a clause.
    public var reason: String?

    public init(stored: WardHistoryKey, refusedCount: Int = 0, reason: String? = nil) {
        (self.stored, self.refusedCount, self.reason) = (stored, refusedCount, reason)
    }
}
