import EventLoops
import Formats
import Glibc
import Monitoring
import MonitorLink
import LineSocket
import Vitals
import Waves

/// Sends this monitor's state and events to remote views, and receives their requests.
///
/// It never waits: unread data are buffered within the socket's limits, and then the view is disconnected; it
/// reconnects and receives a new snapshot. Nothing is encoded without a view. Use it on the monitor's loop only.
final class MonitorPublisher {
    /// The largest buffer for a view, in bytes: a snapshot with two days of trends has a few millions.
    static let limits = LineSocketLimits(unread: 16 << 20)

    /// Asks for the waves that some view wants.
    var wantsWaves: (Set<WaveKind>) -> Void = { _ in }

    /// Reserves a view's connection; returns whether one is available.
    var keeps: (LineSocketConnection) -> Bool = { _ in true }

    private let loop: EventLoop
    /// Created for the first view, because its description of the format requires encoding a whole state.
    private lazy var hello = MonitorHello(version: Product.version, command: command, process: process)
    private let command: String
    private let process: Int32
    private let snapshot: () -> MonitorSnapshot
    private let carryOut: (Wish) -> Void
    private let refusal: (Wish) -> WishError?
    private var viewers: [ObjectIdentifier: LineSocketConnection] = [:]
    private var rates: [ObjectIdentifier: WishRate] = [:]
    /// The waves that each view wants.
    private var waves: [ObjectIdentifier: Set<WaveKind>] = [:]
    private var timer: LoopTimer?

    /// The interval of the monitor's heartbeats.
    private static let beat = Duration.seconds(1)

    /// Creates a publisher without views.
    ///
    /// - Parameters:
    ///   - command: The name of the monitoring command.
    ///   - process: The monitoring process.
    ///   - snapshot: Returns the monitor's data, on the loop's thread.
    ///   - refusal: Returns why a request is refused; `nil` when it is allowed.
    ///   - perform: Carries out a request, on the loop's thread.
    init(
        on loop: EventLoop, command: String, process: Int32 = getpid(),
        snapshot: @escaping () -> MonitorSnapshot, refusal: @escaping (Wish) -> WishError? = { _ in nil },
        carryOut: @escaping (Wish) -> Void
    ) {
        (self.loop, self.command, self.process) = (loop, command, process)
        (self.snapshot, self.refusal, self.carryOut) = (snapshot, refusal, carryOut)
    }

    /// Handles a line from a connection of the monitor's socket.
    ///
    /// - Returns: Whether it was a view's.
    func handle(_ line: [UInt8], from connection: LineSocketConnection) -> Bool {
        let isKnown = viewers[ObjectIdentifier(connection)] != nil
        guard let message = try? LinkCoder.value(ViewerLine.self, line) else {
            // A peer that sends invalid data after the snapshot is not a view.
            if isKnown { connection.close() }
            return isKnown
        }
        switch message {
        // The large snapshot is sent only once.
        case .attach(let form): if !isKnown { attach(connection, form) }
        case .wish(let wish): if isKnown { consider(wish, of: connection) }
        case .waves(let kinds):
            // Each change may begin conversations with sensors anew.
            if isKnown, allows(connection) { changeWaves(of: ObjectIdentifier(connection), to: Set(kinds)) }
        }
        return true
    }

    /// Carries out a wish, or sends the view the reason why not.
    private func consider(_ wish: Wish, of connection: LineSocketConnection) {
        let (key, now) = (ObjectIdentifier(connection), Moment.now())
        var rate = rates[key] ?? WishRate()
        defer { rates[key] = rate }
        guard let reason = rate.allows(at: now) ? refusal(wish) : .tooMany else { return carryOut(wish) }
        if reason != .tooMany || rate.mayComplain(at: now) {
            connection.send(LinkCoder.endedLine(MonitorLine.notice(reason.description)))
        }
    }

    /// Whether a view has not sent too much, this line included.
    private func allows(_ connection: LineSocketConnection) -> Bool {
        let key = ObjectIdentifier(connection)
        var rate = rates[key] ?? WishRate()
        defer { rates[key] = rate }
        return rate.allows(at: .now())
    }

    /// Sends an input to all views.
    func publish(_ input: MonitorInput) {
        if !viewers.isEmpty { reportAll(.input(input)) }
    }

    /// Sends a sentence for the user to all views.
    func publish(notice: String) {
        reportAll(.notice(notice))
    }

    /// Sends waves to the views that want them.
    func publish(waves updates: [WaveUpdate]) {
        for (key, kinds) in waves {
            let wanted = updates.filter { kinds.contains($0.stream.kind) }
            if !wanted.isEmpty { viewers[key]?.send(LinkCoder.endedLine(MonitorLine.waves(wanted))) }
        }
    }

    private func changeWaves(of view: ObjectIdentifier, to kinds: Set<WaveKind>) {
        let before = Set(waves.values.joined())
        waves[view] = kinds.isEmpty ? nil : kinds
        let after = Set(waves.values.joined())
        if after != before { wantsWaves(after) }
    }

    /// Sends a new snapshot, because the state has changed without an input.
    func publishSnapshot() {
        if !viewers.isEmpty { reportAll(.snapshot(snapshot())) }
    }

    /// Disconnects all views.
    func close() {
        if let timer { loop.cancel(timer) }
        timer = nil
        let ending = viewers.values
        (viewers, rates, waves) = ([:], [:], [:])
        for connection in ending { connection.close() }
    }

    // MARK: Steps

    private func attach(_ connection: LineSocketConnection, _ form: String) {
        connection.send(LinkCoder.endedLine(MonitorLine.hello(hello)))
        // Another version has read the hello, and cannot use more.
        guard form == LinkForm.current else { return connection.finish() }
        guard keeps(connection) else {
            connection.send(LinkCoder.endedLine(MonitorLine.refused("has no place for another view")))
            return connection.finish()
        }
        connection.closed = { [weak self] in self?.left($0) }
        viewers[ObjectIdentifier(connection)] = connection
        connection.send(LinkCoder.endedLine(MonitorLine.snapshot(snapshot())))
        if timer == nil { planBeat() }
    }

    private func left(_ connection: LineSocketConnection) {
        viewers[ObjectIdentifier(connection)] = nil
        rates[ObjectIdentifier(connection)] = nil
        changeWaves(of: ObjectIdentifier(connection), to: [])
        guard viewers.isEmpty, let timer else { return }
        loop.cancel(timer)
        self.timer = nil
    }

    private func planBeat() {
        timer = loop.schedule(after: Self.beat) { [weak self] in
            self?.reportAll(.alive(.now()))
            self?.planBeat()
        }
    }

    private func reportAll(_ line: MonitorLine) {
        if viewers.isEmpty { return }
        let bytes = LinkCoder.endedLine(line)
        for viewer in Array(viewers.values) { viewer.send(bytes) }
    }
}
