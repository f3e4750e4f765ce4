import Configuration
import EventLoops
import Monitoring
import Recording
import TestSupport
import Testing
import Vitals
import Waves

@testable import Engine

@Suite("Waves for the record", .timeLimit(.minutes(10)))
struct WaveRecordingTests {
    private let running = RunningLoop()
    private static let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap)

    private func engine(_ feed: MonitorFeed, _ change: (inout Settings.Recording) -> Void) -> MonitorEngine {
        var settings = Settings()
        settings.alarms.showsNotifications = false
        change(&settings.recording)
        return MonitorEngine(feed, settings, keepingIn: nil, on: running.loop)
    }

    private func wanted(_ change: (inout Settings.Recording) -> Void) async -> Set<WaveKind> {
        let feed = ScriptedFeed()
        let engine = engine(.live(feed), change)
        await begin(engine)
        return feed.wantedWaves
    }

    private func begin(_ engine: isolated MonitorEngine) async { await engine.begin() }

    @Test("sensors are asked for an ECG and a plethysmogram only if they are to be recorded")
    func asked() async {
        #expect(await wanted { _ in }.isEmpty)
        #expect(await wanted { $0.keepsWaves = true } == [.electrocardiogram, .plethysmogram])
        #expect(await wanted { ($0.keepsWaves, $0.isEnabled) = (true, false) }.isEmpty)
    }

    @Test("the record goes on when the screen no longer wants any")
    func readers() async {
        let feed = ScriptedFeed()
        let engine = engine(.live(feed)) { $0.keepsWaves = true }
        await readers(engine, feed)
    }

    private func readers(_ engine: isolated MonitorEngine, _ feed: ScriptedFeed) async {
        await engine.begin()
        #expect(await engine.readWaves([.acceleration], as: .screen) != nil)
        #expect(feed.wantedWaves == Set(WaveKind.allCases))
        await engine.readWaves([], as: .screen)
        #expect(feed.wantedWaves == [.electrocardiogram, .plethysmogram])
    }

    @Test("a recording that is played is not recorded again")
    func replay() async {
        let feed = ScriptedFeed()
        let engine = engine(.replay(feed)) { $0.keepsWaves = true }
        await begin(engine)
        #expect(feed.wantedWaves.isEmpty)
    }
}
