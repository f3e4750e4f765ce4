import TestSupport
import Testing
import Vitals

@testable import Monitoring

@Suite("What an alarm says about its value")
struct AlarmTextTests {
    @Test("an alarm that is over shows its worst value and its time, whatever the rate is now")
    func over() throws {
        var ward = Ward(settings: MonitorSettings())
        ward.stream(.heartRate, 14_500, from: .strap, at: [1, 2])
        ward.stream(.heartRate, 15_200, from: .strap, at: [3, 4])
        ward.stream(.heartRate, 7200, from: .strap, at: stride(from: 5, through: 12, by: 1))
        ward.stream(.heartRate, 11_000, from: .strap, at: [13, 14])
        let alarm = try #require(ward.state.latchedAlarms.first)
        #expect(ward.state.text(of: alarm) == "HR severely high over: last 72, peak 152 > 140 · Polar H10")
        #expect(alarm.text == ward.state.text(of: alarm))
        #expect(alarm.peakAt == Ward.moment(3))
    }

    @Test("a value that is not of the present is the last one, not one of now")
    func notCurrent() throws {
        var ward = Ward(settings: MonitorSettings())
        ward.stream(.heartRate, 15_200, from: .strap, at: [1, 2])
        ward.stream(.heartRate, 13_900, from: .strap, at: [3])
        func text() throws -> String { ward.state.text(of: try #require(ward.state.shownAlarms.first)) }
        #expect(try text() == "HR severely high: now 139, peak 152 > 140 · Polar H10")
        ward.wait(until: 7)
        #expect(ward.condition(.heartRate) == "stale 13900")
        #expect(try text() == "HR severely high: last 139, peak 152 > 140 · Polar H10")
        let lost = Reading(
            sensor: .strap, vital: .heartRate, outcome: .noMeasurement(.noContact), moment: Ward.moment(8))
        _ = ward.state.apply(MonitorEvent(moment: Ward.moment(8), kind: .reading(lost)))
        #expect(try text().hasPrefix("HR severely high: last 139, peak 152 > 140 · Polar H10 · suspended: "))
    }

    @Test("a typed value is never one of now")
    func typed() throws {
        var ward = Ward()
        func enter(_ hundredths: Int, at seconds: Double) {
            let entry = RecordEntry(
                .vital(.bodyTemperature, VitalValue(hundredths: hundredths), site: .mouth),
                enteredAt: Ward.moment(seconds))
            _ = ward.state.apply(.enter(entry), at: Ward.moment(seconds))
        }
        enter(4160, at: 1)
        enter(3800, at: 2)
        let alarm = try #require(ward.state.shownAlarms.first { $0.kind == .feverSingle })
        #expect(alarm.text == "Fever, neutrophils unknown: last 38.0 °C, peak 41.6 ≥ 38.3 · mouth · manual")
        #expect(alarm.peakAt == Ward.moment(1))
    }

    @Test("a suspicion says what is missing, and claims no hour that has not passed")
    func suspected() throws {
        var ward = Ward()
        ward.stream(.bodyTemperature, 3820, from: .core, at: stride(from: 0, through: 2040, by: 60))
        let sustained = try #require(ward.state.alarms.first { $0.kind == .feverSustained })
        #expect(sustained.text == "Suspected sustained fever 38.2 °C ≥ 38.0 for 34 of 60 min · CORE 1A2B")
        ward.stream(.bodyTemperature, 3850, from: .core, at: [2100])
        let single = try #require(ward.state.alarms.first { $0.kind == .feverSingle })
        #expect(single.text == "Suspected fever 38.5 °C ≥ 38.3 · CORE 1A2B · 1 of 3 readings")
        var limits = Ward(settings: MonitorSettings())
        limits.measure(.oxygenSaturation, 8800, from: .oximeter, at: 1, expecting: ["low pending medium"])
        #expect(limits.state.alarms.first?.text == "SpO₂ 88 < 90 for less than 15 s · e-Oximeter")
    }

    @Test("values are rounded as on the screen, never across a limit", arguments: [(3837, "38.4"), (3828, "38.28")])
    func rounded(hundredths: Int, digits: String) throws {
        var ward = Ward()
        ward.stream(.bodyTemperature, hundredths, from: .core, at: stride(from: 0, through: 3660, by: 60))
        let alarm = try #require(ward.state.alarms.first { $0.kind == .feverSustained })
        #expect(alarm.text.hasPrefix("Sustained fever, neutrophils unknown \(digits) °C ≥ 38.0 for 60 min"))
        let shown = ValueText().digits(
            VitalValue(hundredths: hundredths), of: .bodyTemperature,
            limits: ward.state.boundaries(of: .bodyTemperature))
        #expect(shown == digits)
    }

    @Test("a fever that is over says so, with the last and the worst temperature")
    func feverOver() throws {
        var ward = Ward()
        ward.stream(.bodyTemperature, 3858, from: .core, at: [1, 2, 3])
        ward.stream(.bodyTemperature, 3700, from: .core, at: [60])
        let alarm = try #require(ward.state.alarms.first)
        #expect(alarm.text == "Fever, neutrophils unknown: now 37.0 °C, peak 38.6 ≥ 38.3 · CORE 1A2B")
        ward.stream(.bodyTemperature, 3700, from: .core, at: stride(from: 120, through: 1920, by: 60))
        let over = try #require(ward.state.latchedAlarms.first)
        #expect(over.text == "Fever over: last 37.0 °C, peak 38.6 ≥ 38.3 · CORE 1A2B")
    }

    @Test(
        "no limit that is printed is compared falsely, and now is only said of what is measured", .computing,
        arguments: RandomCases.share(2, of: UInt64(0)..<4))
    func comparisons(block: UInt64) throws {
        var compared = 0
        // A text that was compared needs no second comparison.
        var known: [String: Bool?] = [:]
        for seed in block * 250..<(block + 1) * 250 {
            var history = RandomHistory(seed: seed)
            var state = MonitorState(settings: RandomHistory.settings, start: Ward.moment(0))
            for _ in 0..<30 {
                _ = state.apply(history.next(state))
                for alarm in state.alarms + state.latchedAlarms {
                    for text in [alarm.text, state.text(of: alarm)] {
                        let comparison = known[text] ?? Self.isTrue(text)
                        known[text] = .some(comparison)
                        guard let isTrue = comparison else { continue }
                        compared += 1
                        #expect(isTrue, "seed \(seed): \(text)")
                    }
                    guard state.text(of: alarm).contains("now ") else { continue }
                    let row = try #require(alarm.sensorOrdinal.flatMap { state.table.row(ordinal: $0) })
                    let condition = alarm.vital.flatMap { state.sensors[row].condition(of: $0) }
                    let isOfNow = condition?.isMeasured == true && condition?.lastSample?.value == alarm.value
                    #expect(isOfNow, "seed \(seed)")
                    #expect(alarm.phase != .ended, "seed \(seed)")
                }
            }
        }
        #expect(compared > 1000)
    }

    /// Whether the comparison in a text holds as printed; `nil` where there is none.
    static func isTrue(_ text: String) -> Bool? {
        guard let match = text.firstMatch(of: #/(-?[0-9.]+)(?: °C| %| dBm)? ([<>≤≥]) (-?[0-9.]+)/#),
            let value = Double(match.1), let limit = Double(match.3)
        else { return nil }
        switch match.2 {
        case "<": return value < limit
        case ">": return value > limit
        case "≤": return value <= limit
        default: return value >= limit
        }
    }
}
