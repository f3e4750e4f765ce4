import Testing
import Vitals

@testable import Monitoring

@Suite("Freshness")
struct FreshnessTests {
    @Test("a vital is never seen until a sensor reports it")
    func neverSeen() {
        let ward = Ward()
        for vital in Vital.allCases { #expect(ward.condition(vital) == "never seen") }
        #expect(ward.state.nextDeadline == nil)
    }

    @Test("every value says where it came from, when, and how good it is")
    func provenance() {
        var ward = Ward()
        let reading = Reading(
            sensor: .core, vital: .bodyTemperature, outcome: .measured(VitalValue(hundredths: 3712), .questionable),
            moment: Ward.moment(4), site: .core)
        ward.receive(.reading(reading), at: 4)
        let expected = Sample(
            value: VitalValue(hundredths: 3712), quality: .questionable, moment: Ward.moment(4), sensor: .core,
            site: .core)
        #expect(ward.state[.bodyTemperature].condition == .measured(expected))
        #expect(ward.state[.bodyTemperature].source == .core)
    }

    @Test(
        "before anything is learned, 2 s is assumed for rates and SpO2 and 10 s for temperatures",
        arguments: [
            (Vital.heartRate, 2.0), (.pulseRate, 2), (.oxygenSaturation, 2), (.bodyTemperature, 10),
            (.skinTemperature, 10),
        ])
    func assumed(vital: Vital, interval: Double) {
        var ward = Ward()
        ward.measure(vital, 3700, from: .core, at: 100)
        #expect(ward.deadline == 100 + 3 * interval)
        ward.tick(at: 100 + 3 * interval - 0.001)
        #expect(ward.condition(vital) == "measured 3700")
        ward.tick(at: 100 + 3 * interval)
        #expect(ward.condition(vital) == "stale 3700")
        #expect(ward.deadline == 100 + 6 * interval)
        ward.tick(at: 100 + 6 * interval - 0.001)
        #expect(ward.condition(vital) == "stale 3700")
        ward.tick(at: 100 + 6 * interval)
        #expect(ward.condition(vital) == "lost 3700")
        #expect(ward.deadline == nil)
    }

    @Test(
        "the interval is learned from arrivals, within 0.5 and 60 seconds",
        arguments: [
            (0.1, 0.5), (1.0, 1.0), (4.0, 4.0), (59.0, 59.0), (300.0, 60.0),
        ])
    func learned(spacing: Double, interval: Double) {
        var ward = Ward()
        var second = 0.0
        for _ in 0..<20 {
            second += spacing
            _ = ward.state.apply(
                MonitorEvent(
                    moment: Ward.moment(second),
                    kind: .reading(
                        Reading(
                            sensor: .thermometer, vital: .bodyTemperature,
                            outcome: .measured(VitalValue(hundredths: 3700), .good), moment: Ward.moment(second)))))
        }
        // Arrivals within a quarter of a second count as one, which is below the shortest interval anyway.
        #expect(ward.state[.bodyTemperature].interval == .milliseconds(Int(interval * 1000)))
        ward.tick(at: second + 3 * interval - 0.001)
        #expect(ward.condition(.bodyTemperature) == "measured 3700")
        ward.tick(at: second + 3 * interval)
        #expect(ward.condition(.bodyTemperature) == "stale 3700")
    }

    @Test("a new value makes a stale or lost one current again", arguments: [7.0, 100.0])
    func renewed(second: Double) {
        var ward = Ward()
        ward.measure(.heartRate, 7000, from: .strap, at: 0)
        ward.tick(at: second)
        #expect(ward.condition(.heartRate) != "measured 7000")
        ward.measure(.heartRate, 7100, from: .strap, at: second + 1)
        #expect(ward.condition(.heartRate) == "measured 7100")
    }

    @Test("a late tick is as good as many early ones")
    func lateTick() {
        var ward = Ward()
        ward.measure(.heartRate, 7000, from: .strap, at: 0)
        ward.tick(at: 3600)
        #expect(ward.condition(.heartRate) == "lost 7000")
    }

    @Test("any event applies the time to every vital")
    func otherEvents() {
        var ward = Ward()
        ward.measure(.heartRate, 7000, from: .strap, at: 0)
        ward.measure(.bodyTemperature, 3700, from: .core, at: 6)
        #expect(ward.condition(.heartRate) == "stale 7000")
    }

    @Test("time does not go back, and an overtaken reading changes nothing")
    func overtaken() {
        var ward = Ward()
        ward.measure(.heartRate, 7000, from: .strap, at: 10)
        ward.measure(.heartRate, 9000, from: .strap, at: 9)
        #expect(ward.condition(.heartRate) == "measured 7000")
        #expect(ward.state.now == Ward.moment(10))
    }

    @Test("a reading that is already old when it comes is not current")
    func oldReading() {
        var ward = Ward()
        ward.tick(at: 100)
        let reading = Reading(
            sensor: .strap, vital: .heartRate, outcome: .measured(VitalValue(whole: 70), .good),
            moment: Ward.moment(92))
        ward.receive(.reading(reading), at: 100)
        #expect(ward.condition(.heartRate) == "stale 7000")
    }

    @Test("a value from the future is dated now")
    func future() {
        var ward = Ward()
        let reading = Reading(
            sensor: .strap, vital: .heartRate, outcome: .measured(VitalValue(whole: 70), .good),
            moment: Ward.moment(86_400))
        ward.receive(.reading(reading), at: 5)
        #expect(ward.state[.heartRate].condition.lastSample?.moment == Ward.moment(5))
    }

    @Test(
        "an impossible value is no measurement, nor is a special value",
        arguments: [
            (Vital.heartRate, 0), (.pulseRate, 0), (.oxygenSaturation, 0), (.oxygenSaturation, 10_001),
            (.oxygenSaturation, 12_700), (.pulseRate, 25_500), (.heartRate, 100), (.oxygenSaturation, 100),
            (.bodyTemperature, 2499), (.skinTemperature, 4501), (.heartRate, -100),
            (.heartRate, Int.min),
        ])
    func implausible(vital: Vital, hundredths: Int) {
        var ward = Ward()
        ward.measure(vital, hundredths, from: .oximeter, at: 1, expecting: ["no_measurement pending medium"])
        #expect(ward.condition(vital) == "no measurement out_of_range")
        #expect(ward.state[vital].trend.samples(from: Ward.moment(0), to: Ward.moment(2), columns: 1) == [nil])
    }
}
