import Testing
import Vitals

@testable import Monitoring

/// What becomes of the rule's verdicts: alarms with a beginning, a suspension and an end.
@Suite("Episodes of fever")
struct FeverEpisodeTests {
    @Test("a skin temperature of 39 °C raises nothing")
    func skinTemperature() {
        var ward = Ward()
        for second in 1...20 { ward.measure(.skinTemperature, 3900, from: .core, at: Double(second)) }
        #expect(ward.alarms.isEmpty)
    }

    @Test("39 °C measured at the skin is no fever, though it is sent as a body temperature")
    func skinSite() {
        var ward = Ward(settings: .withoutLimits)
        for second in 1...20 { ward.measure(.bodyTemperature, 3900, from: .core, site: .skin, at: Double(second)) }
        #expect(ward.alarms.isEmpty)
    }

    @Test("a heart rate between two temperatures does not restart the row")
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

    @Test("each source is evaluated by itself")
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
        #expect(
            ward.state.alarms.first?.text == "Suspected fever 38.3 °C ≥ 38.3 · core · CORE 1A2B · 1 of 3 readings")
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
        #expect(alarm.text == "Fever, neutrophils unknown 38.6 °C ≥ 38.3 · core · CORE 1A2B")
    }

    @Test("a suspicion that nothing confirms ends after ten minutes")
    func timeout() {
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
        // 37.80 is not below 37.8: the half hour counts from there.
        ward.measure(.bodyTemperature, 3780, from: .core, at: 40)
        ward.measure(.bodyTemperature, 3779, from: .core, at: 50)
        for second in stride(from: 60.0, to: 40 + 1800, by: 10) {
            ward.measure(.bodyTemperature, 3700, from: .core, at: second)
        }
        #expect(ward.alarms == ["fever_single active high"])
        ward.measure(.bodyTemperature, 3700, from: .core, at: 40 + 1800, expecting: ["fever_single ended high"])
        #expect(ward.alarms.isEmpty)
    }

    @Test("one temperature of 37.8 restarts the half hour")
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
                == "Fever, neutrophils unknown last 38.5 °C ≥ 38.3 · CORE 1A2B · suspended: sensor sends no temperature (off the body?)"
        )
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
        ward.measure(.bodyTemperature, 3850, from: .core, at: 65, expecting: ["fever_single active high"])
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
