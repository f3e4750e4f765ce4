import CommandLineInterface
import EventLoops
import Glibc
import Vitals
import Ward
import WardMessages

/// `bedside ward --json`: a line for each change of a ward, until a time, a signal or a closed output ends it.
@ScreenActor
final class WardLinesSession {
    private let feed: WardFeed
    private let duration: Duration?
    private let ending = Ending()
    private var lines = WardLines()
    private var output: LineOutput?
    private var timer: LoopTimer?

    /// How late a line about a stale value may be when no message comes.
    private static let longestPause = Duration.seconds(1)

    init(_ feed: WardFeed, duration: Duration?) {
        (self.feed, self.duration) = (feed, duration)
    }

    /// Runs until the end.
    func run() async -> ExitStatus {
        let loop = ScreenActor.loop
        output = LineOutput(descriptor: STDOUT_FILENO, loop: loop) { [ending] failure in
            ending.come(failure == EPIPE ? .success : .inputOutputError)
        }
        output?.lossLine = { [weak self] loss in ScreenActor.assumeIsolated { self?.line(about: loss) ?? [] } }
        feed.onChange = { [weak self] effects, bed in self?.write(effects, of: bed) }
        write([], of: nil)
        planCheck()
        await feed.start()
        let status = await ending.wait(on: loop, for: duration)
        if let timer { loop.cancel(timer) }
        feed.onChange = { _, _ in }
        await feed.stop()
        output?.finish(within: .seconds(2))
        return status
    }

    private func write(_ effects: [WardEffect], of bed: WardBed?) {
        lines.write(effects, feed.state, of: bed, at: .now())
        if !lines.isEmpty { lines.takeLines { output?.write($0) } }
    }

    private func line(about loss: LineOutput.Loss) -> [UInt8] {
        lines.writeLoss(ofLines: loss.lineCount, from: loss.from, to: loss.to)
        return lines.takeLines { $0 }
    }

    /// Schedules the next check for a value that becomes stale by time alone.
    private func planCheck() {
        let now = Moment.now()
        let next = feed.state.nextStaleness(after: now)?.since(now) ?? Self.longestPause
        let pause = min(max(next, .milliseconds(20)), Self.longestPause)
        timer = ScreenActor.loop.schedule(after: pause) { [weak self] in
            ScreenActor.assumeIsolated {
                self?.feed.advance()
                self?.write([], of: nil)
                self?.planCheck()
            }
        }
    }
}
