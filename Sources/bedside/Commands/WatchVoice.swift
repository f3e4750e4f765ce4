import CommandLineTool
import EventLoop
import Glibc
import Monitoring
import Vitals

/// What `bedside watch` says: lines on standard output, and trouble on standard error.
final class WatchVoice: HeadlessVoice {
    private var lines: WatchLines
    private let readingLimit: Int?
    private var readingCount = 0
    private var output: LineOutput?
    private var end: (ExitStatus) -> Void = { _ in }

    /// Makes a voice.
    ///
    /// - Parameter readingLimit: After how many readings the monitor ends.
    init(_ lines: WatchLines, readingLimit: Int?) {
        (self.lines, self.readingLimit) = (lines, readingLimit)
    }

    var isSimulated: Bool {
        get { lines.isSimulated }
        set { lines.isSimulated = newValue }
    }

    var timeZoneOffset: Int {
        get { lines.timeZoneOffset }
        set { lines.timeZoneOffset = newValue }
    }

    var nextDue: Moment? { lines.nextDue }

    func begin(on loop: EventLoop, end: @escaping (ExitStatus) -> Void) {
        self.end = end
        output = LineOutput(descriptor: STDOUT_FILENO, loop: loop) { [weak self] in self?.writingFailed($0) }
        output?.lossLine = { [weak self] in self?.lines.line(about: $0) ?? [] }
    }

    func tell(_ event: MonitorEvent?, _ effects: [Effect], _ state: MonitorState) {
        guard let event else { return lines.write(effects, state) }
        lines.write(event, effects, state)
        guard case .reading = event.kind else { return }
        readingCount += 1
        if readingCount == readingLimit { end(.success) }
    }

    func complain(_ sentence: String) {
        CommandLineTool.complain(sentence)
    }

    func begin(_ replay: ReplayFeed) {
        lines.isReplay = true
        lines.writeReplay(hasEnded: false, replay.range, replay.now())
        // As fast as the lines are read, and no faster: nobody needs a month of them in memory.
        replay.mayGoOn = { [weak self] in self?.output?.isHeldUp == false }
        output?.whenTaken = { [weak replay] in replay?.goOn() }
    }

    func end(_ replay: ReplayFeed) {
        lines.writeReplay(hasEnded: true, replay.range, replay.now())
    }

    func isEnding() {
        // The loop may not come to the end of its turn any more.
        lines.take { output?.write($0) }
    }

    func turnEnds(_ state: MonitorState) {
        lines.take { output?.write($0) }
    }

    func finish() {
        output?.finish(within: .seconds(2))
    }

    private func writingFailed(_ failure: Int32) {
        if failure == EPIPE { return end(.success) }
        complain("cannot write: \(String(cString: strerror(failure)))")
        end(.inputOutputError)
    }
}
