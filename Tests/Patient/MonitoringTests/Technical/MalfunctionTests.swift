import Testing
import Vitals

@testable import Monitoring

@Suite("A sensor that reports a malfunction beside its values")
struct MalfunctionTests {
    /// An oximeter that has sent a value a second from 0 on.
    private func oximeter(_ quality: Reading.Quality, seconds: Int) -> (ward: Ward, summaries: [String]) {
        var ward = Ward()
        var summaries: [String] = []
        ward.connection(.oximeter, .ready, at: 0)
        for second in 0..<seconds { summaries += say(9700, quality, at: Double(second), in: &ward) }
        return (ward, summaries)
    }

    private func say(_ hundredths: Int, _ quality: Reading.Quality, at seconds: Double, in ward: inout Ward) -> [String]
    {
        [Vital.oxygenSaturation, .pulseRate].flatMap { vital in
            let reading = Reading(
                sensor: .oximeter, vital: vital, outcome: .measured(VitalValue(hundredths: hundredths), quality),
                moment: Ward.moment(seconds))
            return ward.state.apply(MonitorEvent(moment: Ward.moment(seconds), kind: .reading(reading)))
                .compactMap(\.summary)
        }
    }

    private func receive(in ward: inout Ward, _ kind: MonitorEvent.Kind, at seconds: Double) {
        _ = ward.state.apply(MonitorEvent(moment: Ward.moment(seconds), kind: kind))
    }

