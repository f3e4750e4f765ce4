/// A queue of bytes for a slow reader, whose memory is proportional to the waiting bytes.
public struct OutputBuffer: Sendable {
    private var bytes: [UInt8] = []
    /// The number of bytes already removed at the front.
    private var removed = 0

    /// The removed bytes that are tolerated before the rest moves to the front.
    private static let slack = 64 * 1024

    public init() {}

    /// The number of waiting bytes.
    public var count: Int { bytes.count - removed }

    /// Whether no bytes wait.
    public var isEmpty: Bool { count == 0 }

    /// The waiting bytes, the oldest first.
    public var waiting: ArraySlice<UInt8> { bytes[removed...] }

    /// The memory it occupies, in bytes.
    var memory: Int { bytes.capacity }

    /// Appends bytes.
    public mutating func append(_ more: some Collection<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// Removes the oldest bytes after they were sent; at most all.
    public mutating func removeFirst(_ count: Int) {
        removed += min(max(0, count), self.count)
        if removed == bytes.count {
            self = OutputBuffer()
        } else if removed >= Self.slack, removed >= bytes.count / 2 {
            // Each byte is moved at most once per removed byte. A new array, so that memory is released, too.
            bytes = Array(bytes[removed...])
            removed = 0
        }
    }
}
