import JSON
import Monitoring
import Vitals

/// The key of a recorded row, the same in every copy of the row.
public struct WardHistoryKey: Hashable, Comparable, Sendable {
    /// The random name of the store in which the row was recorded first.
    public var store: WardToken
    /// When it was recorded there, in milliseconds since 1970 (UTC).
    public var wallMilliseconds: Int64
    /// Distinguishes it from others of the same millisecond, of any kind.
    public var number: Int64

    public init(store: WardToken, wallMilliseconds: Int64, number: Int64) {
        self.store = store
        self.wallMilliseconds = wallMilliseconds
        self.number = number
    }

    /// Its level in a topic: `<store>.<ms>.<number>`.
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

/// Recorded rows of a bed for the collector; they never change a live value.
public struct WardHistoryBatch: Hashable, Sendable {
    /// The greatest number of rows.
    public static let mostRows = 200

    /// The greatest length of its payload, in bytes.
    public static let mostBytes = WardBounds.historyBytes

    /// A recorded row.
    public struct Row: Hashable, Sendable {
        public var key: WardHistoryKey
        /// The record; its moment is the one of recording, on both clocks of the bed.
        public var content: RecordedContent
        /// The run of the program that recorded it.
        public var run: Int64

        public init(key: WardHistoryKey, _ content: RecordedContent, run: Int64) {
            self.key = key
            self.content = content
            self.run = run
        }
    }

    /// A refused row.
    public struct Refusal: Hashable, Sendable {
        public var key: WardHistoryKey
        /// The number of rows before it in the batch, including refused ones.
        public var place: Int
        /// The reason, as a clause.
        public var reason: String
    }

    /// The rows; at most ``mostRows``.
    public var rows: [Row]
    /// The refused rows; the others are accepted.
    public internal(set) var refusals: [Refusal] = []
    /// Whether the data are simulated.
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
    /// The key up to which it has stored everything.
    public var stored: WardHistoryKey
    /// The number of refused rows in the batch.
    public var refusedCount: Int
    /// The reason for the first of them, as a clause.
    public var reason: String?

    public init(stored: WardHistoryKey, refusedCount: Int = 0, reason: String? = nil) {
        (self.stored, self.refusedCount, self.reason) = (stored, refusedCount, reason)
    }
}
