import EventLoops
import Glibc
import Base

/// A client that asks a running monitor line by line and waits for each answer, always with a time limit.
///
/// ``attach(to:limits:_:)`` moves the connection to an event loop.
public final class LineSocketClient {
    public let path: String

    /// -1 once a connection has taken over the descriptor.
    private var descriptor: Int32
    private var lines: LineBuffer

    /// The longest line that is read, in bytes.
    public static let longestLine = 16 << 20

    /// Connects to a monitor.
    ///
    /// - Parameters:
    ///   - path: The path of its socket.
    ///   - limit: How long to wait while its queue is full.
    /// - Throws: ``LineSocketError``: `.pathTooLong`, `.noListener`, `.cannotConnect`, `.stranger`, `.tooSlow`.
    public init(path: String, within limit: Duration = .seconds(2)) throws(LineSocketError) {
        let made = SocketCalls.make()
        guard made >= 0 else { throw .cannotConnect(path: path, reason: SocketCalls.reason) }
        do throws(LineSocketError) {
            try Self.connect(made, to: path, until: Timestamp.monotonicNow().addingSaturated(limit.nanoseconds))
            guard SocketCalls.isTrusted(made, acceptsRoot: false) else { throw .stranger(path: path) }
        } catch {
            Glibc.close(made)
            throw error
        }
        self.path = path
        descriptor = made
        lines = LineBuffer(limit: Self.longestLine)
    }

    deinit {
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// The monitor's process identifier; `nil` when the system does not report it.
    public var process: pid_t? { SocketCalls.process(descriptor) }

    /// Sends whole lines, each with its line feed.
    ///
    /// - Throws: ``LineSocketError``: `.tooSlow`, `.closed`.
    public func send(_ bytes: [UInt8], within limit: Duration = .seconds(2)) throws(LineSocketError) {
        let end = Timestamp.monotonicNow().addingSaturated(limit.nanoseconds)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = SocketCalls.send(rest, to: descriptor)
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                try Self.wait(for: descriptor, Int32(POLLOUT), until: end)
            } else if errno != EINTR {
                throw .closed
            }
        }
    }

    /// Waits for the next line and returns it without its line feed.
    ///
    /// - Parameter limit: How long to wait; `nil` for no limit.
    /// - Throws: ``LineSocketError``: `.tooSlow`, `.closed`, `.lineTooLong`.
    public func readLine(within limit: Duration? = .seconds(2)) throws(LineSocketError) -> [UInt8] {
        let end = limit.map { Timestamp.monotonicNow().addingSaturated($0.nanoseconds) }
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            if let line = try lines.takeLine() { return line }
            let count = SocketCalls.receive(&buffer, from: descriptor)
            if count > 0 {
                lines.append(buffer[..<count])
            } else if count < 0, errno == EAGAIN {
                try Self.wait(for: descriptor, Int32(POLLIN), until: end)
            } else if count == 0 || errno != EINTR {
                throw .closed
            }
        }
    }

    /// Moves the connection to an event loop; this object must not be used afterwards.
    ///
    /// - Parameters:
    ///   - loop: The loop that receives lines from now on; the caller must be on its thread, or it must not run yet.
    ///   - limits: The limits for the monitor.
    ///   - handler: Called with each line, including those received before.
    public func attach(
        to loop: EventLoop, limits: LineSocketLimits = LineSocketLimits(longestLine: longestLine),
        _ handler: @escaping LineSocketConnection.LineHandler
    ) -> LineSocketConnection {
        defer { descriptor = -1 }
        return LineSocketConnection(
            taking: descriptor, on: loop, limits: limits, lines: lines, handler: handler)
    }

    // MARK: Steps

    private static func connect(_ descriptor: Int32, to path: String, until end: Int64) throws(LineSocketError) {
        while try SocketCalls.withAddress(of: path, { Glibc.connect(descriptor, $0, $1) }) != 0 {
            switch errno {
            case EINTR: continue
            case ENOENT, ECONNREFUSED, ENOTDIR: throw .noListener(path: path)
            case EAGAIN:
                // The monitor's queue is full, and `connect(2)` offers nothing to wait on.
                if Timestamp.monotonicNow() >= end { throw .tooSlow }
                usleep(5000)
            default: throw .cannotConnect(path: path, reason: SocketCalls.reason)
            }
        }
    }

    private static func wait(for descriptor: Int32, _ events: Int32, until end: Int64?) throws(LineSocketError) {
        var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        let left = end.map { max(0, $0 - Timestamp.monotonicNow()) }
        let milliseconds = left.map { Int32(clamping: ($0 + 999_999) / 1_000_000) } ?? -1
        if poll(&request, 1, milliseconds) == 0 { throw .tooSlow }
    }
}
