import CommandLineInterface
import Engine
import EventLoops
import Glibc
import Vitals

/// Writes the lines of `bedside trace` on standard output, and problems on standard error.
final class TracePresenter: EventPresenter {
    private let sensor: String?
    private var attempts: TraceAttempts
    private lazy var recorder = makeRecorder()
    private var hasBegun = false
    private let files: TraceFiles?
    private var output: LineOutput?
    private var end: (ExitStatus) -> Void = { _ in }

    init(_ sensor: String?, _ attempts: [TraceAttempt], _ files: TraceFiles?) {
        (self.sensor, self.files) = (sensor, files)
        self.attempts = TraceAttempts(attempts)
    }

    private func makeRecorder() -> TraceRecorder {
        TraceRecorder(sensor, files: files) { [weak self] lines in
            self?.output?.write(Array(lines.utf8))
        }
    }

    var nextDue: Moment? { recorder.nextDue }

    func begin(on loop: EventLoop, end: @escaping (ExitStatus) -> Void) {
        self.end = end
        output = LineOutput(descriptor: STDOUT_FILENO, loop: loop) { [weak self] in self?.writingFailed($0) }
        output?.lossLine = { Array("# \($0.lineCount) lines were dropped for a slow reader\n".utf8) }
    }

    func complain(_ sentence: String) {
        CommandLineInterface.complain(sentence)
    }

    func receive(_ update: MonitorUpdate, from monitor: isolated MonitorEngine) {
        // A view asks its monitor once it has found it.
        if !hasBegun, monitor.feed.view == nil {
            hasBegun = true
            recorder.begin(monitor)
        }
        recorder.receive(update, from: monitor)
        if attempts.isWaiting, attempts.address == nil, recorder.addresses.count > 1 {
            attempts = TraceAttempts([])
            complain("Several sensors have that name: give the address. Nothing was tried.")
        }
        if attempts.isWaiting, attempts.address == nil, let address = recorder.addresses.first {
            attempts.address = address
            monitor.carryOut(.sensor(.inspect(address: address)))
        }
        switch update {
        case .input:
            switch update.event?.kind {
            case .services(let sensor, let services): attempts.know(services, of: sensor)
            case .traced(let entry): attempts.answered(entry)
            default: break
            }
            tryNext(monitor)
        case .replaced(.viewed(let name)):
            if let name { complain("This is a trace of \(name), which continues.") }
        case .monitorLost(let loss, _):
            complain("NO MONITOR: \(loss.name) \(loss.reason). Trying to reconnect every second.")
        case .notice(let sentence):
            complain(sentence)
            attempts.answered(sentence)
            tryNext(monitor)
        // The file is the purpose; without it there is nothing left to do.
        case .turnEnded:
            guard let failure = files?.failure else { break }
            complain(failure)
            end(.inputOutputError)
        case .refused(let sentence):
            complain(sentence)
            end(.unavailable)
        default: break
        }
    }

    /// Makes the next attempt, unless one waits for its answer.
    private func tryNext(_ monitor: isolated MonitorEngine) {
        while let attempt = attempts.next() {
            switch attempt {
            case .wish(let wish): monitor.carryOut(.sensor(wish))
            case .impossible(let sentence): complain(sentence)
            }
        }
    }

    func finish() {
        recorder.flush()
        output?.finish(within: .seconds(2))
    }

    private func writingFailed(_ failure: Int32) {
        if failure == EPIPE { return end(.success) }
        complain("cannot write: \(String(cString: strerror(failure)))")
        end(.inputOutputError)
    }
}
