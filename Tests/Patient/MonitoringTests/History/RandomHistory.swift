import TestSupport
import Vitals

@testable import Monitoring

/// Random histories of everything that can happen to a monitor, the same for the same seed: values, absences, links,
/// Bluetooth and its absence, answers, settings, other patients, strangers that take rows, and time.
struct RandomHistory {
    private var random: SeededGenerator
    /// When the newest input happened, in tenths of a second.
    private(set) var tenths = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    static let sensors: [SensorIdentity] = [.strap, .oximeter, .core]

    static var settings: MonitorSettings {
        var settings = MonitorSettings()
        settings.limits.heartRate.flatLine = .seconds(3)
        settings.sensorLimit = 4
        return settings
    }

    /// Entries of the minutes after the histories' beginning at 15:06:40: stricter, more tolerant, and without limits.
    static var schedule: [ScheduleEntry] {
        var strict = settings.limits
        strict.heartRate.low.value = VitalValue(whole: 75)
        strict.oxygenSaturation.low.value = VitalValue(whole: 98)
        strict.oxygenSaturation.low.delay = .zero
        var slow = SoundPattern()
        (slow.highGap, slow.mediumGap, slow.lowGap) = (.seconds(15), .seconds(30), .seconds(300))
        slow.repetitions = [.lostSensor: .seconds(60), .heartHigh: .seconds(3)]
        var tolerant = settings.limits
        tolerant.heartRate = tolerant.heartRate.off
        return [
            ScheduleEntry(name: "strict", start: 907, end: 908, limits: strict, pattern: slow, volume: 40),
            ScheduleEntry(name: "tolerant", start: 908, end: 909, limits: tolerant),
            ScheduleEntry(name: "off", start: 910, end: 906, limits: .off, pattern: slow),
        ]
    }

    /// What happens next, and when.
    mutating func next(_ state: borrowing MonitorState) -> MonitorInput {
        tenths += pick([0, 1, 5, 10, 10, 30, 60, 150, 650])
        let moment = Ward.moment(Double(tenths) / 10)
        switch Int.random(in: 0..<20, using: &random) {
        case 0...9: return .event(MonitorEvent(moment: moment, kind: .reading(reading(at: moment))))
        case 10...13: return .event(MonitorEvent(moment: moment, kind: event(at: moment)))
        case 14, 15:
            let changed = changedSettings(state.settings)
            return .settings(changed, name: "some.setting", value: "7", at: moment)
        case 16:
            let storage: [StorageState] = [.working, .working, .full, .nearlyFull(reason: "little")]
            return .storage(pick(storage), at: moment)
        default: return .wish(wish(state), at: moment)
        }
    }

