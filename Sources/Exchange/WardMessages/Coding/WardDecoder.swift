import JSON
import Monitoring
import Vitals

/// A decoded message, by its topic.
public enum WardMessage: Hashable, Sendable {
    case session(WardSession)
    case birth(WardBirth)
    case vital(WardVitalMessage)
    /// A reading of a vital that only newer versions know, which counts as a message of its session.
    case unknownVital(WardStamp)
    case alarm(WardAlarmMessage)
    case heartbeat(WardHeartbeat)
    case history(WardHistoryBatch)
    case historyAcknowledgement(WardHistoryAcknowledgement)
    case command(WardCommand)
    case commandResult(WardCommandResult)
}

/// Decodes messages, which may contain anything: it never traps, and its memory is bounded by the size of a message.
///
/// A message of another version is refused, unknown fields and vitals are ignored, and an invalid known field makes the
/// whole message unusable, because half of a picture would be wrong. An alarm about an unknown vital is an alarm.
public enum WardDecoder {
    /// Decodes a message.
    ///
    /// - Parameters:
    ///   - subject: The subject of its topic.
    ///   - payload: Its bytes.
    public static func decode(
        _ subject: WardTopic.Subject, _ payload: [UInt8]
    ) throws(WardMessageError) -> WardMessage {
        let fields = try WardFields(payload, atMost: limit(of: subject))
        let version = try fields.requiredInteger("v", in: .min ... .max)
        guard version == 1 else { throw WardMessageError("it is of version \(version), and only 1 is known") }
        switch subject {
        case .session: return .session(try session(fields))
        case .birth: return .birth(try birth(fields))
        case .vital(let vital):
            let message = try self.vital(fields)
            guard message.vital.reading.vital == vital else { throw WardMessageError("its vital is not its topic's") }
            return .vital(message)
        case .unknownVital: return .unknownVital(try stamp(fields))
        case .alarm(let number):
            let message = try alarm(fields)
            guard message.alarm.id == number else { throw WardMessageError("its number is not its topic's") }
            return .alarm(message)
        case .heartbeat: return .heartbeat(try heartbeat(fields))
        case .history: return .history(try history(fields))
        case .historyAcknowledgement:
            return .historyAcknowledgement(
                WardHistoryAcknowledgement(
                    stored: try fields.historyKey("stored"),
                    refusedCount: Int(try fields.integer("refused", in: 0...Int64(WardHistoryBatch.mostRows)) ?? 0),
                    reason: try fields.text("reason", limit: WardBounds.textLimit)))
        case .command(let name, _): return .command(try command(name, fields))
        case .commandResult:
            let session = try fields.requiredToken("session")
            let result = try fields.requiredWord("result", ResultWord.self)
            let reason = try fields.text("reason", limit: WardBounds.textLimit)
            return .commandResult(
                WardCommandResult(
                    session: session, refusal: result == .accepted ? nil : reason ?? "for no known reason"))
        }
    }

    private static func limit(of subject: WardTopic.Subject) -> Int {
        switch subject {
        case .birth: WardBounds.birthBytes
        case .history: WardBounds.historyBytes
        default: WardBounds.smallBytes
        }
    }

    private enum StateWord: String { case online, offline }
    private enum ResultWord: String { case accepted, refused }
    private enum SoundWord: String { case on, paused, silent, off }
    private enum ReadingWord: String { case measured, noMeasurement = "no_measurement" }
    private enum QualityWord: String { case good, questionable }
    private enum EquipmentWord: String { case malfunction }
    private enum DoubtWord: String {
        case calibrationWanted = "calibration_wanted", rawEstimate = "raw_estimate", calibrated
    }

    // MARK: The messages

    private static func session(_ fields: WardFields) throws(WardMessageError) -> WardSession {
        let state: WardSession.State =
            switch try fields.requiredWord("state", StateWord.self) {
            case .online: .online
            case .offline: .offline(try fields.requiredWord("reason", WardSession.Reason.self))
            }
        return WardSession(session: try fields.requiredToken("session"), state: state, facts: try facts(fields))
    }

