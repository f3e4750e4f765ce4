import Nights
import Testing
import Vitals

@testable import Wording

@Suite("A night in words")
struct NightTextTests {
    /// 2026-11-27 12:00 in UTC.
    private static let noon: Int64 = 1_795_780_800_000
    private let text = NightText { _ in 0 }

    @Test("has both dates in its title")
    func title() {
        func title(_ start: Int64) -> String { text.title(of: start..<start + 86_400_000) }
        #expect(title(Self.noon) == "night of 27 to 28 November 2026")
        #expect(title(Self.noon + 3 * 86_400_000) == "night of 30 November to 1 December 2026")
        #expect(title(Self.noon + 34 * 86_400_000) == "night of 31 December 2026 to 1 January 2027")
        #expect(text.date(of: Self.noon..<Self.noon + 86_400_000) == "2026-11-28")
    }

    @Test("has lengths in the units that matter")
    func lengths() {
        let texts = [40, 60, 252, 7200, 7860].map(NightText.length)
        #expect(texts == ["40 s", "1 min", "4 min 12 s", "2 h", "2 h 11 min"])
    }

    @Test("has an index never without the word that it needs")
    func index() throws {
        func evaluation(_ hours: Int) throws -> NightEvaluation {
            let fall = [UInt8](repeating: 96, count: 25) + [UInt8](repeating: 91, count: 5)
            let samples = (0..<hours * 30).flatMap { _ in fall }.map { NightSample(saturation: $0, pulseRate: 60) }
            let ring = SensorIdentity(address: "C0:52:49:00:00:09", name: "O2Ring", kind: .oximeter)
            var builder = NightBuilder(of: Self.noon..<Self.noon + 86_400_000, sensor: ring)
            builder.add(
                StoredNight(sensor: ring, name: "x", start: Self.noon + 36_000_000, interval: 4, samples: samples))
            return NightEvaluation(try #require(builder.course()))
        }
        #expect(text.index(try evaluation(4), 3) == "29.8/h")
        #expect(text.index(try evaluation(2), 3) == "29.5/h, only 2 h usable")
    }

    @Test("has the whole hours of local time, also where they are no whole hours of UTC")
    func hours() {
        let india = NightText { _ in 19_800 }
        let hours = india.hours(in: Self.noon..<Self.noon + 3 * 3_600_000)
        #expect(hours.map { india.clock($0) } == ["18:00", "19:00", "20:00"])
        #expect(text.hours(in: Self.noon..<Self.noon + 1).count == 1)
        #expect(text.hours(in: .min..<(.max)).count == 168)
    }
}
