import Base
import CommandLineInterface
import Dashboard
import EventLoops
import Formats
import Glibc
import Engine
import Monitoring
import Vitals
import Wording

/// Writes the journal of `bedside record`, a few lines on standard error, and reports its status to systemd.
///
/// If standard error is the journal, a line begins with its priority, as in sd-daemon(3), and has no time, which the
/// journal adds; otherwise it begins with date and time.
final class JournalPresenter: EventPresenter {
    private var report: JournalReport
    private let isJournal: Bool
    private let call: ServiceManager.Call?
    private var manager: ServiceManager?
    private var output: LineOutput?
    private var isReady = false

    /// Creates a presenter.
    ///
    /// - Parameters:
    ///   - context: What every line says of its session.
    ///   - call: The environment of a systemd service, if it is one.
    ///   - stream: `JOURNAL_STREAM` of the environment.
    init(_ context: SessionContext, _ call: ServiceManager.Call?, stream: String?) {
        (report, self.call) = (JournalReport(context), call)
        isJournal = Self.isJournal(STDERR_FILENO, stream)
    }

    func begin(on loop: EventLoop, end: @escaping (ExitStatus) -> Void) {
        manager = call.flatMap { ServiceManager($0, on: loop) }
        // A log that cannot be written must not end the monitoring.
        output = LineOutput(descriptor: STDERR_FILENO, loop: loop) { _ in }
        output?.lossLine = { [weak self] loss in
            self?.line(.warning, "\(loss.lineCount) lines were dropped for a slow reader; monitoring continued")
                ?? []
        }
        say(.notice, "bedside \(Product.version) starts to monitor")
    }

    func complain(_ sentence: String) {
        say(.warning, sentence)
    }

    func receive(_ update: MonitorUpdate, from monitor: isolated MonitorEngine) {
        switch update {
        case .input(_, let effects):
            let lines = monitor.readState { report.lines(update.event, effects, $0) }
            for line in lines { say(line.level, line.text) }
        case .notice(let sentence): complain(sentence)
        case .context(let context): report.context = context
        case .ready:
            isReady = true
            manager?.ready()
        case .reloading: manager?.reloading()
        case .reloaded(let sentence, let succeeded):
            say(succeeded ? .notice : .warning, sentence)
            manager?.reloaded()
        case .turnEnded: if isReady { manager?.report(status: monitor.readState { JournalReport.status($0) }) }
        case .closing:
            isReady = false
            manager?.stopping()
            say(.notice, "bedside ends; monitoring has stopped")
        case .provenance, .replaced, .monitorLost, .refused, .unavailable, .viewNotice, .replayBegan, .replayEnded,
            .settingsChanged, .settingsKept, .timePassed, .closed:
            break
        }
    }

    func finish() {
        output?.finish(within: .seconds(2))
    }

    private func say(_ level: JournalReport.Level, _ text: String) {
        output?.write(line(level, text))
    }

    private func line(_ level: JournalReport.Level, _ text: String) -> [UInt8] {
        Array(report.text(.init(level: level, text: text), at: isJournal ? nil : .now()).utf8)
    }

    /// Whether a descriptor is the stream to the journal in the environment, and was not redirected: `JOURNAL_STREAM`
    /// is `DEVICE:INODE`, systemd.exec(5).
    static func isJournal(_ descriptor: Int32, _ stream: String?) -> Bool {
        guard let stream else { return false }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }
}
