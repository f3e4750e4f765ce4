import TestSupport
import Testing
import Vitals

@testable import Monitoring

/// Invariants for any events in any order.
@Suite("Random orders of events")
struct RandomEventTests {
    @Test(
        "never crash, show an old value as current, lose a deadline or an alarm", .computing,
        arguments: RandomCases.share(3, of: 0..<16))
    func invariants(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var state = MonitorState(start: Ward.moment(0))
        var live: [Alarm.ID: Alarm] = [:]
        var ended: Set<Alarm.ID> = []
        var second = 0.0
        for _ in 0..<1500 {
            second += [0, 0.1, 0.3, 1, 1, 1, 2, 7, 40, 400].randomElement(using: &random) ?? 1
            expectNothingBeforeDeadline(state)
            let kind = randomEvent(at: second, using: &random)
            let effects =
                Int.random(in: 0..<60, using: &random) == 0
                ? state.apply(.acknowledgeAll, at: Ward.moment(second))
                : state.apply(MonitorEvent(moment: Ward.moment(second), kind: kind))
            follow(effects, live: &live, ended: &ended)
            expectSound(state)
            #expect(Set(state.alarms.map(\.id)) == Set(live.keys))
        }
        #expect(!ended.isEmpty)
    }

    /// Alarms come, change and end in a legal order, each under its own number.
    private func follow(_ effects: [Effect], live: inout [Alarm.ID: Alarm], ended: inout Set<Alarm.ID>) {
        for case .alarm(let alarm, _) in effects {
            #expect(!ended.contains(alarm.id))
            #expect(live[alarm.id].map { $0.kind == alarm.kind } ?? true)
            if let before = live[alarm.id], before.phase != .pending { #expect(alarm.phase != .pending) }
            live[alarm.id] = alarm
            if alarm.phase == .ended {
                live[alarm.id] = nil
                ended.insert(alarm.id)
            }
        }
    }

    private func expectSound(_ state: MonitorState) {
        if let deadline = state.nextDeadline { #expect(deadline > state.now) }
        for vital in state.vitals {
            #expect(vital.source != nil || vital.condition == .neverSeen)
            if case .measured(let sample) = vital.condition {
                #expect(state.now.since(sample.moment) < vital.interval * 3)
            }
        }
        for sensor in state.sensors {
            #expect(state.sensor(address: sensor.identity.address) == sensor)
            for vital in sensor.vitals {
                let age = vital.lastSample.map { state.now.since($0.moment) } ?? .zero
                #expect(age >= .zero)
                switch vital.condition {
                case .measured: #expect(age < vital.interval * 3)
                case .stale: #expect(age < vital.interval * 6)
                default: break
                }
            }
        }
        #expect(Set(state.sensors.map(\.ordinal)).count == state.sensors.count)
        let keys = state.alarms.map(\.key)
        #expect(Set(keys).count == keys.count)
        #expect(zip(state.alarms, state.alarms.dropFirst()).allSatisfy { $0.isWorse(than: $1) })
    }

    /// A moment before the deadline, time alone has changed nothing; at the deadline it changes something.
    private func expectNothingBeforeDeadline(_ state: MonitorState) {
        guard let deadline = state.nextDeadline else { return }
        var early = state
        let before = Moment(
            monotonicNanoseconds: deadline.monotonicNanoseconds - 1, wallMilliseconds: deadline.wallMilliseconds)
        #expect(early.apply(MonitorEvent(moment: before, kind: .tick)).isEmpty)
        #expect(early.sensors == state.sensors)
        var late = state
        let effects = late.apply(MonitorEvent(moment: deadline, kind: .tick))
        #expect(!effects.isEmpty || late.sensors != state.sensors)
    }

    private func randomEvent(at second: Double, using random: inout SeededGenerator) -> MonitorEvent.Kind {
        let sensors: [SensorIdentity] = [.strap, .otherStrap, .oximeter, .core, .thermometer]
        let sensor = sensors.randomElement(using: &random) ?? .strap
        switch Int.random(in: 0..<26, using: &random) {
        case 0: return .nearby(sensor, signalStrength: -60, services: [])
        case 1: return .gone(sensor)
        case 2: return .battery(sensor, percent: Int.random(in: -5...105, using: &random))
        case 3: return .tick
        case 4: return .bus([.connected, .silent, .lost(reason: "gone")].randomElement(using: &random) ?? .connected)
        case 5: return .daemon([.running, .silent, .gone].randomElement(using: &random) ?? .running)
        case 24:
            let from = Ward.moment(second - ([-5, 0, 3, 4000].randomElement(using: &random) ?? 0))
            return .gap(
                Gap(
                    from: from, to: Ward.moment(second),
                    reason: GapReason.allCases.randomElement(using: &random) ?? .asleep))
        case 25: return .pairing(sensor, Bool.random(using: &random) ? .started : .failed(reason: "no"))
        case 6...9:
            let phases: [ConnectionState.Phase] = [.connecting, .connected, .ready, .ready, .disconnected, .waiting]
            let reasons: [ConnectionState.DisconnectReason?] = [nil, .user, .linkLost, .adapter, .timeout]
            return .connection(
                sensor,
                ConnectionState(
                    phase: phases.randomElement(using: &random) ?? .ready,
                    reason: reasons.randomElement(using: &random) ?? nil))
        default:
            let values: [Int] = [0, 3700, 3779, 3829, 3830, 3900, 9800, 10_100, .max, .min]
            let isMeasured = Int.random(in: 0..<4, using: &random) > 0
            let outcome: Reading.Outcome =
                isMeasured
                ? .measured(VitalValue(hundredths: values.randomElement(using: &random) ?? 0), .good)
                : .noMeasurement(AbsenceReason.allCases.randomElement(using: &random) ?? .test)
            let delays = [0.0, 0.0, 0.0, 0.2, 30.0, -10.0]
            let lateness: Double = delays.randomElement(using: &random) ?? 0
            return .reading(
                Reading(
                    sensor: sensor, vital: Vital.allCases.randomElement(using: &random) ?? .heartRate,
                    outcome: outcome, moment: Ward.moment(second - lateness)))
        }
    }
}
