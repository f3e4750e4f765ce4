import Monitoring
import TestSupport
import Vitals

@testable import WardMessages

/// Messages of every kind, with everything in them that a message can have.
enum Samples {
    static let session = token("0f0c5d0a-7f4e-4c1b-9d7e-0c3f3c1c2b11")
    static let request = token("a-request")
    static let bed = WardBed(site: token("north"), bed: token("12"))
    static let wall: Int64 = 1_772_373_000_000
    static let oximeter = SensorIdentity(address: "C0:52:49:00:00:03", name: "e-Oximeter", kind: .oximeter)
    static let core = SensorIdentity(address: "C0:52:49:00:00:01", name: "CORE 1A2B", kind: .core)
    static let facts = WardFacts(isSimulated: true, since: wall - 60_000, program: "bedside 0.1.0", host: "pc-12")
    static let key = WardHistoryKey(store: session, wallMilliseconds: wall, number: 3)

    private static func token(_ text: String) -> WardToken {
        guard let token = WardToken(text) else { preconditionFailure("\(text) is no name") }
        return token
    }

    static func stamp(_ sequence: Int64) -> WardStamp {
        WardStamp(session: session, sequence: sequence, bootMilliseconds: 5_000_000, wallMilliseconds: wall)
    }

    static func reading(_ vital: Vital, _ hundredths: Int, _ quality: Reading.Quality = .good) -> Reading {
        Reading(
            sensor: oximeter, vital: vital, outcome: .measured(VitalValue(hundredths: hundredths), quality),
            moment: Moment(monotonicNanoseconds: 0, wallMilliseconds: wall - 300), site: .finger)
    }

    static let saturation = WardVital(
        reading: reading(.oxygenSaturation, 8800), ageMilliseconds: 300, intervalMilliseconds: 1000)
    static let absent = WardVital(
        reading: Reading(
            sensor: core, vital: .bodyTemperature, outcome: .noMeasurement(.offBody),
            moment: Moment(monotonicNanoseconds: 0, wallMilliseconds: wall - 4000)),
        ageMilliseconds: 4000, intervalMilliseconds: 1000)

    /// A row of each kind that a bed records.
    static func recorded(_ reading: Reading) -> [WardHistoryBatch.Row] {
        let moment = reading.moment
        var late = reading
        late.deviceTime = DeviceTime(year: nil, month: nil, day: nil, hour: 3, minute: 4, second: 5)
        late.late = LateInterval(
            waitedFrom: moment.advanced(by: .seconds(-60)), to: moment, place: 0, of: 2)
        let change = AlarmLogEntry.Change(
            AlarmReport(
                id: 7, kind: .low, priority: .medium, sensor: oximeter, vital: .oxygenSaturation, site: .finger,
                value: VitalValue(whole: 88), peak: VitalValue(whole: 86), limit: VitalValue(whole: 90),
                sinceWallMilliseconds: wall - 20_000, text: "SpO₂ low: 88 %"), .alertedAgain)
        let action = AlarmLogEntry.Action(
            actor: .user, word: "acknowledged", text: "2 alarms acknowledged", episodes: [6, 7],
            untilWallMilliseconds: wall + 60_000)
        let contents: [RecordedContent] =
            [
                .alarmLog(AlarmLogEntry(moment: moment, run: 4, content: .change(change))),
                .alarmLog(AlarmLogEntry(moment: moment, run: 4, content: .action(action))),
                .reading(reading), .reading(late),
                .rrIntervals(RRIntervals(sensor: oximeter, intervals: [812, 820, 65_535], moment: moment)),
            ] + entries(at: moment).map { .entry($0, patient: 2) }
        return contents.enumerated().map { number, content in
            WardHistoryBatch.Row(
                key: WardHistoryKey(store: session, wallMilliseconds: moment.wallMilliseconds, number: Int64(number)),
                content, run: 4)
        }
    }

