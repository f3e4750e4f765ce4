import EventLoops
import Glibc
import SaturatingArithmetic

/// The side of who asks a running monitor: line by line, waiting for each answer, but never without a limit of time.
///
/// ``attach(to:limits:_:)`` makes a connection on an event loop of it, for those who have other things to do as well.
public final class MonitorSocketClient {
    /// Where the monitor listens.
    public let path: String

    /// -1 once a connection has taken it over.
    private var descriptor: Int32
    private var lines: LineBuffer

    /// The longest line that is read, in octets: a monitor may have much to say.
    public static let longestLine = 16 << 20

    /// Connects to a monitor.
    ///
    /// - Parameters:
    ///   - path: Where it listens.
    ///   - limit: How long to wait while it has others to accept first.
    /// - Throws: ``MonitorSocketError``: `.pathTooLong`, `.noListener`, `.cannotConnect`, `.stranger`, `.tooSlow`.
    public init(path: String, within limit: Duration = .seconds(2)) throws(MonitorSocketError) {
        let made = SocketCalls.make()
        guard made >= 0 else { throw .cannotConnect(path: path, reason: SocketCalls.reason) }
        do throws(MonitorSocketError) {
            try Self.connect(made, to: path, until: Timestamp.monotonicNow().addingSaturated(limit.nanoseconds))
            guard SocketCalls.isTrusted(made) else { throw .stranger(path: path) }
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

    /// The process that listens there; `nil` when the system does not say.
    public var process: pid_t? { SocketCalls.process(descriptor) }

    /// Sends whole lines, each with its line feed.
    ///
    /// - Throws: ``MonitorSocketError``: `.tooSlow`, `.closed`.
    public func send(_ octets: [UInt8], within limit: Duration = .seconds(2)) throws(MonitorSocketError) {
        let end = Timestamp.monotonicNow().addingSaturated(limit.nanoseconds)
        var rest = octets[...]
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

    /// Waits for the next line and takes it, without its line feed.
    ///
    /// - Parameter limit: How long to wait; `nil` for as long as it takes.
    /// - Throws: ``MonitorSocketError``: `.tooSlow`, `.closed`, `.lineTooLong`.
    public func readLine(within limit: Duration? = .seconds(2)) throws(MonitorSocketError) -> [UInt8] {
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

    /// Goes on with the connection on an event loop; this object is of no use any more.
    ///
    /// - Parameters:
    ///   - loop: Where lines are received from now on; the caller must be on its thread, or it must not run yet.
    ///   - limits: What is put up with of the monitor.
    ///   - handler: Called with each line, also with those that have come already.
    public func attach(
        to loop: EventLoop, limits: MonitorSocketLimits = MonitorSocketLimits(longestLine: longestLine),
        _ handler: @escaping MonitorSocketConnection.LineHandler
    ) -> MonitorSocketConnection {
        defer { descriptor = -1 }
        return MonitorSocketConnection(
            taking: descriptor, on: loop, limits: limits, lines: lines, handler: handler)
    }

    // MARK: Steps

    private static func connect(_ descriptor: Int32, to path: String, until end: Int64) throws(MonitorSocketError) {
        while try SocketCalls.withAddress(of: path, { Glibc.connect(descriptor, $0, $1) }) != 0 {
            switch errno {
            case EINTR: continue
            case ENOENT, ECONNREFUSED, ENOTDIR: throw .noListener(path: path)
            case EAGAIN:
                // The monitor's queue is full, and there is nothing to wait on: `connect(2)` has no other answer.
                if Timestamp.monotonicNow() >= end { throw .tooSlow }
                usleep(5000)
            default: throw .cannotConnect(path: path, reason: SocketCalls.reason)
            }
        }
    }

    private static func wait(for descriptor: Int32, _ events: Int32, until end: Int64?) throws(MonitorSocketError) {
        var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        let left = end.map { max(0, $0 - Timestamp.monotonicNow()) }
        let milliseconds = left.map { Int32(clamping: ($0 + 999_999) / 1_000_000) } ?? -1
        if poll(&request, 1, milliseconds) == 0 { throw .tooSlow }
    }
}
