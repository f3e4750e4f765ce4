import TestSupport
import Testing
import Vitals

@testable import Monitoring

/// Random histories with restarts at random moments: what a restart may and may not change.
@Suite("Random histories with restarts")
struct RestartPropertyTests {
    /// What people must find again, written down from what they saw.
    private struct Shown: Hashable {
        var kind: AlarmKind
        var vital: Vital?
        var address: String?

        init(_ alarm: Alarm) { (kind, vital, address) = (alarm.kind, alarm.vital, alarm.sensor?.address) }
    }

    /// The alarms about the patient that were more than suspicions, and those that are over and unanswered.
    private func shown(_ state: MonitorState) -> [Alarm] {
        (state.alarms + state.latchedAlarms).filter { $0.alarmClass == .physiological && $0.phase != .pending }
    }

    @Test(
        "no unanswered alarm of high priority is missing after a restart, and no answer is invented", .computing,
        arguments: 0..<2)
    func unanswered(block: UInt64) {
        var (kept, answered) = (0, 0)
        for seed in block * 500..<(block + 1) * 500 {
            var random = SeededGenerator(seed: seed)
            var history = RandomHistory(seed: seed)
            var ward = RestartedWard(settings: RandomHistory.settings)
            var latches = true
            for _ in 0..<60 {
                let input = history.next(ward.state)
                // Nothing in the log says whether an alarm stayed after its end.
                if case .settings(let settings, _, _, _) = input, !settings.answers.latchesHighPriority {
                    latches = false
                }
                ward.apply(input)
            }
            guard latches else { continue }
            let before = ward.state
            let end = Double(history.tenths) / 10
            let lengths: [Double] = [1, 60, 900, 1799, 1800, 40_000]
            let away = lengths.randomElement(using: &random) ?? 1
            ward.restart(at: end + away, end: end, isKilled: Bool.random(using: &random))
            compare(shown(before), shown(ward.state), seed, away, &kept, &answered)
            // Nothing is lost or answered by a second restart either.
            let between = ward.state
            ward.restart(at: end + away + 10, end: end + away + 5, isKilled: Bool.random(using: &random))
            compare(shown(between), shown(ward.state), seed, 10, &kept, &answered)
        }
        #expect(kept > 100 && answered > 5)
    }

    private func compare(
        _ before: [Alarm], _ after: [Alarm], _ seed: UInt64, _ away: Double, _ kept: inout Int, _ answered: inout Int
    ) {
        for alarm in before where alarm.acknowledgedAt == nil && (alarm.priority == .high || away < 1800) {
            // What ends by itself and does not stay is no loss.
            if alarm.phase == .ended, alarm.priority != .high { continue }
            let found = after.filter { Shown($0) == Shown(alarm) && $0.acknowledgedAt == nil }
            let isAsBad = found.contains {
                $0.since.wallMilliseconds <= alarm.since.wallMilliseconds
                    && (alarm.peak == nil || $0.peak.map { $0 == alarm.worse(of: $0, alarm.peak) } ?? false)
            }
            if isAsBad {
                kept += 1
            } else {
                Issue.record("seed \(seed), away \(away) s: \(alarm.summary) is missing, answered or milder")
            }
        }
        for alarm in after where alarm.acknowledgedAt != nil {
            answered += 1
            let isKnown = before.contains {
                Shown($0) == Shown(alarm)
                    && $0.acknowledgedAt?.wallMilliseconds == alarm.acknowledgedAt?.wallMilliseconds
            }
            #expect(isKnown, "seed \(seed): \(alarm.summary) was never acknowledged so")
        }
        // Fevers are recalculated; the other test covers them.
        for alarm in after where !alarm.kind.isFever && !before.contains(where: { Shown($0) == Shown(alarm) }) {
            Issue.record("seed \(seed): \(alarm.summary) is new")
        }
    }

    @Test(
        "the fever rules say what they say without a restart where the readings are the same", .computing,
        arguments: RandomCases.share(3, of: UInt64(0)..<6))
    func fever(block: UInt64) {
        var (fevers, restarts) = (0, 0)
        for seed in block * 10..<(block + 1) * 10 {
            var random = SeededGenerator(seed: 1_000_000 + seed)
            var restarted = RestartedWard()
            var whole = RestartedWard()
            var second = 0
            var lastGap = 0
            var level = 3780
            for _ in 0..<700 {
                second += [10, 10, 10, 20, 30, 60].randomElement(using: &random) ?? 10
                // Minutes count from the last long gap, and what is read back must reach to it.
                if second > lastGap + 4500 {
                    second += 700
                    lastGap = second
                }
                if Int.random(in: 0..<80, using: &random) == 0 {
                    level = [3690, 3770, 3800, 3810, 3840, 3900].randomElement(using: &random) ?? 3780
                }
                let value = level + Int.random(in: -5...15, using: &random)
                if Int.random(in: 0..<60, using: &random) == 0 {
                    restarts += 1
                    restarted.restart(
                        at: Double(second) - 1, end: Double(second) - 2, isKilled: Bool.random(using: &random))
                }
                if Int.random(in: 0..<150, using: &random) == 0 {
                    restarted.act(.acknowledgeAll, at: Double(second))
                    whole.act(.acknowledgeAll, at: Double(second))
                }
                restarted.stream(.bodyTemperature, value, from: .core, at: second...second)
                whole.stream(.bodyTemperature, value, from: .core, at: second...second)
                func fever(_ ward: RestartedWard) -> Set<String> {
                    Set(ward.state.alarms.filter { $0.kind.isFever && $0.phase != .pending }.map(\.summary))
                }
                if !fever(whole).isEmpty { fevers += 1 }
                guard fever(restarted) == fever(whole) else {
                    Issue.record("seed \(seed), second \(second): \(fever(restarted)) and not \(fever(whole))")
                    break
                }
            }
        }
        #expect(fevers > 300 && restarts > 30)
    }
}
