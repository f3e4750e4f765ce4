import Testing
import Vitals

@testable import Monitoring

/// A fever resumes after a restart as if there had been none.
@Suite("Fever after a restart")
struct FeverRestartTests {
    private func value(_ hundredths: Int) -> VitalValue { VitalValue(hundredths: hundredths) }

    @Test("of a single reading continues until its own rule ends it, with its number, beginning and peak")
    func single() throws {
        var ward = RestartedWard()
        ward.stream(.bodyTemperature, 4160, from: .core, at: 0...60)
        ward.stream(.bodyTemperature, 3800, from: .core, at: 70...600)
        let before = try #require(ward.state.alarms.first)
        ward.restart(at: 660, end: 605)
        #expect(ward.alarms == ["fever_single suspended high"])
        let alarm = try #require(ward.state.alarms.first)
        #expect(alarm.id == before.id && alarm.peak == value(4160) && alarm.value == value(3800))
        #expect(alarm.since.wallMilliseconds == before.since.wallMilliseconds && alarm.acknowledgedAt == nil)
        #expect(ward.state.signal.sounding == .high)
        ward.stream(.bodyTemperature, 3800, from: .core, at: 670...700)
        #expect(ward.alarms == ["fever_single active high"])
        // Half an hour below 37.8 °C, and no sooner.
        ward.stream(.bodyTemperature, 3700, from: .core, at: 710...2490)
        #expect(ward.alarms == ["fever_single active high"])
        ward.stream(.bodyTemperature, 3700, from: .core, at: 2500...2510)
        #expect(ward.alarms == ["fever_single ended high latched"])
        #expect(
            ward.states(of: .feverSingle).filter { !$0.hasSuffix("alerted_again") }
                == ["1 #1 active", "1 #1 interrupted", "2 #1 suspended", "2 #1 active", "2 #1 ended"])
    }

    @Test("that is sustained counts the minutes before the restart")
    func sustained() {
        var ward = RestartedWard()
        ward.stream(.bodyTemperature, 3810, from: .core, at: 0...3000)
        ward.restart(at: 3100, end: 3000)
        ward.stream(.bodyTemperature, 3810, from: .core, at: 3110...3590)
        #expect(!ward.alarms.contains("fever_sustained active high"))
        ward.stream(.bodyTemperature, 3810, from: .core, at: 3600...3600)
        #expect(ward.alarms == ["fever_sustained active high"])
        // It continues from the beginning, and not after a whole new hour.
        ward.restart(at: 3700, end: 3600, isKilled: false)
        #expect(ward.alarms == ["fever_sustained suspended high"])
        ward.stream(.bodyTemperature, 3810, from: .core, at: 3710...3710)
        #expect(ward.alarms == ["fever_sustained active high"])
    }

    @Test("that ended half an hour before stays ended, and cool minutes before the restart count for the end")
    func cool() {
        var ward = RestartedWard()
        ward.stream(.bodyTemperature, 3900, from: .core, at: 0...60)
        ward.act(.acknowledgeAll, at: 61)
        ward.stream(.bodyTemperature, 3700, from: .core, at: 70...1000)
        ward.restart(at: 1100, end: 1000)
        #expect(ward.alarms == ["fever_single suspended high"])
        ward.stream(.bodyTemperature, 3700, from: .core, at: 1110...1850)
        #expect(ward.alarms == ["fever_single acknowledged high"])
        ward.stream(.bodyTemperature, 3700, from: .core, at: 1860...1860)
        #expect(ward.alarms.isEmpty)
        ward.restart(at: 1900, end: 1880)
        ward.stream(.bodyTemperature, 3700, from: .core, at: 1910...1920)
        #expect(ward.alarms.isEmpty)
    }

    @Test("stays acknowledged since when it was, through two restarts")
    func acknowledged() throws {
        var ward = RestartedWard()
        ward.stream(.bodyTemperature, 3900, from: .core, at: 0...60)
        ward.act(.acknowledgeAll, at: 61)
        for run in 1...2 {
            ward.restart(at: 61 + 100 * Double(run), end: 60 + 100 * Double(run))
            let alarm = try #require(ward.state.alarms.first)
            #expect(alarm.acknowledgedAt?.wallMilliseconds == Ward.moment(61).wallMilliseconds)
            #expect(ward.state.signal.sounding == nil)
            ward.stream(.bodyTemperature, 3900, from: .core, at: (70 + 100 * run)...(80 + 100 * run))
            #expect(ward.alarms == ["fever_single acknowledged high"])
        }
    }

    @Test("whose sensor was off resumes as suspended, however long ago that was")
    func suspended() {
        var ward = RestartedWard()
        ward.stream(.bodyTemperature, 3900, from: .core, at: 0...60)
        let off = Reading(
            sensor: .core, vital: .bodyTemperature, outcome: .noMeasurement(.offBody), moment: ward.moment(70))
        ward.apply(.event(MonitorEvent(moment: ward.moment(70), kind: .reading(off))))
        ward.apply(.event(MonitorEvent(moment: ward.moment(9000), kind: .tick)))
        ward.restart(at: 9005, end: 9000)
        #expect(ward.alarms.contains("fever_single suspended high"))
        ward.stream(.bodyTemperature, 3790, from: .core, at: 9010...9020)
        #expect(ward.alarms.contains("fever_single active high"))
    }

    @Test("does not resume when Bedside was away for longer than a fever needs to end, and stays unanswered")
    func longAway() throws {
        var ward = RestartedWard()
        ward.stream(.bodyTemperature, 3900, from: .core, at: 0...60)
        ward.restart(at: 60 + 1800, end: 60)
        #expect(ward.alarms == ["fever_single ended high latched"])
        let alarm = try #require(ward.state.latchedAlarms.first)
        #expect(alarm.isInterrupted && alarm.endedAt?.wallMilliseconds == Ward.moment(60).wallMilliseconds)
        #expect(alarm.text.hasSuffix("end unknown: Bedside ended"))
        ward.stream(.bodyTemperature, 3790, from: .core, at: 1870...1900)
        #expect(ward.alarms == ["fever_single ended high latched"])
        // A clock that is behind says nothing about how long that was either.
        var behind = RestartedWard()
        behind.stream(.bodyTemperature, 3900, from: .core, at: 500...560)
        behind.restart(at: 100, end: 560)
        #expect(behind.alarms == ["fever_single ended high latched"])
    }

    @Test("that the user declared over does not come back")
    func cleared() throws {
        var ward = RestartedWard()
        ward.stream(.bodyTemperature, 3900, from: .core, at: 0...60)
        ward.act(.clear(try #require(ward.state.alarms.first).id), at: 61)
        ward.stream(.bodyTemperature, 3790, from: .core, at: 70...90)
        ward.restart(at: 100, end: 95)
        ward.stream(.bodyTemperature, 3790, from: .core, at: 110...120)
        #expect(ward.alarms.isEmpty)
    }

    @Test("that was recorded and not logged yet when the program was killed is raised at once")
    func logBehind() {
        var ward = RestartedWard()
        ward.stream(.bodyTemperature, 3900, from: .core, at: 0...60)
        ward.restart(at: 70, end: 60, losing: 100)
        #expect(ward.alarms == ["fever_single suspended high"])
    }

    @Test("that was typed continues by all typed values, and ends by them")
    func typed() throws {
        func entry(_ hundredths: Int, _ moment: Moment) -> RecordEntry {
            RecordEntry(.vital(.bodyTemperature, value(hundredths), site: .mouth), enteredAt: moment)
        }
        var ward = RestartedWard()
        ward.act(.enter(entry(4160, ward.moment(0))), at: 0)
        ward.act(.acknowledgeAll, at: 1)
        ward.act(.enter(entry(3800, ward.moment(18_000))), at: 18_000)
        #expect(ward.alarms == ["fever_single acknowledged high"])
        let entries = ward.state.patientRecord.entries
        ward.restart(at: 18_100, end: 18_050)
        ward.apply(.recordEntries(entries, at: ward.moment(18_100)))
        #expect(ward.alarms == ["fever_single acknowledged high"])
        #expect(ward.state.alarms.first?.peak == value(4160))
        ward.act(.enter(entry(3650, ward.moment(18_200))), at: 18_200)
        ward.act(.enter(entry(3650, ward.moment(20_100))), at: 20_100)
        #expect(ward.alarms.isEmpty)
    }
}
