import Base
import CommandLineInterface
import Configuration
import Dashboard
import Engine
import EventLoops
import Formats
import Monitoring
import Terminal
import Vitals
import Waves
import Wording

/// `bedside watch`: prints events as lines of text or JSON, on one thread, until it is interrupted.
struct WatchCommand {
    private let arguments: CommandLineArguments
    private let settings: Settings
    private let interval: Duration
    private let readingLimit: Int?
    private let duration: Duration?

    /// Parses the command line.
    ///
    /// - Throws: ``CommandError`` for an invalid value or configuration file.
    init(_ arguments: CommandLineArguments) throws(CommandError) {
        self.arguments = arguments
        duration = try arguments[.duration]
        if arguments.has(.waves), !arguments.has(.json) {
            throw arguments.mistake("--waves prints samples as JSON: add --json")
        }
        let interval = try arguments[.interval]
        if interval != nil, arguments.has(.json) {
            throw arguments.mistake("--interval is for lines of text; with --json every event is a line")
        }
        self.interval = interval ?? .seconds(10)
        readingLimit = try arguments[.readingCount]
        settings = try Settings.toStart(arguments)
        Privileges.giveUp(settings)
        Confinement.begin(settings, arguments)
    }

    /// Runs until the time, the count, a signal or a closed output ends it.
    ///
    /// - Throws: ``CommandError`` when it cannot start.
    func run(on loop: EventLoop) async throws(CommandError) -> ExitStatus {
        if arguments.has(.view) { return await view(on: loop) }
        let lock = try HeldMonitorLock.toStart(arguments, settings)
        let source = try await SensorSource.open(arguments)
        let feed = MonitorFeed.live(LiveFeed(source, settings, on: loop))
        let monitor = monitor(of: feed, on: loop)
        await monitor.serve(command: arguments.subcommand.rawValue, holding: lock)
        return await HeadlessSession(duration: duration).run(monitor, presenter(of: monitor), on: loop)
    }

    /// Runs until the end of the recording, or until the count, a signal or a closed output ends it.
    func run(_ recording: ReplayFeed, on loop: EventLoop) async -> ExitStatus {
        // The recording limits its own duration.
        let monitor = monitor(of: .replay(recording), on: loop)
        return await HeadlessSession().run(monitor, presenter(of: monitor), on: loop)
    }

    /// Writes the events of another monitor.
    private func view(on loop: EventLoop) async -> ExitStatus {
        let feed = MonitorFeed.view(ViewFeed(MonitorFinder(settings.patient.name, toView: arguments), on: loop))
        let monitor = monitor(of: feed, on: loop)
        return await HeadlessSession(duration: duration).run(monitor, presenter(of: monitor), on: loop)
    }

    private func monitor(of feed: MonitorFeed, on loop: EventLoop) -> MonitorEngine {
        MonitorEngine(
            feed, settings, keepingIn: ConfigurationFile(arguments),
            speakers: arguments.has(.sound) ? .insteadOfBell : .none, on: loop)
    }

    private func presenter(of monitor: MonitorEngine) async -> LinePresenter {
        let lines = WatchLines(isJSON: arguments.has(.json), interval: interval, settings, await monitor.context)
        return LinePresenter(lines, readingLimit: readingLimit, hasWaves: arguments.has(.waves))
    }
}

/// The lines of `bedside watch`: JSON for programs, or text for users.
enum WatchLines {
    case json(WatchEncoder)
    case text(LineReport)

    init(isJSON: Bool, interval: Duration, _ settings: Settings, _ context: SessionContext) {
        if isJSON {
            self = .json(WatchEncoder(context))
            return
        }
        var report = LineReport(interval: interval, context: context)
        report.units = DisplayUnits(settings)
        report.isASCII = TerminalTraits.current().suitableGlyphs == .ascii || settings.screen.glyphs == .ascii
        self = .text(report)
    }

    /// What later lines say of their session.
    var context: SessionContext {
        get {
            switch self {
            case .json(let encoder): encoder.context
            case .text(let report): report.context
            }
        }
        set {
            change {
                $0.context = newValue
            } words: {
                $0.context = newValue
            }
        }
    }

    /// When a line is due even without an event.
    var nextDue: Moment? {
        if case .text(let report) = self { report.nextDue } else { nil }
    }

    /// Writes the lines of an event and its effects.
    ///
    /// - Parameter state: Evaluated only for text, because a copy of the state costs more than a line of JSON.
    mutating func write(_ event: MonitorEvent, _ effects: [Effect], _ state: @autoclosure () -> MonitorState) {
        change {
            $0.write(event)
            for effect in effects { $0.write(effect) }
        } words: {
            $0.handle(event, effects, state())
        }
    }

    /// Writes the lines of effects without an event.
    mutating func write(_ effects: [Effect], _ state: @autoclosure () -> MonitorState) {
        change { encoder in
            for effect in effects { encoder.write(effect) }
        } words: {
            $0.handle(effects, state())
        }
    }

    /// Writes the lines of waves, which exist as JSON only.
    mutating func write(_ waves: [WaveUpdate], at moment: Moment) {
        change { encoder in
            for update in waves { encoder.write(update, at: moment) }
        } words: { _ in
        }
    }

    /// Writes the line for the start or end of a replay.
    mutating func writeReplay(hasEnded: Bool, _ range: ClosedRange<Int64>, _ moment: Moment) {
        change {
            $0.writeReplay(hasEnded ? "ended" : "started", range, moment)
        } words: {
            $0.report(hasEnded ? "END OF REPLAY" : "a recording is played: nothing of it happens now", at: moment)
        }
    }

    /// The line that reports lines dropped because the reader was too slow.
    func line(about loss: LineOutput.Loss) -> [UInt8] {
        // In a copy, because the lines of this turn come after it.
        var copy = self
        copy.drain { _ in }
        copy.change {
            $0.writeLoss(ofLines: loss.lineCount, from: loss.from, to: loss.to)
        } words: {
            $0.reportLoss(ofLines: loss.lineCount, from: loss.from, to: loss.to)
        }
        var bytes: [UInt8] = []
        copy.drain { bytes = $0 }
        return bytes
    }

    /// Passes the lines written so far to `body`, if there are any.
    mutating func drain(_ body: ([UInt8]) -> Void) {
        change { encoder in
            if !encoder.isEmpty { encoder.takeLines(body) }
        } words: { report in
            if !report.isEmpty { body(Array(report.takeLines().utf8)) }
        }
    }

    /// Mutates in place, without copying the buffer.
    private mutating func change(_ json: (inout WatchEncoder) -> Void, words: (inout LineReport) -> Void) {
        switch consume self {
        case .json(var encoder):
            json(&encoder)
            self = .json(encoder)
        case .text(var report):
            words(&report)
            self = .text(report)
        }
    }
}
