import Monitoring
import Testing
import Vitals

@testable import Dashboard

@Suite("Quitting")
struct QuitTests {
    private let limit = AlarmLimit(VitalValue(whole: 88), .medium)

    @Test("does not ask where nothing is monitored, Bluetooth there or not")
    func silent() {
        var empty = Ward.empty()
        #expect(empty.press(.character("q")) == .quit)
        var noDaemon = Ward.noDaemon()
        #expect(noDaemon.press(.character("q")) == .quit)
    }

    @Test("asks while a sensor is connected, or is to be connected again")
    func sensors() {
        var live = Ward.live(seconds: 2)
        #expect(live.press(.character("q")) == nil)
        #expect(live.screen.dialogs.explanation == "3 sensors are connected.")
        #expect(live.press(.character("n")) == nil)
        var one = Ward.empty()
        one.connect(Ward.strap)
        one.apply(.connection(Ward.strap, ConnectionState(phase: .waiting, reason: .linkLost, attempt: 1)))
        #expect(one.press(.character("q")) == nil)
        #expect(one.screen.dialogs.explanation?.contains("1 being connected.") == true)
        one.apply(.connection(Ward.strap, ConnectionState(phase: .disconnected, reason: .user)))
        #expect(one.press(.escape) == nil)
        #expect(one.press(.character("q")) == .quit)
    }

    @Test("closes a page before it quits, and the help")
    func pages() {
        for key in ["A", "L", "l", ",", "e", "z", "i", "?"] as [Unicode.Scalar] {
            var ward = Ward.live(seconds: 2)
            ward.press(.character(key))
            #expect(ward.screen.pages.current != nil || ward.screen.pages.help != nil)
            #expect(ward.press(.character("q")) != .quit)
            #expect(ward.screen.dialogs.inputLine == nil)
            #expect(ward.screen.pages.current == nil && ward.screen.pages.help == nil, "\(key)")
        }
    }

    @Test("does not ask about a changed limit, which is in force again after a restart")
    func limits() {
        var ward = Ward.empty()
        ward.answer(.setLimit(.oxygenSaturation, .low, limit))
        #expect(ward.press(.character("q")) == .quit)
    }

    @Test("asks about settings that are not kept, a pairing under way, and a log that cannot be written")
    func others() {
        var settings = Ward.live(seconds: 2)
        settings.screen.settings.items = Ward.items
        #expect(settings.press(.character("q")) == nil)
        #expect(settings.screen.dialogs.explanation == "1 changed setting is not kept. 3 sensors are connected.")
        // Only yes quits; what else is pressed does not.
        #expect(settings.press(.character("q")) == nil)
        #expect(settings.press(.escape) == nil)

        var pairing = Ward.live(seconds: 2)
        pairing.apply(.pairing(Ward.core, .passkey("042137", entered: 0)))
        #expect(pairing.press(.character("q")) == nil)
        #expect(pairing.drawn(80, 24).text(row: 23).contains("Quit anyway?"))
        #expect(pairing.drawn(20, 4).text(row: 3).contains("Quit"))
        #expect(pairing.press(.character("y")) == .quit)

        var storage = Ward.empty()
        storage.record(storage.state.apply(.full, at: storage.now))
        var nearlyFull = Ward.empty()
        nearlyFull.record(nearlyFull.state.apply(.nearlyFull(reason: "128 MB left"), at: nearlyFull.now))
        #expect(nearlyFull.press(.character("q")) == .quit)
        #expect(storage.press(.character("q")) == nil)
        #expect(storage.screen.dialogs.explanation?.contains("alarm log") == true)
    }

    @Test("asks while an alarm is active; a view does not, because its monitor continues, nor does a replay")
    func alarms() {
        for story in [Ward.high(), Ward.low()] {
            var ward = story
            #expect(ward.press(.character("q")) == nil)
            #expect(ward.screen.dialogs.explanation?.hasPrefix("1 alarm is still active. ") == true)
            #expect(ward.press(.character("y")) == .quit)
        }
        var replay = Ward.high()
        replay.screen.session.replay = ReplayStatus(range: 0...1, speed: "1")
        #expect(replay.press(.character("q")) == .quit)
        var view = Ward.high()
        view.screen.session.viewedMonitor = "bedside record"
        #expect(view.press(.character("q")) == .quit)
    }

    @Test("Esc never quits, wherever it is pressed and however often")
    func escape() {
        for (_, story) in Ward.stories {
            var ward = story
            for _ in 0..<5 { #expect(ward.press(.escape) != .quit) }
        }
    }

    @Test("Ctrl-Z asks while a patient is monitored, because a suspended monitor does not monitor; only yes suspends")
    func stop() {
        var ward = Ward.live(seconds: 2)
        #expect(ward.screen.stopWanted(in: ward.state) == nil)
        #expect(
            ward.screen.dialogs.explanation
                == "A stopped Bedside measures nothing, records nothing and gives no alarm until fg.")
        #expect(ward.drawn(80, 24).text(row: 23).contains("Stop Bedside anyway?"))
        #expect(ward.press(.character("x")) == nil)
        #expect(ward.press(.character("n")) == nil)
        #expect(ward.screen.stopWanted(in: ward.state) == nil)
        #expect(ward.press(.character("y")) == .stop)
        var alarm = Ward.high()
        #expect(alarm.screen.stopWanted(in: alarm.state) == nil)
        #expect(alarm.screen.dialogs.explanation?.hasSuffix("until fg; 1 alarm is still active.") == true)
    }

    @Test("Ctrl-Z suspends at once where nothing is lost: no patient, a view, a replay, simulated sensors")
    func stopAtOnce() {
        var empty = Ward.empty()
        #expect(empty.screen.stopWanted(in: empty.state) == .stop)
        var view = Ward.high()
        view.screen.session.viewedMonitor = "bedside record"
        #expect(view.screen.stopWanted(in: view.state) == .stop)
        var simulated = Ward.live(seconds: 2)
        simulated.screen.session.isSimulated = true
        #expect(simulated.screen.stopWanted(in: simulated.state) == .stop)
        // An alarm is asked about as by the key that quits.
        var alarm = Ward.high()
        alarm.screen.session.isSimulated = true
        #expect(alarm.screen.stopWanted(in: alarm.state) == nil)
    }
}