    private static func birth(_ fields: WardFields) throws(WardMessageError) -> WardBirth {
        var birth = WardBirth(stamp: try stamp(fields), facts: try facts(fields))
        birth.request = try fields.token("request")
        birth.requestWaited = try fields.integer("request_waited_ms", in: WardBounds.waits) ?? 0
        birth.patient = try fields.text("patient", limit: WardBounds.nameLimit)
        birth.patientSince = try fields.timeIfPresent("patient_since")
        birth.sound = try sound(fields)
        if let pressure = try fields.object("pressure") {
            birth.pressure = WardPressure(
                try entry(pressure, enteredAt: 0),
                ageMilliseconds: try pressure.requiredInteger("age_ms", in: WardBounds.ages))
            if birth.pressure == nil { throw WardMessageError("pressure is no blood pressure") }
        }
        for element in try fields.ofKnownVitals("vitals") {
            let vital = try wardVital(element)
            guard !birth.vitals.contains(where: { $0.reading.vital == vital.reading.vital }) else {
                throw WardMessageError("vitals has one twice")
            }
            birth.vitals.append(vital)
        }
        for element in try fields.ofKnownVitals("limits") {
            birth.limits.append(
                WardLimits(
                    vital: try element.requiredWord("vital", Vital.self), severeLow: try element.value("severe_low"),
                    low: try element.value("low"), high: try element.value("high"),
                    severeHigh: try element.value("severe_high")))
        }
        for element in try fields.objects("alarms", atMost: WardBounds.mostAlarms) {
            let alarm = try wardAlarm(element)
            guard !birth.alarms.contains(where: { $0.id == alarm.id }) else {
                throw WardMessageError("alarms has one twice")
            }
            birth.alarms.append(alarm)
        }
        for element in try fields.objects("sensors", atMost: WardBounds.mostSensors) {
            birth.sensors.append(try sensor(element))
        }
        for element in try fields.ofKnownVitals("trends") {
            birth.trends.append(try trend(element))
        }
        return birth
    }

    private static func vital(_ fields: WardFields) throws(WardMessageError) -> WardVitalMessage {
        let vital = try wardVital(fields)
        var stamp = try stamp(fields)
        // The time in the message is when the value was measured.
        stamp.wallMilliseconds += vital.ageMilliseconds
        return WardVitalMessage(
            stamp: stamp, vital: vital, isSimulated: try fields.flag("simulated"), isReplay: try fields.flag("replay"))
    }

    private static func alarm(_ fields: WardFields) throws(WardMessageError) -> WardAlarmMessage {
        WardAlarmMessage(stamp: try stamp(fields), alarm: try wardAlarm(fields))
    }

    private static func heartbeat(_ fields: WardFields) throws(WardMessageError) -> WardHeartbeat {
        let count = try fields.requiredInteger("alarms", in: 0...10_000)
        guard let digest = WardDigest(try fields.text("digest", limit: 16) ?? "") else {
            throw WardMessageError("digest is not sixteen hexadecimal digits")
        }
        return WardHeartbeat(
            stamp: try stamp(fields), alarmCount: Int(count), digest: digest, sound: try sound(fields),
            challenge: try fields.token("challenge"))
    }

    private static func history(_ fields: WardFields) throws(WardMessageError) -> WardHistoryBatch {
        var batch = WardHistoryBatch(rows: [], isSimulated: try fields.flag("simulated"))
        guard try fields.flag("historical") else { throw WardMessageError("historical is not true") }
        for (place, element) in try fields.objects("rows", atMost: WardHistoryBatch.mostRows).enumerated() {
            let key = try element.historyKey("key")
            // An invalid row does not prevent the others.
            do throws(WardMessageError) {
                batch.rows.append(try row(element, key))
            } catch {
                batch.refusals.append(WardHistoryBatch.Refusal(key: key, place: place, reason: "\(error)"))
            }
        }
        return batch
    }

