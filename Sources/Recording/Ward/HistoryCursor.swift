import UserFiles

/// How far a store's readings have been acknowledged by a collector; kept in a file beside the store.
///
/// A lost cursor costs time only: what is sent again is stored once.
public struct HistoryCursor: Hashable, Sendable {
    /// The store that it belongs to.
    public var store: RecordedBatch.Beginning
    /// The epoch of the last acknowledged reading.
    public var epoch: Int64
    /// Its time, in milliseconds since 1970 (UTC).
    public var wallMilliseconds: Int64
    /// Its number among those of that millisecond.
    public var number: Int64

    init(store: RecordedBatch.Beginning, epoch: Int64, wallMilliseconds: Int64, number: Int64) {
        (self.store, self.epoch) = (store, epoch)
        (self.wallMilliseconds, self.number) = (wallMilliseconds, number)
    }

    /// The file of a store's cursor.
    static func path(beside store: String) -> String { "\(store).ward" }

    /// Reads the cursor of a store; `nil` where there is none, or none that can be read.
    public static func read(beside store: String) -> HistoryCursor? {
        guard let bytes = try? PrivateFile.read(path(beside: store), limit: 1024) else { return nil }
        let numbers = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).map { Int64($0) }
        guard numbers.count == 5, let wall = numbers[0], let monotonic = numbers[1], let epoch = numbers[2],
            let newest = numbers[3], let number = numbers[4]
        else { return nil }
        return HistoryCursor(
            store: RecordedBatch.Beginning(wallMilliseconds: wall, monotonicNanoseconds: monotonic), epoch: epoch,
            wallMilliseconds: newest, number: number)
    }

    /// Replaces the cursor of a store; where that fails, what was acknowledged is sent again after the next start.
    public func write(beside path: String) {
        let numbers = [store.wallMilliseconds, store.monotonicNanoseconds, epoch, wallMilliseconds, number]
        let text = numbers.map(String.init).joined(separator: " ") + "\n"
        _ = try? PrivateFile.replace(Self.path(beside: path), with: Array(text.utf8))
    }
}
