import Testing
import Vitals

@testable import Monitoring

@Suite("The rule about sustained fever")
struct SustainedRuleTests {
    /// Minutes at which a reading is unlike the others, or missing.
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// The temperature of minute 0 and of each minute after it; `nil` where nothing comes.
        var minutes: [Int?]
        var verdict: Verdict
        /// What the screen says about it.
        var progress: String?

        enum Verdict { case met, suspected, unmet }
    }

    /// The minutes from 0 to `last`, all with one temperature, but some with another or with none.
    static func minutes(
        through last: Int, _ value: Int = 3800, cool: Set<Int> = [], missing: some Sequence<Int> = [Int]()
    ) -> [Int?] {
        let missing = Set(missing)
        return (0...last).map { missing.contains($0) ? nil : cool.contains($0) ? 3790 : value }
    }

    static let cases: [Case] = [
        Case(
            testDescription: "one 38.0: not evaluated yet", minutes: [3800], verdict: .unmet,
            progress: "1-hour fever rule: 0 of 60 min recorded"),
        Case(
            testDescription: "one 37.0: not evaluated yet", minutes: [3700], verdict: .unmet,
            progress: "1-hour fever rule: 0 of 60 min recorded"),
        Case(
            testDescription: "34 min of 38.0", minutes: minutes(through: 34), verdict: .suspected,
            progress: "≥ 38.0 for 34 of 60 min"),
        Case(
            testDescription: "59 min of 38.0", minutes: minutes(through: 59), verdict: .suspected,
            progress: "≥ 38.0 for 59 of 60 min"),
        Case(testDescription: "60 min of 38.0", minutes: minutes(through: 60), verdict: .met),
        Case(
            testDescription: "60 min of 37.99", minutes: minutes(through: 60, 3799), verdict: .unmet, progress: nil),
        Case(
            testDescription: "59 min of 37.0: not evaluated yet", minutes: minutes(through: 59, 3700), verdict: .unmet,
            progress: "1-hour fever rule: 59 of 60 min recorded"),
        Case(
            testDescription: "60 min of 38.0 with one dip to 37.9",
            minutes: minutes(through: 60, cool: [30]), verdict: .met),
        Case(
            testDescription: "60 min of 38.0 with three dips: 95 %",
            minutes: minutes(through: 60, cool: [9, 30, 44]),
            verdict: .met),
        Case(
            testDescription: "60 min of 38.0 with four dips: less than 95 %",
            minutes: minutes(through: 60, cool: [9, 30, 44, 58]), verdict: .suspected,
            progress: "≥ 38.0 for 48 of 60 min"),
        Case(
            testDescription: "a gap of ten minutes", minutes: minutes(through: 60, missing: 31...39),
            verdict: .met),
        Case(
            testDescription: "a gap of eleven minutes", minutes: minutes(through: 60, missing: 31...40),
            verdict: .suspected, progress: "≥ 38.0 for 19 of 60 min"),
        Case(
            testDescription: "an hour after a gap of eleven minutes",
            minutes: minutes(through: 101, missing: 31...40), verdict: .met),
        Case(
            testDescription: "48 of 60 minutes with samples: 80 %",
            minutes: minutes(through: 60, missing: stride(from: 3, through: 47, by: 4)), verdict: .met),
        Case(
            testDescription: "47 of 60 minutes with samples: less than 80 %",
            minutes: minutes(through: 60, missing: stride(from: 3, through: 51, by: 4)), verdict: .suspected,
            progress: "1-hour fever rule: 47 of 60 min recorded"),
        Case(
            testDescription: "a spot measurement every ten minutes",
            minutes: (0...60).map { $0 % 10 == 0 ? 3800 : nil },
            verdict: .suspected, progress: "1-hour fever rule: 6 of 60 min recorded"),
        Case(
            testDescription: "warm for 20 min after a normal hour",
            minutes: minutes(through: 60, 3700) + minutes(through: 20), verdict: .suspected,
            progress: "≥ 38.0 for 20 of 60 min"),
        Case(
            testDescription: "normal for four minutes after 40 warm ones",
            minutes: minutes(through: 40) + [3700, 3700, 3700, 3700],
            verdict: .unmet, progress: "1-hour fever rule: 44 of 60 min recorded"),
        Case(
            testDescription: "a fever that goes on", minutes: minutes(through: 300), verdict: .met),
        Case(
            testDescription: "a fever that has sunk is held until it is over",
            minutes: minutes(through: 60) + minutes(through: 28, 3700), verdict: .met),
        Case(
            testDescription: "a fever that is over",
            minutes: minutes(through: 60) + minutes(through: 29, 3700), verdict: .unmet),
    ]

    static let medianTable: [([Int], Bool)] = [
        ([3800], true), ([3799], false),
        ([3790, 3810], true), ([3790, 3809], false), ([3799, 3800], false), ([3799, 3801], true),
        ([3700, 3800, 3900], true), ([3700, 3799, 3900], false),
        ([3700, 3795, 3805, 3900], true), ([3700, 3794, 3805, 3900], false),
        ([3600, 3600, 3800, 3800, 3800], true), ([3600, 3600, 3600, 3900, 3900], false),
        ([4100, 3600], true), ([3600, 4100], true),
    ]

    @Test("follows the table", arguments: cases)
    func table(_ row: Case) {
        var probe = FeverProbe()
        for (minute, value) in row.minutes.enumerated() {
            if let value { probe.feed(value, at: Double(minute) * 60) }
        }
        switch probe.verdict.sustained {
        case .met: #expect(row.verdict == .met)
        case .suspected: #expect(row.verdict == .suspected)
        case .unmet, .held, .indeterminate: #expect(row.verdict == .unmet)
        }
        #expect(probe.progress() == row.progress)
    }

    @Test("an hour of a reading every ten seconds, to the very second")
    func everyTenSeconds() {
        var probe = FeverProbe()
        probe.feed(3800, from: 0, through: 3590)
        #expect(probe.verdict.sustained == .suspected(.init(count: 59, wanted: 60)))
        #expect(probe.feed(3800, at: 3599.999).sustained == .suspected(.init(count: 59, wanted: 60)))
        #expect(probe.feed(3800, at: 3600).sustained == .met)
    }

    @Test(
        "a minute is as warm as its median, which of an even number is the mean of the middle two",
        arguments: medianTable)
    func median(_ samples: [Int], _ isWarm: Bool) {
        var probe = FeverProbe()
        for minute in 0...60 {
            for (index, value) in samples.enumerated() { probe.feed(value, at: Double(minute * 60 + index)) }
        }
        // The last minute's first samples alone may already have decided.
        let isMet = probe.verdict.sustained == .met
        #expect(isMet == isWarm)
    }

    @Test("silence of more than ten minutes leaves nothing to evaluate")
    func silence() {
        var probe = FeverProbe()
        probe.feed(3800, from: 0, through: 1800)
        #expect(probe.progress(after: 600) == "≥ 38.0 for 30 of 60 min")
        #expect(probe.progress(after: 600.001) == "1-hour fever rule: 0 of 60 min recorded")
    }

    @Test("samples that are days apart, or at the ends of time, do not trap")
    func extremes() {
        for moments: [Int64] in [[.min, .max], [0, .max, .max], [.max, .min], [-1, 0, 86_400_000_000_000]] {
            var minutes = TemperatureMinutes()
            let settings = MonitorSettings.Fever()
            for time in moments.sorted().map(MonotonicTime.init(nanoseconds:)) {
                minutes.enter(VitalValue(hundredths: .max), at: time, settings: settings)
                minutes.enter(VitalValue(hundredths: .min), at: time, settings: settings)
                #expect(minutes.tally(at: .distantFuture, settings: settings).minutes <= 60)
            }
        }
    }

    @Test("a fever that is over does not restart from its own warm minutes")
    func ownWarmth() {
        var settings = MonitorSettings.Fever()
        settings.clearDuration = .seconds(60)
        var probe = FeverProbe(settings)
        probe.feed(3800, from: 0, through: 3600)
        probe.feed(3700, from: 3610, through: 3650)
        #expect(probe.verdict.sustained == .met)
        probe.feed(3700, from: 3660, through: 3700)
        #expect(probe.verdict.sustained != .met)
    }

    @Test("the window, the shares and the limit are settings")
    func settings() {
        var settings = MonitorSettings.Fever()
        settings.sustainedDuration = .seconds(20 * 60)
        settings.sustainedThreshold = VitalValue(hundredths: 3780)
        settings.coverage = 1000
        settings.warmShare = -5
        var probe = FeverProbe(settings)
        probe.feed(3780, from: 0, through: 1190)
        #expect(probe.verdict.sustained == .suspected(.init(count: 19, wanted: 20)))
        #expect(probe.feed(3780, at: 1200).sustained == .met)
    }
}
