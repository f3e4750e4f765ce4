import Appearance
import Monitoring
import Testing
import Vitals

@testable import Dashboard

@Suite("The key of the pulse tone")
struct PulseToneKeyTests {
    @Test("switches the setting, and says that nothing sounds where there is no loudspeaker")
    func toggles() {
        let moment = Moment(monotonicNanoseconds: 0, wallMilliseconds: 0)
        var state = MonitorState(settings: MonitorSettings(), start: moment)
        var screen = ScreenState()
        #expect(screen.keyPressed(.character("T"), in: state) == .changeSetting("alarms.pulse_tone", .step(1)))
        #expect(screen.dialogs.message?.contains("no loudspeaker") == true)
        _ = state.apply(.soundOutput(.working, at: moment))
        #expect(screen.keyPressed(.character("T"), in: state) == .changeSetting("alarms.pulse_tone", .step(1)))
        #expect(screen.dialogs.message?.contains("A tone sounds") == true)
    }
}
