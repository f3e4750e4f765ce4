import Testing
import Vitals

@testable import Monitoring

/// No unanswered alarm is lost by a restart, and no answer is invented.
@Suite("Alarms after a restart")
struct AlarmRestartTests {
    private func ward() -> RestartedWard { RestartedWard(settings: MonitorSettings()) }

    /// A heart rate that is severely low and then well again.
    private func latched() -> RestartedWard {
        var ward = ward()
        ward.stream(.heartRate, 3000, from: .strap, at: 0...10)
        ward.stream(.heartRate, 7000, from: .strap, at: 20...40)
        #expect(ward.alarms == ["severe_low ended high latched"])
        return ward
    }

    @Test(
        "that are over and unanswered stay until somebody acknowledges them, and the log says so",
        arguments: [true, false])
    func over(isKilled: Bool) throws {
        var ward = latched()
        let before = try #require(ward.state.latchedAlarms.first)
        // A week later, through another start.
        for seconds in [60.0, 604_800] {
            ward.restart(at: seconds, end: seconds - 10, isKilled: isKilled)
            let alarm = try #require(ward.state.latchedAlarms.first)
            #expect(alarm.peak == VitalValue(whole: 30) && alarm.id == before.id && alarm.acknowledgedAt == nil)
            #expect(alarm.since.wallMilliseconds == before.since.wallMilliseconds)
            #expect(alarm.endedAt?.wallMilliseconds == before.endedAt?.wallMilliseconds && !alarm.isInterrupted)
        }
        #expect(ward.states(of: .severeLow).suffix(3) == ["1 #1 ended", "2 #1 unanswered", "3 #1 unanswered"])
        ward.act(.acknowledgeAll, at: 604_900)
        ward.restart(at: 605_000, end: 604_950)
        #expect(ward.alarms.isEmpty)
    }

