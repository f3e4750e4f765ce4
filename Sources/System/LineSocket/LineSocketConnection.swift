import EventLoops
import Glibc

/// One side of a line-based connection on an event loop.
///
/// Nothing here blocks, and memory is bounded: a peer that does not read, or sends a line that is too long, is
/// disconnected. While data wait to be sent no further line is handled, so a peer that asks faster than it reads slows
/// down only itself.
///
/// It belongs to the loop's thread.
public final class LineSocketConnection {
    /// A handler of lines without their line feeds.
    public typealias LineHandler = (LineSocketConnection, [UInt8]) -> Void

    /// Called once when the connection has ended on either side; not after ``close()``.
    public var closed: ((LineSocketConnection) -> Void)?
    /// Called before ``closed``, also after ``close()``: for the server's table.
    var onRemoval: ((LineSocketConnection) -> Void)?
    public private(set) var isOpen = true
    /// The number of bytes that wait for the other side to read them.
    public var unreadCount: Int { unsent.count }
    /// Whether it is a lasting connection, which does not give way to new ones.
    public internal(set) var isKept = false
    /// When the connection began or the last line came, in nanoseconds of the monotonic clock.
    private(set) var lastReceived = Timestamp.monotonicNow()

    private let descriptor: Int32
    private let loop: EventLoop
    private let limits: LineSocketLimits
    private let handler: LineHandler
    private var watch: DescriptorWatch?
    private var timer: LoopTimer?
    private var lines: LineBuffer
    private var unsent = OutputBuffer()
    private var isEnding = false

    /// The greatest number of lines handled, and of bytes read, in one turn of the loop, so that no peer keeps it busy.
    private static let linesAtOnce = 16
    private static let bytesAtOnce = 16 * 1024

    /// Takes ownership of a connected, non-blocking socket.
    init(
        taking descriptor: Int32, on loop: EventLoop, limits: LineSocketLimits, lines: LineBuffer? = nil,
        handler: @escaping LineHandler
    ) {
        self.descriptor = descriptor
        self.loop = loop
        self.limits = limits
        self.lines = lines ?? LineBuffer(limit: limits.longestLine)
        self.handler = handler
        watch = loop.watch(descriptor, for: .readable) { [weak self] in self?.ready($0) }
        // Lines may have arrived already.
        if lines != nil { takeLinesLater() }
    }

    deinit {
        release()
    }

    /// Sends whole lines, each with its line feed; the rest is sent later.
    ///
    /// The other side is disconnected when more waits than the limits allow.
    public func send(_ bytes: [UInt8]) {
        guard isOpen, !isEnding else { return }
        if unsent.isEmpty {
            let count = SocketCalls.send(bytes[...], to: descriptor)
            if count == bytes.count { return }
            if count < 0, errno != EAGAIN, errno != EINTR { return end() }
            unsent.append(bytes[max(0, count)...])
            wait()
        } else {
            unsent.append(bytes)
        }
        if unreadCount > limits.unread { end() }
    }

    /// Ends the connection when everything has been sent, or after the time that the limits allow.
    public func finish() {
        guard isOpen, !isEnding else { return }
        if unsent.isEmpty { return end() }
        isEnding = true
        limitTime(limits.ending)
    }

    /// Ends the connection at once.
    public func close() {
        closed = nil
        end()
    }

    /// Ends the connection after a time, unless ``keepOpen()`` comes before.
    func limitTime(_ time: Duration) {
        keepOpen()
        timer = loop.schedule(after: time) { [weak self] in
            self?.timer = nil
            self?.end()
        }
    }

    /// Removes the time limit.
    private func keepOpen() {
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    // MARK: Steps

    private func ready(_ readiness: Readiness) {
        if readiness.contains(.writable) { sendMore() }
        guard isOpen else { return }
        if readiness.contains(.readable), unsent.isEmpty { return read() }
        // While data are left to read, reading finds the end.
        if !readiness.contains(.readable), readiness.contains(.hangUp) || readiness.contains(.failed) { end() }
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: Self.bytesAtOnce)
        let count = SocketCalls.receive(&buffer, from: descriptor)
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0 else { return end() }
        lines.append(buffer[..<count])
        takeLines()
    }

