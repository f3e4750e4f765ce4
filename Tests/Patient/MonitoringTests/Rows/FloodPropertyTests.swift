import TestSupport
import Testing
import Vitals

@testable import Monitoring

/// Invariants of rows for any number of sensors in any order.
@Suite("Random floods of sensors")
struct FloodPropertyTests {
    /// A crowd of sensors of all kinds, some of them remembered, and what they do.
    private struct Crowd {
        var random: SeededGenerator
        var second = 0.0
        let limit: Int

        init(seed: Int) {
            random = SeededGenerator(seed: UInt64(seed))
            limit = [1, 2, 5, 12, 24].randomElement(using: &random) ?? 12
        }

        mutating func sensor() -> SensorIdentity {
            let kinds: [SensorKind] = [.heartRateStrap, .heartRateStrap, .heartRateStrap, .oximeter, .core, .other]
            let number = Int.random(in: 0..<(limit * 6), using: &random)
            let kind = kinds[number % kinds.count]
            return SensorIdentity(address: "\(kind.rawValue) \(number)", name: "sensor \(number)", kind: kind)
        }

        mutating func event() -> MonitorEvent.Kind {
            let sensor = sensor()
            switch Int.random(in: 0..<24, using: &random) {
            case 0...2: return .nearby(sensor, signalStrength: -60, services: [])
            case 3: return .gone(sensor)
            case 4: return .connection(sensor, ConnectionState(phase: .connecting))
            case 5: return .connection(sensor, ConnectionState(phase: .waiting, reason: .linkLost))
            case 6: return .connection(sensor, ConnectionState(phase: .disconnected, reason: .user))
            case 7: return .connection(sensor, ConnectionState(phase: .disconnected, reason: .removed))
            case 8...10: return .connection(sensor, ConnectionState(phase: .ready))
            case 11: return .battery(sensor, percent: Int.random(in: 0...100, using: &random))
            case 12:
                return .malformed(
                    sensor, MalformedOctets(characteristic: "2A37", octets: [0], reason: "short", offset: 1))
            case 13: return .forgotten(sensor)
            case 14:
                return .remembered(
                    RememberedSensor(
                        address: sensor.address, name: sensor.name, kind: sensor.kind,
                        isWanted: [true, true, false, nil].randomElement(using: &random) ?? nil))
            case 15: return .daemon(Bool.random(using: &random) ? .running : .gone)
            default: return .reading(reading(of: sensor))
            }
        }

        private mutating func reading(of sensor: SensorIdentity) -> Reading {
            let vital: Vital =
                switch sensor.kind {
                case .oximeter: .oxygenSaturation
                case .core: .bodyTemperature
                default: .heartRate
                }
            let values = vital == .oxygenSaturation ? [70, 88, 97] : vital == .heartRate ? [30, 70, 250] : [36, 39]
            let isAbsent = Int.random(in: 0..<6, using: &random) == 0
            let outcome: Reading.Outcome =
                isAbsent
                ? .noMeasurement(.searching)
                : .measured(VitalValue(whole: values.randomElement(using: &random) ?? 70), .good)
            return Reading(sensor: sensor, vital: vital, outcome: outcome, moment: Ward.moment(second))
        }

        mutating func action(_ state: MonitorState) -> PatientWish {
            switch Int.random(in: 0..<5, using: &random) {
            case 0: .acknowledgeAll
            case 1: .pauseForCare(address: sensor().address, .seconds(20))
            case 2: .acknowledge(state.alarms.first?.id ?? 0)
            case 3: .clear(state.alarms.first?.id ?? 0)
            default: .newPatient
            }
        }
    }

    @Test(
        "a severe value is an alarm or reported as dropped; no row with an alarm or the source of a vital is given up",
        .computing,
        arguments: RandomCases.share(4, of: 0..<40))
    func floods(seed: Int) {
        var crowd = Crowd(seed: seed)
        var settings = MonitorSettings()
        settings.sensorLimit = crowd.limit
        var state = MonitorState(settings: settings, start: Ward.moment(0))
        var severe = (evaluated: 0, dropped: 0)
        for _ in 0..<800 {
            crowd.second += [0, 0.1, 0.5, 1, 5, 30].randomElement(using: &crowd.random) ?? 1
            let moment = Ward.moment(crowd.second)
            if Int.random(in: 0..<80, using: &crowd.random) == 0 {
                _ = state.apply(crowd.action(state), at: moment)
                expectRows(state)
                continue
            }
            let remembered = Set(state.sensors.filter { $0.memory != nil }.map(\.identity.address))
            let paused = state.board.carePauses
            let event = crowd.event()
            _ = state.apply(MonitorEvent(moment: moment, kind: event))
            expectRows(state)
            switch event {
            case .remembered, .forgotten: break
            // Only the user, or another remembered sensor, takes the row of a remembered one.
            default: #expect(remembered.isSubset(of: state.sensors.map(\.identity.address)))
            }
            guard case .reading(let reading) = event, isSevere(reading) else { continue }
            let drop = state.alarms.first { $0.kind == .readingsDropped && $0.phase == .active }
            if drop?.text.hasSuffix("; \(reading.sensor.name) is not monitored") == true {
                severe.dropped += 1
                continue
            }
            guard let sensor = state.sensor(address: reading.sensor.address) else {
                Issue.record("dropped without a word: \(reading)")
                continue
            }
            // What still comes after a link was lost is not of a sensor that is connected.
            switch sensor.link {
            case .lost, .notWanted: continue
            case .up, .unknown: if paused[sensor.ordinal] != nil { continue }
            }
            severe.evaluated += 1
            #expect(
                state.alarms.contains {
                    ($0.kind == .severeLow || $0.kind == .severeHigh) && $0.sensor?.address == reading.sensor.address
                        && $0.phase == .active
                }, "\(reading)")
        }
        #expect(severe.evaluated + severe.dropped > 20)
    }

    private func isSevere(_ reading: Reading) -> Bool {
        guard case .measured(let value, _) = reading.outcome else { return false }
        switch reading.vital {
        case .oxygenSaturation: return value == VitalValue(whole: 70)
        case .heartRate: return value == VitalValue(whole: 30) || value == VitalValue(whole: 250)
        default: return false
        }
    }

    private func expectRows(_ state: MonitorState) {
        #expect(state.sensors.count <= state.settings.sensorLimit)
        #expect(state.table.isCoherent)
        let ordinals = Set(state.sensors.map(\.ordinal))
        #expect(state.alarms.allSatisfy { $0.sensorOrdinal.map(ordinals.contains) ?? true })
        #expect(state.vitals.allSatisfy { $0.sourceOrdinal.map { $0 < 0 || ordinals.contains($0) } ?? true })
        #expect(state.board.carePauses.keys.allSatisfy { ordinals.contains($0) })
        for sensor in state.sensors { #expect(state.sensor(address: sensor.identity.address) == sensor) }
        if let deadline = state.nextDeadline { #expect(deadline > state.now) }
    }
}
