import UserFiles

/// How far a collector has acknowledged a store's rows; kept in a file beside the store.
///
/// A lost cursor costs only time: rows that are sent again are stored once.
public struct HistoryCursor: Hashable, Sendable {
    /// The last acknowledged row of a table that is sorted by time.
    public struct Place: Hashable, Sendable {
        public var epoch: Int64
        /// Its time, in milliseconds since 1970 (UTC).
        public var wallMilliseconds: Int64
        /// Its number among those of that millisecond.
        public var number: Int64

        init(epoch: Int64, wallMilliseconds: Int64, number: Int64) {
            (self.epoch, self.wallMilliseconds, self.number) = (epoch, wallMilliseconds, number)
        }
    }

    /// The store that it belongs to.
    public var store: RecordedBatch.Beginning
    /// The last acknowledged reading; `nil` for none.
    public var reading: Place?
    /// The last acknowledged RR intervals; `nil` for none.
    public var rrIntervals: Place?
    /// The number of the last acknowledged entry of the alarm log; 0 for none.
    public var alarmLog: Int64
    /// The number of the last acknowledged entry of the record; 0 for none.
    public var entry: Int64

    init(
        store: RecordedBatch.Beginning, reading: Place? = nil, rrIntervals: Place? = nil, alarmLog: Int64 = 0,
        entry: Int64 = 0
    ) {
        (self.store, self.reading, self.rrIntervals) = (store, reading, rrIntervals)
        (self.alarmLog, self.entry) = (alarmLog, entry)
    }

    /// The file of a store's cursor.
    static func path(beside store: String) -> String { "\(store).ward" }

    /// Reads the cursor of a store; `nil` if it is missing or unreadable.
    public static func read(beside store: String) -> HistoryCursor? {
        guard let bytes = try? PrivateFile.read(path(beside: store), limit: 1024) else { return nil }
        return HistoryCursor(String(decoding: bytes, as: UTF8.self))
    }

    /// Reads the form of ``text``; `nil` for any other.
    public init?(_ text: String) {
        let words = text.split(whereSeparator: \.isWhitespace)
        let numbers = words.compactMap { Int64($0) }
        guard numbers.count == words.count, numbers.count == 10 else { return nil }
        func place(_ first: Int) -> Place? {
            if numbers[first] < 0 { return nil }
            return Place(
                epoch: numbers[first], wallMilliseconds: numbers[first + 1], number: numbers[first + 2])
        }
        self.init(
            store: RecordedBatch.Beginning(wallMilliseconds: numbers[0], monotonicNanoseconds: numbers[1]),
            reading: place(2), rrIntervals: place(5), alarmLog: numbers[8],
            entry: numbers[9])
    }

    /// Its numbers, in one line.
    public var text: String {
        func numbers(_ place: Place?) -> [Int64] {
            place.map { [$0.epoch, $0.wallMilliseconds, $0.number] } ?? [-1, 0, 0]
        }
        let numbers =
            [store.wallMilliseconds, store.monotonicNanoseconds] + numbers(reading) + numbers(rrIntervals)
            + [alarmLog, entry]
        return numbers.map(String.init).joined(separator: " ") + "\n"
    }

    /// Replaces the cursor of a store; if that fails, acknowledged rows are sent again after the next start.
    public func write(beside path: String) {
        _ = try? PrivateFile.replace(Self.path(beside: path), with: Array(text.utf8))
    }
}
