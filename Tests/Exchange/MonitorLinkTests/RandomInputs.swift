import Monitoring
import TestSupport
import Vitals

/// Random inputs of every kind, the same for the same seed, some of them late and some of them nonsense.
struct RandomInputs {
    private var random: SeededGenerator
    private var tenths: Int64 = 0

    init(seed: Int) {
        random = SeededGenerator(seed: UInt64(seed))
    }

    static let sensors = [
        SensorIdentity(address: "A0:00:00:00:00:01", name: "Polar \"H10\" \\ ♥", kind: .heartRateStrap),
        SensorIdentity(address: "A0:00:00:00:00:02", name: "e-Oximeter", kind: .oximeter),
        SensorIdentity(address: "A0:00:00:00:00:03", name: "CORE", kind: .core),
        SensorIdentity(address: "A0:00:00:00:00:04", name: "Ohr ü", kind: .thermometer),
    ]

    static func moment(tenths: Int64) -> Moment {
        Moment(
            monotonicNanoseconds: 9_007_199_254_740_993 + tenths * 100_000_000,
            wallMilliseconds: 1_750_000_000_000 + tenths * 100)
    }

    /// The moment of the newest input.
    var now: Moment { Self.moment(tenths: tenths) }

    /// Settings in which every rule is on.
    static var settings: MonitorSettings {
        var settings = MonitorSettings()
        settings.limits.heartRate.rise = ChangeLimit(VitalValue(whole: 30), within: .seconds(30), .medium)
        settings.limits.heartRate.flatLine = .seconds(20)
        settings.schedule = [
            ScheduleEntry(name: "night", start: 15 * 60 + 8, end: 15 * 60 + 30, limits: MonitorSettings.Limits())
        ]
        return settings
    }

    mutating func next(_ state: MonitorState) -> MonitorInput {
        tenths += [0, 1, 5, 10, 10, 10, 20, 40, 400, 6000].randomElement(using: &random) ?? 10
        switch Int.random(in: 0..<20, using: &random) {
        case 0...2: return .wish(wish(state), at: now)
        case 3: return other()
        default: return .event(MonitorEvent(moment: now, kind: event()))
        }
    }

    private mutating func other() -> MonitorInput {
        switch Int.random(in: 0..<8, using: &random) {
        case 7: return .recorded(.disconnected(sensor()), at: now)
        case 6: return .earlierRun(earlierRun(), at: now)
        case 4: return .recordEntries([entry(), entry()], at: now)
        case 0: return .storage(.nearlyFull(reason: "128 MB left"), at: now)
        case 1: return .storage(.working, at: now)
        case 2: return .timeZoneOffset(Int.random(in: -12...14, using: &random) * 3600, at: now)
        case 3:
            var settings = Self.settings
            settings.technical.linkLostDelay = .seconds(Int.random(in: 0...30, using: &random))
            settings.limits.heartRate.high.value = VitalValue(whole: Int.random(in: 100...130, using: &random))
            return .settings(settings, name: "limits.heart_rate.high", value: "x", at: now)
        default:
            let limit = AlarmLimit(VitalValue(whole: 110), .medium, delay: .seconds(3))
            let changed = MonitorMemory.ChangedLimit(vital: .heartRate, setting: .limit(.high, limit))
            return .memory(MonitorMemory(limits: [changed]), at: now)
        }
    }

    /// An alarm of an earlier run that goes on, or that is over and unanswered, and temperatures on the way to a fever.
    private mutating func earlierRun() -> EarlierRun {
        let sensor = sensor()
        let vital: Vital =
            switch sensor.kind {
            case .heartRateStrap: .heartRate
            case .oximeter: .oxygenSaturation
            default: .bodyTemperature
            }
        let start = now.advanced(by: .seconds(-Int.random(in: 1...4000, using: &random)))
        let change = AlarmLogEntry.Change(
            AlarmReport(
                id: Int.random(in: 1...50, using: &random),
                kind: vital == .bodyTemperature ? .feverSingle : .severeHigh, priority: .high, sensor: sensor,
                vital: vital, value: VitalValue(whole: 41), peak: VitalValue(whole: 42), limit: VitalValue(whole: 38),
                sinceWallMilliseconds: start.wallMilliseconds, text: "\""), .active)
        let temperatures = (0..<20).map { minute in
            Reading(
                sensor: Self.sensors[2], vital: .bodyTemperature,
                outcome: .measured(VitalValue(hundredths: 3850), .good),
                moment: now.advanced(by: .seconds(-minute * 60)))
        }
        return EarlierRun(
            OutstandingAlarms([AlarmLogEntry(moment: start, run: 1, content: .change(change))]),
            temperatures: temperatures, settings: MonitorSettings.Fever(), at: now)
    }

    private mutating func wish(_ state: MonitorState) -> PatientWish {
        let worst = state.alarms.first
        let address = sensor().address
        switch Int.random(in: 0..<15, using: &random) {
        case 0: return .acknowledgeAll
        case 1: return .acknowledge(worst?.id ?? 7)
        case 2: return .clear(worst?.id ?? 7)
        case 3: return .pauseAudio(Bool.random(using: &random) ? nil : .seconds(60))
        case 4: return .endAudioPause
        case 5: return .snooze(worst?.id ?? 7, .seconds(30))
        case 6: return .endSnooze(worst?.snoozeKey ?? SnoozeKey(kind: .high, vital: .heartRate))
        case 7: return .pauseForCare(address: address, .seconds(20))
        case 8: return .endCarePause(address: address)
        case 9:
            let limit = AlarmLimit(VitalValue(whole: Int.random(in: 30...200, using: &random)), .high)
            return .change(.heartRate, .limit(LimitKind.allCases.randomElement(using: &random) ?? .high, limit))
        case 10: return .resetLimits
        case 11: return .setNeutrophils(nil)
        case 12: return .enter(entry())
        case 13: return .retract(state.patientRecord.entries.randomElement(using: &random)?.id ?? now)
        default: return Int.random(in: 0..<10, using: &random) == 0 ? .newPatient : .acknowledgeAll
        }
    }

