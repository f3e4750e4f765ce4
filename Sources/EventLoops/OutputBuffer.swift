/// Bytes that wait for a slow reader: appended at the end, removed at the front, in memory that goes by what waits.
public struct OutputBuffer: Sendable {
    private var bytes: [UInt8] = []
    /// How many at the front have been removed already.
    private var removed = 0

    /// So much removed room is put up with before what waits moves to the front.
    private static let slack = 64 * 1024

    /// Makes a buffer in which nothing waits.
    public init() {}

    /// How much waits.
    public var count: Int { bytes.count - removed }

    /// Whether nothing waits.
    public var isEmpty: Bool { count == 0 }

    /// What waits, the oldest first.
    public var waiting: ArraySlice<UInt8> { bytes[removed...] }

    /// How much memory it occupies, in bytes.
    var memory: Int { bytes.capacity }

    /// Lets more wait.
    public mutating func append(_ more: some Collection<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// Forgets the oldest bytes, because the reader has them; never more than there are.
    public mutating func removeFirst(_ count: Int) {
        removed += min(max(0, count), self.count)
        if removed == bytes.count {
            self = OutputBuffer()
        } else if removed >= Self.slack, removed >= bytes.count / 2 {
            // Each byte is moved at most once for each that was removed. A new array, so that the memory goes, too.
            bytes = Array(bytes[removed...])
            removed = 0
        }
    }
}