    private static func row(
        _ element: WardFields, _ key: WardHistoryKey
    ) throws(WardMessageError) -> WardHistoryBatch.Row {
        let moment = Moment(
            monotonicNanoseconds: try element.requiredInteger("monotonic_ns", in: -(1 << 62)...(1 << 62)),
            wallMilliseconds: try element.time("t"))
        let run = try element.requiredInteger("run", in: WardBounds.counts)
        return WardHistoryBatch.Row(key: key, try recorded(element, moment, run: run), run: run)
    }

    private static func command(
        _ name: WardCommand.Name, _ fields: WardFields
    ) throws(WardMessageError) -> WardCommand {
        guard try fields.requiredWord("cmd", WardCommand.Name.self) == name else {
            throw WardMessageError("its request is not its topic's")
        }
        if name == .birth { return .birth }
        if name == .listen { return .listen(try listener(fields)) }
        let who = try fields.text("who", limit: WardAnswer.nameLimit) ?? ""
        guard who.contains(where: { !$0.isWhitespace }) else { throw WardMessageError("who is missing") }
        let answer = WardAnswer(
            session: try fields.requiredToken("session"),
            sequenceSeen: try fields.requiredInteger("seq_seen", in: WardBounds.counts),
            alarm: Int(try fields.requiredInteger("alarm_id", in: numbers)), who: who,
            place: try fields.text("where", limit: WardAnswer.nameLimit) ?? "",
            expiresBootMilliseconds: try fields.requiredInteger("expires_boot_ms", in: WardBounds.bootMilliseconds))
        switch name {
        case .birth, .listen: return .birth
        case .acknowledge: return .acknowledge(answer)
        case .going: return .going(answer)
        case .notGoing: return .notGoing(answer)
        }
    }

    private static func listener(_ fields: WardFields) throws(WardMessageError) -> WardListener {
        let challenge = try fields.token("challenge")
        guard try fields.flag("sounds") == (challenge != nil) else {
            throw WardMessageError("a screen that sounds answers a challenge, and only such a one")
        }
        return WardListener(
            session: try fields.requiredToken("session"), screen: try fields.requiredToken("screen"),
            name: try fields.text("name", limit: WardListener.nameLimit) ?? "", challenge: challenge)
    }

    // MARK: The parts

    static let numbers =
        Int64(WardBounds.alarmNumbers.lowerBound)...Int64(WardBounds.alarmNumbers.upperBound)

    private static func stamp(_ fields: WardFields) throws(WardMessageError) -> WardStamp {
        WardStamp(
            session: try fields.requiredToken("session"),
            sequence: try fields.requiredInteger("seq", in: WardBounds.counts),
            bootMilliseconds: try fields.requiredInteger("boot_ms", in: WardBounds.bootMilliseconds),
            wallMilliseconds: try fields.time("t"))
    }

    private static func facts(_ fields: WardFields) throws(WardMessageError) -> WardFacts {
        WardFacts(
            isSimulated: try fields.flag("simulated"), isReplay: try fields.flag("replay"),
            since: try fields.time("since"), program: try fields.text("program", limit: WardBounds.nameLimit) ?? "",
            host: try fields.text("host", limit: WardBounds.nameLimit) ?? "",
            heartbeatSeconds: Int(try fields.requiredInteger("heartbeat_s", in: 1...60)))
    }

    private static func sound(_ fields: WardFields) throws(WardMessageError) -> WardSound {
        switch try fields.requiredWord("sound", SoundWord.self) {
        case .on: .on
        case .paused: .paused(secondsLeft: Int(try fields.requiredInteger("paused_s", in: 0...86_400)))
        case .silent:
            .silent(
                secondsLeft: Int(try fields.requiredInteger("silent_s", in: 0...86_400)),
                by: try fields.text("sounded_by", limit: WardListener.nameLimit) ?? "")
        case .off: .off
        }
    }

    static func identity(_ fields: WardFields) throws(WardMessageError) -> SensorIdentity {
        try fields.read(SensorIdentity.self)
    }

