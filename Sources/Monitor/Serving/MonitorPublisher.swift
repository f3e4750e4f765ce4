import CommandLineInterface
import EventLoops
import Formats
import Glibc
import Monitoring
import MonitorLink
import MonitorSocket
import Vitals

/// Tells everybody who looks at this monitor from elsewhere what it knows and what happens, and hears what they want.
///
/// It never waits: what a viewer does not read is kept for it within the socket's limits, and then the viewer is let go;
/// it comes again and is told everything anew. Nothing is written while nobody looks on. It belongs to the thread of the
/// monitor's loop.
final class MonitorPublisher {
    /// How much may wait for a viewer to read it, in octets: a snapshot with two days of trends has a few millions.
    static let limits = MonitorSocketLimits(unread: 16 << 20)

    /// Keeps the place of a viewer's connection; answers whether there is one.
    var keeps: (MonitorSocketConnection) -> Bool = { _ in true }

    private let loop: EventLoop
    /// Made for the first who looks on: what it says of the form takes a whole state in lines to find out.
    private lazy var hello = MonitorHello(version: Product.version, command: command.rawValue, process: process)
    private let command: Subcommand
    private let process: Int32
    private let snapshot: () -> MonitorSnapshot
    private let perform: (ViewerLine) -> Void
    private let refusal: (ViewerLine) -> WishError?
    private var viewers: [ObjectIdentifier: MonitorSocketConnection] = [:]
    private var rates: [ObjectIdentifier: WishRate] = [:]
    private var timer: LoopTimer?

    /// How often the monitor tells that it is alive.
    private static let beat = Duration.seconds(1)

    /// Makes a publisher that nobody listens to.
    ///
    /// - Parameters:
    ///   - command: The command that monitors.
    ///   - process: The process that monitors.
    ///   - snapshot: All that the monitor knows, asked on the loop's thread.
    ///   - refusal: Why a wish must not be carried out; `nil` when it may.
    ///   - perform: Does what a viewer wants, on the loop's thread.
    init(
        on loop: EventLoop, _ command: Subcommand, process: Int32 = getpid(),
        snapshot: @escaping () -> MonitorSnapshot, refusal: @escaping (ViewerLine) -> WishError? = { _ in nil },
        perform: @escaping (ViewerLine) -> Void
    ) {
        (self.loop, self.command, self.process) = (loop, command, process)
        (self.snapshot, self.refusal, self.perform) = (snapshot, refusal, perform)
    }

    /// Takes a line that came by a connection of the monitor's socket.
    ///
    /// - Returns: Whether it was a viewer's.
    func handle(_ line: [UInt8], from connection: MonitorSocketConnection) -> Bool {
        let isKnown = viewers[ObjectIdentifier(connection)] != nil
        guard let wish = try? LinkCoder.value(ViewerLine.self, line) else {
            // Whoever has been told everything and then says what nobody understands is no viewer of ours.
            if isKnown { connection.close() }
            return isKnown
        }
        if case .attach(let form) = wish {
            // Everything is told once; it is much, and more of it would be no more.
            if !isKnown { attach(connection, form) }
        } else if isKnown {
            consider(wish, of: connection)
        }
        return true
    }

    /// Carries out a wish, or tells the viewer why not.
    private func consider(_ wish: ViewerLine, of connection: MonitorSocketConnection) {
        let (key, now) = (ObjectIdentifier(connection), Moment.now())
        var rate = rates[key] ?? WishRate(at: now)
        defer { rates[key] = rate }
        guard let reason = rate.allows(at: now) ? refusal(wish) : .tooMany else { return perform(wish) }
        if reason != .tooMany || rate.mayComplain(at: now) {
            connection.send(LinkCoder.endedLine(MonitorLine.notice(reason.description)))
        }
    }

    /// Tells of an input that was folded into the state.
    func publish(_ input: MonitorInput) {
        reportAll(.input(input))
    }

    /// Tells a sentence for the user.
    func publish(notice: String) {
        reportAll(.notice(notice))
    }

    /// Tells everything anew, because the state has changed otherwise than by an input.
    func publishSnapshot() {
        if !viewers.isEmpty { reportAll(.snapshot(snapshot())) }
    }

    /// Lets all viewers go.
    func close() {
        if let timer { loop.cancel(timer) }
        timer = nil
        let ending = viewers.values
        (viewers, rates) = ([:], [:])
        for connection in ending { connection.close() }
    }

    // MARK: Steps

    private func attach(_ connection: MonitorSocketConnection, _ form: String) {
        connection.send(LinkCoder.endedLine(MonitorLine.hello(hello)))
        // Another version has read the hello, and has no use for more.
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

    private func left(_ connection: MonitorSocketConnection) {
        viewers[ObjectIdentifier(connection)] = nil
        rates[ObjectIdentifier(connection)] = nil
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
        let octets = LinkCoder.endedLine(line)
        for viewer in Array(viewers.values) { viewer.send(octets) }
    }
}
