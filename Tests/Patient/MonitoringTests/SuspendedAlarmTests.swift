import Testing
import Vitals

@testable import Monitoring

/// Losing the measurement answers nothing.
@Suite("Alarms whose measurement is lost")
struct SuspendedAlarmTests {
    /// SpO₂ of 80 %, unanswered, and then the oximeter loses the pulse.
    private func lost(_ settings: MonitorSettings = MonitorSettings()) -> Ward {
        var ward = Ward(settings: settings)
        ward.stream(.oxygenSaturation, 8000, from: .oximeter, at: [0, 1, 2])
        let summaries = ward.state.alarms.filter { $0.phase == .active }.map { "\($0.kind.rawValue) suspended high" }
        #expect(summaries == ["severe_low suspended high"])
        ward.sounds = []
        _ = ward.state.apply(
            MonitorEvent(
                moment: Ward.moment(3),
                kind: .reading(
                    Reading(
                        sensor: .oximeter, vital: .oxygenSaturation, outcome: .noMeasurement(.searching),
                        moment: Ward.moment(3)))))
        return ward
    }

    @Test("an unanswered high alarm keeps sounding, shown with its priority")
    func isOngoing() {
        var ward = lost()
        ward.wait(until: 26)
        #expect(ward.sounds == ["high 5.0", "high 10.0", "high 15.0", "high 20.0", "high 25.0"])
        #expect(ward.state.signal.sounding == .high)
        #expect(ward.state.worstAlarm?.summary == "severe_low suspended high")
        #expect(ward.state.shownAlarms.first?.isFlashing == true)
        #expect(ward.state.nextFlash(after: Ward.moment(26)) != nil)
    }

    @Test("both the suspended alarm and the technical one are reported")
    func both() {
        var ward = Ward(settings: MonitorSettings())
        ward.stream(.oxygenSaturation, 8000, from: .oximeter, at: [0])
        ward.miss(
            .oxygenSaturation, .searching, from: .oximeter, at: 1,
            expecting: ["severe_low suspended high", "no_measurement pending medium"])
        #expect(ward.wait(until: 32) == ["no_measurement active medium"])
        #expect(ward.state.shownAlarms.map(\.summary) == ["severe_low suspended high", "no_measurement active medium"])
    }

    @Test("it is silent once somebody acknowledges it, and stays so when the same value comes back")
    func acknowledged() {
        var ward = lost()
        let effects = ward.state.apply(.acknowledgeAll, at: Ward.moment(4))
        #expect(effects.compactMap(\.summary).contains("severe_low suspended high"))
        #expect(ward.state.signal.priority == nil)
        ward.stream(.oxygenSaturation, 8000, from: .oximeter, at: [6, 7])
        #expect(ward.alarms.first == "severe_low acknowledged high")
        ward.wait(until: 12)
        #expect(ward.sounds.isEmpty)
    }

    @Test(
        "a value that comes back low keeps sounding, a normal one ends the alarm and leaves it shown")
    func comesBack() {
        var low = lost()
        low.stream(.oxygenSaturation, 8000, from: .oximeter, at: stride(from: 4, through: 10, by: 1))
        #expect(low.sounds == ["high 5.0", "high 10.0"])
        var normal = lost()
        normal.stream(.oxygenSaturation, 9700, from: .oximeter, at: stride(from: 4, through: 20, by: 1))
        #expect(normal.sounds.isEmpty)
        #expect(normal.state.latchedAlarms.map(\.kind) == [.severeLow])
    }

    @Test("without latching, a normal value that comes back ends it without a trace on the screen")
    func unlatched() {
        var settings = MonitorSettings()
        settings.answers.latchesHighPriority = false
        var ward = lost(settings)
        ward.stream(.oxygenSaturation, 9700, from: .oximeter, at: stride(from: 4, through: 20, by: 1))
        #expect(ward.state.shownAlarms.isEmpty && ward.sounds.isEmpty)
    }

    @Test("a snooze and a pause for care silence it for their time and no longer")
    func answers() throws {
        var snoozed = lost()
        let worst = try #require(snoozed.state.alarms.first)
        snoozed.act(.snooze(worst.id, .seconds(20)), at: 4)
        snoozed.wait(until: 26)
        #expect(snoozed.sounds == ["high 24.0"])
        var held = lost()
        held.act(.pauseForCare(address: SensorIdentity.oximeter.address, .seconds(20)), at: 4)
        held.wait(until: 26)
        #expect(held.sounds == ["high 24.0"])
    }

    @Test(
        "it continues whatever ended the measurement",
        arguments: [
            [MonitorEvent.Kind.connection(.oximeter, ConnectionState(phase: .waiting, reason: .linkLost))],
            [.connection(.oximeter, ConnectionState(phase: .disconnected, reason: .user))],
            [.daemon(.gone), .gone(.oximeter)], [.bus(.lost(reason: "gone"))], [.gone(.oximeter)], [],
        ])
    func causes(events: [MonitorEvent.Kind]) {
        var ward = Ward(settings: MonitorSettings())
        ward.connection(.oximeter, .ready, at: 0)
        ward.stream(.oxygenSaturation, 8000, from: .oximeter, at: [0, 1, 2])
        for event in events { _ = ward.state.apply(MonitorEvent(moment: Ward.moment(3), kind: event)) }
        ward.sounds = []
        ward.wait(until: 121)
        #expect(ward.state.alarms.first { $0.kind == .severeLow }?.state == .suspended)
        #expect(ward.sounds == stride(from: 5.0, through: 120, by: 5).map { "high \($0)" })
    }

    @Test("a fever that is suspended alerts again after fifteen minutes, like one that is not")
    func feverAlertsAgain() {
        var ward = Ward()
        ward.measure(.bodyTemperature, 3900, from: .thermometer, at: 0, expecting: ["fever_single active high"])
        ward.wait(until: 950)
        #expect(ward.alarms.first == "fever_single suspended high")
        #expect(ward.sounds.filter { $0.hasPrefix("again") } == ["again fever_single 900.0"])
    }

    @Test("what is suspended about a forgotten sensor calls until it is answered, and ends then")
    func forgotten() {
        var ward = lost()
        ward.connection(
            .oximeter, .disconnected, .user, at: 4,
            expecting: ["severe_low suspended high", "no_measurement ended medium"])
        // The ordinary limit had been waiting for its delay.
        ward.receive(.forgotten(.oximeter), at: 4, expecting: ["low ended medium"])
        ward.wait(until: 11)
        #expect(ward.sounds == ["high 5.0", "high 10.0"])
        let effects = ward.state.apply(.acknowledgeAll, at: Ward.moment(12))
        #expect(effects.compactMap(\.summary) == ["severe_low suspended high", "severe_low ended high"])
        #expect(ward.state.alarms.isEmpty)
    }
}
