import Base
import Monitoring
import Vitals

/// Reports events as lines of plain text: for a braille display, a screen reader, a pager, a log.
///
/// A changed value is one line with its unit, at most once per interval for each vital. Missing values, alarms and
/// states of sensors are reported at once. A pure value: time comes with the events, and ``nextDue`` says when a
/// delayed value is due.
public struct LineReport: Sendable {
    /// What every line says of its session.
    public var context: SessionContext
    /// The unit of temperatures.
    public var units = DisplayUnits()
    /// Whether only ASCII may be printed.
    public var isASCII = false

    private let interval: Duration
    private var text = ""
    private var vitals: [Vital: VitalReport] = [:]
    private var sensors: [String: ReportedSensor] = [:]
    private var trouble: EnvironmentWarning?
    private var isUsable = false
    private var isDisagreeing = false
    private var day = ""

    /// The last report of a vital.
    private struct VitalReport {
        package var key: String
        package var at: Moment
        package var source: SensorIdentity?
        /// Whether a line is delayed.
        package var isWaiting = false
    }

    /// The last report of a sensor.
    private struct ReportedSensor {
        package var connection = ""
        package var isNearby = false
        package var battery: Int?
        package var interval: Int?
        package var transmitter: TransmitterStatus?
        package var nights: String?
        package var malformedAt: Moment?
        package var sendsCopies = false
    }

    /// The most sensors whose last report is remembered; further ones are reported again.
    private static let sensorLimit = 2048

    /// Makes a report that has reported nothing.
    ///
    /// - Parameter interval: The shortest interval between values of a vital.
    public init(interval: Duration, context: SessionContext) {
        (self.interval, self.context) = (interval, context)
    }

    /// Whether no line waits to be taken.
    public var isEmpty: Bool { text.isEmpty }

    /// Hands over the lines, each with its end, and forgets them.
    public mutating func takeLines() -> String {
        defer { text = "" }
        return text
    }

    /// When a delayed value is due; `nil` when there is none.
    public var nextDue: Moment? {
        vitals.values.lazy.filter(\.isWaiting).map { $0.at.advanced(by: interval) }.min()
    }

    // MARK: Taking in

    /// Handles an event and its effects.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - effects: Its effects.
    ///   - state: The state after the event.
    public mutating func handle(_ event: MonitorEvent, _ effects: [Effect], _ state: MonitorState) {
        report(event.kind, state)
        handle(effects, state)
    }

    /// Handles effects without an event: time passed, or an alarm was acknowledged.
    public mutating func handle(_ effects: [Effect], _ state: MonitorState) {
        reportVitals(state)
        for effect in effects {
            switch effect {
            case .alarm(let alarm, _):
                if let words = EventLabels.text(alarm, time(state.now)) {
                    report(words + inFahrenheit(alarm), state.now)
                }
            case .alarmAgain(let alarm, _):
                report("ALARM again, \(alarm.priority.rawValue) priority: \(alarm.sentence)", state.now)
            case .unanswered(let alarm, _): report(EventLabels.unanswered(alarm, time(state.now)), state.now)
            case .entry(let entry):
                let words = ManualLabels(units).text(of: entry)
                let clock = time(state.now).point(entry.taken, isExact: false)
                let measured = entry.facts.isTimeKnown ? "measured at \(clock)" : "measured at an unknown time"
                let remark = entry.remark.map { ", \($0)" } ?? ""
                let (label, by) =
                    switch entry.source {
                    case .typed: (entry.origin == nil ? "MANUAL " : "IMPORTED ", "")
                    case .sensor(let sensor): ("", ", \(name(sensor, state))")
                    }
                let reason = entry.retractionReason.isEmpty ? "" : " (\(entry.retractionReason))"
                report(
                    entry.isRetracted
                        ? "\(label)entry taken back as a mistake\(reason): \(words)\(remark), \(entry.facts.isTimeKnown ? "of \(clock)" : measured)\(by)"
                        : "\(label)\(entry.confirmedAt == nil ? "" : "confirmed: ")\(words)\(remark), \(measured)\(by)",
                    state.now)
            case .action(let record) where record.kind.isEntry: break
            case .action(let record):
                let by = record.actor == .user ? "by a user" : "by itself"
                report("\(by): \(record.kind.text)", state.now)
            case .latchReset, .reading, .soundBurst, .soundReminder, .deviceUsers, .calibrations: break
            }
        }
    }

