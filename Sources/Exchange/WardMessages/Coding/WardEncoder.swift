import Base
import Formats
import JSON
import Monitoring
import Vitals

/// Writes messages as objects of `bedside watch --json` with further fields.
///
/// Texts and lists are truncated to the limits of ``WardDecoder``, so that a bed with very many sensors is still seen.
public struct WardEncoder {
    /// Writes the fields that the lines of watch have, too.
    package var watch = WatchEncoder(isSimulated: false)

    public init() {
        watch.boundsTexts = true
    }

    /// The payload of a session message, or of its last will.
    public mutating func encode(_ session: WardSession, wallMilliseconds: Int64) -> [UInt8] {
        mark(session.facts)
        watch.begin("session", milliseconds: bounded(wallMilliseconds), nil)
        watch.text("session", session.session.text)
        switch session.state {
        case .online: watch.text("state", "online")
        case .offline(let reason):
            watch.text("state", "offline")
            watch.text("reason", reason.rawValue)
        }
        write(session.facts)
        return end()
    }

    /// The payload of a birth.
    public mutating func encode(_ birth: WardBirth) -> [UInt8] {
        mark(birth.facts)
        begin("birth", birth.stamp)
        write(birth.facts)
        watch.text("request", birth.request?.text)
        if birth.requestWaited > 0 { integer("request_waited_ms", birth.requestWaited) }
        watch.text("patient", birth.patient.map { sanitized($0, limit: WardBounds.nameLimit) })
        if let since = birth.patientSince { watch.wallTime("patient_since", milliseconds: bounded(since)) }
        write(birth.sound)
        list("vitals", birth.vitals.prefix(Vital.allCases.count)) { encoder, vital in
            encoder.begin(vital)
            encoder.watch.json.endObject()
        }
        if let pressure = birth.pressure {
            watch.json.key("pressure")
            begin(pressure)
            watch.json.endObject()
        }
        list("limits", birth.limits.prefix(Vital.allCases.count)) { $0.write($1) }
        // The worst come first, so that they are never truncated.
        let alarms = birth.alarms.filter(\.isShown).sorted { $0.isWorse(than: $1) }
        list("alarms", alarms.prefix(WardBounds.mostAlarms)) { encoder, alarm in
            encoder.begin(alarm, wallMilliseconds: birth.stamp.wallMilliseconds)
            encoder.watch.json.endObject()
        }
        list("sensors", birth.sensors.prefix(WardBounds.mostSensors)) { $0.write($1) }
        list("trends", birth.trends.prefix(Vital.allCases.count)) { $0.write($1) }
        return end()
    }

    /// The payload of a reading.
    public mutating func encode(_ message: WardVitalMessage) -> [UInt8] {
        mark(message.isSimulated, message.isReplay)
        begin(message.vital)
        write(message.stamp)
        return end()
    }

    /// The payload of an alarm.
    public mutating func encode(_ message: WardAlarmMessage, isSimulated: Bool, isReplay: Bool = false) -> [UInt8] {
        mark(isSimulated, isReplay)
        begin(message.alarm, wallMilliseconds: message.stamp.wallMilliseconds)
        write(message.stamp)
        return end()
    }

    /// The payload of a heartbeat.
    public mutating func encode(_ heartbeat: WardHeartbeat, isSimulated: Bool, isReplay: Bool = false) -> [UInt8] {
        mark(isSimulated, isReplay)
        begin("heartbeat", heartbeat.stamp)
        watch.number("alarms", heartbeat.alarmCount)
        watch.text("digest", heartbeat.digest.description)
        write(heartbeat.sound)
        watch.text("challenge", heartbeat.challenge?.text)
        return end()
    }

    /// The payload of a batch of recorded readings.
    ///
    /// - Parameters:
    ///   - batch: The batch.
    ///   - wallMilliseconds: The present time, in milliseconds since 1970 (UTC).
    public mutating func encode(_ batch: WardHistoryBatch, wallMilliseconds: Int64) -> [UInt8] {
        mark(batch.isSimulated, false)
        watch.begin("history", milliseconds: bounded(wallMilliseconds), nil)
        watch.flag("historical", true)
        list("rows", batch.rows.prefix(WardHistoryBatch.mostRows)) { encoder, row in
            switch row.content {
            case .reading(let reading):
                encoder.watch.begin(reading)
                if let late = reading.late {
                    encoder.watch.wallTime("measured", milliseconds: late.estimate.wallMilliseconds)
                }
            case .rrIntervals(let intervals): encoder.begin(intervals)
            case .alarmLog(let entry): encoder.watch.begin(encoder.bounded(entry))
            case .entry(let entry, let patient):
                encoder.watch.begin(entry)
                // The identity of an entry contains both clocks.
                if let corrected = entry.correction?.corrected {
                    encoder.integer("corrects_monotonic_ns", corrected.monotonicNanoseconds)
                }
                encoder.watch.number("patient_number", patient)
            }
            encoder.write(row.key, "key")
            // An entry of the alarm log contains it already.
            if case .alarmLog = row.content {} else { encoder.integer("run", row.run) }
            encoder.integer("monotonic_ns", row.content.moment.monotonicNanoseconds)
            encoder.watch.json.endObject()
        }
        return end()
    }

