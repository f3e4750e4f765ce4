import CommandLineTool
import Dashboard
import EventLoop
import Glibc
import Monitoring
import Vitals

/// What `bedside record` says: few lines on standard error for a journal, and to systemd how it is.
///
/// Where standard error is the journal, a line begins with its priority, as in sd-daemon(3), and has no time, because the
/// journal knows it; elsewhere it begins with date and time.
final class JournalVoice: HeadlessVoice {
    var isSimulated: Bool
    var timeZoneOffset: Int {
        get { report.timeZoneOffset }
        set { report.timeZoneOffset = newValue }
    }

    private var report = JournalReport()
    private let isJournal: Bool
    private let call: ServiceManager.Call?
    private var manager: ServiceManager?
    private var output: LineOutput?
    private var isReady = false

    /// Makes a voice.
    ///
    /// - Parameters:
    ///   - call: What systemd has said, if it has started this.
    ///   - stream: `JOURNAL_STREAM` of the environment.
    init(isSimulated: Bool, _ call: ServiceManager.Call?, stream: String?) {
        (self.isSimulated, self.call) = (isSimulated, call)
        isJournal = Self.isJournal(STDERR_FILENO, stream)
    }

    func begin(on loop: EventLoop, end: @escaping (ExitStatus) -> Void) {
        manager = call.flatMap { ServiceManager($0, on: loop) }
        timeZoneOffset = Moment.now().localTimeOffset
        // A log that cannot be written is no reason to leave the patient alone.
        output = LineOutput(descriptor: STDERR_FILENO, loop: loop) { _ in }
        output?.lossLine = { [weak self] loss in
            self?.line(.warning, "\(loss.lineCount) lines were dropped because nobody read them; monitoring went on")
                ?? []
        }
        say(.notice, "bedside \(Product.version) begins to monitor")
    }

    func tell(_ event: MonitorEvent?, _ effects: [Effect], _ state: MonitorState) {
        for line in report.lines(event, effects, state) { say(line.level, line.text) }
    }

    func complain(_ sentence: String) {
        say(.warning, sentence)
    }

    func isReady(_ state: MonitorState) {
        isReady = true
        manager?.ready()
    }

    func willReload() {
        manager?.reloading()
    }

    func hasReloaded(_ sentence: String, isGood: Bool) {
        say(isGood ? .notice : .warning, sentence)
        manager?.reloaded()
    }

    func turnEnds(_ state: MonitorState) {
        if isReady { manager?.tell(status: JournalReport.status(state)) }
    }

    func isEnding() {
        isReady = false
        manager?.stopping()
        say(.notice, "bedside ends; nothing is monitored any more")
    }

    func finish() {
        output?.finish(within: .seconds(2))
    }

    private func say(_ level: JournalReport.Level, _ text: String) {
        output?.write(line(level, text))
    }

    private func line(_ level: JournalReport.Level, _ text: String) -> [UInt8] {
        let mark = isSimulated ? "SIMULATED " : ""
        let start = isJournal ? "<\(level.rawValue)>" : "\(report.timeStamp(.now())) "
        // One line is one entry, whatever somebody called a sensor.
        return Array("\(start)\(mark)\(harmlessText(text, limit: 1000))\n".utf8)
    }

    /// Whether a descriptor is the very stream to the journal that the environment speaks of, and not another one that
    /// was put in its place: `JOURNAL_STREAM` is `DEVICE:INODE`, systemd.exec(5).
    static func isJournal(_ descriptor: Int32, _ stream: String?) -> Bool {
        guard let stream else { return false }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }
}