    private func takeLines() {
        for _ in 0..<Self.linesAtOnce {
            guard isOpen, !isEnding, unsent.isEmpty else { return }
            do throws(LineSocketError) {
                guard let line = try lines.takeLine() else { return wait() }
                keepOpen()
                lastReceived = Timestamp.monotonicNow()
                handler(self, line)
            } catch {
                return end()
            }
        }
        takeLinesLater()
    }

    /// Continues in the next turn of the loop, after others; nothing is read until then.
    private func takeLinesLater() {
        guard isOpen, unsent.isEmpty, let watch else { return }
        loop.setInterest([], of: watch)
        _ = loop.schedule(after: .zero) { [weak self] in self?.takeLines() }
    }

    private func sendMore() {
        let count = SocketCalls.send(unsent.waiting, to: descriptor)
        if count < 0, errno != EAGAIN, errno != EINTR { return end() }
        unsent.removeFirst(count)
        guard unsent.isEmpty else { return }
        if isEnding { return end() }
        // Data that arrived during the pause have waited.
        takeLines()
    }

    /// Waits until the socket is writable if data wait to be sent, otherwise until it is readable.
    private func wait() {
        guard isOpen, let watch else { return }
        loop.setInterest(unsent.isEmpty ? .readable : .writable, of: watch)
    }

    /// Ends the connection at once and calls the handlers.
    func end() {
        guard isOpen else { return }
        release()
        let (onRemoval, closed) = (onRemoval, closed)
        (self.onRemoval, self.closed) = (nil, nil)
        onRemoval?(self)
        closed?(self)
    }

    private func release() {
        guard isOpen else { return }
        isOpen = false
        keepOpen()
        if let watch { loop.unwatch(watch) }
        watch = nil
        unsent = OutputBuffer()
        Glibc.close(descriptor)
    }
}

/// Splits received bytes into lines, in bounded memory.
struct LineBuffer {
    /// The longest line, in bytes without the line feed.
    let limit: Int
    private var bytes: [UInt8] = []
    /// The start of the lines that were not removed yet.
    private var start = 0
    /// No line feed is before this index.
    private var searched = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Appends received bytes.
    mutating func append(_ piece: ArraySlice<UInt8>) {
        bytes.append(contentsOf: piece)
    }

    /// Removes and returns the next whole line without its line feed; `nil` when there is none yet.
    ///
    /// - Throws: ``LineSocketError/lineTooLong(limit:)``, even before the end of such a line has arrived.
    mutating func takeLine() throws(LineSocketError) -> [UInt8]? {
        guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            // The rest is moved once per piece, not once per line.
            bytes.removeFirst(start)
            (start, searched) = (0, bytes.count)
            if bytes.count > limit { throw .lineTooLong(limit: limit) }
            return nil
        }
        guard end - start <= limit else { throw .lineTooLong(limit: limit) }
        let line = Array(bytes[start..<end])
        (start, searched) = (end + 1, end + 1)
        return line
    }
}

/// The limits of a connection; exceeding one ends it.
public struct LineSocketLimits: Hashable, Sendable {
    /// The longest line that is read, in bytes without the line feed.
    public var longestLine: Int
    /// How many bytes may wait for the other side to read them.
    public var unread: Int
    /// The greatest number of lasting connections of a server (``LineSocketServer/keep(_:reserve:)``).
    public var connections: Int
    /// The number of further connections; a new one replaces the oldest, so that a single question is always answered.
    public var passing: Int
    /// How long a server waits for the first line of a connection.
    public var timeout: Duration
    /// How long a connection that is finished waits for the other side to read the rest.
    public var ending: Duration

    /// Creates limits; the defaults are generous for every request.
    public init(
        longestLine: Int = 64 * 1024, unread: Int = 1 << 20, connections: Int = 32, passing: Int = 8,
        timeout: Duration = .seconds(10), ending: Duration = .seconds(1)
    ) {
        self.longestLine = longestLine
        self.unread = unread
        self.connections = connections
        self.passing = passing
        self.timeout = timeout
        self.ending = ending
    }
}
