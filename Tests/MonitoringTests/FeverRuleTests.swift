import Testing
import Vitals

@testable import Monitoring

@Suite("The single-reading fever rule")
struct FeverRuleTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var sensor = SensorIdentity.core
        var site: BodySite? = .core
        var temperatures: [Int?]
        var spacing = 10.0
        /// The state of the fever alarm after all of them, `nil` when there is none.
        var state: AlarmState?
    }

    static let cases: [Case] = [
        Case(testDescription: "nothing arrived", temperatures: [], state: nil),
        Case(testDescription: "one 38.0", temperatures: [3800], state: nil),
        Case(testDescription: "three of 38.29: below by a hundredth", temperatures: [3829, 3829, 3829], state: nil),
        Case(
            testDescription: "three of 38.30: exactly at the limit", temperatures: [3830, 3830, 3830], state: .active),
        Case(testDescription: "one 38.3 from a stream is unconfirmed", temperatures: [3830], state: .pending),
        Case(
            testDescription: "two of 38.3 from a stream are unconfirmed", temperatures: [3830, 3831], state: .pending),
        Case(
            testDescription: "a spike of one reading is dropped", temperatures: [3700, 3950, 3700, 3700], state: nil),
        Case(
            testDescription: "readings must be consecutive", temperatures: [3830, 3830, 3829, 3830, 3830],
            state: .pending),
        Case(
            testDescription: "values told twice because two programs listen confirm nothing",
            temperatures: [3850, 3850, 3850], spacing: 0.001, state: .pending),
        Case(
            testDescription: "a sensor that sends ten times a second is confirmed within a second",
            temperatures: Array(repeating: 3850, count: 7), spacing: 0.1, state: .active),
        Case(
            testDescription: "a NaN in between neither counts nor starts anew",
            temperatures: [3830, nil, 3830, nil, 3830],
            state: .active),
        Case(testDescription: "NaN alone is no fever", temperatures: [nil, nil, nil], state: nil),
        Case(
            testDescription: "readings ten minutes apart are not in a row", temperatures: [3850, 3850, 3850],
            spacing: 600, state: .pending),
        Case(
            testDescription: "a spot thermometer's value counts alone", sensor: .thermometer, site: .mouth,
            temperatures: [3830], state: .active),
        Case(
            testDescription: "a spot thermometer's 38.29 does not", sensor: .thermometer, site: .mouth,
            temperatures: [3829], state: nil),
        Case(
            testDescription: "a spot value counts alone after more than a minute", sensor: .thermometer, site: .ear,
            temperatures: [3700, 3830], spacing: 60.001, state: .active),
        Case(
            testDescription: "a thermometer that streams needs confirmation", sensor: .thermometer, site: .ear,
            temperatures: [3700, 3830], spacing: 60, state: .pending),
        Case(
            testDescription: "skin is never judged, even when sent as body temperature", site: .skin,
            temperatures: [3900, 3900, 3900, 3900], state: nil),
        Case(
            testDescription: "a temperature between the limits does not end an episode",
            temperatures: [3830, 3830, 3830, 3780, 3790], state: .active),
        Case(
            testDescription: "a normal reading after a fever does not end it at once",
            temperatures: [3900, 3900, 3900, 3700, 3700], state: .active),
    ]

    @Test("follows the table", arguments: cases)
    func table(_ row: Case) {
        var state = MonitorState(start: Ward.moment(0))
        for (index, hundredths) in row.temperatures.enumerated() {
            let moment = Ward.moment(1 + Double(index) * row.spacing)
            let outcome: Reading.Outcome =
                hundredths.map { .measured(VitalValue(hundredths: $0), .good) } ?? .noMeasurement(.notANumber)
            let reading = Reading(
                sensor: row.sensor, vital: .bodyTemperature, outcome: outcome, moment: moment, site: row.site)
            _ = state.apply(MonitorEvent(moment: moment, kind: .reading(reading)))
        }
        #expect(state.alarms.first { $0.kind == .feverSingle }?.state == row.state)
    }

    @Test("a skin temperature of 39 °C raises nothing")
    func skinTemperature() {
        var ward = Ward()
        for second in 1...20 { ward.measure(.skinTemperature, 3900, from: .core, at: Double(second)) }
        #expect(ward.alarms.isEmpty)
    }

    @Test("a heart rate between two temperatures does not start the row anew")
    func heartRateBetween() {
        var ward = Ward()
        ward.measure(.bodyTemperature, 3830, from: .core, at: 1, expecting: ["fever_single pending high"])
        ward.measure(.heartRate, 7700, from: .strap, at: 2)
        ward.measure(.bodyTemperature, 3830, from: .core, at: 3)
        ward.measure(.heartRate, 7700, from: .core, at: 4)
        ward.measure(.bodyTemperature, 3840, from: .core, at: 5, expecting: ["fever_single active high"])
        ward.measure(.heartRate, 7700, from: .strap, at: 6)
        #expect(ward.alarms == ["fever_single active high"])
    }

    @Test("each source is judged by itself")
    func sources() {
        var ward = Ward()
        ward.measure(.bodyTemperature, 3830, from: .core, at: 1, expecting: ["fever_single pending high"])
        ward.measure(.bodyTemperature, 3700, from: .thermometer, at: 2)
        ward.measure(.bodyTemperature, 3830, from: .core, at: 3)
        ward.measure(.bodyTemperature, 3830, from: .core, at: 4, expecting: ["fever_single active high"])
        #expect(ward.state.alarms.first?.sensor == .core)
    }

    @Test("an episode carries value, peak, limit, source, site and since-when")
    func episode() throws {
        var ward = Ward()
        ward.measure(.bodyTemperature, 3830, from: .core, site: .core, at: 1, expecting: ["fever_single pending high"])
        #expect(ward.state.alarms.first?.text == "Fever 38.3 °C ≥ 38.3 · core · CORE 1A2B · 1 of 3 readings")
        ward.measure(.bodyTemperature, 3865, from: .core, site: .core, at: 2)
        ward.measure(.bodyTemperature, 3860, from: .core, site: .core, at: 3, expecting: ["fever_single active high"])
        let alarm = try #require(ward.state.alarms.first)
        #expect(alarm.value == VitalValue(hundredths: 3860))
        #expect(alarm.peak == VitalValue(hundredths: 3865))
        #expect(alarm.limit == VitalValue(hundredths: 3830))
        #expect(alarm.sensor == .core)
        #expect(alarm.site == .core)
        #expect(alarm.vital == .bodyTemperature)
        #expect(alarm.alarmClass == .physiological)
        #expect(alarm.since == Ward.moment(1))
        #expect(alarm.activeSince == Ward.moment(3))
        #expect(alarm.text == "Fever 38.6 °C ≥ 38.3 · core · CORE 1A2B")
    }

    @Test("a suspicion that nothing confirms ends after ten minutes")
    func patience() {
        var ward = Ward()
        ward.measure(.bodyTemperature, 3830, from: .core, at: 1, expecting: ["fever_single pending high"])
        ward.tick(at: 600.999)
        #expect(ward.deadline == 601)
        ward.tick(at: 601, expecting: ["fever_single ended high"])
        #expect(ward.alarms.isEmpty)
    }

    @Test("an episode ends when all temperatures were below 37.8 for 30 minutes, and not before")
    func clearing() {
        var ward = febrileWard()
        var second = 40.0
        // 37.80 is not below 37.8: the half hour has not begun.
        ward.measure(.bodyTemperature, 3780, from: .core, at: second)
        second = 50
        ward.measure(.bodyTemperature, 3779, from: .core, at: second)
        while second < 50 + 1790 {
            second += 10
            ward.measure(.bodyTemperature, 3700, from: .core, at: second)
        }
        #expect(ward.alarms == ["fever_single active high"])
        ward.measure(.bodyTemperature, 3700, from: .core, at: 50 + 1800, expecting: ["fever_single ended high"])
        #expect(ward.alarms.isEmpty)
    }

    @Test("one temperature of 37.8 starts the half hour anew")
    func clearingAnew() {
        var ward = febrileWard()
        ward.measure(.bodyTemperature, 3700, from: .core, at: 40)
        for second in stride(from: 50.0, to: 1840, by: 10) {
            ward.measure(.bodyTemperature, second == 1000 ? 3780 : 3700, from: .core, at: second)
        }
        ward.measure(.bodyTemperature, 3700, from: .core, at: 1840)
        #expect(ward.alarms == ["fever_single active high"])
    }

    @Test("a fever is suspended while there is no measurement, says so, and resumes")
    func suspension() {
        var ward = febrileWard()
        ward.miss(
            .bodyTemperature, .notANumber, from: .core, at: 40,
            expecting: [
                "fever_single suspended high", "sensor_off pending medium",
            ])
        #expect(
            ward.state.alarms.first?.text
                == "Fever 38.5 °C ≥ 38.3 · CORE 1A2B · suspended: sensor sends no temperature (off the body?)")
        ward.miss(.bodyTemperature, .notANumber, from: .core, at: 50, expecting: ["sensor_off active medium"])
        #expect(ward.alarms == ["fever_single suspended high", "sensor_off active medium"])
        ward.measure(
            .bodyTemperature, 3790, from: .core, at: 60,
            expecting: [
                "sensor_off ended medium", "fever_single active high",
            ])
    }

    @Test("an acknowledged fever stays acknowledged through a suspension, and visible")
    func acknowledged() {
        var ward = febrileWard()
        ward.act(.acknowledgeAll, at: 35, expecting: ["fever_single acknowledged high"])
        ward.act(.acknowledgeAll, at: 36)
        ward.measure(.bodyTemperature, 3860, from: .core, at: 40)
        ward.miss(
            .bodyTemperature, .notANumber, from: .core, at: 41,
            expecting: [
                "fever_single suspended high", "sensor_off pending medium",
            ])
        ward.measure(
            .bodyTemperature, 3860, from: .core, at: 42,
            expecting: [
                "sensor_off ended medium", "fever_single acknowledged high",
            ])
        #expect(ward.alarms == ["fever_single acknowledged high"])
    }

    @Test("the user may declare an episode over; another one needs a new confirmation and has a new number")
    func cleared() throws {
        var ward = febrileWard()
        let first = try #require(ward.state.alarms.first?.id)
        ward.act(.clear(first), at: 40, expecting: ["fever_single ended high"])
        ward.measure(.bodyTemperature, 3850, from: .core, at: 50, expecting: ["fever_single pending high"])
        ward.measure(.bodyTemperature, 3850, from: .core, at: 60)
        ward.measure(.bodyTemperature, 3850, from: .core, at: 70, expecting: ["fever_single active high"])
        #expect(ward.state.alarms.first?.id != first)
    }

    @Test("a sensor's clock a day ahead changes nothing")
    func deviceTime() {
        var ward = Ward()
        for second in [1.0, 2, 3] {
            let reading = Reading(
                sensor: .core, vital: .bodyTemperature, outcome: .measured(VitalValue(hundredths: 3830), .good),
                moment: Ward.moment(second),
                deviceTime: DeviceTime(year: 2031, month: 1, day: 2, hour: 0, minute: 0, second: 0))
            _ = ward.state.apply(MonitorEvent(moment: Ward.moment(second), kind: .reading(reading)))
        }
        #expect(ward.alarms == ["fever_single active high"])
        #expect(ward.state[.bodyTemperature].condition.lastSample?.moment == Ward.moment(3))
    }

    private func febrileWard() -> Ward {
        var ward = Ward()
        ward.measure(.bodyTemperature, 3850, from: .core, at: 10, expecting: ["fever_single pending high"])
        ward.measure(.bodyTemperature, 3850, from: .core, at: 20)
        ward.measure(.bodyTemperature, 3850, from: .core, at: 30, expecting: ["fever_single active high"])
        return ward
    }
}
