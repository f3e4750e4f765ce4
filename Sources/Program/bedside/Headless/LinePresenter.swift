import CommandLineInterface
import Dashboard
import EventLoops
import Glibc
import Engine
import Monitoring
import Vitals
import Waves
import Wording

/// Writes the lines of `bedside watch` on standard output, and problems on standard error.
final class LinePresenter: EventPresenter {
    private var lines: WatchLines
    private let readingLimit: Int?
    /// Whether waves are lines, too.
    private let hasWaves: Bool
    private var waves: WaveQueue?
    private var readingCount = 0
    private var hasSeenBus = false
    private var output: LineOutput?
    private var end: (ExitStatus) -> Void = { _ in }

    /// Creates a presenter.
    ///
    /// - Parameters:
    ///   - readingLimit: The number of readings after which the program ends; `nil` for no limit.
    ///   - hasWaves: Whether waves are lines, too.
    init(_ lines: WatchLines, readingLimit: Int?, hasWaves: Bool) {
        (self.lines, self.readingLimit, self.hasWaves) = (lines, readingLimit, hasWaves)
    }

    func prepare(_ monitor: isolated MonitorEngine) async {
        if hasWaves { waves = await monitor.readWaves(Set(WaveKind.allCases.filter(\.traits.isShown)), as: .lines) }
    }

    var nextDue: Moment? { lines.nextDue }

    func begin(on loop: EventLoop, end: @escaping (ExitStatus) -> Void) {
        self.end = end
        output = LineOutput(descriptor: STDOUT_FILENO, loop: loop) { [weak self] in self?.writingFailed($0) }
        output?.lossLine = { [weak self] in self?.lines.line(about: $0) ?? [] }
    }

    func complain(_ sentence: String) {
        CommandLineInterface.complain(sentence)
    }

    func receive(_ update: MonitorUpdate, from monitor: isolated MonitorEngine) {
        switch update {
        case .input(_, let effects):
            guard let event = update.event else { return write(effects, monitor) }
            monitor.readState { lines.write(event, effects, $0) }
            count(event)
            if monitor.feed.isMonitor, case .bus(let bus) = event.kind { complain(about: bus, monitor.state) }
        case .monitorLost(let loss, let effects):
            let age = loss.hadMonitor ? " Values are old." : ""
            complain("NO MONITOR: \(loss.name) \(loss.reason).\(age) Trying to reconnect every second.")
            write(effects, monitor)
        case .replaced(.viewed(let name)): viewedStateReplaced(by: name, monitor)
        case .timePassed: write([], monitor)
        case .notice(let sentence): complain(sentence)
        case .context(let context): lines.context = context
        case .refused(let sentence):
            complain(sentence)
            end(.unavailable)
        case .replayBegan(let replay): begin(replay)
        case .replayEnded(let replay):
            lines.writeReplay(hasEnded: true, replay.range, replay.now())
            end(.success)
        // On closing, the loop may not reach the end of its turn.
        case .turnEnded, .closing:
            if let new = waves?.takeAll(), !new.isEmpty { lines.write(new, at: monitor.feed.now()) }
            lines.drain { output?.write($0) }
        case .provenance, .replaced, .viewNotice, .ready, .settingsChanged, .settingsKept, .reloading, .reloaded,
            .unavailable,
            .closed:
            break
        }
    }

    func finish() {
        output?.finish(within: .seconds(2))
    }

    private func count(_ event: MonitorEvent) {
        guard case .reading = event.kind else { return }
        readingCount += 1
        if readingCount == readingLimit { end(.success) }
    }

    /// Reports once that there is no message bus at the start, because the first line of text would come only with the
    /// bus.
    private func complain(about bus: BusState, _ state: MonitorState) {
        if hasSeenBus { return }
        hasSeenBus = true
        if bus != .connected, let warning = EnvironmentWarning(state.environment) {
            complain("\(warning.line). Waiting for it.")
        }
    }

    private func viewedStateReplaced(by name: String?, _ monitor: isolated MonitorEngine) {
        if let name { complain("This is a view of \(name), which continues.") }
        // Everything about the present that has no event.
        write([], monitor)
    }

    private func write(_ effects: [Effect], _ monitor: isolated MonitorEngine) {
        monitor.readState { lines.write(effects, $0) }
    }

    private func begin(_ replay: any PlaybackFeed) {
        lines.writeReplay(hasEnded: false, replay.range, replay.now())
        // Plays no faster than the lines are read, so that they do not fill memory.
        replay.mayContinue = { [weak self] in self?.output?.isHeldUp == false }
        output?.onDrained = { [weak replay] in replay?.resume() }
    }

    private func writingFailed(_ failure: Int32) {
        if failure == EPIPE { return end(.success) }
        complain("cannot write: \(String(cString: strerror(failure)))")
        end(.inputOutputError)
    }
}
