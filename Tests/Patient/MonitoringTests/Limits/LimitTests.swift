import Testing
import Vitals

@testable import Monitoring

@Suite("Limits")
struct LimitTests {
    /// Values, one a second from the first second on, and what they cause: `8: low active medium`.
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var vital = Vital.heartRate
        var values: [Int?]
        var expected: [String]
    }

    static let cases: [Case] = [
        Case(testDescription: "at the low limit nothing is crossed", values: [5000, 5000], expected: []),
        Case(testDescription: "a hundredth below it is", values: [4999], expected: ["1: low active medium"]),
        Case(testDescription: "at the high limit nothing is crossed", values: [12000], expected: []),
        Case(testDescription: "a hundredth above it is", values: [12001], expected: ["1: high active medium"]),
        Case(
            testDescription: "the severe limit is a condition of its own, reported first", values: [3900],
            expected: ["1: severe_low active high", "1: low active medium"]),
        Case(
            testDescription: "what grows worse raises the severe alarm beside the other", values: [13000, 14001],
            expected: ["1: high active medium", "2: severe_high active high"]),
        Case(
            testDescription: "within the hysteresis it goes on", values: [4900, 5100, 5199, 5199, 5199, 5199, 5199],
            expected: ["1: low active medium"]),
        Case(
            testDescription: "beyond the hysteresis for five seconds it ends",
            values: [4900, 5200, 5200, 5200, 5200, 5200, 5200],
            expected: ["1: low active medium", "7: low ended medium"]),
        Case(
            testDescription: "the hold begins anew when the value comes near again",
            values: [4900, 5200, 5200, 5100, 5200, 5200, 5200, 5200, 5200, 5200],
            expected: ["1: low active medium", "10: low ended medium"]),
        Case(
            testDescription: "a saturation below the limit waits for its delay", vital: .oxygenSaturation,
            values: Array(repeating: 8900, count: 16), expected: ["1: low pending medium", "16: low active medium"]),
        Case(
            testDescription: "one value at the limit lets the delay begin anew", vital: .oxygenSaturation,
            values: Array(repeating: 8900, count: 14) + [9000, 8900],
            expected: ["1: low pending medium", "15: low ended medium", "16: low pending medium"]),
        Case(
            testDescription: "the severe limit does not wait", vital: .oxygenSaturation, values: [8499],
            expected: ["1: severe_low active high", "1: low pending medium"]),
        Case(
            testDescription: "85 is not severe", vital: .oxygenSaturation, values: [8500],
            expected: ["1: low pending medium"]),
        Case(
            testDescription: "absence suspends, and the same episode resumes", values: [4900, nil, nil, 4900],
            expected: [
                "1: low active medium", "2: low suspended medium", "2: no_measurement pending medium",
                "4: no_measurement ended medium", "4: low active medium",
            ]),
        Case(
            testDescription: "what resumes within the limits clears before it ends",
            values: [4900, nil, 7000, 7000, 7000, 7000, 7000, 7000],
            expected: [
                "1: low active medium", "2: low suspended medium", "2: no_measurement pending medium",
                "3: no_measurement ended medium", "3: low active medium", "8: low ended medium",
            ]),
        Case(
            testDescription: "a delay stands still while nothing is measured", vital: .oxygenSaturation,
            values: Array(repeating: 8900, count: 10) + [nil, nil, nil] + Array(repeating: 8900, count: 7),
            expected: [
                "1: low pending medium", "11: no_measurement pending medium", "14: no_measurement ended medium",
                "19: low active medium",
            ]),
        Case(
            testDescription: "body temperature has its limits", vital: .bodyTemperature,
            values: Array(repeating: 3549, count: 11), expected: ["1: low pending medium", "11: low active medium"]),
        Case(
            testDescription: "38.0 is not above 38.0", vital: .bodyTemperature,
            values: Array(repeating: 3800, count: 12), expected: ["1: fever_sustained pending high"]),
        Case(
            testDescription: "skin temperature has none", vital: .skinTemperature,
            values: Array(repeating: 4200, count: 12), expected: []),
    ]

    @Test("follow the table", arguments: cases)
    func table(_ row: Case) {
        var state = MonitorState(start: Ward.moment(0))
        var summaries: [String] = []
        for (index, value) in row.values.enumerated() {
            let moment = Ward.moment(Double(index + 1))
            let outcome: Reading.Outcome =
                value.map { .measured(VitalValue(hundredths: $0), .good) } ?? .noMeasurement(.searching)
            let reading = Reading(sensor: .oximeter, vital: row.vital, outcome: outcome, moment: moment, site: nil)
            let effects = state.apply(MonitorEvent(moment: moment, kind: .reading(reading)))
            summaries += effects.compactMap(\.summary).map { "\(index + 1): \($0)" }
        }
        #expect(summaries.filter { !$0.contains("fever") } == row.expected.filter { !$0.contains("fever") })
    }

    @Test("a temperature measured at the skin is not evaluated")
    func skinSite() {
        var ward = Ward(settings: MonitorSettings())
        for second in 1...20 { ward.measure(.bodyTemperature, 3000, from: .core, site: .skin, at: Double(second)) }
        #expect(ward.alarms.isEmpty)
    }

    @Test("the text has value, limit, delay, site and source, and never claims that a value crosses what it does not")
    func text() {
        var ward = Ward(settings: MonitorSettings())
        for second in 1...16 {
            let expected = second == 1 ? ["low pending medium"] : second == 16 ? ["low active medium"] : []
            ward.measure(.oxygenSaturation, 8800, from: .oximeter, at: Double(second), expecting: expected)
        }
        #expect(ward.state.alarms.first?.text == "SpO₂ 88 < 90 for 15 s · e-Oximeter")
        #expect(ward.state.alarms.first?.phrase.limit == "< 90")
        ward.measure(.oxygenSaturation, 9050, from: .oximeter, at: 17)
        #expect(ward.state.alarms.first?.text == "SpO₂ low: now 91, lowest 88 < 90 · e-Oximeter")
        ward.measure(.heartRate, 13000, from: .strap, site: .chest, at: 17, expecting: ["high active medium"])
        #expect(ward.state.alarms.last?.text == "HR 130 > 120 · chest · Polar H10")
    }

    @Test("each sensor is evaluated by itself, and the worst is shown first")
    func sources() {
        var ward = Ward(settings: MonitorSettings())
        ward.measure(.heartRate, 13000, from: .strap, at: 1, expecting: ["high active medium"])
        ward.measure(
            .heartRate, 15000, from: .otherStrap, at: 1, expecting: ["severe_high active high", "high active medium"])
        #expect(
            ward.state.alarms.map(\.summary) == ["severe_high active high", "high active medium", "high active medium"])
        // The second strap's lesser alarm says nothing that its severe one does not say.
        #expect(ward.state.shownAlarms.map(\.summary) == ["severe_high active high", "high active medium"])
        #expect(ward.state.shownAlarms.last?.sensor == .strap)
    }

    @Test("a changed limit evaluates the newest value at once, and off is off")
    func changed() {
        var ward = Ward(settings: MonitorSettings())
        ward.measure(.heartRate, 11000, from: .strap, at: 1)
        ward.act(
            .setLimit(.heartRate, .high, AlarmLimit(VitalValue(whole: 100), .medium)), at: 2,
            expecting: ["high active medium"])
        #expect(ward.state.isChanged(.high, of: .heartRate))
        ward.act(
            .setLimit(.heartRate, .high, AlarmLimit(VitalValue(whole: 100), .high)), at: 3,
            expecting: ["high active high"])
        ward.act(.setLimit(.heartRate, .high, AlarmLimit(nil, .medium)), at: 4, expecting: ["high ended high"])
        ward.measure(.heartRate, 13900, from: .strap, at: 5)
        ward.act(.resetLimits, at: 6, expecting: ["high active medium"])
        #expect(!ward.state.isChanged(.high, of: .heartRate))
        #expect(
            ward.actions == [
                "user limit_changed", "user limit_changed", "user limit_changed", "user limits_reset",
            ])
    }

    @Test("a limit that contradicts another is refused, and nothing changes")
    func refused() throws {
        var ward = Ward(settings: MonitorSettings())
        let limit = AlarmLimit(VitalValue(whole: 130), .medium)
        ward.act(.setLimit(.heartRate, .low, limit), at: 1)
        ward.act(.setLimit(.skinTemperature, .low, limit), at: 1)
        #expect(ward.actions == ["user limit_refused", "user limit_refused"])
        #expect(ward.state.currentLimits == MonitorSettings.Limits())
        let conflict = try #require(ward.state.conflict(of: .limit(.low, limit), for: .heartRate))
        #expect("\(conflict)" == "the low limit 130 must lie below the high limit 120")
    }
}
