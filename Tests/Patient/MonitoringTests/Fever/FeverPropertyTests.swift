import TestSupport
import Testing
import Vitals

@testable import Monitoring

/// Invariants of the fever rule for any temperatures.
@Suite("Random temperatures")
struct FeverPropertyTests {
    struct Point {
        var second: Double
        var value: Int
    }

    /// A temperature that wanders between 37 and 39 °C, with noise, gaps and long steps.
    static func walk(_ random: inout SeededGenerator, count: Int = 900) -> [Point] {
        var (second, level) = (0.0, 3780)
        return (0..<count).map { _ in
            second += [1, 10, 10, 10, 30, 60, 200, 700].randomElement(using: &random) ?? 10
            level = min(3900, max(3700, level + Int.random(in: -12...12, using: &random)))
            return Point(second: second, value: level + Int.random(in: -15...15, using: &random))
        }
    }

    private func isFever(_ verdict: FeverVerdict) -> Bool { verdict.single == .met || verdict.sustained == .met }

    @Test("being hotter never ends a fever, nor keeps one from being found", arguments: 0..<24)
    func monotone(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let points = Self.walk(&random)
        for settings in [MonitorSettings.Fever(), .medianOfThree] {
            var (cooler, hotter) = (FeverProbe(settings), FeverProbe(settings))
            for point in points {
                cooler.feed(point.value, at: point.second)
                hotter.feed(point.value + Int.random(in: 0...40, using: &random), at: point.second)
                #expect(!isFever(cooler.verdict) || isFever(hotter.verdict), "at \(point.second) s")
            }
        }
    }

    @Test("one more hot sample never ends a fever", arguments: 0..<24)
    func addedSample(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var probe = FeverProbe()
        for point in Self.walk(&random) {
            let wasFever = isFever(probe.feed(point.value, at: point.second))
            var disturbed = probe
            disturbed.feed(Int.random(in: 3830...4200, using: &random), at: point.second + 0.5)
            #expect(!wasFever || isFever(disturbed.verdict))
        }
    }

    @Test("other vitals, absences and other sensors in between change nothing", .computing, arguments: 0..<12)
    func interleaved(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var (plain, mixed) = (MonitorState(start: Ward.moment(0)), MonitorState(start: Ward.moment(0)))
        for point in Self.walk(&random, count: 400) {
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let other: (SensorIdentity, Vital, Int) =
                    [
                        (.strap, .heartRate, 18000), (.oximeter, .oxygenSaturation, 8000),
                        (.core, .skinTemperature, 3900), (.core, .heartRate, 4000), (.oximeter, .pulseRate, 20000),
                        (.thermometer, .bodyTemperature, 3650),
                    ].randomElement(using: &random) ?? (.strap, .heartRate, 6000)
                _ = mixed.apply(Self.reading(other.0, other.1, other.2, at: point.second))
            }
            _ = mixed.apply(Self.reading(.core, .bodyTemperature, point.value, at: point.second))
            _ = plain.apply(Self.reading(.core, .bodyTemperature, point.value, at: point.second))
            #expect(Self.fevers(mixed) == Self.fevers(plain), "at \(point.second) s")
        }
    }

    @Test("it does not matter when the computer was started", arguments: 0..<8)
    func shifted(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let shift = Double(Int.random(in: 1...1_000_000, using: &random))
        var (early, late) = (FeverProbe(), FeverProbe())
        for point in Self.walk(&random) {
            #expect(
                early.feed(point.value, at: point.second) == late.feed(point.value, at: point.second + shift))
            #expect(early.progress() == late.progress())
        }
    }

    @Test("a week of readings takes no more memory than an hour")
    func bounded() {
        var minutes = TemperatureMinutes()
        let settings = MonitorSettings.Fever()
        for second in stride(from: Int64(0), to: 7 * 86_400, by: 20) {
            let time = MonotonicTime(nanoseconds: second * 1_000_000_000)
            minutes.enter(VitalValue(hundredths: 3850), at: time, settings: settings)
        }
        #expect(minutes.minuteCount == 60)
    }

    private static func reading(
        _ sensor: SensorIdentity, _ vital: Vital, _ hundredths: Int, at second: Double
    ) -> MonitorEvent {
        let moment = Ward.moment(second)
        return MonitorEvent(
            moment: moment,
            kind: .reading(
                Reading(
                    sensor: sensor, vital: vital, outcome: .measured(VitalValue(hundredths: hundredths), .good),
                    moment: moment)))
    }

    /// How CORE's fevers stand.
    private static func fevers(_ state: MonitorState) -> Set<String> {
        Set(
            state.alarms.filter { $0.sensor == .core && $0.kind.isFever }.map {
                "\($0.kind) \($0.state) \($0.since.monotonicNanoseconds)"
            })
    }
}
