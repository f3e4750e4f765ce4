import Foundation
import TestSupport
import Testing

/// The whole program in nights that follow from a number each.
@Suite(.serialized) struct NightTests {
    /// The first night's number, how many nights, and how long each is in seconds.
    static let (first, count, length): (UInt64, Int, Double) = {
        let environment = ProcessInfo.processInfo.environment
        return (
            environment["BEDSIDE_NIGHT"].flatMap(UInt64.init) ?? 1,
            environment["BEDSIDE_NIGHTS"].flatMap(Int.init) ?? 10,
            environment["BEDSIDE_NIGHT_HOURS"].flatMap(Double.init).map { $0 * 3600 } ?? 180
        )
    }()

    @Test(.startsPrograms) func `nothing untrue is shown in a night, and all is well again at its end`() async throws {
        try await withThrowingTaskGroup(of: SimulatedNights.Report.self) { group in
            var waiting = (0..<Self.count).map { Self.first + UInt64($0) }[...]
            var checks: [String: Int] = [:]
            var coverage = Coverage()
            func begin() {
                guard let number = waiting.popFirst() else { return }
                group.addTask { try await SimulatedNights.run(number, length: Self.length) }
            }
            for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { begin() }
            while let report = try await group.next() {
                if !report.findings.isEmpty {
                    let shown = Self.shrinks ? try await SimulatedNights.shrink(report) : report
                    let sentences = report.findings.map(\.description).joined(separator: "\n  ")
                    Issue.record(
                        "night \(report.night.number)\n  \(sentences)\n\(shown.night)\n\(shown.screen)\n  see \(report.folder)"
                    )
                    if Self.stops { waiting = [] }
                }
                checks.merge(report.checks) { $0 + $1 }
                coverage.formUnion(report.coverage)
                begin()
            }
            print(coverage.description)
            for rule in checks.keys.sorted() { print("\(rule): checked \(checks[rule] ?? 0) times") }
            #expect(Self.comparedValues(checks) > Self.count)
            #expect(coverage.unexpectedAlarms == [], "they have a reason not to be reached, which is wrong")
        }
    }

    /// How many values were compared with what was measured, on screens and in lines.
    private static func comparedValues(_ checks: [String: Int]) -> Int {
        checks["a number is true", default: 0] + checks["a sent value is measured", default: 0]
    }

    @Test("a fault that a night has found is mended", .startsPrograms, arguments: KeptNights.all)
    func kept(_ kept: KeptNights.KeptNight) async throws {
        let report = try await SimulatedNights.run(kept.night)
        #expect(report.findings.map(\.description) == [], "\(report.night)")
    }

    /// Whether one night in which something is found is enough.
    static let stops = ProcessInfo.processInfo.environment["BEDSIDE_NIGHT_STOP"] != nil

    /// Whether a night in which something was found is made as short as it can be, which takes many runs.
    static let shrinks = ProcessInfo.processInfo.environment["BEDSIDE_NIGHT_SHRINK"] != nil

    @Test(.startsPrograms) func `the same number gives the same night`() async throws {
        let first = try await SimulatedNights.run(Self.first, length: 120)
        let second = try await SimulatedNights.run(Self.first, length: 120)
        let other = try await SimulatedNights.run(Self.first + 1, length: 120)
        #expect(first.hash == second.hash)
        #expect(first.hash != other.hash)
    }
}
