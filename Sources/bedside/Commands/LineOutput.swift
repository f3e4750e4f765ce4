import EventLoops
import Glibc
import SaturatingArithmetic
import Vitals

/// A descriptor for lines that are written at once, and never by waiting: what a slow reader has not read is kept.
///
/// It belongs to a loop's thread. So much is kept and no more: what comes then is dropped, and when the reader goes on, a
/// line in the place of those that it lacks says how many and of which time. Nobody else waits or loses anything.
final class LineOutput {
    /// Lines that were dropped because too many waited already.
    struct Loss: Hashable {
        /// How many.
        var lineCount: Int
        /// When the first of them was dropped.
        var from: Moment
        /// When the last of them was dropped.
        var to: Moment
    }

    /// How much is kept for a reader, in bytes: some hours of an ordinary patient.
    static let usualLimit = 4 << 20

    /// Makes the line that says what was dropped.
    var lossLine: (Loss) -> [UInt8] = { _ in [] }

    private let descriptor: NonBlockingDescriptor
    private let loop: EventLoop
    private let failed: (Int32) -> Void
    private let limit: Int
    private var kept = OutputBuffer()
    private var loss: Loss?
    /// How much waits for the reader, in bytes.
    var keptCount: Int { kept.count }
    /// Called when the reader has taken everything that was kept.
    var onDrained: () -> Void = {}

    /// Whether the reader lets more wait than who need not hasten should add to.
    var isHeldUp: Bool { kept.count > 1 << 16 }
    private var watch: DescriptorWatch?

    /// Makes an output.
    ///
    /// - Parameters:
    ///   - descriptor: Where to write; stays the caller's.
    ///   - loop: The loop to wait on.
    ///   - limit: How much is kept for the reader, in bytes.
    ///   - failed: Called with `errno` when writing fails; nothing is written any more.
    init(descriptor: Int32, loop: EventLoop, limit: Int = usualLimit, failed: @escaping (Int32) -> Void) {
        self.limit = limit
        self.descriptor = NonBlockingDescriptor(descriptor)
        self.loop = loop
        self.failed = failed
    }

    /// Writes whole lines, or keeps them until the reader reads them.
    func write(_ octets: [UInt8]) {
        guard kept.isEmpty else { return keep(octets) }
        let count = writeWithoutWaiting(octets[...])
        guard count < octets.count else { return }
        kept.append(octets[count...])
        watch = loop.watch(descriptor.number, for: .writable) { [weak self] _ in self?.becameWritable() }
    }

    /// Writes what is kept, waiting for the reader until `limit` has passed; then what is left is lost.
    func finish(within limit: Duration) {
        if let watch { loop.unwatch(watch) }
        watch = nil
        reportLoss()
        let end = Timestamp.monotonicNow().addingSaturated(limit.nanoseconds)
        while !kept.isEmpty, Timestamp.monotonicNow() < end {
            guard descriptor.isWritable(within: 100) else { continue }
            kept.removeFirst(writeWithoutWaiting(kept.waiting))
        }
    }

    private func keep(_ octets: [UInt8]) {
        if loss == nil, kept.count + octets.count <= limit { return kept.append(octets) }
        let now = Moment.now()
        let count = octets.count { $0 == UInt8(ascii: "\n") }
        loss = Loss(lineCount: (loss?.lineCount ?? 0) + count, from: loss?.from ?? now, to: now)
    }

    private func becameWritable() {
        kept.removeFirst(writeWithoutWaiting(kept.waiting))
        // Not for each line that finds room, or there would be as many reports as lines.
        if kept.count <= limit / 2 { reportLoss() }
        guard kept.isEmpty else { return }
        if let watch { loop.unwatch(watch) }
        watch = nil
        onDrained()
    }

    private func reportLoss() {
        guard let lost = loss else { return }
        loss = nil
        kept.append(lossLine(lost))
    }

    /// Writes as much as goes without waiting.
    ///
    /// - Returns: How much that was; a failure counts as all.
    private func writeWithoutWaiting(_ octets: ArraySlice<UInt8>) -> Int {
        var written = 0
        while written < octets.count {
            let count = descriptor.write(octets.dropFirst(written))
            if count >= 0 {
                written += count
            } else if errno == EAGAIN {
                break
            } else if errno != EINTR {
                failed(errno)
                return octets.count
            }
        }
        return written
    }
}