    /// An entry of each kind that leaves a bed.
    static func entries(at moment: Moment) -> [RecordEntry] {
        let taken = moment.advanced(by: .seconds(-600))
        let stamp = EntryFacts(
            deviceTime: DeviceTime(year: 2026, month: 3, day: 1, hour: 3, minute: 4, second: 5), sequence: 12,
            isTimeKnown: false, remark: "irregular pulse", user: 2)
        let blood = LabResult([
            .init(.whiteCells, VitalValue(hundredths: 120_000)), .init(.neutrophils, VitalValue(hundredths: 3550)),
        ])
        let index = MASCCIndex(
            burden: .moderate, hasHypotension: false, hasPulmonaryDisease: true,
            hasSolidTumourOrNoFungalInfection: true, isDehydrated: false, isOutpatient: true, isUnder60: false)
        let contents: [RecordEntry.Content] = [
            .vital(.bodyTemperature, VitalValue(hundredths: 3845), site: .ear),
            .neutrophils(NeutrophilCount(perMicrolitre: 450, sampledAt: taken.wallMilliseconds)),
            .weight(VitalValue(hundredths: 2345)), .lab(blood),
            .medication(
                Medication("Paracetamol", dose: .init(thousandths: 312_500, unit: .milligrams), isAntipyretic: true)),
            .medication(Medication("Saline", isAntipyretic: false)),
            .symptom(SymptomRating(.nausea, severity: 4)), .symptom(SymptomRating(.other("itching"), severity: 0)),
            .mascc(index),
            .calibration(
                GlucoseCalibration(
                    glucose: VitalValue(whole: 110), count: 118_250, change: 40, address: "C0:52:49:00:00:0A",
                    name: "xDrip bridge", serial: "6ABCD")),
        ]
        var entries = contents.map { RecordEntry($0, taken: taken, enteredAt: moment) }
        entries.append(pressure(at: moment))
        entries.append(
            RecordEntry(.weight(VitalValue(hundredths: 2400)), from: .sensor(oximeter), stamp, enteredAt: moment))
        entries[0].correction = .init(of: taken)
        entries[0].origin = ImportOrigin(key: "a-key", source: "", enteredAt: taken.wallMilliseconds)
        entries[1].retract(at: Moment(monotonicNanoseconds: moment.monotonicNanoseconds, wallMilliseconds: wall))
        return entries
    }

    /// A blood pressure that a cuff has handed over.
    static func pressure(at moment: Moment) -> RecordEntry {
        let cuff = SensorIdentity(address: "C0:52:49:00:00:09", name: "Cuff", kind: .bloodPressure)
        return RecordEntry(
            .bloodPressure(BloodPressure(systolic: 118, diastolic: 76, mean: 90, pulse: 88)),
            from: .sensor(cuff), EntryFacts(sequence: 3), taken: moment.advanced(by: .seconds(-60)),
            enteredAt: moment)
    }

    static let alarm: WardAlarm = {
        var alarm = WardAlarm(
            AlarmReport(
                id: 7, kind: .low, priority: .medium, sensor: oximeter, vital: .oxygenSaturation,
                value: VitalValue(whole: 88), limit: VitalValue(whole: 90), sinceWallMilliseconds: wall - 12_000,
                text: "SpO₂ 88 < 90 for 15 s · e-Oximeter"))
        alarm.ageMilliseconds = 12_000
        alarm.going = WardGoing(who: "Anna", place: "ward north", ageMilliseconds: 2000)
        return alarm
    }()
    static let acknowledged: WardAlarm = {
        var alarm = WardAlarm(
            AlarmReport(
                id: 5, kind: .batteryLow, priority: .low, state: .suspended, sinceWallMilliseconds: wall - 60_000,
                text: "Battery low 9 %"))
        alarm.isAcknowledged = true
        alarm.acknowledgedBy = "ward Anna"
        alarm.isSnoozed = true
        alarm.isHeld = true
        return alarm
    }()

    static let birth: WardBirth = {
        var birth = quickBirth
        birth.requestWaited = 1500
        return birth
    }()
    private static let quickBirth = WardBirth(
        stamp: stamp(9), facts: facts, request: request, patient: "bed-12",
        patientSince: 1_772_300_000_000, vitals: [saturation, absent],
        pressure: WardPressure(
            pressure(at: Moment(monotonicNanoseconds: 0, wallMilliseconds: wall)), ageMilliseconds: 60_000),
        limits: [
            WardLimits(
                vital: .oxygenSaturation, severeLow: VitalValue(whole: 85), low: VitalValue(whole: 90),
                high: VitalValue(whole: 99), severeHigh: VitalValue(whole: 100))
        ],
        alarms: [alarm, acknowledged],
        sensors: [
            WardSensor(sensor: oximeter, phase: .ready, batteryPercent: 9),
            WardSensor(sensor: core, phase: .waiting, reason: .linkLost),
        ],
        sound: .paused(secondsLeft: 90),
        trends: [
            WardTrend(
                vital: .oxygenSaturation, stepSeconds: 15,
                points: [.init(low: VitalValue(whole: 88), high: VitalValue(hundredths: 9150)), nil])
        ])