    private mutating func entry() -> RecordEntry {
        let content: RecordEntry.Content =
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                .vital(
                    .bodyTemperature, VitalValue(hundredths: Int.random(in: 3600...3950, using: &random)), site: .mouth)
            case 1: .bloodPressure(BloodPressure(systolic: 120, diastolic: 80, mean: nil, pulse: 135))
            case 2: .neutrophils(NeutrophilCount(perMicrolitre: 450, sampledAt: now.wallMilliseconds))
            case 3:
                .lab(
                    LabResult([
                        .init(.whiteCells, VitalValue(whole: Int.random(in: 0...9000, using: &random))),
                        .init(.neutrophils, VitalValue(whole: Int.random(in: 0...100, using: &random))),
                    ]))
            case 4: .medication(Medication("paracetamol", dose: .init(thousandths: 500_000, unit: .milligrams)))
            case 5: .symptom(SymptomRating(.other("\u{1B}[2J"), severity: Int.random(in: -3...12, using: &random)))
            case 6:
                .mascc(
                    MASCCIndex(
                        burden: .moderate, hasHypotension: Bool.random(using: &random), hasPulmonaryDisease: false,
                        hasSolidTumourOrNoFungalInfection: true, isDehydrated: false, isOutpatient: true,
                        isUnder60: false, assessedBy: "Ada"))
            default: .note("asleep\n\u{1B}[2J")
            }
        let ago = Duration.seconds(Int.random(in: 0...9000, using: &random))
        return RecordEntry(content, taken: now.advanced(by: Duration.zero - ago), enteredAt: now)
    }

    private mutating func sensor() -> SensorIdentity { Self.sensors.randomElement(using: &random) ?? Self.sensors[0] }

    private mutating func event() -> MonitorEvent.Kind {
        let sensor = sensor()
        switch Int.random(in: 0..<32, using: &random) {
        case 0: return .bus(Bool.random(using: &random) ? .connected : .lost(reason: "Gone.\n\u{1B}[2J"))
        case 1: return .daemon([.running, .gone, .refused(reason: "no")].randomElement(using: &random) ?? .gone)
        case 2: return .adapter(AdapterStatus(identifier: "hci0", address: nil, power: .ready, isScanning: true))
        case 3: return .adapters([AdapterStatus(identifier: "hci1", address: nil, power: .off, isScanning: false)])
        case 4: return .nearby(sensor, signalStrength: Int.random(in: -99 ... -40, using: &random), services: ["180d"])
        case 5: return .gone(sensor)
        case 6: return .battery(sensor, percent: Int.random(in: -5...105, using: &random))
        case 7:
            let octets = MalformedOctets(characteristic: "2a37", octets: [0, 255], reason: "too short", offset: 1)
            return .malformed(sensor, octets)
        case 8:
            let gap = Gap(from: Self.moment(tenths: tenths - 50), to: now, reason: .asleep)
            return .gap(gap)
        case 9: return .pairing(sensor, .passkey("012345", entered: 2))
        case 10:
            return .remembered(
                RememberedSensor(
                    address: sensor.address, name: sensor.name, kind: sensor.kind, label: "Left", isWanted: true,
                    assignedVitals: [.heartRate, .bodyTemperature]))
        case 11: return .forgotten(sensor)
        case 12:
            let service = SensorService(
                uuid: "180d", characteristics: [SensorCharacteristic(number: 3, uuid: "2a37", properties: ["notify"])])
            return .services(sensor, [service])
        case 13: return .octets(sensor, CharacteristicOctets(number: 3, octets: [6, 77], moment: now))
        case 14: return .tick
        case 15...18:
            let phases: [ConnectionState.Phase] = [.connecting, .connected, .ready, .ready, .disconnected, .waiting]
            let reasons: [ConnectionState.DisconnectReason?] = [nil, .user, .linkLost, .adapter]
            return .connection(
                sensor,
                ConnectionState(
                    phase: phases.randomElement(using: &random) ?? .ready,
                    reason: reasons.randomElement(using: &random) ?? nil, attempt: 2, retryAt: now, hint: .silent))
        case 19, 20:
            let intervals = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                UInt16.random(in: 0 ... .max, using: &random)
            }
            return .rrIntervals(RRIntervals(sensor: sensor, intervals: intervals, heartRate: 72, moment: now))
        default: return .reading(reading(sensor))
        }
    }

    private mutating func reading(_ sensor: SensorIdentity) -> Reading {
        let values = [3700, 3829, 3830, 3900, 7000, 7100, 12_500, 9800, .max, .min, 0]
        let value = VitalValue(hundredths: values.randomElement(using: &random) ?? 0)
        let outcome: Reading.Outcome =
            Int.random(in: 0..<5, using: &random) == 0
            ? .noMeasurement(AbsenceReason.allCases.randomElement(using: &random) ?? .test)
            : .measured(value, [.good, .questionable, .malfunction].randomElement(using: &random) ?? .good)
        let late: Int64 = [0, 0, 0, 2, 300].randomElement(using: &random) ?? 0
        return Reading(
            sensor: sensor, vital: Vital.allCases.randomElement(using: &random) ?? .heartRate, outcome: outcome,
            moment: Self.moment(tenths: tenths - late), site: .core,
            deviceTime: DeviceTime(year: nil, month: 2, day: 29, hour: 1, minute: 2, second: 3))
    }
}
