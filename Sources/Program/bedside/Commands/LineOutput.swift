import Base
import EventLoops
import Glibc
import Vitals

/// Non-blocking output of lines, with a bounded buffer for a slow reader.
///
/// It belongs to a loop's thread. Lines that do not fit are dropped; when the reader continues, one line replaces them
/// and states their number and time. No other reader waits or loses anything.
final class LineOutput {
    /// Lines that were dropped because the buffer was full.
    struct Loss: Hashable {
        /// The number of lines.
        var lineCount: Int
        /// The time of the first dropped line.
        var from: Moment
        /// The time of the last dropped line.
        var to: Moment
    }

    /// The size of the buffer in bytes: some hours of an ordinary patient.
    static let usualLimit = 4 << 20

    /// Creates the line that reports dropped lines.
    var lossLine: (Loss) -> [UInt8] = { _ in [] }

    private let descriptor: NonBlockingDescriptor
    private let loop: EventLoop
    private let failed: (Int32) -> Void
    private let limit: Int
    private var kept = OutputBuffer()
    private var loss: Loss?
    /// The number of waiting bytes.
    var keptCount: Int { kept.count }
    /// Called when the buffer is empty again.
    var onDrained: () -> Void = {}

    /// Whether a replay should pause because the buffer is filling.
    var isHeldUp: Bool { kept.count > 1 << 16 }
    private var watch: DescriptorWatch?

    /// Creates an output.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor, which the caller closes.
    ///   - loop: The loop to wait on.
    ///   - limit: The size of the buffer in bytes.
    ///   - failed: Called with `errno` when writing fails; nothing is written afterwards.
    init(descriptor: Int32, loop: EventLoop, limit: Int = usualLimit, failed: @escaping (Int32) -> Void) {
        self.limit = limit
        self.descriptor = NonBlockingDescriptor(descriptor)
        self.loop = loop
        self.failed = failed
    }

    /// Writes whole lines, or buffers them.
    func write(_ bytes: [UInt8]) {
        guard kept.isEmpty else { return keep(bytes) }
        let count = writeWithoutWaiting(bytes[...])
        guard count < bytes.count else { return }
        kept.append(bytes[count...])
        watch = loop.watch(descriptor.number, for: .writable) { [weak self] _ in self?.becameWritable() }
    }

    /// Writes the buffer, waiting for the reader up to `limit`; the rest is lost.
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

    private func keep(_ bytes: [UInt8]) {
        if loss == nil, kept.count + bytes.count <= limit { return kept.append(bytes) }
        let now = Moment.now()
        let count = bytes.count { $0 == UInt8(ascii: "\n") }
        loss = Loss(lineCount: (loss?.lineCount ?? 0) + count, from: loss?.from ?? now, to: now)
    }

    private func becameWritable() {
        kept.removeFirst(writeWithoutWaiting(kept.waiting))
        // Only when the buffer is half empty, or there would be as many reports as lines.
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

    /// Writes as much as possible without blocking.
    ///
    /// - Returns: The number of bytes; all of them after a failure.
    private func writeWithoutWaiting(_ bytes: ArraySlice<UInt8>) -> Int {
        var written = 0
        while written < bytes.count {
            let count = descriptor.write(bytes.dropFirst(written))
            if count >= 0 {
                written += count
            } else if errno == EAGAIN {
                break
            } else if errno != EINTR {
                failed(errno)
                return bytes.count
            }
        }
        return written
    }
}

/// Non-blocking writes to a descriptor whose open file description other processes share.
///
/// Setting `O_NONBLOCK` on standard output would affect the shell and every program that shares it. So a pipe or a
/// terminal is opened again, a socket is written with a flag per call, and a file never blocks.
final class NonBlockingDescriptor {
    private enum Way {
        case plain
        case reopened
        case socket
        /// After `poll`, only as many bytes are written as certainly do not block.
        case asking
    }

    /// The descriptor to write to and to watch.
    let number: Int32
    private let way: Way

    /// A writable pipe accepts this many bytes without blocking (POSIX, PIPE_BUF).
    private static let safeCount = 4096

    /// Chooses the method for a descriptor, which the caller closes.
    init(_ descriptor: Int32) {
        var status = stat()
        fstat(descriptor, &status)
        switch status.st_mode & S_IFMT {
        case S_IFREG: (number, way) = (descriptor, .plain)
        case S_IFSOCK: (number, way) = (descriptor, .socket)
        default:
            let reopened = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
            (number, way) = reopened >= 0 ? (reopened, .reopened) : (descriptor, .asking)
        }
    }

    deinit {
        if way == .reopened { close(number) }
    }

    /// Writes without blocking; returns the number of bytes, or -1 with `errno`, which is `EAGAIN` when nothing can be
    /// written now.
    func write(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBytes { buffer in
            switch way {
            case .plain, .reopened: return Glibc.write(number, buffer.baseAddress, buffer.count)
            case .socket:
                return send(number, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            case .asking:
                guard isWritable(within: 0) else {
                    errno = EAGAIN
                    return -1
                }
                return Glibc.write(number, buffer.baseAddress, min(buffer.count, Self.safeCount))
            }
        }
    }

    /// Waits until something can be written, within some milliseconds.
    func isWritable(within milliseconds: Int32) -> Bool {
        var request = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, milliseconds) > 0
    }
}
