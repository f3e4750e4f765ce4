import TestSupport
import Vitals

@testable import Monitoring

/// Random events and answers on a grid of tenths of a second, the same for the same seed.
struct RandomWalk {
    private var random: SeededGenerator
    /// The tenth of a second that it is.
    private(set) var tenths = 0
    /// Whether the newest step was one of the equipment, not a value and not an answer.
    private(set) var wasTechnical = false

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    static var settings: MonitorSettings {
        var settings = MonitorSettings()
        settings.limits.heartRate.rise = ChangeLimit(VitalValue(whole: 30), within: .seconds(30), .medium)
        settings.limits.heartRate.flatLine = .seconds(20)
        settings.schedule = [
            ScheduleEntry(name: "night", start: 15 * 60 + 8, end: 15 * 60 + 9, limits: MonitorSettings.Limits())
        ]
        settings.schedule[0].limits.heartRate.low.value = VitalValue(whole: 60)
        return settings
    }

    static func moment(_ tenths: Int) -> Moment { Ward.moment(Double(tenths) / 10) }

    /// Lets some time pass and something happen.
    mutating func step(_ state: inout MonitorState) -> [Effect] {
        let step = next(state)
        return perform(step, on: &state)
    }

    /// Chooses what happens next, and when.
    mutating func next(_ state: MonitorState) -> AlarmPropertyTests.Step {
        tenths += [1, 2, 5, 10, 10, 10, 20, 40, 200].randomElement(using: &random) ?? 10
        wasTechnical = false
        let sensor = [SensorIdentity.strap, .oximeter, .core].randomElement(using: &random) ?? .strap
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return .action(AlarmPropertyTests.Choice.allCases.randomElement(using: &random) ?? .acknowledgeAll)
        case 1...3:
            wasTechnical = true
            return .event(technicalEvent(sensor))
        default: return .event(.reading(reading(sensor)))
        }
    }

    func perform(_ step: AlarmPropertyTests.Step, on state: inout MonitorState) -> [Effect] {
        let moment = Self.moment(tenths)
        switch step {
        case .event(let kind): return state.apply(MonitorEvent(moment: moment, kind: kind))
        case .action(let choice): return state.apply(action(choice, state), at: moment)
        }
    }

    private func action(_ choice: AlarmPropertyTests.Choice, _ state: MonitorState) -> PatientWish {
        let worst = state.alarms.first?.id ?? 0
        let address = SensorIdentity.strap.address
        switch choice {
        case .acknowledgeAll: return .acknowledgeAll
        case .acknowledgeWorst: return .acknowledge(worst)
        case .pauseAudio: return .pauseAudio(.seconds(60))
        case .endPause: return .endAudioPause
        case .snooze: return .snooze(worst, .seconds(30))
        case .care: return .pauseForCare(address: address, .seconds(20))
        case .endCare: return .endCarePause(address: address)
        case .limit:
            return .setLimit(.heartRate, .high, AlarmLimit(VitalValue(whole: 100), .medium, delay: .seconds(3)))
        case .reset: return .resetLimits
        }
    }

    private mutating func technicalEvent(_ sensor: SensorIdentity) -> MonitorEvent.Kind {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return .battery(sensor, percent: Int.random(in: 0...100, using: &random))
        case 1: return .connection(sensor, ConnectionState(phase: .disconnected, reason: .linkLost))
        case 2: return .connection(sensor, ConnectionState(phase: .waiting, reason: .linkLost))
        case 3, 4: return .connection(sensor, ConnectionState(phase: .ready))
        case 5: return .nearby(sensor, signalStrength: Int.random(in: -100...(-50), using: &random), services: [])
        case 6:
            let octets = MalformedOctets(characteristic: "2A37", octets: [0], reason: "too short", offset: 1)
            return .malformed(sensor, octets)
        default: return .daemon(Bool.random(using: &random) ? .running : .gone)
        }
    }

    private mutating func reading(_ sensor: SensorIdentity) -> Reading {
        let vitals: [Vital] =
            sensor.kind == .oximeter ? [.oxygenSaturation, .pulseRate, .perfusionIndex] : sensor.kind.streamedVitals
        let vital = vitals.randomElement(using: &random) ?? .heartRate
        let values: [Int] =
            switch vital {
            case .heartRate, .pulseRate: [3900, 4900, 5100, 7000, 7000, 12100, 14100]
            case .oxygenSaturation: [8400, 8700, 9000, 9500, 9800]
            case .perfusionIndex: [20, 240, 1200]
            case .glucose: [4900, 6900, 10_500, 17_500]
            case .bodyTemperature, .skinTemperature: [3500, 3700, 3800, 3810, 3850]
            }
        let reasons: [AbsenceReason] = [.offBody, .searching, .equipment, .notANumber]
        let outcome: Reading.Outcome =
            Int.random(in: 0..<8, using: &random) == 0
            ? .noMeasurement(reasons.randomElement(using: &random) ?? .offBody)
            : .measured(VitalValue(hundredths: values.randomElement(using: &random) ?? 0), .good)
        return Reading(sensor: sensor, vital: vital, outcome: outcome, moment: Self.moment(tenths))
    }
}
