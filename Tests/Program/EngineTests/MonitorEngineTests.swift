import Configuration
import EventLoops
import MonitorLink
import Monitoring
import Recording
import TestSupport
import Testing
import Vitals

@testable import Engine

@Suite("The monitor's engine", .timeLimit(.minutes(10)))
struct MonitorEngineTests {
    private let running = RunningLoop()
    private static let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap)

    /// A subscriber that keeps its updates, and applies every input to a state of its own.
    private final class Follower: MonitorSubscriber {
        var state: MonitorState
        var updates: [MonitorUpdate] = []
        var differences = 0

        init(_ state: MonitorState) { self.state = state }

        func receive(_ update: MonitorUpdate, from monitor: isolated MonitorEngine) {
            if case .turnEnded = update { return }
            updates.append(update)
            switch update {
            case .input(let input, let effects):
                if state.apply(input) != effects { differences += 1 }
            case .replaced: state = monitor.state
            default: return
            }
            if state != monitor.state { differences += 1 }
        }
    }

    /// An engine that does nothing beyond its state: no store, no notifications.
    private func engine(_ feed: MonitorFeed) -> MonitorEngine {
        var settings = Settings()
        settings.recording.isEnabled = false
        settings.alarms.showsNotifications = false
        return MonitorEngine(feed, settings, keepingIn: nil, on: running.loop)
    }

    private static func kind(_ number: inout SeededGenerator) -> MonitorEvent.Kind {
        let phases: [ConnectionState.Phase] = [.connecting, .connected, .ready, .disconnected]
        return switch Int.random(in: 0..<10, using: &number) {
        case 0:
            .connection(
                strap,
                ConnectionState(phase: phases[Int.random(in: phases.indices, using: &number)]))
        case 1: .battery(strap, percent: Int.random(in: 0...100, using: &number))
        case 2: .bus(.connected)
        case 3: .tick
        default: .nearby(strap, signalStrength: Int.random(in: -100 ... -40, using: &number), services: [])
        }
    }

    @Test("a subscriber that applies the same inputs has the engine's state, for any events in any order")
    func subscribers() async throws {
        for seed in 0..<20 {
            let feed = ScriptedFeed()
            let engine = engine(.live(feed))
            try await check(engine, feed, seed: UInt64(seed))
        }
    }

    private func check(_ engine: isolated MonitorEngine, _ feed: ScriptedFeed, seed: UInt64) async throws {
        var number = SeededGenerator(seed: seed)
        let follower = Follower(engine.state)
        engine.subscribe(follower)
        await engine.begin()
        for _ in 0..<200 {
            switch Int.random(in: 0..<8, using: &number) {
            case 0: engine.carryOut(.patient(.acknowledgeAll))
            case 1: engine.carryOut(.patient(.pauseAudio(Bool.random(using: &number) ? .seconds(60) : nil)))
            case 2:
                feed.advance(by: .seconds(Int.random(in: 1...90, using: &number)))
                engine.timePassed()
            case 3:
                let rate = Int.random(in: 30...220, using: &number)
                let reading = Reading(
                    sensor: Self.strap, vital: .heartRate, outcome: .measured(VitalValue(whole: rate), .good),
                    moment: feed.advance(by: .seconds(1)))
                feed.send(.reading(reading), after: .zero)
            default: feed.send(Self.kind(&number), after: .milliseconds(Int.random(in: 0...3000, using: &number)))
            }
        }
        #expect(follower.differences == 0, "seed \(seed)")
        #expect(follower.state == engine.state, "seed \(seed)")
        #expect(follower.updates.count >= 200)
    }

    @Test("a request about sensors goes to the feed; an answer to alarms notifies every subscriber once")
    func wishes() async throws {
        let feed = ScriptedFeed()
        let engine = engine(.live(feed))
        try await wishes(engine, feed)
    }

    private func wishes(_ engine: isolated MonitorEngine, _ feed: ScriptedFeed) async throws {
        let followers = [Follower(engine.state), Follower(engine.state)]
        for follower in followers { engine.subscribe(follower) }
        await engine.begin()
        engine.carryOut(.sensor(.setScanning(true)))
        engine.carryOut(.patient(.pauseAudio(.seconds(60))))
        #expect(feed.carriedOut == [.setScanning(true)])
        for follower in followers {
            #expect(
                follower.updates.count { if case .input(.wish(.pauseAudio, _), _) = $0 { true } else { false } } == 1)
        }
    }

    @Test("nothing is applied after the engine is closed, and the end is reported last")
    func closing() async throws {
        let feed = ScriptedFeed()
        let engine = engine(.replay(feed))
        try await closing(engine, feed)
    }

    private func closing(_ engine: isolated MonitorEngine, _ feed: ScriptedFeed) async throws {
        let follower = Follower(engine.state)
        engine.subscribe(follower)
        await engine.begin()
        feed.send(.bus(.connected))
        #expect(engine.state.environment.bus == .connected)
        #expect(await engine.close(awaiting: Task {}) == nil)
        feed.send(.bus(.lost(reason: "The bus has gone.")))
        engine.timePassed()
        #expect(engine.state.environment.bus == .connected)
        guard case .closed = follower.updates.last else {
            Issue.record("the last update is \(String(describing: follower.updates.last))")
            return
        }
    }

    @Test("a store that opens late changes no limit that is known, and gives back none of another patient")
    func lateMemory() async throws {
        let (known, other) = (engine(.live(ScriptedFeed())), engine(.live(ScriptedFeed())))
        try await lateMemory(known, keys: [.resetLimits])
        try await lateMemory(other, isKnown: false, keys: [.newPatient])
    }

    private func lateMemory(
        _ engine: isolated MonitorEngine, isKnown: Bool = true, keys actions: [PatientWish]
    ) async throws {
        let limit = LimitSetting.limit(.low, AlarmLimit(VitalValue(whole: 45), .high))
        let memory = MonitorMemory(limits: [.init(vital: .heartRate, setting: limit)])
        let earlier = AlarmDispatcher.EarlierRuns(memory: StoredMemory(patient: memory))
        await engine.restore(isKnown ? earlier : AlarmDispatcher.EarlierRuns())
        #expect(engine.state.memory == (isKnown ? memory : MonitorMemory()))
        for action in actions { engine.carryOut(.patient(action)) }
        #expect(engine.state.memory.isEmpty)
        await engine.restore(earlier)
        #expect(engine.state.memory.isEmpty)
    }

    @Test("a recording passes every deadline on its way, wherever its events lie")
    func steps() async throws {
        let feed = ScriptedFeed()
        let engine = engine(.replay(feed))
        try await steps(engine, feed)
    }

    private func steps(_ engine: isolated MonitorEngine, _ feed: ScriptedFeed) async throws {
        let follower = Follower(engine.state)
        engine.subscribe(follower)
        await engine.begin()
        feed.send(.connection(Self.strap, ConnectionState(phase: .ready)))
        let reading = Reading(
            sensor: Self.strap, vital: .heartRate, outcome: .measured(VitalValue(whole: 70), .good),
            moment: feed.advance(by: .seconds(1)))
        feed.send(.reading(reading), after: .zero)
        // An hour of silence until the next event: stale, silent and the alarm about it lie between.
        feed.send(.battery(Self.strap, percent: 50), after: .seconds(3600))
        let ticks = follower.updates.count {
            if case .input(.event(let event), _) = $0 { event.kind == .tick } else { false }
        }
        #expect(ticks >= 2)
        #expect(follower.differences == 0)
    }
}
