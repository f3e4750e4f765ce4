import EventLoop
import Glibc
import SaturatingArithmetic

/// A descriptor for lines that are written at once, and never by waiting: what a slow reader has not taken is kept.
///
/// It belongs to a loop's thread. Nothing is dropped; a reader that stops for good costs memory, not measurements.
final class LineOutput {
    private let descriptor: NonBlockingDescriptor
    private let loop: EventLoop
    private let failed: (Int32) -> Void
    private var kept: [UInt8] = []
    /// Called when the reader has taken everything that was kept.
    var whenTaken: () -> Void = {}

    /// Whether the reader lets more wait than who need not hasten should add to.
    var isHeldUp: Bool { kept.count > 1 << 16 }
    private var watch: DescriptorWatch?

    /// Makes an output.
    ///
    /// - Parameters:
    ///   - descriptor: Where to write; stays the caller's.
    ///   - loop: The loop to wait on.
    ///   - failed: Called with `errno` when writing fails; nothing is written any more.
    init(descriptor: Int32, loop: EventLoop, failed: @escaping (Int32) -> Void) {
        self.descriptor = NonBlockingDescriptor(descriptor)
        self.loop = loop
        self.failed = failed
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
        watch = loop.watch(descriptor.number, for: .writable) { [weak self] _ in self?.becameWritable() }
    }

    /// Writes what is kept, waiting for the reader until `limit` has passed; then what is left is lost.
    func finish(within limit: Duration) {
        if let watch { loop.unwatch(watch) }
        watch = nil
        let end = Timestamp.monotonicNow().addingSaturated(limit.nanoseconds)
        while !kept.isEmpty, Timestamp.monotonicNow() < end {
            guard descriptor.isWritable(within: 100) else { continue }
            kept.removeFirst(writeWithoutWaiting(kept[...]))
        }
    }

    private func becameWritable() {
        kept.removeFirst(writeWithoutWaiting(kept[...]))
        guard kept.isEmpty else { return }
        if let watch { loop.unwatch(watch) }
        watch = nil
        whenTaken()
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
