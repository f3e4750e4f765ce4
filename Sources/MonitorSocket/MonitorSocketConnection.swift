import EventLoops
import Glibc

/// One side of a connection by lines, on an event loop: lines come in order, and lines can be sent at any time.
///
/// Nothing here waits, and memory is bounded: whoever does not read what is sent, or sends a line that is too long, is
/// disconnected. While something waits to be sent no further line is taken, so whoever asks faster than it reads is
/// held up, and nobody else.
///
/// It belongs to the loop's thread.
public final class MonitorSocketConnection {
    /// What is called with each line, without its line feed.
    public typealias LineHandler = (MonitorSocketConnection, [UInt8]) -> Void

    /// Called once when the connection has ended, whoever ended it; not after ``close()``.
    public var closed: ((MonitorSocketConnection) -> Void)?
    /// Called before ``closed``, also after ``close()``: for the server's table.
    var onRemoval: ((MonitorSocketConnection) -> Void)?
    /// Whether the connection can still be used.
    public private(set) var isOpen = true
    /// How much waits for the other side to read it, in octets.
    public var unreadCount: Int { unsent.count }
    /// Whether its owner has more to say than an answer, so that it does not give way to others.
    public internal(set) var isKept = false
    /// When a line came, or when it began, in nanoseconds of the monotonic clock.
    private(set) var lastHeard = Timestamp.monotonicNow()

    private let descriptor: Int32
    private let loop: EventLoop
    private let limits: MonitorSocketLimits
    private let handler: LineHandler
    private var watch: DescriptorWatch?
    private var timer: LoopTimer?
    private var lines: LineBuffer
    private var unsent = OutputBuffer()
    private var isEnding = false

    /// How many lines are taken in one turn of the loop, and how many octets are read, so that nobody keeps it busy.
    private static let linesAtOnce = 16
    private static let octetsAtOnce = 16 * 1024

    /// Takes a socket over that is connected and does not wait.
    init(
        taking descriptor: Int32, on loop: EventLoop, limits: MonitorSocketLimits, lines: LineBuffer? = nil,
        handler: @escaping LineHandler
    ) {
        self.descriptor = descriptor
        self.loop = loop
        self.limits = limits
        self.lines = lines ?? LineBuffer(limit: limits.longestLine)
        self.handler = handler
        watch = loop.watch(descriptor, for: .readable) { [weak self] in self?.ready($0) }
        // There may be lines already.
        if lines != nil { takeLinesLater() }
    }

    deinit {
        release()
    }

    /// Sends whole lines, each with its line feed; what does not go at once waits.
    ///
    /// The other side is disconnected when it has not read more than the limits allow.
    public func send(_ octets: [UInt8]) {
        guard isOpen, !isEnding else { return }
        if unsent.isEmpty {
            let count = SocketCalls.send(octets[...], to: descriptor)
            if count == octets.count { return }
            if count < 0, errno != EAGAIN, errno != EINTR { return end() }
            unsent.append(octets[max(0, count)...])
            wait()
        } else {
            unsent.append(octets)
        }
        if unreadCount > limits.unread { end() }
    }

    /// Ends the connection when everything has been sent, but soon.
    public func finish() {
        guard isOpen, !isEnding else { return }
        if unsent.isEmpty { return end() }
        isEnding = true
        limitTime(.seconds(1))
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

    /// Lets the connection live as long as both sides want.
    private func keepOpen() {
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    // MARK: Steps

    private func ready(_ readiness: Readiness) {
        if readiness.contains(.writable) { sendMore() }
        guard isOpen else { return }
        if readiness.contains(.readable), unsent.isEmpty { return read() }
        // With something left to read, its end is found by reading.
        if !readiness.contains(.readable), readiness.contains(.hangUp) || readiness.contains(.failed) { end() }
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: Self.octetsAtOnce)
        let count = SocketCalls.receive(&buffer, from: descriptor)
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0 else { return end() }
        lines.append(buffer[..<count])
        takeLines()
    }

    private func takeLines() {
        for _ in 0..<Self.linesAtOnce {
            guard isOpen, !isEnding, unsent.isEmpty else { return }
            do throws(MonitorSocketError) {
                guard let line = try lines.takeLine() else { return wait() }
                keepOpen()
                lastHeard = Timestamp.monotonicNow()
                handler(self, line)
            } catch {
                return end()
            }
        }
        takeLinesLater()
    }

    /// Goes on with the next turn of the loop, when others have had theirs; nothing is read until then.
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
        // What came meanwhile has waited.
        takeLines()
    }

    /// Waits for the other side: to read, when something is to be sent, otherwise to write.
    private func wait() {
        guard isOpen, let watch else { return }
        loop.setInterest(unsent.isEmpty ? .readable : .writable, of: watch)
    }

    /// Ends the connection at once, and tells.
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
