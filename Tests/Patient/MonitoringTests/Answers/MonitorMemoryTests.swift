import Testing
import Vitals

@testable import Monitoring

@Suite("What outlives the program")
struct MonitorMemoryTests {
    private func text(_ effects: [Effect]) -> [String] {
        effects.compactMap { effect in
            if case .action(let record) = effect { "\(record.actor.rawValue) \(record.kind.word)" } else { nil }
        }
    }

    @Test("changed limits and the neutrophil count do, with a report")
    func restart() throws {
        var ward = Ward(settings: MonitorSettings())
        ward.measure(.heartRate, 13000, from: .strap, at: 0, expecting: ["high active medium"])
        ward.act(.acknowledgeAll, at: 1, expecting: ["high acknowledged medium"])
        let limit = AlarmLimit(VitalValue(whole: 60), .high)
        ward.act(.setLimit(.heartRate, .low, limit), at: 1)
        ward.act(
            .change(.oxygenSaturation, .fall(ChangeLimit(VitalValue(whole: 5), within: .seconds(60), .high))), at: 1)
        ward.act(.change(.heartRate, .flatLine(nil)), at: 1)
        let count = NeutrophilCount(perMicrolitre: 700, sampledAt: Ward.moment(0).wallMilliseconds)
        ward.act(.setNeutrophils(count), at: 1)

        var next = MonitorState(start: Ward.moment(10))
        let effects = next.resume(ward.state.memory, at: Ward.moment(10))
        #expect(text(effects) == ["program resumed"])
        guard case .action(let record)? = effects.first else { return }
        #expect(
            record.kind.text == """
                still in force from before the restart: HR low 60 (high), SpO₂ fall 5 within 60 s (high), \
                HR flat line off, ANC 700/µL
                """)
        #expect(next.currentLimits.heartRate.low == limit)
        #expect(next.currentLimits.heartRate.flatLine == nil)
        #expect(next.currentLimits.oxygenSaturation.fall.amount == VitalValue(whole: 5))
        #expect(next.neutrophils == count)
        #expect(next.memory == ward.state.memory)
        let reading = Reading(
            sensor: .strap, vital: .heartRate, outcome: .measured(VitalValue(whole: 130), .good),
            moment: Ward.moment(11))
        let newEffects = next.apply(MonitorEvent(moment: Ward.moment(11), kind: .reading(reading)))
        #expect(newEffects.compactMap(\.summary) == ["high active medium"])
    }

    @Test(
        "a count that has become too old to count is not said to be in force",
        arguments: [(0, true), (6, true), (7, true), (8, false), (400, false)])
    func oldCount(days: Int, isInForce: Bool) {
        let count = NeutrophilCount(
            perMicrolitre: 420, sampledAt: Ward.moment(10).wallMilliseconds - Int64(days) * 86_400_000)
        #expect(count.isValid(at: Ward.moment(10)) == isInForce)
        for limits in [
            [],
            [
                MonitorMemory.ChangedLimit(
                    vital: .heartRate, setting: .limit(.low, AlarmLimit(VitalValue(whole: 60), .high)))
            ],
        ] {
            var state = MonitorState(start: Ward.moment(10))
            let effects = state.resume(MonitorMemory(limits: limits, neutrophils: count), at: Ward.moment(10))
            let said = effects.compactMap { effect in
                if case .action(let record) = effect { record.kind.text } else { nil }
            }.joined()
            #expect(said.contains("ANC") == isInForce, "\(said)")
            #expect(said.contains("HR low 60") == !limits.isEmpty)
            // It is known all the same, with its age.
            #expect(state.neutrophils == count)
        }
    }

    @Test("a restart with nothing to remember changes nothing")
    func nothing() {
        var state = MonitorState(start: Ward.moment(0))
        #expect(state.resume(MonitorMemory(), at: Ward.moment(0)).isEmpty)
        #expect(state.memory.isEmpty)
    }

    @Test("a changed limit that contradicts the present settings is refused, with a report")
    func contradiction() {
        var state = MonitorState(start: Ward.moment(0))
        let limit = AlarmLimit(VitalValue(whole: 130), .medium)
        let memory = MonitorMemory(limits: [.init(vital: .heartRate, setting: .limit(.low, limit))])
        #expect(text(state.resume(memory, at: Ward.moment(0))) == ["program limit_refused"])
        #expect(state.currentLimits == MonitorSettings.Limits())
    }

    @Test("a new patient leaves nothing to remember")
    func newPatient() {
        var ward = Ward(settings: MonitorSettings())
        ward.act(.setLimit(.heartRate, .low, AlarmLimit(VitalValue(whole: 60), .high)), at: 1)
        ward.act(
            .setNeutrophils(NeutrophilCount(perMicrolitre: 700, sampledAt: Ward.moment(0).wallMilliseconds)), at: 1)
        #expect(!ward.state.memory.isEmpty)
        ward.act(.newPatient, at: 2)
        #expect(ward.state.memory.isEmpty)
    }

    @Test("alarms active at the end of the program are interrupted in the log; pending and latched ones are not")
    func interruption() {
        var ward = Ward(settings: MonitorSettings())
        ward.measure(
            .heartRate, 14100, from: .strap, at: 0, expecting: ["severe_high active high", "high active medium"])
        ward.measure(.heartRate, 7000, from: .strap, at: 1)
        ward.tick(at: 6, expecting: ["severe_high ended high", "high ended medium"])
        ward.receive(.battery(.strap, percent: 3), at: 7, expecting: ["battery_low active low"])
        ward.measure(
            .bodyTemperature, 3850, from: .core, at: 8, expecting: ["fever_single pending high", "high pending medium"])
        #expect(ward.state.latchedAlarms.count == 1)
        let entries = ward.state.interruptions(at: Ward.moment(9))
        #expect(entries.map(\.moment) == [Ward.moment(9)])
        #expect(entries.allSatisfy { $0.isEndOfEpisode == true })
        guard case .change(let change)? = entries.first?.content else { return }
        #expect(change.kind == .batteryLow && change.state == .interrupted)
    }
}
