import Testing
import Vitals

@testable import Monitoring

@Suite("What is heard, and what flashes")
struct SoundTests {
    @Test(
        "bursts come at the gap of their priority", arguments: [(15000, "high", 5.0), (13000, "medium", 15.0)])
    func bursts(value: Int, priority: String, gap: Double) {
        var ward = Ward(settings: MonitorSettings())
        ward.connection(.strap, .ready, at: 0)
        _ = ward.state.apply(.acknowledgeAll, at: Ward.moment(0))
        for second in 0...31 {
            let effects = ward.state.apply(
                MonitorEvent(
                    moment: Ward.moment(Double(second)),
                    kind: .reading(
                        Reading(
                            sensor: .strap, vital: .heartRate, outcome: .measured(VitalValue(hundredths: value), .good),
                            moment: Ward.moment(Double(second))))))
            for case .soundBurst(let priority, let moment) in effects {
                ward.sounds.append("\(priority.rawValue) \(Ward.seconds(moment))")
            }
        }
        #expect(ward.sounds == stride(from: 0.0, through: 31, by: gap).map { "\(priority) \($0)" })
    }

    @Test("low priority is heard once, or again and again if so wished")
    func low() {
        var ward = Ward()
        ward.receive(.battery(.strap, percent: 3), at: 0, expecting: ["battery_low active low"])
        _ = ward.wait(until: 100)
        #expect(ward.sounds == ["low 0.0"])
        var settings = MonitorSettings.withoutLimits
        settings.alarmSignals.pattern.lowGap = .seconds(30)
        var repeating = Ward(settings: settings)
        repeating.receive(.battery(.strap, percent: 3), at: 0, expecting: ["battery_low active low"])
        _ = repeating.wait(until: 61)
        #expect(repeating.sounds == ["low 0.0", "low 30.0", "low 60.0"])
    }

    @Test("many causes in one breath make one burst, and each new one is heard")
    func storm() {
        var ward = Ward()
        for number in 0..<20 {
            let sensor = SensorIdentity(address: "\(number)", name: "", kind: .other)
            ward.receive(.battery(sensor, percent: 3), at: 0, expecting: ["battery_low active low"])
        }
        #expect(ward.sounds == ["low 0.0"])
        _ = ward.wait(until: 10)
        #expect(ward.sounds == ["low 0.0", "low 2.5"])
        ward.receive(.battery(.strap, percent: 3), at: 11, expecting: ["battery_low active low"])
        #expect(ward.sounds.last == "low 11.0")
    }

    @Test("what has begun to clear makes no sound, and is heard when it comes back")
    func clearing() {
        var ward = Ward(settings: MonitorSettings())
        ward.measure(
            .heartRate, 15000, from: .strap, at: 0, expecting: ["severe_high active high", "high active medium"])
        ward.measure(.heartRate, 7000, from: .strap, at: 1)
        #expect(ward.state.signal.priority == nil)
        ward.measure(.heartRate, 15000, from: .strap, at: 4)
        #expect(ward.sounds == ["high 0.0", "high 4.0"])
    }

    @Test("the lesser priority takes over at its own pace when the higher one is answered")
    func lesser() throws {
        var ward = Ward(settings: MonitorSettings())
        ward.measure(
            .heartRate, 15000, from: .strap, at: 0, expecting: ["severe_high active high", "high active medium"])
        ward.measure(.pulseRate, 4900, from: .oximeter, at: 1, expecting: ["low active medium"])
        let worst = try #require(ward.state.alarms.first)
        ward.act(
            .acknowledge(worst.id), at: 2, expecting: ["severe_high acknowledged high", "high acknowledged medium"])
        ward.stream(.pulseRate, 4900, from: .oximeter, at: stride(from: 3, through: 14, by: 1))
        #expect(ward.sounds == ["high 0.0"])
        ward.measure(.pulseRate, 4900, from: .oximeter, at: 15)
        #expect(ward.sounds == ["high 0.0", "medium 15.0"])
    }

    @Test("a sound that is switched off is never heard, but reminds")
    func off() {
        var settings = MonitorSettings.withoutLimits
        settings.alarmSignals.isSoundOff = true
        var ward = Ward(settings: settings)
        ward.receive(.battery(.strap, percent: 3), at: 0, expecting: ["battery_low active low"])
        _ = ward.wait(until: 300)
        #expect(ward.sounds == ["reminder 120.0", "reminder 240.0"])
        #expect(ward.state.signal.isOff && ward.state.signal.priority == .low && ward.state.signal.sounding == nil)
    }

    @Test(
        "high flashes twice a second, medium every other second, low not at all",
        arguments: [(AlarmPriority.high, 20), (.medium, 5), (.low, 0)])
    func flash(priority: AlarmPriority, changes: Int) {
        var moment = Ward.moment(0)
        var lit = 0
        var count = 0
        while let next = AlarmFlash.nextChange(priority, after: moment), next <= Ward.moment(5) {
            let before = Moment(monotonicNanoseconds: next.monotonicNanoseconds - 1, wallMilliseconds: 0)
            #expect(AlarmFlash.isLit(priority, at: before) == AlarmFlash.isLit(priority, at: moment))
            #expect(AlarmFlash.isLit(priority, at: next) != AlarmFlash.isLit(priority, at: moment))
            moment = next
            count += 1
            if AlarmFlash.isLit(priority, at: next) { lit += 1 }
        }
        #expect(count == changes)
        #expect(lit * 2 <= count + 1 && lit * 2 >= count - 1)
        #expect(AlarmFlash.isLit(priority, at: moment, isMotionReduced: true))
        #expect(AlarmFlash.nextChange(priority, after: moment, isMotionReduced: true) == nil)
    }

    @Test("only what calls for attention makes the screen flash")
    func nextFlash() {
        var ward = Ward(settings: MonitorSettings())
        ward.measure(.heartRate, 13000, from: .strap, at: 0, expecting: ["high active medium"])
        #expect(ward.state.nextFlash(after: Ward.moment(0.4)) == Ward.moment(1))
        ward.act(.acknowledgeAll, at: 1, expecting: ["high acknowledged medium"])
        #expect(ward.state.nextFlash(after: Ward.moment(1)) == nil)
    }
}
