import TestSupport
import Testing
import Vitals

@testable import Monitoring

@Suite("Changes by speed, and values that do not change")
struct ChangeTests {
    private var falling: MonitorSettings {
        var settings = MonitorSettings.withoutLimits
        settings.limits.oxygenSaturation.fall = ChangeLimit(VitalValue(whole: 4), within: .seconds(60), .medium)
        return settings
    }

    @Test(
        "a fall of exactly the amount within the time is one, a slower one is not",
        arguments: [(9400, true), (9401, false)])
    func fall(last: Int, isFall: Bool) {
        var ward = Ward(settings: falling)
        ward.measure(.oxygenSaturation, 9800, from: .oximeter, at: 0)
        ward.measure(.oxygenSaturation, 9600, from: .oximeter, at: 1)
        ward.measure(.oxygenSaturation, last, from: .oximeter, at: 2, expecting: isFall ? ["fall active medium"] : [])
        if isFall { #expect(ward.state.alarms.first?.text == "SpO₂ 94 fell by ≥ 4 within 60 s · e-Oximeter") }
    }

    @Test("what fell before the time is not counted, nor what lies before a gap")
    func window() {
        var ward = Ward(settings: falling)
        for second in 0...20 { ward.measure(.oxygenSaturation, 9800, from: .oximeter, at: Double(second)) }
        for second in 21...90 {
            ward.measure(.oxygenSaturation, 9800 - (second - 20) * 4, from: .oximeter, at: Double(second))
        }
        #expect(ward.alarms.isEmpty)
        ward.miss(.oxygenSaturation, .searching, from: .oximeter, at: 91, expecting: ["no_measurement pending medium"])
        ward.measure(.oxygenSaturation, 9000, from: .oximeter, at: 92, expecting: ["no_measurement ended medium"])
        #expect(ward.alarms.isEmpty)
    }

    @Test("a jump of the heart rate is a rise, and ends when the time has passed it")
    func rise() {
        var settings = MonitorSettings.withoutLimits
        settings.limits.heartRate.rise = ChangeLimit(VitalValue(whole: 30), within: .seconds(30), .low)
        var ward = Ward(settings: settings)
        for second in 0...5 { ward.measure(.heartRate, 7000, from: .strap, at: Double(second)) }
        ward.measure(.heartRate, 10000, from: .strap, at: 6, expecting: ["rise active low"])
        for second in 7...35 { ward.measure(.heartRate, 10000, from: .strap, at: Double(second)) }
        for second in 36...40 { ward.measure(.heartRate, 10000, from: .strap, at: Double(second)) }
        ward.measure(.heartRate, 10000, from: .strap, at: 41, expecting: ["rise ended low"])
    }

    @Test("the window's extremes are those of a plain search", arguments: 0..<8)
    func extremes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var window = ExtremeWindow(prefersHigher: seed.isMultiple(of: 2))
        var samples: [(time: Int64, value: Int)] = []
        var time: Int64 = 0
        for _ in 0..<500 {
            time += Int64.random(in: 2...40, using: &random)
            let value = Int.random(in: 0...50, using: &random)
            samples.append((time, value))
            // Longer than a sixty-fourth apart, so that nothing is left out.
            window.insert(VitalValue(hundredths: value), at: MonotonicTime(nanoseconds: time), span: .nanoseconds(100))
            let within = samples.filter { time - $0.time <= 100 }.map(\.value)
            #expect(window.extreme?.hundredths == (seed.isMultiple(of: 2) ? within.max() : within.min()))
        }
    }

    @Test("a heart rate that does not move by a beat for five minutes is doubted, until it moves")
    func flatLine() {
        var settings = MonitorSettings.withoutLimits
        settings.limits.heartRate.flatLine = .seconds(300)
        var ward = Ward(settings: settings)
        for second in 0..<300 { ward.measure(.heartRate, 7000, from: .strap, at: Double(second)) }
        #expect(ward.alarms.isEmpty)
        ward.measure(.heartRate, 7000, from: .strap, at: 300, expecting: ["flat_line active low"])
        #expect(ward.state.alarms.first?.text == "HR 70 unchanged for 5 min, check placement · Polar H10")
        #expect(ward.state.alarms.first?.alarmClass == .technical)
        ward.measure(.heartRate, 7100, from: .strap, at: 301, expecting: ["flat_line ended low"])
    }
}

@Suite("Rules that are changed while in use")
struct ChangedRuleTests {
    @Test("a rise that is switched on is watched from then on, and ends when it is switched off")
    func rise() {
        var ward = Ward(settings: MonitorSettings())
        ward.measure(.heartRate, 6000, from: .strap, at: 0)
        let rise = ChangeLimit(VitalValue(whole: 20), within: .seconds(60), .high)
        ward.act(.change(.heartRate, .rise(rise)), at: 1)
        ward.measure(.heartRate, 6000, from: .strap, at: 1)
        ward.measure(.heartRate, 8000, from: .strap, at: 2, expecting: ["rise active high"])
        ward.act(
            .change(.heartRate, .rise(ChangeLimit(nil, within: .seconds(60), .high))), at: 3,
            expecting: ["rise ended high"])
    }

    @Test("a flat line that is switched off ends, and a shorter time applies at once")
    func flatLine() {
        var ward = Ward(settings: MonitorSettings())
        for second in 0...20 { ward.measure(.heartRate, 6000, from: .strap, at: Double(second)) }
        ward.act(.change(.heartRate, .flatLine(.seconds(10))), at: 20, expecting: ["flat_line active low"])
        ward.act(.change(.heartRate, .flatLine(nil)), at: 21, expecting: ["flat_line ended low"])
        ward.act(.change(.heartRate, .flatLine(.seconds(5))), at: 22)
        #expect(ward.actions == ["user limit_changed", "user limit_changed", "user limit_refused"])
    }
}