    @Test("that were active are suspended, and merge with the sensor's new state")
    func going() throws {
        var ward = ward()
        ward.stream(.heartRate, 3000, from: .strap, at: 0...10)
        ward.restart(at: 20, end: 11)
        #expect(ward.alarms == ["severe_low suspended high", "low suspended medium"])
        #expect(ward.state.signal.sounding == .high)
        ward.stream(.heartRate, 3100, from: .strap, at: 30...30)
        #expect(ward.alarms == ["severe_low active high", "low active medium"])
        let alarm = try #require(ward.state.alarms.first)
        #expect(
            alarm.peak == VitalValue(whole: 30)
                && alarm.activeSince?.wallMilliseconds == Ward.moment(0).wallMilliseconds)
        ward.restart(at: 40, end: 31)
        ward.stream(.heartRate, 7000, from: .strap, at: 50...60)
        #expect(ward.alarms == ["severe_low ended high latched"])
        #expect(ward.state.latchedAlarms.first?.isInterrupted == false)
    }

    @Test("of what a sensor handed over go on as those of entries, with its name")
    func handedOver() throws {
        let meter = SensorIdentity(address: "C0:52:49:00:00:0B", name: "Meter", kind: .glucose)
        var ward = ward()
        ward.act(
            .enter(
                RecordEntry(
                    .vital(.glucose, VitalValue(whole: 300), site: nil), from: .sensor(meter), EntryFacts(sequence: 1),
                    enteredAt: ward.moment(5))), at: 5)
        #expect(ward.alarms == ["severe_high active high", "high active medium"])
        ward.restart(at: 60, end: 50)
        for alarm in ward.state.alarms {
            #expect(alarm.sensor == meter && alarm.isOfEntry && alarm.sensorOrdinal == nil)
        }
        #expect(!ward.state.alarms.isEmpty && ward.state.sensors.isEmpty)
    }

    @Test("that were active when Bedside ended long ago are over at an unknown time, and unanswered")
    func unknown() throws {
        var ward = ward()
        ward.stream(.heartRate, 3000, from: .strap, at: 0...10)
        ward.restart(at: 8000, end: 11)
        let alarm = try #require(ward.state.latchedAlarms.first)
        #expect(ward.alarms == ["severe_low ended high latched"] && alarm.isInterrupted)
        #expect(alarm.endedAt?.wallMilliseconds == Ward.moment(11).wallMilliseconds)
        // It stays so, and a new one stands beside it until it is over, too.
        ward.stream(.heartRate, 2900, from: .strap, at: 8010...8010)
        ward.restart(at: 8020, end: 8015)
        #expect(
            ward.alarms == ["severe_low suspended high", "low suspended medium", "severe_low ended high latched"])
        ward.stream(.heartRate, 7000, from: .strap, at: 8030...8050)
        let both = try #require(ward.state.latchedAlarms.first)
        #expect(ward.state.latchedAlarms.count == 1 && both.episodeCount == 2 && both.peak == VitalValue(whole: 29))
    }

    @Test("that were acknowledged, put away, declared over, or of another patient do not come back")
    func answered() throws {
        let answers: [(inout RestartedWard) -> Void] = [
            { $0.act(.acknowledgeAll, at: 41) }, { $0.act(.newPatient, at: 41) },
        ]
        for answer in answers {
            var ward = latched()
            answer(&ward)
            ward.restart(at: 60, end: 50)
            #expect(ward.alarms.isEmpty)
        }
        var ward = ward()
        ward.stream(.heartRate, 3000, from: .strap, at: 0...10)
        ward.act(.clear(try #require(ward.state.alarms.first).id), at: 11)
        ward.restart(at: 20, end: 12)
        #expect(ward.alarms == ["low suspended medium"])
    }

    @Test("that somebody declared over leave the earlier, unanswered ones of the same condition")
    func clearedBesideOver() throws {
        var ward = latched()
        ward.stream(.heartRate, 3100, from: .strap, at: 50...60)
        ward.act(.clear(try #require(ward.state.alarms.first).id), at: 61)
        ward.stream(.heartRate, 7000, from: .strap, at: 70...90)
        #expect(ward.alarms == ["severe_low ended high latched"])
        ward.restart(at: 100, end: 95)
        #expect(ward.alarms == ["severe_low ended high latched"])
        #expect(ward.state.latchedAlarms.first?.peak == VitalValue(whole: 30))
    }

    @Test("that a mistake in typing has raised do not come back")
    func mistake() {
        var ward = ward()
        let entry = RecordEntry(
            .vital(.bodyTemperature, VitalValue(hundredths: 3900), site: nil), enteredAt: ward.moment(0))
        ward.act(.enter(entry), at: 0)
        ward.act(.retract(entry.id), at: 10)
        ward.restart(at: 20, end: 15)
        #expect(ward.alarms.isEmpty)
    }

    @Test("keep their numbers; a number that this run has given already is not given twice")
    func numbers() throws {
        var ward = latched()
        let log = ward.log
        ward.restart(at: 60, end: 50)
        ward.stream(.heartRate, 13000, from: .strap, at: 70...70)
        #expect(ward.state.alarms.first?.id == 3)
        // From a store that took its time, while this run has raised an alarm of its own.
        var late = self.ward()
        late.stream(.oxygenSaturation, 8000, from: .oximeter, at: 100...120)
        let own = late.state.alarms.map(\.id)
        let earlier = EarlierRun(
            OutstandingAlarms(log), temperatures: [], settings: MonitorSettings.Fever(), at: late.moment(121))
        late.apply(.earlierRun(earlier, at: late.moment(121)))
        let old = try #require(late.state.latchedAlarms.first)
        #expect(!own.contains(old.id) && Set(late.state.alarms.map(\.id)) == Set(own))
    }

    @Test("are seen by a second Bedside as by the first")
    func view() throws {
        var ward = latched()
        ward.stream(.bodyTemperature, 3900, from: .core, at: 50...80)
        let log = ward.log
        ward.restart(at: 100, end: 90)
        var viewed = MonitorState(settings: MonitorSettings(), start: ward.moment(100))
        let earlier = EarlierRun(
            OutstandingAlarms(log), temperatures: ward.readings, settings: MonitorSettings.Fever(), at: ward.moment(100)
        )
        _ = viewed.apply(.earlierRun(earlier, at: ward.moment(100)))
        #expect(viewed.alarms.map(\.summary) == ward.state.alarms.map(\.summary))
        #expect(viewed.latchedAlarms == ward.state.latchedAlarms)
        #expect(viewed.isCoherent && ward.state.isCoherent)
    }
}
