import Testing
import Vitals

@testable import Monitoring

@Suite("What outlives the program")
struct MonitorMemoryTests {
    @Test("changed limits, neutrophil count and alarm numbers do; acknowledgements do not, and that is told")
    func restart() throws {
        var ward = Ward(settings: MonitorSettings())
        ward.measure(.heartRate, 13000, from: .strap, at: 0, expecting: ["high active medium"])
        ward.act(.acknowledgeAll, at: 1, expecting: ["high acknowledged medium"])
        let limit = AlarmLimit(VitalValue(whole: 60), .high)
        ward.act(.setLimit(.heartRate, .low, limit), at: 1)
        let count = NeutrophilCount(perMicrolitre: 700, sampledAt: Ward.moment(0).wallMilliseconds)
        ward.act(.setNeutrophils(count), at: 1)

        var next = MonitorState(start: Ward.moment(10))
        let effects = next.resume(ward.state.memory, at: Ward.moment(10))
        #expect(effects == [.action(ActionRecord(moment: Ward.moment(10), actor: .program, kind: .restarted))])
        #expect(next.currentLimits.heartRate.low == limit)
        #expect(next.neutrophils == count)
        let reading = Reading(
            sensor: .strap, vital: .heartRate, outcome: .measured(VitalValue(whole: 130), .good),
            moment: Ward.moment(11))
        let told = next.apply(MonitorEvent(moment: Ward.moment(11), kind: .reading(reading)))
        #expect(told.compactMap(\.words) == ["high active medium"])
        #expect(next.alarms.first?.id == 2)
    }

    @Test("a changed limit that contradicts the settings of now is refused")
    func contradiction() {
        var state = MonitorState(start: Ward.moment(0))
        let limit = AlarmLimit(VitalValue(whole: 130), .medium)
        let memory = MonitorMemory(
            lastAlarm: 0, limits: [MonitorMemory.ChangedLimit(vital: .heartRate, kind: .low, limit: limit)])
        let words = state.resume(memory, at: Ward.moment(0)).compactMap { effect -> String? in
            if case .action(let record) = effect { record.kind.word } else { nil }
        }
        #expect(words == ["restarted", "limit_refused"])
        #expect(state.currentLimits == MonitorSettings.Limits())
    }
}