    private mutating func begin(_ intervals: RRIntervals) {
        watch.begin("rr", milliseconds: bounded(intervals.moment.wallMilliseconds), intervals.sensor)
        watch.json.key("intervals")
        watch.json.beginArray()
        for interval in intervals.intervals.prefix(WardBounds.mostIntervals) { watch.json.integer(Int(interval)) }
        watch.json.endArray()
    }

    /// An entry of the alarm log with texts truncated to the limits of a message.
    private func bounded(_ entry: AlarmLogEntry) -> AlarmLogEntry {
        var entry = entry
        switch entry.content {
        case .change: break
        case .action(var action):
            action.text = sanitized(action.text, limit: WardBounds.textLimit)
            action.episodes = Array(action.episodes.prefix(WardBounds.mostEpisodes))
            entry.content = .action(action)
        }
        return entry
    }

    /// The payload of the collector's answer.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - wallMilliseconds: The present time, in milliseconds since 1970 (UTC).
    public mutating func encode(_ answer: WardHistoryAcknowledgement, wallMilliseconds: Int64) -> [UInt8] {
        mark(false, false)
        watch.begin("history_ack", milliseconds: bounded(wallMilliseconds), nil)
        write(answer.stored, "stored")
        if answer.refusedCount > 0 {
            watch.number("refused", answer.refusedCount)
            watch.text("reason", answer.reason.map { sanitized($0, limit: WardBounds.textLimit) })
        }
        return end()
    }

    /// The payload of a request.
    ///
    /// - Parameters:
    ///   - command: The request.
    ///   - wallMilliseconds: The present time, in milliseconds since 1970 (UTC).
    public mutating func encode(_ command: WardCommand, wallMilliseconds: Int64) -> [UInt8] {
        mark(false, false)
        watch.begin("cmd", milliseconds: bounded(wallMilliseconds), nil)
        watch.text("cmd", command.name.rawValue)
        if let answer = command.answer {
            watch.text("session", answer.session.text)
            integer("seq_seen", answer.sequenceSeen)
            watch.number("alarm_id", answer.alarm)
            watch.text("who", sanitized(answer.who, limit: WardAnswer.nameLimit))
            watch.text("where", sanitized(answer.place, limit: WardAnswer.nameLimit))
            integer("expires_boot_ms", answer.expiresBootMilliseconds)
        }
        if case .listen(let listener) = command {
            watch.text("session", listener.session.text)
            watch.text("screen", listener.screen.text)
            watch.text("name", sanitized(listener.name, limit: WardListener.nameLimit))
            watch.flag("sounds", listener.challenge != nil)
            watch.text("challenge", listener.challenge?.text)
        }
        return end()
    }

    /// The payload of a bed's answer to a request.
    ///
    /// - Parameters:
    ///   - result: The bed's answer.
    ///   - wallMilliseconds: The present time, in milliseconds since 1970 (UTC).
    public mutating func encode(_ result: WardCommandResult, wallMilliseconds: Int64) -> [UInt8] {
        mark(false, false)
        watch.begin("cmd_result", milliseconds: bounded(wallMilliseconds), nil)
        watch.text("session", result.session.text)
        watch.text("result", result.refusal == nil ? "accepted" : "refused")
        watch.text("reason", result.refusal.map { sanitized($0, limit: WardBounds.textLimit) })
        return end()
    }

    // MARK: The parts

    private mutating func mark(_ facts: WardFacts) { mark(facts.isSimulated, facts.isReplay) }

    package mutating func mark(_ isSimulated: Bool, _ isReplay: Bool) {
        watch.context.provenance = isSimulated ? .simulated : .real
        watch.context.isReplay = isReplay
    }

    private mutating func begin(_ event: String, _ stamp: WardStamp) {
        watch.begin(event, milliseconds: bounded(stamp.wallMilliseconds), nil)
        write(stamp)
    }

