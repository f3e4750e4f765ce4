import TestSupport
import Testing
import Vitals

@testable import Monitoring

/// Invariants of alarms for any events in any order.
@Suite("Properties of alarms")
struct AlarmPropertyTests {
    /// Something that happens, on a grid of tenths of a second.
    enum Step: Hashable, Sendable {
        case event(MonitorEvent.Kind)
        case action(Choice)
    }

    /// What the user does, by what is there at that moment.
    enum Choice: CaseIterable, Sendable {
        case acknowledgeAll, acknowledgeWorst, pauseAudio, endPause, snooze, care, endCare, limit, reset
    }

    @Test(
        "an acknowledged alarm makes no sound before it grows worse; the worst that is unanswered always does",
        arguments: 0..<10)
    func sound(seed: UInt64) {
        var walk = RandomWalk(seed: seed)
        var state = MonitorState(settings: RandomWalk.settings, start: Ward.moment(0))
        var newest: (priority: AlarmPriority, moment: Moment)?
        for _ in 0..<600 {
            let before = state
            let effects = walk.step(&state)
            let calling = state.alarms.filter(\.wantsAttention).filter { alarm in
                !state.signal.snoozes.contains { $0.key == alarm.snoozeKey }
            }
            let loudest = calling.map(\.priority).max()
            #expect(state.signal.priority == loudest)
            for case .soundBurst(let priority, _) in effects {
                #expect(priority == loudest)
                #expect(state.signal.pausedUntil == nil)
                newest = (priority, state.now)
            }
            // A burst that has not faded away yet stands for what is not worse.
            if let newest, newest.priority >= loudest ?? .low, state.now.since(newest.moment) < .seconds(3) { continue }
            // What is worse than all before is heard in the same breath.
            if let loudest, loudest > before.signal.priority ?? .low,
                before.alarms.allSatisfy({ $0.priority < loudest })
            {
                #expect(effects.contains { if case .soundBurst = $0 { true } else { false } })
            }
        }
    }

    @Test("no burst sounds for an episode that was acknowledged and has not grown worse", arguments: 10..<20)
    func acknowledged(seed: UInt64) {
        var walk = RandomWalk(seed: seed)
        var state = MonitorState(settings: RandomWalk.settings, start: Ward.moment(0))
        // Uses the effects only, not the engine's own record of answers.
        var open: [Alarm.ID: AlarmPriority] = [:]
        var answered: [Alarm.ID: AlarmPriority] = [:]
        var bursts = 0
        for _ in 0..<600 {
            for effect in walk.step(&state) {
                switch effect {
                case .alarm(let alarm, _):
                    switch alarm.state {
                    case .active, .suspended: open[alarm.id] = alarm.priority
                    case .acknowledged: answered[alarm.id] = alarm.priority
                    case .ended, .pending:
                        open[alarm.id] = nil
                        answered[alarm.id] = nil
                    }
                case .soundBurst(let priority, _):
                    bursts += 1
                    let causes = open.filter { id, own in own == priority && answered[id].map { own > $0 } ?? true }
                    #expect(!causes.isEmpty, "a burst at \(state.now) has no unanswered cause")
                default: break
                }
            }
        }
        #expect(bursts > 20)
    }

    @Test("the order of sensors within one moment changes no alarm", .computing, arguments: 0..<10)
    func order(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var states = [MonitorState](
            repeating: MonitorState(settings: RandomWalk.settings, start: Ward.moment(0)), count: 2)
        // How much it weighs that nothing at all is measured is for the next breath to say.
        func alarms(_ state: MonitorState) -> Set<String> {
            Set(
                state.alarms.map { alarm in
                    let place = "\(alarm.sensor?.address ?? "") \(alarm.vital?.rawValue ?? "")"
                    let weight = alarm.alarmClass == .physiological ? alarm.priority.rawValue : ""
                    return "\(place) \(alarm.kind.rawValue) \(alarm.state.rawValue) \(weight) \(alarm.since)"
                })
        }
        var seen = 0
        for tenth in stride(from: 0, to: 3000, by: 10) {
            // The readings of one notification stay together.
            let values: [(SensorIdentity, [(vital: Vital, choices: [Int])])] = [
                (.strap, [(.heartRate, [7000, 7000, 12_500, 14_500])]),
                (.oximeter, [(.oxygenSaturation, [9700, 8900, 8400]), (.pulseRate, [7000, 4500])]),
                (.core, [(.bodyTemperature, [3700, 3850, 3900])]),
            ]
            let readings = values.map { sensor, vitals in
                let isAbsent = Int.random(in: 0..<30, using: &random) == 0
                return vitals.map { vital, choices in
                    // The same value for a while, so that delays come to their end.
                    let place = (tenth / 200 + Int(seed) + vital.index) % choices.count
                    let outcome: Reading.Outcome =
                        isAbsent ? .noMeasurement(.searching) : .measured(VitalValue(hundredths: choices[place]), .good)
                    return Reading(sensor: sensor, vital: vital, outcome: outcome, moment: RandomWalk.moment(tenth))
                }
            }
            for (index, order) in [readings, readings.shuffled(using: &random)].enumerated() {
                for reading in order.joined() {
                    _ = states[index].apply(MonitorEvent(moment: reading.moment, kind: .reading(reading)))
                }
            }
            let different = alarms(states[0]).symmetricDifference(alarms(states[1]))
            #expect(different.isEmpty, "at tenth \(tenth)")
            seen += states[0].alarms.count
        }
        #expect(seen > 100)
    }

