import Testing
import Vitals

@testable import Monitoring

@Suite("Neutrophil counts")
struct NeutrophilCountTests {
    static let day: Int64 = 86_400_000
    private static let now = Ward.moment(0)

    private static func count(_ perMicrolitre: Int, milliseconds age: Int64 = 0) -> NeutrophilCount {
        NeutrophilCount(perMicrolitre: perMicrolitre, sampledAt: now.wallMilliseconds - age)
    }

    static let gradesTable: [(Int, NeutropeniaGrade, FeverRisk, AlarmPriority)] = [
        (0, NeutropeniaGrade.profound, FeverRisk.febrileNeutropenia, AlarmPriority.high),
        (99, .profound, .febrileNeutropenia, .high), (100, .severe, .febrileNeutropenia, .high),
        (499, .severe, .febrileNeutropenia, .high), (500, .moderate, .fever, .medium),
        (999, .moderate, .fever, .medium),
        (1000, .mild, .fever, .medium), (1499, .mild, .fever, .medium), (1500, .normal, .fever, .medium),
        (4000, .normal, .fever, .medium),
    ]

    @Test(
        "have a grade, and give a fever its risk and priority",
        arguments: gradesTable)
    func grades(_ perMicrolitre: Int, _ grade: NeutropeniaGrade, _ risk: FeverRisk, _ priority: AlarmPriority) {
        let count = Self.count(perMicrolitre, milliseconds: Self.day)
        #expect(NeutropeniaGrade(count, at: Self.now) == grade)
        #expect(FeverRisk(count, at: Self.now) == risk)
        #expect(risk.priority == priority)
    }

    @Test(
        "count for seven days, to the millisecond, and not if they are of the future",
        arguments: [
            (0, true), (8 * day, false), (7 * day, true), (7 * day + 1, false), (-day, true), (-day - 1, false),
        ])
    func validity(_ age: Int64, _ isValid: Bool) {
        let count = Self.count(4000, milliseconds: age)
        #expect(count.isValid(at: Self.now) == isValid)
        #expect(FeverRisk(count, at: Self.now) == (isValid ? .fever : .countUnknown))
    }

    @Test("that were not entered are unknown, which is as urgent as too few")
    func missing() {
        #expect(NeutropeniaGrade(nil, at: Self.now) == .unknown)
        #expect(FeverRisk(nil, at: Self.now) == .countUnknown)
        #expect(FeverRisk.countUnknown.priority == .high)
    }

    @Test("are called by names that are no diagnosis")
    func text() {
        #expect(FeverRisk.allCases.map(\.title) == ["Febrile neutropenia risk", "Fever, neutrophils unknown", "Fever"])
        #expect(
            NeutropeniaGrade.allCases.map(\.text) == [
                "profound neutropenia", "severe neutropenia", "moderate neutropenia", "mild neutropenia",
                "not neutropenic", "neutrophils unknown",
            ])
    }

    @Test("do not trap at the ends of time, and have a harmless name beside them")
    func extremes() {
        for sampledAt in [Int64.min, .max, 0] {
            for now in [Int64.min, .max, 0] {
                let count = NeutrophilCount(perMicrolitre: 5, sampledAt: sampledAt, enteredBy: "Nurse\u{1B}[2J")
                let moment = Moment(monotonicNanoseconds: 0, wallMilliseconds: now)
                #expect(count.isValid(at: moment) == (sampledAt == now))
                #expect(count.enteredBy == "Nurse\u{FFFD}[2J")
            }
        }
    }
}