    private mutating func end() -> [UInt8] {
        watch.json.endObject()
        defer { watch.json.removeAll() }
        return watch.json.bytes
    }

    /// A wall time within the range of a timestamp; a computer without a battery may be in 1970, or before.
    private func bounded(_ wallMilliseconds: Int64) -> Int64 {
        min(max(wallMilliseconds, WardBounds.wallMilliseconds.lowerBound), WardBounds.wallMilliseconds.upperBound)
    }

    private mutating func list<Elements: Collection>(
        _ key: String, _ elements: Elements, _ write: (inout WardEncoder, Elements.Element) -> Void
    ) {
        watch.json.key(key)
        watch.json.beginArray()
        for element in elements { write(&self, element) }
        watch.json.endArray()
    }

    private mutating func integer(_ key: String, _ number: Int64) {
        watch.json.key(key)
        watch.json.integer(number)
    }

    private mutating func write(_ stamp: WardStamp) {
        watch.text("session", stamp.session.text)
        integer("seq", stamp.sequence)
        integer("boot_ms", stamp.bootMilliseconds)
    }

    private mutating func write(_ facts: WardFacts) {
        watch.wallTime("since", milliseconds: bounded(facts.since))
        watch.text("program", sanitized(facts.program, limit: WardBounds.nameLimit))
        watch.text("host", sanitized(facts.host, limit: WardBounds.nameLimit))
        watch.number("heartbeat_s", facts.heartbeatSeconds)
    }

    /// Writes the object of a reading, without its end.
    package mutating func begin(_ vital: WardVital) {
        watch.begin(vital.reading)
        integer("age_ms", vital.ageMilliseconds)
        integer("interval_ms", vital.intervalMilliseconds)
    }

    /// Writes the object of a blood pressure, without its end.
    package mutating func begin(_ pressure: WardPressure) {
        watch.begin(pressure.entry)
        integer("age_ms", pressure.ageMilliseconds)
    }

    /// Writes the fields of an alarm's line, and further ones for a ward.
    package mutating func begin(_ alarm: WardAlarm, wallMilliseconds: Int64) {
        watch.begin("alarm", milliseconds: bounded(wallMilliseconds), alarm.sensor)
        var alarm = alarm
        alarm.code(&watch)
    }

    private mutating func write(_ limits: WardLimits) {
        watch.json.beginObject()
        watch.text("vital", limits.vital.rawValue)
        watch.value("severe_low", limits.severeLow)
        watch.value("low", limits.low)
        watch.value("high", limits.high)
        watch.value("severe_high", limits.severeHigh)
        watch.json.endObject()
    }

    private mutating func write(_ sensor: WardSensor) {
        watch.json.beginObject()
        watch.text("address", sensor.sensor.address)
        watch.text("name", sensor.sensor.name)
        watch.text("kind", sensor.sensor.kind.rawValue)
        watch.text("state", sensor.phase?.rawValue)
        watch.text("reason", sensor.reason?.rawValue)
        watch.number("percent", sensor.batteryPercent)
        watch.json.endObject()
    }

    private mutating func write(_ trend: WardTrend) {
        watch.json.beginObject()
        watch.text("vital", trend.vital.rawValue)
        watch.number("step_s", trend.stepSeconds)
        watch.json.key("points")
        watch.json.beginArray()
        for point in trend.points.suffix(WardTrend.mostPoints) {
            guard let point else {
                watch.json.null()
                continue
            }
            watch.json.beginArray()
            watch.json.hundredths(point.low.hundredths)
            watch.json.hundredths(point.high.hundredths)
            watch.json.endArray()
        }
        watch.json.endArray()
        watch.json.endObject()
    }

    private mutating func write(_ sound: WardSound) {
        switch sound {
        case .on: watch.text("sound", "on")
        case .paused(let secondsLeft):
            watch.text("sound", "paused")
            watch.number("paused_s", secondsLeft)
        case .silent(let secondsLeft, let name):
            watch.text("sound", "silent")
            watch.number("silent_s", secondsLeft)
            watch.text("sounded_by", sanitized(name, limit: WardListener.nameLimit))
        case .off: watch.text("sound", "off")
        }
    }

    private mutating func write(_ key: WardHistoryKey, _ name: String) {
        watch.json.key(name)
        watch.json.beginArray()
        watch.json.string(key.store.text)
        watch.json.integer(key.wallMilliseconds)
        watch.json.integer(key.number)
        watch.json.endArray()
    }
}
