import Monitoring
import TestSupport
import Testing
import Vitals
import Wording

@testable import Dashboard

@Suite("A screen at times that no clock shows")
struct ExtremeTimeTests {
    private static let extremes: [Int64] = [
        .min, .min + 1, -1_000_000_000_000_000_000, -1, 0, 1, 1_000_000_000_000_000_000, .max - 1, .max,
    ]

    private func some(_ generator: inout SeededGenerator) -> Moment {
        func number() -> Int64 {
            Bool.random(using: &generator)
                ? Self.extremes[Int.random(in: 0..<Self.extremes.count, using: &generator)]
                : .random(in: .min ... .max, using: &generator)
        }
        return Moment(monotonicNanoseconds: number(), wallMilliseconds: number())
    }

    @Test("is drawn on every page, and says when it changes", arguments: 0..<40 as Range<UInt64>)
    func drawn(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap)
        var state = MonitorState(start: some(&generator))
        var log = AlarmLog()
        for _ in 0..<40 {
            let moment = some(&generator)
            let value = VitalValue(hundredths: Int.random(in: .min ... .max, using: &generator))
            let kind: MonitorEvent.Kind =
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: .connection(strap, ConnectionState(phase: .waiting, attempt: 3, retryAt: some(&generator)))
                case 1: .gap(Gap(from: some(&generator), to: moment, reason: .program))
                case 2: .tick
                default:
                    .reading(
                        Reading(sensor: strap, vital: .heartRate, outcome: .measured(value, .good), moment: moment))
                }
            for effect in state.apply(MonitorEvent(moment: moment, kind: kind)) {
                if let entry = AlarmLogEntry(effect) { log.add(entry) }
            }
        }
        _ = state.nextDeadline
        var screen = ScreenState()
        screen.session.log = log
        screen.session.replay = ReplayStatus(range: .min ... .max, speed: "1")
        let pages: [ScreenState.Page?] = [nil] + ScreenState.Page.all
        for page in pages {
            screen.pages.show(page)
            let now = some(&generator)
            _ = draw(state: state, screen: screen, size: (columns: 100, rows: 30), now: now)
            _ = nextRedraw(state: state, screen: screen, now: now)
        }
    }

    @Test("is scrolled back from any time")
    func scrolled() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            var view = TrendView()
            view.fit(cells: 80)
            for _ in 0..<6 {
                let now = some(&generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: _ = view.scroll(back: Bool.random(using: &generator), now: now)
                case 1: view.zoom(longer: Bool.random(using: &generator), now: now)
                default:
                    _ = view.moveCursor(cells: Int.random(in: -9...9, using: &generator), glyphs: .braille, now: now)
                }
                if let frame = view.frame(glyphs: .braille, now: now) {
                    _ = TimeAxis(frame, time: TimeText(now: now, timeZoneOffset: .max))
                    _ = frame.cell(of: some(&generator))
                    _ = (frame.column(of: .distantFuture), frame.column(of: .distantPast))
                }
            }
        }
    }
}
