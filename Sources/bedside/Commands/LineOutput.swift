import EventLoop
import Glibc

/// A descriptor for lines that are written at once, and never by waiting: what a slow reader has not taken is kept.
///
/// It belongs to a loop's thread. Nothing is dropped; a reader that stops for good costs memory, not measurements.
final class LineOutput {
    private let descriptor: Int32
    private let loop: EventLoop
    /// Whether a write to the descriptor may have to wait; one to a file never has.
    private let mayWait: Bool
    private var kept: [UInt8] = []
    private var watch: DescriptorWatch?
    private let failed: (Int32) -> Void

    /// A pipe that is writable takes this many octets without waiting (POSIX, PIPE_BUF).
    private static let safeCount = 4096

    /// Makes an output.
    ///
    /// - Parameters:
    ///   - descriptor: Where to write; stays the caller's.
    ///   - loop: The loop to wait on.
    ///   - failed: Called with `errno` when writing fails; nothing is written any more.
    init(descriptor: Int32, loop: EventLoop, failed: @escaping (Int32) -> Void) {
        self.descriptor = descriptor
        self.loop = loop
        self.failed = failed
        var status = stat()
        fstat(descriptor, &status)
        mayWait = status.st_mode & S_IFMT != S_IFREG
    }

    /// Writes octets, or keeps them until the reader takes them.
    func write(_ octets: [UInt8]) {
        guard kept.isEmpty else {
            kept.append(contentsOf: octets)
            return
        }
        let count = writeWithoutWaiting(octets[...])
        guard count < octets.count else { return }
        kept.append(contentsOf: octets[count...])
        watch = loop.watch(descriptor, for: .writable) { [weak self] _ in self?.becameWritable() }
    }

    /// Writes what is kept, waiting for the reader until `limit` has passed; then what is left is lost.
    func finish(within limit: Duration) {
        if let watch { loop.unwatch(watch) }
        watch = nil
        let end = Timestamp.monotonicNow() + limit.wholeNanoseconds
        while !kept.isEmpty, Timestamp.monotonicNow() < end {
            guard isWritable(within: 100) else { continue }
            let count = writeWithoutWaiting(kept[...])
            if count == 0 { return }
            kept.removeFirst(count)
        }
    }

    private func becameWritable() {
        kept.removeFirst(writeWithoutWaiting(kept[...]))
        guard kept.isEmpty else { return }
        if let watch { loop.unwatch(watch) }
        watch = nil
    }

    /// Writes as much as goes without waiting.
    ///
    /// - Returns: How much that was; a failure counts as all.
    private func writeWithoutWaiting(_ octets: ArraySlice<UInt8>) -> Int {
        var rest = octets
        while !rest.isEmpty {
            if mayWait, !isWritable(within: 0) { break }
            let chunk = mayWait ? rest.prefix(Self.safeCount) : rest
            let count = chunk.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                failed(errno)
                return octets.count
            }
            rest = rest.dropFirst(count)
        }
        return octets.count - rest.count
    }

    private func isWritable(within milliseconds: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, milliseconds) > 0
    }
}
