import Foundation
import TestSupport
import Testing
import Vitals

@testable import Monitoring

/// The course of glucose and its summary against `glucose_reference.py`.
@Suite(
    "The course of glucose as Python computes it",
    .enabled(if: PythonScript.isHere(), "Debian's package python3 is missing"))
struct GlucoseReferenceTests {
    private struct Sample {
        var secondsAgo: Int
        var hundredths: Int
    }

    private struct Reference: Decodable {
        var arrow: String?
        var delta: Double?
        var below, inside, above, count: Int?
        var minimum, median, maximum: Int
    }

    /// A series of a sensor that sends every so many minutes, for up to thirty hours, with gaps.
    private static func series(_ random: inout SeededGenerator) -> [Sample] {
        let interval = [5, 6, 10, 15, 30].randomElement(using: &random) ?? 5
        let most = Int.random(in: 1...(30 * 60 / interval), using: &random)
        let steepest = [50, 300, 1500, 4000].randomElement(using: &random) ?? 50
        var value = Int.random(in: 4000...30_000, using: &random)
        return (0..<most).compactMap { place in
            value = min(40_000, max(2000, value + Int.random(in: -steepest...steepest, using: &random)))
            // The trend knows times to ten seconds, and counts each minute once.
            let age = place * interval * 60 + 10 * Int.random(in: 0...1, using: &random)
            let isAtEdge = abs(age - 86_400) <= 120
            return isAtEdge || Int.random(in: 0..<10, using: &random) == 0
                ? nil : Sample(secondsAgo: age, hundredths: value)
        }
    }

    @Test("has the same arrow, change, time in range, extremes and median, for five hundred series", .computing)
    func agrees() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "glucose_reference.py").path
        let script = try PythonScript(path)
        var random = SeededGenerator(seed: 9)
        let now = Moment(monotonicNanoseconds: 600_000_000_000_000, wallMilliseconds: 1_767_322_800_000)
        var arrows: Set<GlucoseCourse.Arrow?> = []
        for round in 0..<500 {
            let samples = Self.series(&random)
            guard !samples.isEmpty else { continue }
            let line = "[" + samples.map { "[\($0.secondsAgo),\($0.hundredths)]" }.joined(separator: ",") + "]"
            let reference = try JSONDecoder().decode(Reference.self, from: Data(script.answer(to: line).utf8))

            var trend = Trend()
            var builder = SummaryBuilder()
            for sample in samples.reversed() {
                let moment = now.advanced(by: .seconds(-sample.secondsAgo))
                trend.insert(VitalValue(hundredths: sample.hundredths), at: moment)
                builder.add(VitalValue(hundredths: sample.hundredths), isOutside: nil, at: moment.wallMilliseconds)
            }
            let course = GlucoseCourse(trend, at: now)
            #expect(course.arrow?.rawValue == reference.arrow, "series \(round)")
            arrows.insert(course.arrow)
            let delta = course.delta.map { Double($0.hundredths) / 100 }
            #expect((delta == nil) == (reference.delta == nil))
            if let delta, let expected = reference.delta { #expect(abs(delta - expected) <= 0.01, "series \(round)") }
            #expect(course.inRange?.below == reference.below, "series \(round)")
            #expect(course.inRange?.inside == reference.inside, "series \(round)")
            #expect(course.inRange?.above == reference.above, "series \(round)")
            #expect(course.inRange?.count == reference.count, "series \(round)")
            let summary = builder.summary(
                of: (
                    sensor: SensorIdentity(address: "C0:52:49:00:00:0A", name: "CGM", kind: .continuousGlucose),
                    .glucose
                ),
                from: 0, to: now.wallMilliseconds)
            #expect(summary.minimum?.hundredths == reference.minimum)
            #expect(summary.median?.hundredths == reference.median)
            #expect(summary.maximum?.hundredths == reference.maximum)
        }
        #expect(arrows.count == GlucoseCourse.Arrow.allCases.count + 1)
    }
}