    @Test("raises a technical alarm after its delay, and its values are current and questionable")
    func begins() {
        let (ward, summaries) = oximeter(.malfunction, seconds: 8)
        #expect(summaries.filter { !$0.contains("pending") } == ["equipment active low"])
        #expect(ward.alarms == ["equipment active low"])
        #expect(ward.state.alarms.first?.alarmClass == .technical)
        #expect(
            ward.state.alarms.first.map(ward.state.text) == "Sensor fault: its values are questionable · e-Oximeter")
        #expect(ward.condition(.oxygenSaturation) == "measured 9700")
        #expect(ward.state[.oxygenSaturation].condition.lastSample?.quality.isQuestionable == true)
        #expect(oximeter(.questionable, seconds: 8).summaries == [])
    }

    @Test(
        "has no part in the trend, so in none of its extremes; every other quality has",
        arguments: [Reading.Quality.good, .questionable, .malfunction, .calibrationWanted, .rawEstimate, .calibrated])
    func trend(quality: Reading.Quality) {
        var (ward, _) = oximeter(.good, seconds: 8)
        _ = say(8000, quality, at: 8, in: &ward)
        var late = Reading(
            sensor: .oximeter, vital: .oxygenSaturation, outcome: .measured(VitalValue(hundredths: 7900), quality),
            moment: Ward.moment(8))
        late.late = LateInterval(sensorTime: Ward.moment(4))
        receive(in: &ward, .reading(late), at: 8)
        _ = say(9700, .good, at: 9, in: &ward)
        let columns = ward.state[.oxygenSaturation].trend.samples(
            from: Ward.moment(0), to: Ward.moment(10), columns: 10, holding: .zero
        ).compactMap(\.self)
        let isLeftOut = quality == .malfunction
        #expect(columns.map(\.minimum).min()?.hundredths == (isLeftOut ? 9700 : 7900))
        // It is shown all the same.
        _ = say(8000, quality, at: 10, in: &ward)
        #expect(ward.condition(.oxygenSaturation) == "measured 8000")
        // The same values from the store of an earlier run.
        let point = RecordedTrend.Point(wallMilliseconds: 0, .measured(VitalValue(hundredths: 8000), quality))
        #expect((point.values == nil) == isLeftOut)
    }

    @Test("or that it wants to be calibrated, has an alarm that says so, and current values")
    func calibration() {
        var (ward, summaries) = oximeter(.calibrationWanted, seconds: 40)
        #expect(summaries.filter { !$0.contains("pending") } == ["calibration_wanted active low"])
        #expect(ward.state.alarms.first.map(ward.state.text) == "Calibration wanted · e-Oximeter")
        #expect(ward.condition(.oxygenSaturation) == "measured 9700")
        #expect(say(9700, .good, at: 40, in: &ward) == ["calibration_wanted ended low"])
    }

    @Test("has no alarm any more when a value comes without it")
    func ends() {
        var (ward, _) = oximeter(.malfunction, seconds: 8)
        #expect(say(9700, .good, at: 8, in: &ward) == ["equipment ended low"])
        #expect(ward.alarms == [])
    }

    @Test("has its alarm for as long as one of its vitals says so")
    func oneOfTwo() {
        var (ward, _) = oximeter(.malfunction, seconds: 8)
        ward.measure(.oxygenSaturation, 9700, from: .oximeter, at: 8)
        #expect(ward.alarms == ["equipment active low"])
        ward.measure(.pulseRate, 7000, from: .oximeter, at: 8, expecting: ["equipment ended low"])
    }

    @Test("has a suspended alarm while it measures nothing, because it is unknown whether it still would")
    func suspended() {
        var (ward, _) = oximeter(.malfunction, seconds: 8)
        ward.miss(.oxygenSaturation, .offBody, from: .oximeter, at: 8, expecting: ["sensor_off pending low"])
        #expect(ward.alarms == ["equipment active low", "sensor_off pending low"])
        // Nothing is measured any more, which weighs more.
        ward.miss(
            .pulseRate, .offBody, from: .oximeter, at: 8,
            expecting: ["equipment suspended low", "equipment suspended medium"])
        #expect(
            ward.state.alarms.first { $0.kind == .equipment }?.text
                == "Sensor fault: its values are questionable · e-Oximeter · suspended: oximeter is off the finger")
        #expect(say(9700, .malfunction, at: 9, in: &ward).contains("equipment active low"))
        #expect(say(9700, .good, at: 10, in: &ward).contains("equipment ended low"))
    }

    @Test(
        "has a suspended alarm while it is lost, and none when the user disconnects or forgets it",
        arguments: [false, true])
    func lost(isForgotten: Bool) {
        var (ward, _) = oximeter(.malfunction, seconds: 8)
        receive(
            in: &ward, .connection(.oximeter, ConnectionState(phase: .waiting, reason: .linkLost)), at: 8)
        #expect(ward.alarms.contains { $0.hasPrefix("equipment suspended") })
        receive(
            in: &ward, .connection(.oximeter, ConnectionState(phase: .disconnected, reason: .user)), at: 9)
        if isForgotten { receive(in: &ward, .forgotten(.oximeter), at: 9) }
        #expect(!ward.alarms.contains { $0.hasPrefix("equipment") })
    }

    @Test("that says it may give no value at all: one alarm, whichever it is")
    func withoutValue() {
        var (ward, _) = oximeter(.malfunction, seconds: 8)
        ward.miss(.oxygenSaturation, .equipment, from: .oximeter, at: 8)
        ward.miss(.pulseRate, .equipment, from: .oximeter, at: 8, expecting: ["equipment active medium"])
        #expect(ward.state.alarms.map(\.kind) == [.equipment])
        #expect(ward.state.alarms.first?.text == "Sensor fault: sensor reports a fault · e-Oximeter")
    }

    @Test("in a late value says nothing about the present")
    func late() {
        var (ward, _) = oximeter(.good, seconds: 8)
        let reading = Reading(
            sensor: .oximeter, vital: .oxygenSaturation,
            outcome: .measured(VitalValue(hundredths: 9700), .malfunction), moment: Ward.moment(8),
            late: LateInterval(sensorTime: Ward.moment(4)))
        ward.receive(.reading(reading), at: 8)
        #expect(ward.wait(until: 20).allSatisfy { !$0.hasPrefix("equipment") })
    }
}
