import Testing
import Vitals

@testable import Nights

@Suite("A night of a file and of readings")
struct NightBuilderTests {
    private let start = SyntheticNight.noon + 36_000_000

    private func builder() -> NightBuilder { NightBuilder(of: SyntheticNight.window, sensor: SyntheticNight.ring) }

    private func good(_ percent: Int) -> Reading.Outcome { .measured(VitalValue(whole: percent), .good) }

    @Test("is one: the file has its time, readings the rest, and no instant is there twice")
    func merged() throws {
        var builder = builder()
        // Live from the beginning to the end of a minute, and the file only its middle.
        for second in 0..<60 {
            builder.add(
                .oxygenSaturation, good(90), at: start + Int64(second) * 1000, from: SyntheticNight.ring)
        }
        builder.add(SyntheticNight.stored(curve((96, 5)), interval: 4, at: start + 20_000))
        let course = try #require(builder.course())
        #expect(course.interval == 4 && course.start == start && course.hasLive)
        #expect(course.files == ["20261127220000"] && course.imports.isEmpty)
        let values = course.instants.map { $0.saturation ?? 0 }
        // The last report counts for 15 seconds.
        #expect(values == curve((90, 5), (96, 5), (90, 9)))
        #expect(NightEvaluation(course).recorded == 76)
    }

    @Test("has the falls of its file, whatever was recorded live beside it", arguments: [1, 2, 4])
    func sameFalls(interval: Int) throws {
        let values = curve((97, 30), (94, 2), (97, 40), (93, 20 / interval), (97, 30), (90, 60 / interval), (97, 30))
        var (alone, merged) = (builder(), builder())
        let night = SyntheticNight.stored(values, interval: interval, at: start + 1500)
        alone.add(night)
        merged.add(.oxygenSaturation, good(95), at: start - 60_000, from: SyntheticNight.ring)
        merged.add(night)
        let (one, other) = (try #require(alone.course()), try #require(merged.course()))
        #expect(other.hasLive && other.interval == one.interval)
        let (falls, others) = (NightEvaluation(one), NightEvaluation(other))
        #expect(!falls.falls.isEmpty && falls.falls.map(\.depth) == others.falls.map(\.depth))
        #expect(falls.falls.map { falls.length(of: $0) } == others.falls.map { others.length(of: $0) })
    }

    @Test("has a night of a file that says the same of it, and none of another oximeter, nor a short one")
    func contained() throws {
        let values = curve((97, 30), (94, 12), (97, 40), (93, 20), (97, 30))
        var builder = builder()
        for (second, value) in values.enumerated() {
            let at = start + Int64(second) * 1000 + 300
            builder.add(.oxygenSaturation, good(Int(value)), at: at, from: SyntheticNight.ring)
            builder.add(.pulseRate, good(60), at: at, from: SyntheticNight.ring)
        }
        let course = try #require(builder.course())
        #expect(course.contains(SyntheticNight.stored(values, at: start)))
        #expect(!course.contains(SyntheticNight.stored(values, at: start + 20_000)))
        #expect(!course.contains(SyntheticNight.stored(values, at: start, pulse: 62)))
        #expect(!course.contains(SyntheticNight.stored(values.map { $0 - 1 }, at: start)))
        #expect(!course.contains(SyntheticNight.stored(Array(values.prefix(50)), at: start)))
        #expect(!course.contains(SyntheticNight.stored(values, at: start - 3_600_000)))
    }

    @Test("of a file alone keeps the file's interval, within the window")
    func file() throws {
        var builder = builder()
        builder.add(SyntheticNight.stored([96, 95, 94], interval: 4, at: SyntheticNight.noon - 4000))
        let course = try #require(builder.course())
        #expect(course.interval == 4 && course.start == SyntheticNight.noon && !course.hasLive)
        #expect(course.instants.map(\.saturation) == [95, 94])
    }

    @Test("of a ring's file and of an imported one takes the ring's where both are")
    func imported() throws {
        var builder = builder()
        builder.add(SyntheticNight.stored(curve((91, 10)), at: start, name: "x", importedFrom: "night.csv"))
        builder.add(SyntheticNight.stored(curve((96, 5)), at: start))
        let course = try #require(builder.course())
        #expect(course.instants.map { $0.saturation ?? 0 } == curve((96, 5), (91, 5)))
        #expect(course.files == ["20261127220000"] && course.imports == ["night.csv"])
    }

    @Test("of readings knows why there was no value, and leaves weak and doubtful ones out")
    func reasons() throws {
        var builder = builder()
        func add(_ vital: Vital, _ outcome: Reading.Outcome, _ second: Int64) {
            builder.add(vital, outcome, at: start + second * 1000, from: SyntheticNight.ring)
        }
        add(.oxygenSaturation, good(97), 0)
        add(.pulseRate, good(61), 0)
        add(.oxygenSaturation, .noMeasurement(.offBody), 2)
        add(.oxygenSaturation, .noMeasurement(.searching), 4)
        add(.oxygenSaturation, .noMeasurement(.lowPerfusion), 6)
        add(.oxygenSaturation, .measured(VitalValue(whole: 95), .questionable), 8)
        add(.oxygenSaturation, good(96), 10)
        add(.perfusionIndex, .measured(VitalValue(hundredths: 20), .good), 10)
        add(.oxygenSaturation, good(96), 12)
        add(.perfusionIndex, .measured(VitalValue(hundredths: 150), .good), 12)
        add(.oxygenSaturation, good(96), 60)
        let course = try #require(builder.course())
        let reasons: [(NightExclusion?, Int)] = [
            (nil, 2), (.offBody, 2), (.noMeasurement, 2), (.weakPulse, 2), (.doubtful, 2), (.weakPulse, 2), (nil, 15),
            (.gap, 33), (nil, 15),
        ]
        #expect(course.instants.map(\.exclusion) == reasons.flatMap { [NightExclusion?](repeating: $0.0, count: $0.1) })
        #expect(course.instants[0].pulseRate == 61 && course.instants[20].pulseRate == nil)
        #expect(course.excluded.count == 6)
        #expect(course.excluded.map(\.instants.count).reduce(0, +) == 43)
    }

    @Test("has the reason of a reading where the file only has no value")
    func reasonForFile() throws {
        var builder = builder()
        builder.add(.oxygenSaturation, .noMeasurement(.offBody), at: start, from: SyntheticNight.ring)
        builder.add(SyntheticNight.stored([96, 0, 0, 96], at: start))
        let course = try #require(builder.course())
        #expect(course.instants.prefix(4).map(\.exclusion) == [nil, .offBody, .offBody, nil])
    }

    @Test("is none where nothing is in the window, and hostile times do no harm")
    func outside() {
        var builder = builder()
        builder.add(SyntheticNight.stored([96], at: SyntheticNight.noon - 90_000_000))
        builder.add(SyntheticNight.stored([96, 95], interval: 60, at: .max - 1))
        builder.add(SyntheticNight.stored([96, 95], interval: 60, at: .min))
        builder.add(.oxygenSaturation, good(96), at: .max, from: SyntheticNight.ring)
        #expect(builder.course() == nil)
        #expect(NightBuilder(of: .min..<(.max), sensor: SyntheticNight.ring).course() == nil)
    }
}