    private mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: choices.indices, using: &random)]
    }

    private mutating func reading(at moment: Moment) -> Reading {
        let sensor = pick(Self.sensors)
        let vital =
            sensor.kind == .oximeter
            ? pick([.oxygenSaturation, .pulseRate, .perfusionIndex]) : sensor.kind.streamedVitals[0]
        if Int.random(in: 0..<5, using: &random) == 0 {
            let reason: AbsenceReason = pick([.offBody, .searching, .equipment, .notANumber])
            return Reading(sensor: sensor, vital: vital, outcome: .noMeasurement(reason), moment: moment)
        }
        let hundredths: Int =
            switch vital {
            case .heartRate, .pulseRate: pick([4900, 7000, 7000, 12_500, 14_500])
            case .oxygenSaturation: pick([8000, 8000, 9700, 9700])
            case .perfusionIndex: pick([40, 240, 240])
            case .glucose: pick([4000, 10_500, 10_500, 18_000])
            case .bodyTemperature, .skinTemperature: pick([3700, 3700, 3900])
            }
        return Reading(
            sensor: sensor, vital: vital, outcome: .measured(VitalValue(hundredths: hundredths), .good), moment: moment)
    }

    private mutating func event(at moment: Moment) -> MonitorEvent.Kind {
        let sensor = pick(Self.sensors)
        switch Int.random(in: 0..<15, using: &random) {
        case 0, 1: return .connection(sensor, ConnectionState(phase: .disconnected, reason: .linkLost))
        case 2: return .connection(sensor, ConnectionState(phase: .disconnected, reason: .user))
        case 3, 4: return .connection(sensor, ConnectionState(phase: .ready))
        case 5: return .gone(sensor)
        case 6: return .daemon(pick([.running, .gone]))
        case 7: return .bus(pick([.connected, .lost(reason: "gone")]))
        case 8: return .battery(sensor, percent: pick([3, 17, 90]))
        case 9: return .nearby(sensor, signalStrength: pick([-95, -87, -50]), services: [])
        case 10: return .forgotten(sensor)
        case 11:
            return .adapter(
                AdapterStatus(identifier: "hci0", address: nil, power: pick([.ready, .off]), isScanning: false))
        case 12:
            let stranger = SensorIdentity(
                address: "stranger \(Int.random(in: 0..<4, using: &random))", name: "", kind: pick([.other, .oximeter]))
            return pick([
                .nearby(stranger, signalStrength: -60, services: []), .battery(stranger, percent: 90),
                .connection(stranger, ConnectionState(phase: .connecting)), .gone(stranger),
                .malformed(
                    stranger, MalformedOctets(characteristic: "2A37", octets: [0], reason: "too short", offset: 1)),
            ])
        case 13:
            return .malformed(
                sensor, MalformedOctets(characteristic: "2A37", octets: [0], reason: "too short", offset: 1))
        default:
            let from = moment.advanced(by: .seconds(-4))
            return .gap(Gap(from: from, to: moment, reason: pick([.asleep, .clockSet, .program])))
        }
    }

    private mutating func wish(_ state: borrowing MonitorState) -> PatientWish {
        let alarms = state.alarms
        let id = alarms.isEmpty ? 0 : alarms[Int.random(in: alarms.indices, using: &random)].id
        let address = pick(Self.sensors).address
        switch Int.random(in: 0..<14, using: &random) {
        case 0: return .acknowledgeAll
        case 1, 2: return .acknowledge(id)
        case 3, 4, 5: return .pauseAudio(.seconds(pick([60, 180])))
        case 6: return .endAudioPause
        case 7: return .snooze(id, .seconds(pick([20, 200])))
        case 8: return state.signal.snoozes.first.map { .endSnooze($0.key) } ?? .snooze(id, nil)
        case 9: return .pauseForCare(address: address, .seconds(pick([20, 200])))
        case 10: return .endCarePause(address: address)
        case 11: return .clear(id)
        case 12: return .setLimit(.heartRate, .high, AlarmLimit(VitalValue(whole: pick([100, 130])), .medium))
        default: return .newPatient
        }
    }

    private mutating func changedSettings(_ present: MonitorSettings) -> MonitorSettings {
        var settings = present
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1, 2: settings.alarmSignals.isSoundOff.toggle()
        case 3, 4: settings.alarmSignals.reminder = pick([nil, nil, .seconds(10), .seconds(60)])
        case 5: settings.alarmSignals.pattern.highGap = pick([.milliseconds(2500), .seconds(5), .seconds(15)])
        case 6: settings.alarmSignals.pattern.mediumGap = pick([.milliseconds(2500), .seconds(15), .seconds(30)])
        case 7: settings.alarmSignals.pattern.lowGap = pick([nil, nil, .seconds(30)])
        case 8:
            settings.technical.weakSignal = pick([nil, -90])
            settings.technical.weakPulseDelay = settings.technical.weakSignal == nil ? nil : .seconds(20)
        case 9: settings.limits = settings.limits == .off ? Self.settings.limits : .off
        case 10: settings.answers.latchesHighPriority.toggle()
        case 11, 12: settings.schedule = settings.schedule.isEmpty ? Self.schedule : []
        case 13:
            let repetitions: [AlarmGroup: Duration] = [.lostSensor: .seconds(600), .spo2: .seconds(4)]
            settings.alarmSignals.pattern.repetitions = pick([[:], repetitions])
        default: settings.freshness.staleFactor = pick([2, 3])
        }
        return settings
    }
}
