import CommandLineInterface
import EventLoops
import Formats
import Glibc
import Engine
import LineSocket
import UserFiles
import Vitals

/// `bedside status --follow`: a line at each change of any running monitor, until a closed output or a signal ends it.
///
/// It waits for the monitor's lines and, without a monitor, for a socket to appear. A silent monitor is asked again,
/// because it may have been stopped: after three seconds its values are no longer shown, as in a view.
@ScreenActor
final class StatusFollower {
    private let options: StatusOptions
    private let loop = ScreenActor.loop
    private var output: LineOutput?
    private var connection: LineSocketConnection?
    /// The process that listens at the other end.
    private var listener: pid_t?
    /// The sockets not yet tried.
    private var candidates: [String] = []
    private var failure: LineSocketError?
    private var hasAnswered = false
    private var isSilent = false
    /// The provenance of the followed monitor's data, once known.
    private var provenance = Provenance.unknown
    private var sockets: FolderWatch?
    /// The timer for asking again, giving up and searching again.
    private var timer: LoopTimer?
    private var folderTimer: LoopTimer?
    private var printed = ""
    private var finish: CheckedContinuation<ExitStatus, Never>?

    /// The silence after which the monitor is asked again.
    private static let quiet = Duration.seconds(2)
    /// How long it may take to answer.
    private static let timeout = Duration.seconds(1)
    private static let retryInterval = Duration.seconds(1)
    private static let folderPause = Duration.milliseconds(200)

    init(_ options: StatusOptions) {
        self.options = options
    }

    /// Runs until the end.
    func run() async -> ExitStatus {
        let signals = SignalWatch([SIGINT, SIGTERM, SIGHUP], on: loop) { [weak self] number in
            ScreenActor.assumeIsolated { self?.end(number == SIGHUP ? .hangUp : .success) }
        }
        output = LineOutput(descriptor: STDOUT_FILENO, loop: loop, limit: 1 << 16) { [weak self] failure in
            ScreenActor.assumeIsolated { self?.end(failure == EPIPE ? .success : .inputOutputError) }
        }
        // A bar that resumes needs only the present status.
        output?.lossLine = { [weak self] _ in
            ScreenActor.assumeIsolated { self.map { Array(($0.printed + "\n").utf8) } ?? [] }
        }
        // Detects the end of a bar even if there is nothing to write.
        let reader = loop.watch(STDOUT_FILENO, for: .hangUp) { [weak self] readiness in
            ScreenActor.assumeIsolated { self?.readerHasChanged(readiness) }
        }
        watchFolder()
        let status = await withCheckedContinuation { continuation in
            finish = continuation
            look()
        }
        loop.unwatch(reader)
        sockets?.stop()
        for timer in [timer, folderTimer].compactMap(\.self) { loop.cancel(timer) }
        connection?.close()
        signals?.stop()
        output?.finish(within: .seconds(2))
        return status
    }

    private func readerHasChanged(_ readiness: Readiness) {
        if readiness.contains(.hangUp) || readiness.contains(.failed) { end(.success) }
    }

    // MARK: Finding a monitor

    private var folder: String { options.finder.socketFolder }

    /// Watches for sockets; the folder may disappear with a session and come back.
    private func watchFolder() {
        // Before the first monitor there is no folder to watch.
        try? PrivateFile.createFolder(folder)
        sockets?.stop()
        sockets = FolderWatch(folder, on: loop, watchesRemovals: true) { [weak self] in
            ScreenActor.assumeIsolated { self?.folderChanged() }
        }
        if sockets == nil { planFolder(after: Self.retryInterval) }
    }

    private func folderChanged() {
        if access(folder, F_OK) != 0 { return planFolder(after: Self.folderPause) }
        // The folder may have been replaced.
        watchFolder()
        appeared()
    }

    private func planFolder(after pause: Duration) {
        if let folderTimer { loop.cancel(folderTimer) }
        folderTimer = loop.schedule(after: pause) { [weak self] in
            ScreenActor.assumeIsolated {
                self?.folderTimer = nil
                self?.watchFolder()
                self?.appeared()
            }
        }
    }

    /// A socket may have appeared; while a monitor is followed, that matters only if the followed one is simulated.
    private func appeared() {
        guard connection == nil || isSilent || provenance == .simulated && options.finder.accepted != .simulated
        else { return }
        look()
    }

    private func look() {
        connection?.close()
        (connection, failure, listener) = (nil, nil, nil)
        candidates = options.finder.paths(after: provenance)
        tryNext()
    }

    private func tryNext() {
        plan(nil) { _ in }
        (hasAnswered, isSilent) = (false, false)
        while !candidates.isEmpty {
            let path = candidates.removeFirst()
            do throws(LineSocketError) {
                let client = try LineSocketClient(path: path, within: .milliseconds(50))
                listener = client.process
                try client.send(StatusQuestion.follow.line, within: .milliseconds(50))
                return follow(client)
            } catch {
                if error != .noListener(path: path), error != .closed { failure = failure ?? error }
            }
        }
        let absence = failure.map { $0 == .tooSlow ? silence : .failed($0) } ?? options.finder.absence
        report(options.text(absence))
        if absence.mayPass { plan(Self.retryInterval) { $0.look() } }
    }

    private func follow(_ client: LineSocketClient) {
        let connection = client.attach(to: loop) { [weak self] connection, line in
            ScreenActor.assumeIsolated { if connection === self?.connection { self?.received(line) } }
        }
        connection.closed = { [weak self] connection in
            ScreenActor.assumeIsolated { if connection === self?.connection { self?.lost() } }
        }
        self.connection = connection
        // Do not wait for a stopped one; if it continues, it answers later.
        if case .stopped = silence { return fallSilent() }
        plan(Self.quiet + Self.timeout) { $0.fallSilent() }
    }

    // MARK: Following it

    private func received(_ line: [UInt8]) {
        guard let summary = StatusDecoder.summary(line) else {
            // It has no free connection, or is of another kind.
            connection?.close()
            connection = nil
            report(options.text(.silent))
            return plan(Self.retryInterval) { $0.look() }
        }
        if !hasAnswered, !options.finder.isMeant(summary) {
            connection?.close()
            connection = nil
            return tryNext()
        }
        (hasAnswered, isSilent) = (true, false)
        if summary.provenance != .unknown { provenance = summary.provenance }
        report(options.text(summary))
        plan(Self.quiet) { $0.askAgain() }
    }

    /// Asks a silent monitor again; silence is normal while nothing changes.
    private func askAgain() {
        connection?.send(StatusQuestion.once.line)
        plan(Self.timeout) { $0.fallSilent() }
    }

    /// The monitor does not answer: its last values are no longer shown as current.
    private func fallSilent() {
        isSilent = true
        report(options.text(silence))
    }

    /// The error for a silent monitor.
    private var silence: NoMonitorError { .silence(of: listener) }

    private func lost() {
        connection = nil
        look()
    }

    private func plan(_ delay: Duration?, _ action: @escaping @Sendable @ScreenActor (StatusFollower) -> Void) {
        if let timer { loop.cancel(timer) }
        timer = delay.map { delay in
            loop.schedule(after: delay) { [weak self] in
                ScreenActor.assumeIsolated {
                    guard let self else { return }
                    self.timer = nil
                    action(self)
                }
            }
        }
    }

    private func report(_ line: String) {
        if line == printed { return }
        printed = line
        output?.write(Array((line + "\n").utf8))
    }

    private func end(_ status: ExitStatus) {
        finish?.resume(returning: status)
        finish = nil
    }
}
