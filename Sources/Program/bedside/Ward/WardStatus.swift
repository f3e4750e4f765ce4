import CommandLineInterface
import EventLoops
import Terminal
import Vitals
import Ward
import WardScreen

/// `bedside ward status`: one line about a ward, and an exit status for scripts.
@ScreenActor
final class WardStatus {
    private let feed: WardFeed
    private let isJSON: Bool
    private let ending = Ending()

    /// The longest time to listen to the ward.
    private static let limit = Duration.seconds(10)

    init(_ feed: WardFeed, isJSON: Bool) {
        (self.feed, self.isJSON) = (feed, isJSON)
    }

    /// Listens until enough is known, and prints the line.
    func run() async -> ExitStatus {
        let loop = ScreenActor.loop
        let limit = loop.schedule(after: Self.limit) { ScreenActor.assumeIsolated { self.report() } }
        var settling: LoopTimer?
        // The session retains itself until it ends; then nothing calls it.
        feed.onChange = { _, _ in
            if settling == nil, self.feed.state.broker == .connected {
                settling = loop.schedule(after: WardState.settlingTime) {
                    ScreenActor.assumeIsolated { self.reportIfSettled() }
                }
            }
            self.reportIfSettled()
        }
        await feed.start()
        // An interrupted script does not know whether there are alarms.
        let status = await ending.wait(on: loop, interruption: .noMonitor)
        for timer in [limit, settling].compactMap(\.self) { loop.cancel(timer) }
        feed.onChange = { _, _ in }
        await feed.stop()
        return status
    }

    private func reportIfSettled() {
        if case .lost = feed.state.broker { return report() }
        if feed.state.isSettled(at: .now()) { report() }
    }

    private func report() {
        if ending.status != nil { return }
        let (state, now) = (feed.state, Moment.now())
        let summary = WardSummary(state)
        let text = WardStatusLine(
            state, glyphs: TerminalTraits.current().suitableGlyphs, timeZoneOffset: now.localTimeOffset, now: now
        ).text
        var printed = ExitStatus.success
        if isJSON {
            var lines = WardLines()
            lines.write(summary, text: text, at: now)
            printed = lines.takeLines { printText(String(decoding: $0, as: UTF8.self)) }
        } else if summary.condition == .noBroker {
            complain(text)
        } else {
            printed = printText(text + "\n")
        }
        ending.come(printed == .success ? Self.status(summary.condition) : printed)
    }

    private static func status(_ condition: WardSummary.Condition) -> ExitStatus {
        switch condition {
        case .calm: .success
        case .alarm: .advice
        case .highAlarm, .noPlace: .trouble
        case .notHeard: .noMonitor
        case .noBroker: .unavailable
        }
    }
}
