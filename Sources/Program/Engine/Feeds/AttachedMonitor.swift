import EventLoops
import Glibc
import MonitorLink
import Monitoring
import LineSocket
import Vitals
import Waves

/// The connection to another monitor process, retried each second while it is lost.
///
/// It belongs to the thread of its loop, which it never holds up for long.
final class AttachedMonitor {
    private let paths: (Provenance) -> [String]
    private let holder: () -> RunningMonitor?
    /// The last process that listened at the other end.
    private var process: pid_t?
    /// The provenance of the monitor's data, once the monitor knew it.
    private var provenance = Provenance.unknown
    private let loop: EventLoop
    private let handler: ([LinkViewer.News]) -> Void
    private var viewer = LinkViewer(at: .now())
    private var connection: LineSocketConnection?
    /// The kinds of waves that are wanted, also from the next connection.
    private var wantedWaves: Set<WaveKind> = []
    private var deadline: DeadlineTimer?

    /// How long to wait for a monitor that is busy with other connections.
    private static let timeout = Duration.milliseconds(50)

    /// Creates an unconnected connection.
    ///
    /// - Parameters:
    ///   - paths: The possible sockets of a monitor with such data, the likeliest first.
    ///   - holder: The monitor that holds the lock, when none can be reached.
    ///   - handler: Called with the monitor's messages, and when its connection changes.
    init(
        paths: @escaping (Provenance) -> [String], holder: @escaping () -> RunningMonitor? = { nil },
        on loop: EventLoop, handler: @escaping ([LinkViewer.News]) -> Void
    ) {
        (self.paths, self.holder, self.loop, self.handler) = (paths, holder, loop, handler)
    }

    /// The present or last monitor.
    var monitor: MonitorHello? { viewer.monitor }

    /// Why the monitor is not reliable; `nil` while it is.
    var trouble: String? { viewer.trouble?.reason }

    func begin() {
        deadline = DeadlineTimer(on: loop) { [weak self] in self?.timePassed() }
        connect()
    }

    /// Sends a request to the monitor; does nothing while it is disconnected.
    func send(_ wish: Wish) {
        connection?.send(LinkCoder.endedLine(ViewerLine.wish(wish)))
    }

    /// Asks the monitor for waves, now and after each reconnection.
    func use(waves kinds: Set<WaveKind>) {
        wantedWaves = kinds
        sendWantedWaves()
    }

    private func sendWantedWaves() {
        let kinds = WaveKind.allCases.filter(wantedWaves.contains)
        connection?.send(LinkCoder.endedLine(ViewerLine.waves(kinds)))
    }

    /// Ends the connection.
    func end() {
        deadline?.cancel()
        deadline = nil
        connection?.close()
        connection = nil
    }

    // MARK: Steps

    private func connect() {
        connection?.close()
        connection = nil
        var failure: LineSocketError?
        for path in paths(provenance) {
            do throws(LineSocketError) {
                let client = try LineSocketClient(path: path, within: Self.timeout)
                return join(client)
            } catch {
                // A stale socket does not mean that the others are stale.
                if error != .noListener(path: path) { failure = failure ?? error }
            }
        }
        hand(on: viewer.disconnected(absence(failure), at: .now()))
    }

    /// Why there is no connection, as a clause.
    private func absence(_ failure: LineSocketError?) -> String {
        if failure == .tooSlow { return silence }
        // "No monitor runs" must not be reported while one does.
        if failure != nil || holder() != nil { return "cannot be reached" }
        return monitor == nil ? "does not run" : "has ended"
    }

    /// The state of a monitor that does not answer.
    private var silence: String {
        process.map(RunningMonitor.isStopped) == true ? "does not answer: it is stopped" : "does not answer"
    }

    private func join(_ client: LineSocketClient) {
        process = client.process
        let connection = client.attach(to: loop) { [weak self] connection, line in
            if connection === self?.connection { self?.received(line) }
        }
        connection.closed = { [weak self] in self?.closed($0) }
        self.connection = connection
        viewer.connected(at: .now())
        connection.send(LinkCoder.endedLine(ViewerLine.attach(form: LinkForm.current)))
        if !wantedWaves.isEmpty { sendWantedWaves() }
        plan()
    }

    private func closed(_ connection: LineSocketConnection) {
        guard connection === self.connection else { return }
        self.connection = nil
        hand(on: viewer.disconnected(at: .now()))
    }

    private func received(_ line: [UInt8]) {
        hand(on: viewer.received(line, at: .now()))
    }

    private func timePassed() {
        hand(on: viewer.timePassed(at: .now(), silence: silence))
    }

    private func hand(on news: [LinkViewer.News]) {
        plan()
        // A monitor that has just started does not know it yet, and may then move to another socket.
        for case .snapshot(let snapshot) in news where snapshot.provenance != .unknown {
            provenance = snapshot.provenance
        }
        let changes = news.filter { $0 != .connect }
        if !changes.isEmpty { handler(changes) }
        // Unless the callback has ended the connection.
        if news.contains(.connect), deadline != nil { connect() }
    }

    private func plan() {
        deadline?.plan(at: viewer.deadline.monotonicNanoseconds)
    }
}
