import TestSupport
import Testing
import Vitals

@testable import Monitoring

/// Invariants for any events in any order: no alarm is lost, none is silent without an answer or a setting, none stays
/// without its cause, and the program is not kept busy.
@Suite("Random histories of alarms")
struct AlarmHistoryTests {
    @Test(
        "unanswered alarms sound within their gap, answers end in the log, and nothing outlives its cause", .computing,
        arguments: RandomCases.share(4, of: UInt64(0)..<10))
    func whole(block: UInt64) {
        var bursts = 0
        var reminders = 0
        var scheduleChanges = 0
        for seed in block * 1000..<(block + 1) * 1000 {
            let oracle = Self.run(seed: seed, inputs: 14)
            bursts += oracle.bursts
            reminders += oracle.reminders
            scheduleChanges += oracle.scheduleChanges
            if let fault = oracle.faults.first { Issue.record("seed \(seed): \(fault)") }
        }
        #expect(bursts > 1000 && reminders > 40 && scheduleChanges > 200)
    }

    /// One history: each input after the deadlines before it.
    static func run(seed: UInt64, inputs: Int) -> AlarmOracle {
        var history = RandomHistory(seed: seed)
        var oracle = AlarmOracle()
        var settings = RandomHistory.settings
        if seed.isMultiple(of: 2) { settings.schedule = RandomHistory.schedule }
        var state = MonitorState(settings: settings, start: Ward.moment(0))
        for _ in 0..<inputs {
            let input = history.next(state)
            var ticks = 0
            // Faults show at the deadlines; a loop without end shows as one.
            while let deadline = state.nextDeadline, deadline <= input.moment, oracle.faults.isEmpty, ticks < 500 {
                let effects = state.apply(MonitorEvent(moment: deadline, kind: .tick))
                oracle.examine(state, after: nil, effects)
                ticks += 1
            }
            let effects = state.apply(input)
            oracle.examine(state, after: input, effects)
            guard oracle.faults.isEmpty else { break }
        }
        return oracle
    }
}
