import TestSupport
import Testing
import Vitals

@testable import Monitoring

/// What the app NeutroFeverGuard does, and beside it what Bedside's own rule does with the same temperatures.
@Suite("The rule of NeutroFeverGuard")
struct NeutroFeverGuardRuleTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// Seconds and hundredths of a degree Celsius, in the order of arrival.
        var samples: [(Double, Int)]
        /// The verdict of NeutroFeverGuard's rule after all of them.
        var theirs: Bool
        /// The verdict of Bedside's rule, for a sensor that streams.
        var ours: Bool
    }

    static func every(_ step: Double, from: Double = 0, through: Double, _ value: Int) -> [(Double, Int)] {
        stride(from: from, through: through, by: step).map { ($0, value) }
    }

    static let cases: [Case] = [
        Case(testDescription: "no temperature at all", samples: [], theirs: false, ours: false),
        Case(testDescription: "normal temperatures", samples: every(10, through: 60, 3700), theirs: false, ours: false),
        Case(
            testDescription: "fault 1: a spike before a normal reading is missed",
            samples: every(10, through: 20, 3950) + [(30, 3700)], theirs: false, ours: true),
        Case(
            testDescription: "fault 1: a spike half an hour ago is missed",
            samples: every(10, through: 20, 3950) + every(10, from: 30, through: 1810, 3700), theirs: false,
            ours: true),
        Case(
            testDescription: "fault 2: one lone 100.4 °F is an hour of it", samples: [(0, 3800)], theirs: true,
            ours: false),
        Case(
            testDescription: "fault 2: ten seconds of 100.4 °F are an hour of it",
            samples: every(10, through: 10, 3800),
            theirs: true, ours: false),
        Case(
            testDescription: "fault 2: a reading 61 minutes after a normal one", samples: [(0, 3700), (3660, 3800)],
            theirs: true, ours: false),
        Case(
            testDescription: "fault 3: one dip hides an hour of fever",
            samples: every(10, through: 1790, 3820) + [(1800, 3799)] + every(10, from: 1810, through: 3600, 3820),
            theirs: false, ours: true),
        Case(
            testDescription: "fault 3: the dip counts for exactly an hour",
            samples: [(0, 3799)] + every(10, from: 10, through: 3600, 3820), theirs: false, ours: true),
        Case(
            testDescription: "fault 3: and not for a second longer",
            samples: [(0, 3799)] + every(10, from: 10, through: 3610, 3820), theirs: true, ours: true),
        Case(
            testDescription: "fault 4: 38.30 °C is not yet 101 °F",
            samples: [(0, 3700)] + every(10, from: 10, through: 60, 3830), theirs: false, ours: true),
        Case(
            testDescription: "38.32 °C is not yet 101 °F", samples: [(0, 3700), (10, 3832)], theirs: false, ours: false),
        Case(
            testDescription: "one 101.0 °F needs no confirmation", samples: [(0, 3700), (10, 3833)], theirs: true,
            ours: false),
        Case(
            testDescription: "one spike of a noisy sensor is fever at once", samples: [(0, 3700), (10, 4100)],
            theirs: true,
            ours: false),
        Case(
            testDescription: "an hour of 100.4 °F", samples: every(10, through: 3600, 3800), theirs: true, ours: true),
        Case(testDescription: "37.99 °C is below 100.4 °F", samples: [(0, 3799)], theirs: false, ours: false),
        Case(
            testDescription: "no gap is too long: two readings in an hour are an hour",
            samples: [(0, 3800), (3599, 3800)],
            theirs: true, ours: false),
    ]

    static let originalTestsTable: [([Double], Bool)] = [
        ([98.6, 99.0, 98.7], false), ([101.5], true), ([100.5, 100.6, 100.8], true), ([98.5, 100.5, 99.2], false),
        ([101.0, 100.1, 99.8], true), ([99.5, 100.9, 100.3], false), ([101.5, 98.6, 102.0, 99.1], true),
        ([101.3, 100.2], true),
    ]

    @Test("has these properties, which ours has not", arguments: cases)
    func table(_ row: Case) {
        var theirs = FeverProbe(.neutroFeverGuard)
        var ours = FeverProbe()
        for (second, value) in row.samples {
            theirs.feed(value, at: second)
            ours.feed(value, at: second)
        }
        #expect((theirs.verdict.single == .met) == row.theirs)
        #expect((ours.verdict.single == .met || ours.verdict.sustained == .met) == row.ours)
    }

    @Test(
        "decides as the original's own tests say it does, the newest temperature first, in °F",
        arguments: originalTestsTable)
    func originalTests(_ newestFirst: [Double], _ isFever: Bool) {
        var probe = FeverProbe(.neutroFeverGuard)
        for (second, fahrenheit) in newestFirst.reversed().enumerated() {
            let hundredths = Int(((fahrenheit - 32) * 500 / 9).rounded())
            probe.feed(hundredths, at: Double(second))
        }
        #expect((probe.verdict.single == .met) == isFever)
    }

    @Test("agrees with a rule that keeps every sample of the hour", arguments: 0..<20)
    func reference(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var probe = FeverProbe(.neutroFeverGuard)
        var kept: [(Double, Int)] = []
        var second = 0.0
        for _ in 0..<400 {
            second += [0, 1, 10, 60, 600, 1800, 3600].randomElement(using: &random) ?? 1
            let value = [3799, 3800, 3810, 3832, 3833, 3900].randomElement(using: &random) ?? 3800
            kept.append((second, value))
            let hour = kept.filter { $0.0 >= second - 3600 }
            let isFever = value >= 3833 || hour.allSatisfy { $0.1 >= 3800 }
            probe.feed(value, at: second)
            #expect((probe.verdict.single == .met) == isFever)
        }
    }

    @Test("says which of its limits was reached, and has no word about progress")
    func limits() {
        var probe = FeverProbe(.neutroFeverGuard)
        #expect(probe.feed(3800, at: 0).singleLimit == VitalValue(hundredths: 3800))
        #expect(probe.feed(3833, at: 10).singleLimit == VitalValue(hundredths: 3833))
        #expect(probe.verdict.sustained == .unmet)
        #expect(probe.progress() == nil)
    }

    @Test("ignores skin temperature like our rule")
    func skin() {
        var probe = FeverProbe(.neutroFeverGuard, site: .skin)
        #expect(probe.feed(3950, at: 0) == .notEvaluated)
    }

    @Test("is chosen by its name, which is in the settings only")
    func name() {
        #expect(FeverRuleName(rawValue: "neutrofeverguard") == .neutroFeverGuard)
        #expect(MonitorSettings().fever.rule == .bedside)
    }
}
