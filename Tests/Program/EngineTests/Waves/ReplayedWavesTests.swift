import Configuration
import EventLoops
import Monitoring
import Recording
import Replay
import TestSupport
import Testing
import Vitals
import Waves

@testable import Engine

@Suite("Waves of a replay", .timeLimit(.minutes(10)))
struct ReplayedWavesTests {
    private let running = RunningLoop()
    private let folder: ScratchFolder
    private static let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap)
    private static let start = Moment(monotonicNanoseconds: 5_000_000_000, wallMilliseconds: 1_767_323_045_000)

    init() throws {
        folder = try ScratchFolder()
    }

    /// Records two minutes with an ECG, whose samples are their numbers; answers the path of the store.
    private func record() async throws -> String {
        let path = "\(folder.path)/store.sqlite"
        let inbox = RecorderInbox()
        let recorder = Recorder(
            .init(path: path, day: "2026-01-02", programVersion: "1.0"), inbox: inbox, loop: running.loop,
            now: { Self.start }, onState: { _ in })
        _ = await recorder.open(at: Self.start)
        for second in 0..<120 {
            let moment = Self.start.advanced(by: .seconds(second))
            inbox.append(
                Reading(
                    sensor: Self.strap, vital: .heartRate, outcome: .measured(VitalValue(whole: 60), .good),
                    moment: moment))
            inbox.append(
                WaveUpdate.block(
                    WaveBlock(
                        sensor: Self.strap, kind: .electrocardiogram,
                        samples: (0..<100).map { Int32(second * 100 + $0) }, start: moment.monotonic, interval: 1e7,
                        isContinuing: second > 0, arrived: moment.advanced(by: .seconds(1)))))
        }
        #expect(await recorder.close() == 0)
        return path
    }

    private func settings() -> Settings {
        var settings = Settings()
        settings.recording.isEnabled = false
        settings.alarms.showsNotifications = false
        return settings
    }

    @Test("come to the screen in order, end at a jump back, and come again from there")
    func jump() async throws {
        let path = try await record()
        try await running.run { (loop) async throws in try await jump(in: path, on: loop) }
    }

    private func jump(in path: String, on loop: isolated LoopActor) async throws {
        let player = try #require(
            try ReplayPlayer(StoreReplay(path), speed: .times(20), nanoseconds: Timestamp.monotonicNow()))
        let feed = ReplayFeed(player, isSimulated: false, on: loop.loop)
        let engine = MonitorEngine(.replay(feed), settings(), keepingIn: nil, on: loop.loop)
        await engine.begin()
        let queue = try #require(await engine.readWaves([.electrocardiogram], as: .screen))
        await feed.begin()
        var updates: [WaveUpdate] = []
        try await awaitCondition("thirty seconds") {
            updates += queue.takeAll()
            return samples(updates).count > 3000
        }
        let before = samples(updates)
        #expect(before == (before[0]..<before[0] + Int32(before.count)).map { $0 })
        feed.carryOut(.jump(seconds: -20))
        updates = queue.takeAll()
        #expect(updates.last == .state(Self.strap, .electrocardiogram, .ended))
        updates = []
        try await awaitCondition("what was played before") {
            updates += queue.takeAll()
            return samples(updates).count > 500
        }
        let after = samples(updates)
        #expect(after[0] < before.last ?? 0)
        #expect(after == (after[0]..<after[0] + Int32(after.count)).map { $0 })
        await feed.close()
    }

    private func samples(_ updates: [WaveUpdate]) -> [Int32] {
        updates.flatMap { update -> [Int32] in if case .block(let block) = update { block.samples } else { [] } }
    }
}