    private static func sensor(_ fields: WardFields) throws(WardMessageError) -> WardSensor {
        WardSensor(
            sensor: try identity(fields), phase: try fields.word("state", ConnectionState.Phase.self),
            reason: try fields.text("reason", limit: 32).flatMap { ConnectionState.DisconnectReason(rawValue: $0) },
            batteryPercent: try fields.integer("percent", in: 0...100).map { Int($0) })
    }

    private static func wardVital(_ fields: WardFields) throws(WardMessageError) -> WardVital {
        WardVital(
            reading: try reading(fields), ageMilliseconds: try fields.requiredInteger("age_ms", in: WardBounds.ages),
            intervalMilliseconds: try fields.requiredInteger("interval_ms", in: 1...3_600_000))
    }

    static func reading(_ fields: WardFields) throws(WardMessageError) -> Reading {
        let vital = try fields.requiredWord("vital", Vital.self)
        guard let sensor = try fields.object("sensor") else { throw WardMessageError("sensor is missing") }
        let outcome: Reading.Outcome
        switch try fields.requiredWord("state", ReadingWord.self) {
        case .measured:
            guard let value = try fields.value("value"), vital.isMeasurable(value) else {
                throw WardMessageError("value is none that \(vital.text) can have")
            }
            outcome = .measured(value, try quality(fields))
        case .noMeasurement:
            // A newer version may know more reasons.
            let reason = AbsenceReason(rawValue: try fields.text("reason", limit: 32) ?? "") ?? .equipment
            outcome = .noMeasurement(reason)
        }
        return Reading(
            sensor: try identity(sensor), vital: vital, outcome: outcome,
            moment: Moment(monotonicNanoseconds: 0, wallMilliseconds: try fields.time("t")),
            site: BodySite(rawValue: try fields.text("site", limit: 32) ?? ""), calibration: try calibration(fields))
    }

    private static func calibration(_ fields: WardFields) throws(WardMessageError) -> AppliedCalibration? {
        guard let glucose = try fields.value("calibrated_with") else { return nil }
        let applied = AppliedCalibration(glucose: glucose, wallMilliseconds: try fields.time("calibrated_at"))
        guard applied.isPossible else { throw WardMessageError("calibrated_with is none that calibrates") }
        return applied
    }

    static func quality(_ fields: WardFields) throws(WardMessageError) -> Reading.Quality {
        if try fields.word("equipment", EquipmentWord.self) != nil { return .malfunction }
        switch try fields.word("doubt", DoubtWord.self) {
        case .calibrationWanted: return .calibrationWanted
        case .rawEstimate: return .rawEstimate
        case .calibrated: return .calibrated
        case nil: break
        }
        return try fields.requiredWord("quality", QualityWord.self) == .good ? .good : .questionable
    }

    private static func wardAlarm(_ fields: WardFields) throws(WardMessageError) -> WardAlarm {
        var alarm = try fields.read(WardAlarm.self)
        alarm.sensor = try sensor(of: fields)
        return alarm
    }

    /// The sensor of an object, if it has one.
    static func sensor(of fields: WardFields) throws(WardMessageError) -> SensorIdentity? {
        try fields.object("sensor").map { (fields) throws(WardMessageError) in try identity(fields) }
    }

    private static func trend(_ fields: WardFields) throws(WardMessageError) -> WardTrend {
        var points: [WardTrend.Point?] = []
        for element in try fields.elements("points", atMost: WardTrend.mostPoints) {
            if element.isNull {
                points.append(nil)
                continue
            }
            guard let pair = element.elements, pair.count == 2 else {
                throw WardMessageError("a point of a trend is not two values")
            }
            points.append(
                WardTrend.Point(
                    low: try WardFields.hundredths(pair[0], "points"),
                    high: try WardFields.hundredths(pair[1], "points")))
        }
        return WardTrend(
            vital: try fields.requiredWord("vital", Vital.self),
            stepSeconds: Int(try fields.requiredInteger("step_s", in: 1...3600)), points: points)
    }
}
