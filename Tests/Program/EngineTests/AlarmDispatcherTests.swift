import AlarmSignals
import Configuration
import EventLoops
import Foundation
import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Engine

@Suite("What alarms do beyond the screen")
struct AlarmDispatcherTests {
    private let folder: ScratchFolder
    private let running = RunningLoop()
    private static let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap)

    init() throws {
        folder = try ScratchFolder()
    }

    private static let context = SessionContext(provenance: .real, patient: nil, timeZoneOffset: 0)

    private static func moment(_ second: Int) -> Moment {
        Moment(
            monotonicNanoseconds: Int64(second) * 1_000_000_000,
            wallMilliseconds: 1_772_373_000_000 + Int64(second) * 1000)
    }

    /// A state that measures a heart rate at a second.
    private static func measure(_ rate: Int, at second: Int, _ state: inout MonitorState) -> [Effect] {
        let reading = Reading(
            sensor: strap, vital: .heartRate, outcome: .measured(VitalValue(whole: rate), .good), moment: moment(second)
        )
        return state.apply(MonitorEvent(moment: moment(second), kind: .reading(reading)))
    }

    private func settings(hook: String = "") -> Settings.Alarms {
        var settings = Settings.Alarms()
        settings.showsNotifications = false
        settings.hook = hook
        return settings
    }

    @Test("are lines of the log and events for the hook, each once and in order; pending alarms and sounds are not")
    func linesAndHook() async throws {
        let received = folder.path + "/received"
        // One command at a time would wait for the others; appending a line is whole.
        let hook = settings(hook: "cat >>'\(received)'")
        let entries = try await running.run { _ in
            let dispatcher = AlarmDispatcher(
                hook, recording: Settings.Recording(), Self.context, start: Self.moment(0), bell: nil)
            dispatcher.context.provenance = .simulated
            var state = MonitorState(start: Self.moment(0))
            var entries: [AlarmLogEntry] = []
            func take(_ effects: [Effect]) {
                entries += dispatcher.handle(effects, sounding: state.signal.sounding)
            }
            take(Self.measure(130, at: 1, &state))
            take(state.apply(.acknowledgeAll, at: Self.moment(2)))
            take(state.apply(.pauseAudio(nil), at: Self.moment(2)))
            take(Self.measure(70, at: 3, &state))
            take(Self.measure(70, at: 8, &state))
            try await awaitCondition("the hook has received all") {
                (try? String(contentsOfFile: received, encoding: .utf8))?.split(separator: "\n").count == entries.count
            }
            #expect(await dispatcher.close([]) == nil)
            return entries
        }
        let words = entries.map { entry in
            switch entry.content {
            case .change(let change): change.state.rawValue
            case .action(let action): action.word
            }
        }
        #expect(words == ["active", "acknowledged", "acknowledged", "audio_paused", "ended"])
        let lines = try String(contentsOfFile: received, encoding: .utf8).split(separator: "\n")
        #expect(
            lines.allSatisfy { $0.hasPrefix("{\"v\":1,") && $0.contains("\"simulated\":true") && $0.hasSuffix("}") })
        #expect(lines.count { $0.contains("\"event\":\"alarm\"") } == 3)
        #expect(lines.count { $0.contains("\"event\":\"action\"") } == 2)
    }

    @Test("ring the bell for a burst, and silence it as soon as no alarm sounds")
    func bell() async throws {
        let settings = settings()
        try await running.run { actor in
            let rings = Recorder<Void>()
            let bell = AlarmBell(on: actor.loop) { rings.record(()) }
            let dispatcher = AlarmDispatcher(
                settings, recording: Settings.Recording(), Self.context, start: Self.moment(0), bell: bell)
            var state = MonitorState(start: Self.moment(0))
            dispatcher.handle(Self.measure(150, at: 1, &state), sounding: state.signal.sounding)
            try await awaitCondition("the burst goes on") { rings.elements.count >= 2 }
            dispatcher.handle(state.apply(.acknowledgeAll, at: Self.moment(2)), sounding: state.signal.sounding)
            let count = rings.elements.count
            // The bell has no timer left: a reminder is heard at once, which it is not within a burst.
            bell.remind()
            #expect(rings.elements.count == count + 1)
            #expect(await dispatcher.close([]) == nil)
        }
    }

    @Test("the bell is silent where the sound is switched off here, whatever a viewed monitor asks for")
    func switchedOff() async {
        let settings = settings()
        await running.run { actor in
            let rings = Recorder<Void>()
            let bell = AlarmBell(on: actor.loop) { rings.record(()) }
            let dispatcher = AlarmDispatcher(
                settings, recording: Settings.Recording(), Self.context, start: Self.moment(0), bell: bell)
            dispatcher.sounds.isSwitchedOff = true
            var state = MonitorState(start: Self.moment(0))
            let effects = Self.measure(150, at: 1, &state)
            #expect(effects.contains { if case .soundBurst = $0 { true } else { false } })
            dispatcher.handle(effects, sounding: state.signal.sounding)
            #expect(rings.elements.isEmpty)
            dispatcher.sounds.isSwitchedOff = false
            dispatcher.handle(effects, sounding: state.signal.sounding)
            #expect(!rings.elements.isEmpty)
            #expect(await dispatcher.close([]) == nil)
        }
    }

    @Test("report to the user when the hook fails")
    func failingHook() async throws {
        let settings = settings(hook: "exit 3")
        let warning = await running.run { _ in
            let dispatcher = AlarmDispatcher(
                settings, recording: Settings.Recording(), Self.context, start: Self.moment(0), bell: nil)
            var state = MonitorState(start: Self.moment(0))
            dispatcher.handle(Self.measure(130, at: 1, &state), sounding: nil)
            // Where a test of this process has restricted a thread to some files, there is a warning of that before.
            var warning = ""
            for await case .warning(let sentence) in dispatcher.reports where !sentence.contains("restart it") {
                warning = sentence
                break
            }
            _ = await dispatcher.close([])
            return warning
        }
        #expect(warning == "The hook failed with status 3.")
    }

    @Test("reach the hook, every one of them, when the program ends at once")
    func ending() async throws {
        let received = folder.path + "/received"
        let settings = settings(hook: "sleep 0.05; cat >>'\(received)'")
        let count = await running.run { _ in
            let dispatcher = AlarmDispatcher(
                settings, recording: Settings.Recording(), Self.context, start: Self.moment(0), bell: nil)
            var state = MonitorState(start: Self.moment(0))
            var count = 0
            for second in 1...20 {
                count += dispatcher.handle(state.apply(.pauseAudio(nil), at: Self.moment(second)), sounding: nil).count
            }
            #expect(await dispatcher.close([]) == nil)
            return count
        }
        #expect(count > HookRunner.concurrentLimit)
        try await awaitCondition("the hook has received all") {
            (try? String(contentsOfFile: received, encoding: .utf8))?.split(separator: "\n").count == count
        }
    }

    @Test("go to another hook as soon as the setting is changed, and to none when it is emptied")
    func changedHook() async throws {
        let (first, second) = (folder.path + "/first", folder.path + "/second")
        let settings = [first, second].map { self.settings(hook: "cat >>'\($0)'") } + [self.settings()]
        @Sendable func lines(_ path: String) -> Int {
            (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n").count ?? 0
        }
        try await running.run { _ in
            let dispatcher = AlarmDispatcher(
                settings[0], recording: Settings.Recording(), Self.context, start: Self.moment(0), bell: nil)
            var state = MonitorState(start: Self.moment(0))
            dispatcher.handle(Self.measure(130, at: 1, &state), sounding: nil)
            dispatcher.follow(settings[1])
            dispatcher.handle(state.apply(.acknowledgeAll, at: Self.moment(2)), sounding: nil)
            try await awaitCondition("both hooks have run") { lines(first) == 1 && lines(second) == 2 }
            dispatcher.follow(settings[2])
            dispatcher.handle(state.apply(.pauseAudio(nil), at: Self.moment(2)), sounding: nil)
            #expect(await dispatcher.close([]) == nil)
            #expect(lines(first) == 1 && lines(second) == 2)
        }
    }
}
