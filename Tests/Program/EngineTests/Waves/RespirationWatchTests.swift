import Configuration
import EventLoops
import Monitoring
import TestSupport
import Testing
import Vitals
import Waves

@testable import Engine

@Suite("Breathing that the engine estimates")
struct RespirationWatchTests {
    private static let strap = SensorIdentity(address: "C0:52:49:00:00:01", name: "Polar H10", kind: .heartRateStrap)

    /// A block of one second, made without noise: 75 beats and 15 breaths a minute.
    private func block(_ kind: WaveKind, second: Int) -> WaveUpdate {
        let rate = kind == .electrocardiogram ? 130 : 26
        let samples = (0..<rate).flatMap { index -> [Int32] in
            let time = Double(second) + Double(index) / Double(rate)
            // A parabola up and one down, of four seconds.
            let part = (time / 2).truncatingRemainder(dividingBy: 2)
            let breath = part < 1 ? 4 * part * (1 - part) : 4 * (part - 1) * (part - 2)
            if kind == .acceleration { return [Int32(20 * breath), 0, Int32(1000 - 10 * breath)] }
            // A breath delays a beat by up to 40 ms.
            let beat = (time - 0.04 * breath) / 0.8
            let distance = abs(beat - beat.rounded()) * 0.8
            let height = (1000 + 100 * breath) * max(0, 1 - distance / 0.04)
            return [Int32(height + 50 * breath)]
        }
        let start = Int64(second + 1000) * 1_000_000_000
        return .block(
            WaveBlock(
                sensor: Self.strap, kind: kind, samples: samples, start: MonotonicTime(nanoseconds: start),
                interval: 1e9 / Double(rate), isContinuing: second > 0,
                arrived: Moment(monotonicNanoseconds: start + 1_000_000_000, wallMilliseconds: 0)))
    }

    @Test("is reported with each new rate, and once when there is none any longer")
    func reports() throws {
        var watch = RespirationWatch()
        var reports: [Int] = []
        for second in 0..<70 {
            for kind in [WaveKind.acceleration, .electrocardiogram] {
                guard let report = watch.take(block(kind, second: second)) else { continue }
                #expect(report.address == Self.strap.address)
                let rate = try #require(report.estimate.rate)
                #expect((14...16).contains(rate.perMinute))
                reports.append(second)
            }
        }
        let first = try #require(reports.first)
        #expect((40..<55).contains(first))
        #expect(zip(reports, reports.dropFirst()).allSatisfy { $1 - $0 == 2 })
        let end = watch.take(.state(Self.strap, .acceleration, .ended))
        #expect(end?.estimate.result == RespirationEstimate.Result.none(.incomplete))
        #expect(watch.take(.state(Self.strap, .electrocardiogram, .ended)) == nil)
        // After that a window must be full again.
        for second in 70..<100 {
            for kind in [WaveKind.acceleration, .electrocardiogram] {
                #expect(watch.take(block(kind, second: second)) == nil)
            }
        }
    }

    @Test("asks sensors for ECG and acceleration only where the settings want that", arguments: [false, true])
    func setting(isWanted: Bool) async {
        let running = RunningLoop()
        let feed = ScriptedFeed()
        var settings = Settings()
        settings.recording.isEnabled = false
        settings.alarms.showsNotifications = false
        settings.sensors.estimatesRespiration = isWanted
        let engine = MonitorEngine(.live(feed), settings, keepingIn: nil, on: running.loop)
        await engine.begin()
        #expect(feed.wantedWaves == (isWanted ? [.electrocardiogram, .acceleration] : []))
        await engine.readWaves([.plethysmogram], as: .screen)
        #expect(feed.wantedWaves == (isWanted ? Set(WaveKind.allCases) : [.plethysmogram]))
        await engine.readWaves([], as: .screen)
        #expect(feed.wantedWaves == (isWanted ? [.electrocardiogram, .acceleration] : []))
        #expect(await engine.close(awaiting: Task {}) == nil)
    }

    @Test("is kept for a few straps only, and not for an oximeter")
    func bounded() {
        var watch = RespirationWatch()
        for number in 0..<100 {
            var sensor = Self.strap
            sensor.address = "C0:52:49:00:01:\(number)"
            #expect(watch.take(.state(sensor, .electrocardiogram, .ended)) == nil)
        }
        #expect(watch.take(.state(Self.strap, .plethysmogram, .ended)) == nil)
    }
}