    @Test("no technical condition ends an alarm about the patient", arguments: 0..<10)
    func technical(seed: UInt64) {
        var walk = RandomWalk(seed: seed)
        var state = MonitorState(settings: RandomWalk.settings, start: Ward.moment(0))
        for _ in 0..<600 {
            let before = state.alarms
            let effects = walk.step(&state)
            guard walk.wasTechnical else { continue }
            for case .alarm(let alarm, _) in effects where alarm.alarmClass == .physiological {
                // What ends then had begun to clear, or had only been suspected, and its time was over.
                let earlier = before.first { $0.id == alarm.id }
                guard alarm.phase == .ended, let earlier, case .end(let due) = earlier.due else {
                    #expect(alarm.phase != .ended)
                    continue
                }
                #expect(due <= state.now.monotonic)
            }
        }
    }

    @Test("ticks at the deadlines alone cause what ticks at every tenth of a second do", arguments: 0..<8)
    func deadlines(seed: UInt64) {
        var walk = RandomWalk(seed: seed)
        var eager = MonitorState(settings: RandomWalk.settings, start: Ward.moment(0))
        var lazy = eager
        var allEffects: (eager: [Effect], lazy: [Effect]) = ([], [])
        for _ in 0..<150 {
            let from = walk.tenths
            let step = walk.next(eager)
            for tenth in from..<walk.tenths {
                allEffects.eager += eager.apply(MonitorEvent(moment: RandomWalk.moment(tenth), kind: .tick))
            }
            while let deadline = lazy.nextDeadline, deadline < RandomWalk.moment(walk.tenths) {
                allEffects.lazy += lazy.apply(MonitorEvent(moment: deadline, kind: .tick))
            }
            allEffects.eager += walk.perform(step, on: &eager)
            allEffects.lazy += walk.perform(step, on: &lazy)
        }
        #expect(allEffects.eager == allEffects.lazy)
        #expect(eager == lazy)
        #expect(allEffects.lazy.count > 50)
    }

    @Test(
        "no order of values loses an alarm: the machines agree with a plain search through all that came", .computing,
        arguments: 0..<24)
    func reference(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let limit = LimitReference(limit: 90_00, hysteresis: 1_00, delay: 150, hold: 50)
        var state = MonitorState(settings: RandomWalk.settings, start: Ward.moment(0))
        var values: [Int: Int?] = [:]
        for tenth in 0..<900 {
            if tenth.isMultiple(of: 5) || Int.random(in: 0..<4, using: &random) == 0 {
                let isAbsent = Int.random(in: 0..<40, using: &random) == 0
                let spread = [88_00, 88_00, 88_00, 89_99, 90_00, 90_50, 91_00, 95_00]
                // Long stretches of one value, so that delays come to their end.
                let newest = values[tenth - 5] ?? values[tenth - 1] ?? nil
                let value =
                    Int.random(in: 0..<12, using: &random) == 0
                    ? spread.randomElement(using: &random) : newest ?? spread.randomElement(using: &random)
                values[tenth] = isAbsent ? .some(nil) : value
                let outcome: Reading.Outcome =
                    (values[tenth] ?? nil).map { .measured(VitalValue(hundredths: $0), .good) }
                    ?? .noMeasurement(.searching)
                let reading = Reading(
                    sensor: .oximeter, vital: .oxygenSaturation, outcome: outcome, moment: RandomWalk.moment(tenth))
                _ = state.apply(MonitorEvent(moment: RandomWalk.moment(tenth), kind: .reading(reading)))
            } else {
                _ = state.apply(MonitorEvent(moment: RandomWalk.moment(tenth), kind: .tick))
            }
            let alarm = state.alarms.first { $0.kind == .low }
            #expect(alarm?.state.rawValue == limit.state(after: values, at: tenth), "at tenth \(tenth)")
        }
    }
}

/// A low limit's verdict, recalculated from the whole history; slow and simple.
struct LimitReference {
    var limit: Int
    var hysteresis: Int
    /// In tenths of a second.
    var delay: Int
    var hold: Int

    func state(after values: [Int: Int?], at end: Int) -> String? {
        var below = 0
        var clear = 0
        var isOpen = false
        var isPending = false
        var isAbsent = false
        var isClearing = false
        var newest: Int?
        for tenth in 0...end {
            // Time has passed since the tenth before.
            if isPending, !isAbsent { below += 1 }
            if isClearing, !isAbsent { clear += 1 }
            if isPending, below >= delay { (isPending, isOpen) = (false, true) }
            if isClearing, clear >= hold { (isClearing, isOpen) = (false, false) }
            guard let sample = values[tenth] else { continue }
            isAbsent = sample == nil
            newest = sample
            guard let value = newest else {
                isClearing = false
                continue
            }
            if value < limit {
                isClearing = false
                if !isOpen, !isPending { (isPending, below) = (true, 0) }
            } else {
                isPending = false
                if isOpen, value >= limit + hysteresis {
                    if !isClearing { (isClearing, clear) = (true, 0) }
                } else {
                    isClearing = false
                }
            }
        }
        if isPending { return "pending" }
        if !isOpen { return nil }
        return isAbsent ? "suspended" : "active"
    }
}
