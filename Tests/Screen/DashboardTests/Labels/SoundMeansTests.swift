import Appearance
import Monitoring
import Testing
import TextGrid
import Vitals

@testable import Dashboard

@Suite("What the screen says of the sound")
struct SoundMeansTests {
    private func state(_ output: SoundOutput?) -> MonitorState {
        let moment = Moment(monotonicNanoseconds: 0, wallMilliseconds: 0)
        var state = MonitorState(settings: MonitorSettings(), start: moment)
        if let output { _ = state.apply(.soundOutput(output, at: moment)) }
        return state
    }

    @Test("the speakers are named only while they work, and only where they are")
    func speakers() {
        var screen = ScreenState()
        #expect(screen.soundMeans(state(nil)) == .bellOnly)
        #expect(screen.soundMeans(state(.working)) == .speakers)
        #expect(screen.soundMeans(state(.lost(reason: "no sound card"))) == .bellOnly)
        screen.session.soundMeans = .notAvailable
        #expect(screen.soundMeans(state(.working)) == .speakers)
        #expect(screen.soundMeans(state(.unavailable(reason: "no sound card"))) == .notAvailable)
        screen.session.viewedMonitor = "bedside record"
        #expect(screen.soundMeans(state(.working)) == .notAvailable)
        screen.session.viewedMonitor = nil
        screen.session.soundMeans = .off
        #expect(screen.soundMeans(state(.working)) == .off)
    }

    @Test("where nothing sounds, the reason is named, harmless for a terminal")
    func reason() {
        let screen = ScreenState()
        #expect(screen.soundlessText(state(.unavailable(reason: "no sound card"))) == "SOUND: none: no sound card")
        #expect(!screen.soundlessText(state(.lost(reason: "\u{1B}[2J"))).contains("\u{1B}"))
        #expect(screen.soundlessText(state(nil)) == "SOUND: not available")
    }

    @Test("without a loudspeaker the screen says so in yellow until one works")
    func loudspeaker() {
        var ward = Ward.live(seconds: 5)
        func warning(_ columns: Int) -> Bool {
            let grid = ward.drawn(columns, 40)
            let style = Style(.alarmMedium)
            return grid.text(row: 0).contains(columns >= 102 ? "NO LOUDSPEAKER – bell only" : "NO LOUDSPEAKER")
                && (0..<columns).contains { grid[$0, 0].style == style }
        }
        #expect(!warning(120))
        ward.record(ward.state.apply(.soundOutput(.unavailable(reason: "no sound card"), at: ward.now)))
        #expect(warning(120) && warning(80))
        ward.record(ward.state.apply(.soundOutput(.working, at: ward.now)))
        #expect(!warning(120) && !warning(80))
    }
}