    private mutating func report(_ kind: MonitorEvent.Kind, _ state: MonitorState) {
        switch kind {
        case .bus, .daemon, .adapter: reportEnvironment(state)
        case .nearby(let sensor, _, _):
            guard sensor.kind != .other, sensors[sensor.address]?.isNearby != true else { break }
            record(sensor) { $0.isNearby = true }
            report("\(name(sensor, state)) nearby, \(sensor.kind.text)", state.now)
        case .gone(let sensor):
            guard sensors[sensor.address]?.isNearby == true else { break }
            sensors[sensor.address] = nil
            report("\(name(sensor, state)) no longer heard", state.now)
        case .connection(let sensor, let connection):
            guard
                let words = EventLabels.text(
                    connection, of: sensor.kind,
                    wasConnected: state.sensor(address: sensor.address)?.wasConnected == true),
                sensors[sensor.address]?.connection != words
            else { break }
            record(sensor) { $0.connection = words }
            report("\(name(sensor, state)) \(words)", state.now)
        case .battery(let sensor, let percent):
            guard sensors[sensor.address]?.battery != percent else { break }
            record(sensor) { $0.battery = percent }
            report("\(name(sensor, state)) battery \(percent) %", state.now)
        case .announcedInterval(let sensor, let announced):
            guard sensors[sensor.address]?.interval != announced.seconds else { break }
            record(sensor) { $0.interval = announced.seconds }
            report("\(name(sensor, state)) \(SensorLabels.text(announced))", state.now)
        case .transmitter(let sensor, let status):
            // Its minutes grow with each report.
            var lasting = status
            lasting.sensorMinutes = nil
            guard sensors[sensor.address]?.transmitter != lasting else { break }
            record(sensor) { $0.transmitter = lasting }
            let words = SensorLabels.versions(status) + SensorLabels.wornSensor(status)
            if !words.isEmpty { report("\(name(sensor, state)) \(words.joined(separator: ", "))", state.now) }
            if let words = SensorLabels.text(status.newSensor) {
                report("\(name(sensor, state)) is on a new sensor, which is \(words)", state.now)
            }
        case .nights(let sensor, let nights):
            // Each percent of a transfer is an event.
            let words = nights.isTransferring ? "hands over its stored nights" : NightLabels.phrase(nights)
            guard sensors[sensor.address]?.nights != words else { break }
            record(sensor) { $0.nights = words }
            if let words { report("\(name(sensor, state)) \(nights.isTransferring ? "" : "has ")\(words)", state.now) }
        case .malformed(let sensor, let octets):
            if let last = sensors[sensor.address]?.malformedAt, state.now.since(last) < interval { break }
            record(sensor) { $0.malformedAt = state.now }
            let what = "sent malformed data (\(octets.characteristic): \(octets.reason))"
            report("\(name(sensor, state)) \(what)", state.now)
        case .gap(let gap): report(EventLabels.text(gap, time(state.now), isReplay: context.isReplay), state.now)
        case .pairing(let sensor, let pairing):
            if let words = EventLabels.text(pairing) { report("\(name(sensor, state)) \(words)", state.now) }
        // An alarm reports it.
        case .sensorsLeftOut: break
        case .reading(let reading):
            reportCopies(reading.sensor, state)
            guard let late = reading.late, let line = late.text(reading, state, units, time(state.now))
            else {
                break
            }
            report(line, state.now)
        case .entry, .beacon, .cuffPressure, .rrIntervals, .adapters, .remembered, .forgotten, .services, .octets,
            .advertised, .traced,
            .tick,
            .restarted:
            break
        }
    }

    private mutating func reportCopies(_ sensor: SensorIdentity, _ state: MonitorState) {
        let sendsCopies = state.sensor(address: sensor.address)?.sendsCopies ?? false
        guard sendsCopies != sensors[sensor.address]?.sendsCopies ?? false else { return }
        record(sensor) { $0.sendsCopies = sendsCopies }
        report("\(name(sensor, state)) \(sendsCopies ? SensorLabels.copies : "values come once again")", state.now)
    }

    /// Reports that lines were dropped because the reader had stopped reading.
    ///
    /// - Parameters:
    ///   - count: The number of dropped lines.
    ///   - from: The time of the first one.
    ///   - to: The time of the last one.
    public mutating func reportLoss(ofLines count: Int, from: Moment, to: Moment) {
        let stretch = EventLabels.stretch(from, to, time(to))
        let lines = count == 1 ? "1 line was" : "\(count) lines were"
        report("NOT WRITTEN: \(lines) dropped \(stretch), because the output was not read; monitoring went on", at: to)
    }