    static let answer = WardAnswer(
        session: session, sequenceSeen: 9, alarm: 7, who: "Anna", place: "ward north",
        expiresBootMilliseconds: 5_010_000)

    /// Every message, by its topic.
    static var all: [(subject: WardTopic.Subject, payload: [UInt8], message: WardMessage)] {
        var encoder = WardEncoder()
        let lost = WardSession(session: session, state: .offline(.lost), facts: facts)
        let online = WardSession(session: session, state: .online, facts: facts)
        let vital = WardVitalMessage(stamp: stamp(10), vital: saturation, isSimulated: true)
        let doubtful = WardVitalMessage(
            stamp: stamp(11),
            vital: WardVital(
                reading: reading(.pulseRate, 7200, .calibrationWanted), ageMilliseconds: 300, intervalMilliseconds: 500),
            isSimulated: false, isReplay: true)
        var estimate = reading(.glucose, 14_200, .calibrated)
        estimate.site = nil
        estimate.calibration = AppliedCalibration(glucose: VitalValue(whole: 110), wallMilliseconds: wall - 3_600_000)
        let calibrated = WardVitalMessage(
            stamp: stamp(11), vital: WardVital(reading: estimate, ageMilliseconds: 300, intervalMilliseconds: 300_000),
            isSimulated: false)
        let alarmMessage = WardAlarmMessage(stamp: stamp(12), alarm: alarm)
        let heartbeat = WardHeartbeat(stamp: stamp(13), alarms: birth.alarms, sound: .on)
        let silent = WardHeartbeat(
            stamp: stamp(14), alarms: birth.alarms, sound: .silent(secondsLeft: 3600, by: "WARD-PC"),
            challenge: request)
        var recorded = reading(.pulseRate, 7200)
        recorded.moment.monotonicNanoseconds = 4_999_000_000
        let batch = WardHistoryBatch(rows: Self.recorded(recorded), isSimulated: false)
        let stored = WardHistoryAcknowledgement(stored: key)
        let partly = WardHistoryAcknowledgement(stored: key, refusedCount: 2, reason: "value is out of range")
        let listeners = [request, nil].map {
            WardCommand.listen(WardListener(session: session, screen: session, name: "WARD-PC", challenge: $0))
        }
        let commands: [WardCommand] =
            [.birth, .acknowledge(answer), .going(answer), .notGoing(answer)] + listeners
        let results = [
            WardCommandResult(session: session), WardCommandResult(session: session, refusal: "the alarm has worsened"),
        ]
        return [
            (.session, encoder.encode(online, wallMilliseconds: wall), .session(online)),
            (.session, encoder.encode(lost, wallMilliseconds: wall), .session(lost)),
            (.birth, encoder.encode(birth), .birth(birth)),
            (.vital(.oxygenSaturation), encoder.encode(vital), .vital(vital)),
            (.vital(.pulseRate), encoder.encode(doubtful), .vital(doubtful)),
            (.vital(.glucose), encoder.encode(calibrated), .vital(calibrated)),
            (.alarm(7), encoder.encode(alarmMessage, isSimulated: true), .alarm(alarmMessage)),
            (.heartbeat, encoder.encode(heartbeat, isSimulated: true), .heartbeat(heartbeat)),
            (.heartbeat, encoder.encode(silent, isSimulated: true), .heartbeat(silent)),
            (.history(key), encoder.encode(batch, wallMilliseconds: wall), .history(batch)),
            (.historyAcknowledgement, encoder.encode(stored, wallMilliseconds: wall), .historyAcknowledgement(stored)),
            (.historyAcknowledgement, encoder.encode(partly, wallMilliseconds: wall), .historyAcknowledgement(partly)),
        ]
            + commands.map {
                (.command($0.name, request: request), encoder.encode($0, wallMilliseconds: wall), .command($0))
            }
            + results.map {
                (.commandResult(request: request), encoder.encode($0, wallMilliseconds: wall), .commandResult($0))
            }
    }
}
