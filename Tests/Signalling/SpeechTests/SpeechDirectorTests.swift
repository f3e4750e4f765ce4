import Monitoring
import Testing
import Vitals

@testable import Speech

@Suite("When alarms are spoken")
struct SpeechDirectorTests {
    private struct Room {
        var state = MonitorState(settings: MonitorSettings(), start: Self.moment(0))
        var director = SpeechDirector()

        static func moment(_ seconds: Double) -> Moment {
            Moment(
                monotonicNanoseconds: 5_000_000_000_000 + Int64(seconds * 1e9),
                wallMilliseconds: 1_750_000_000_000 + Int64(seconds * 1e3))
        }

        /// What is said after effects: the texts, and "(silence)".
        mutating func follow(_ effects: [Effect]) -> [String] {
            director.orders(for: effects, in: state, composer: SpeechComposer(language: .english, context: .real)).map {
                order in
                switch order {
                case .speak(let utterance): utterance.text
                case .silenceAlarms: "(silence)"
                }
            }
        }

        mutating func measure(_ vital: Vital, _ value: Int, at seconds: Double) -> [String] {
            let sensor = SensorIdentity(
                address: vital == .heartRate ? "AA:00:00:00:00:01" : "AA:00:00:00:00:02", name: "sensor",
                kind: vital == .heartRate ? .heartRateStrap : .oximeter)
            let reading = Reading(
                sensor: sensor, vital: vital, outcome: .measured(VitalValue(whole: value), .good),
                moment: Self.moment(seconds))
            return follow(state.apply(MonitorEvent(moment: Self.moment(seconds), kind: .reading(reading))))
        }

        mutating func answer(_ action: PatientWish, at seconds: Double) -> [String] {
            follow(state.apply(action, at: Self.moment(seconds)))
        }

        mutating func pass(to seconds: Double) -> [String] {
            var said: [String] = []
            while let due = state.nextDeadline, due < Self.moment(seconds) {
                said += follow(state.apply(MonitorEvent(moment: max(due, state.now), kind: .tick)))
            }
            return said
        }
    }

    private let alarm = "alarm: heart rate severely high, 145"

    @Test("once when they begin, not with each value")
    func once() {
        var room = Room()
        #expect(room.measure(.heartRate, 70, at: 0).isEmpty)
        #expect(room.measure(.heartRate, 145, at: 1) == [alarm])
        #expect(room.measure(.heartRate, 146, at: 2).isEmpty)
        #expect(room.measure(.heartRate, 145, at: 3).isEmpty)
    }

    @Test("no longer when they are acknowledged or the sound is paused")
    func answered() {
        for action in [PatientWish.acknowledgeAll, .pauseAudio(nil)] {
            var room = Room()
            _ = room.measure(.heartRate, 145, at: 1)
            #expect(room.answer(action, at: 2) == ["(silence)"])
            #expect(room.measure(.heartRate, 146, at: 3).isEmpty)
        }
    }

    @Test("not while the sound is paused, and again when the pause ends")
    func paused() {
        var room = Room()
        _ = room.measure(.heartRate, 145, at: 1)
        _ = room.answer(.pauseAudio(nil), at: 2)
        #expect(room.answer(.endAudioPause, at: 3) == [alarm])
    }

    @Test("not while their kind is snoozed, though another one sounds")
    func snoozed() throws {
        var room = Room()
        _ = room.measure(.heartRate, 145, at: 1)
        let worst = try #require(room.state.alarms.first)
        #expect(room.answer(.snooze(worst.id, .seconds(60)), at: 2) == ["(silence)"])
        #expect(room.measure(.oxygenSaturation, 80, at: 3).allSatisfy { $0.contains("saturation") })
    }

    @Test("once more when nobody could hear them, as they are then; nothing where none sounds")
    func again() {
        var room = Room()
        let composer = SpeechComposer(language: .english, context: .real)
        let none = room.director.repeatedOrders(in: room.state, composer: composer)
        #expect(none.isEmpty)
        _ = room.measure(.heartRate, 145, at: 1)
        _ = room.measure(.heartRate, 150, at: 2)
        let text = "alarm: heart rate severely high, 150"
        let orders = room.director.repeatedOrders(in: room.state, composer: composer)
        #expect(orders == [.speak(Utterance(text, .english, .alarm(.high)))])
    }
}
