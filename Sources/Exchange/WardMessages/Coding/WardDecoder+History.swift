import Monitoring
import Vitals

extension WardDecoder {
    private enum EventWord: String { case reading, rr, alarm, action }

    /// A record from a row of a batch.
    static func recorded(
        _ fields: WardFields, _ moment: Moment, run: Int64
    ) throws(WardMessageError) -> RecordedContent {
        // Only entries of the record have it; they may be readings, too.
        if try fields.timeIfPresent("entered") != nil {
            let patient = try fields.requiredInteger("patient_number", in: WardBounds.patientNumbers)
            return .entry(try entry(fields, enteredAt: moment.monotonicNanoseconds), patient: Int(patient))
        }
        switch try fields.requiredWord("event", EventWord.self) {
        case .reading:
            var reading = try reading(fields)
            reading.moment = moment
            reading.late = try late(fields, moment)
            reading.deviceTime = try deviceTime(fields)
            return .reading(reading)
        case .rr: return .rrIntervals(try intervals(fields, moment))
        case .alarm: return .alarmLog(AlarmLogEntry(moment: moment, run: run, content: .change(try change(fields))))
        case .action: return .alarmLog(AlarmLogEntry(moment: moment, run: run, content: .action(try action(fields))))
        }
    }

    /// The time of measurement of a late value.
    private static func late(_ fields: WardFields, _ moment: Moment) throws(WardMessageError) -> LateInterval? {
        guard let source = try fields.word("late", LateInterval.Source.self) else { return nil }
        func time(_ key: String) throws(WardMessageError) -> Moment {
            moment.advanced(by: .milliseconds(try fields.time(key) - moment.wallMilliseconds))
        }
        var late = LateInterval(sensorTime: try time("measured"))
        (late.from, late.to, late.source) = (try time("measured_from"), try time("measured_to"), source)
        return late
    }

    /// The sensor's own time, whose date may be unknown: `--T03:04:05`.
    static func deviceTime(_ fields: WardFields) throws(WardMessageError) -> DeviceTime? {
        guard let text = try fields.text("device_time", limit: 32) else { return nil }
        guard let time = DeviceTime(text) else {
            throw WardMessageError("device_time is not a time such as 2026-01-02T03:04:05")
        }
        return time
    }

    private static func intervals(_ fields: WardFields, _ moment: Moment) throws(WardMessageError) -> RRIntervals {
        guard let sensor = try fields.object("sensor") else { throw WardMessageError("sensor is missing") }
        var intervals = RRIntervals(sensor: try identity(sensor), intervals: [], moment: moment)
        for element in try fields.elements("intervals", atMost: WardBounds.mostIntervals) {
            guard let interval = element.whole.flatMap({ UInt16(exactly: $0) }) else {
                throw WardMessageError("an interval is not a number of sixteen bits")
            }
            intervals.intervals.append(interval)
        }
        return intervals
    }

    private static func change(_ fields: WardFields) throws(WardMessageError) -> AlarmLogEntry.Change {
        var fields = fields
        var (report, state) = (AlarmReport.unread, AlarmLogEntry.State.active)
        report.sensor = try sensor(of: fields)
        try report.code(&fields, state: &state)
        _ = try fields.requiredWord("kind", AlarmKind.self)
        _ = try fields.time("since")
        return AlarmLogEntry.Change(report, state)
    }

    private static func action(_ fields: WardFields) throws(WardMessageError) -> AlarmLogEntry.Action {
        var action = AlarmLogEntry.Action(
            actor: try fields.requiredWord("by", ActionRecord.Actor.self),
            word: try fields.text("action", limit: 32) ?? "",
            text: try fields.text("text", limit: WardBounds.textLimit) ?? "",
            untilWallMilliseconds: try fields.timeIfPresent("until"))
        for element in try fields.elements("alarms", atMost: WardBounds.mostEpisodes) {
            guard let episode = element.whole, WardBounds.alarmNumbers.contains(episode) else {
                throw WardMessageError("an element of alarms is no number of an alarm")
            }
            action.episodes.append(episode)
        }
        return action
    }
}