    private mutating func record(_ sensor: SensorIdentity, _ change: (inout ReportedSensor) -> Void) {
        if sensors[sensor.address] == nil, sensors.count >= Self.sensorLimit { sensors = [:] }
        change(&sensors[sensor.address, default: ReportedSensor()])
    }

    // MARK: Vitals

    private mutating func reportVitals(_ state: MonitorState) {
        for vital in state.vitals {
            guard let line = VitalLine(vital, state, unit: units) else { continue }
            let reported = vitals[vital.vital]
            guard reported?.key != line.key else {
                vitals[vital.vital]?.isWaiting = false
                continue
            }
            if let reported, !line.isUrgent, state.now.since(reported.at) < interval {
                vitals[vital.vital]?.isWaiting = true
                continue
            }
            let namesSource = line.source != nil && line.source != reported?.source
            report(line.text(time(state.now), vital: vital.vital, namesSource: namesSource), state.now)
            vitals[vital.vital] = VitalReport(key: line.key, at: state.now, source: line.source)
        }
        reportDisagreement(state)
    }

    private mutating func reportDisagreement(_ state: MonitorState) {
        let disagreement = state.rateDisagreement(at: state.now)
        guard (disagreement != nil) != isDisagreeing else { return }
        isDisagreeing.toggle()
        guard let disagreement else { return report("heart rate and pulse rate agree again", state.now) }
        let text = ValueText(units)
        let heart = text.digits(
            disagreement.heartRate.value, of: .heartRate, limits: state.boundaries(of: .heartRate))
        let pulse = text.digits(
            disagreement.pulseRate.value, of: .pulseRate, limits: state.boundaries(of: .pulseRate))
        report("heart rate \(heart) and pulse rate \(pulse) DIFFER: check strap and oximeter", state.now)
    }

    // MARK: Bluetooth

    private mutating func reportEnvironment(_ state: MonitorState) {
        let present = EnvironmentWarning(state)
        if let present {
            isUsable = false
            if present != trouble { report("\(present.title): \(present.sentence) Try: \(present.remedy)", state.now) }
        } else if let adapter = state.environment.adapter, !isUsable {
            isUsable = true
            report("Bluetooth works, \(adapter.identifier ?? "adapter")", state.now)
        }
        trouble = present
    }

    // MARK: Lines

    /// Adds a line without an event, such as the end of a recording.
    public mutating func report(_ words: String, at moment: Moment) {
        report(words, moment)
    }

    private func name(_ sensor: SensorIdentity, _ state: MonitorState) -> String {
        let shown = state.shownIdentity(of: sensor)
        return shown.name.allSatisfy(\.isWhitespace) ? shown.address : shown.name
    }

    /// The value of a temperature alarm in the unit of the other lines.
    private func inFahrenheit(_ alarm: Alarm) -> String {
        guard units.temperature == .fahrenheit, let vital = alarm.vital, vital.isTemperature, let value = alarm.value
        else {
            return ""
        }
        return " (\(ValueText(isFahrenheit: true).digits(value, of: vital, limits: alarm.boundaries)) °F)"
    }

    private func time(_ now: Moment) -> TimeText { TimeText(now: now, timeZoneOffset: context.timeZoneOffset) }

    /// Adds a line with its time of day; a new day, or a new offset from UTC, gets a separate line first.
    private mutating func report(_ line: String, _ now: Moment) {
        let time = time(now)
        let day = "\(time.fullDate(now.wallMilliseconds)), local time is UTC\(time.offsetText)"
        let simulated = context.isSimulated ? " SIMULATED" : ""
        if day != self.day {
            self.day = day
            add("\(context.isReplay ? "REPLAY of " : "")\(day)\(simulated)")
        }
        let mark = (context.isReplay ? " REPLAY" : "") + simulated + (context.patient.map { " \($0.text):" } ?? "")
        add("\(time.dateAndTime(now.wallMilliseconds).time)\(mark) \(line)")
    }

    /// Removes everything that could move a cursor or break a line, whatever its source.
    private mutating func add(_ line: String) {
        let harmless = sanitized(line, limit: 500)
        text += isASCII ? asciiText(harmless) : harmless
        text += "\n"
    }
}
