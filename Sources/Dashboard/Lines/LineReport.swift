import Monitoring
import Vitals

/// Tells what happens in lines of plain text: for a braille display, a screen reader, a pager, a log.
///
/// A value is one line with its unit, told when it has changed, and no more often than once in an interval for each
/// vital. Whatever is not a current value, an alarm, or the state of a sensor is told at once. A pure value: time comes
/// with the events, and ``nextDue`` says when a value that was kept back is to be told.
public struct LineReport: Sendable {
    /// The local time's distance from UTC in seconds.
    public var timeZoneOffset = 0
    /// Whether every line says that its data are simulated.
    public var isSimulated = false
    /// Whose data every line says that they are; `nil` for the one patient that has no name.
    public var patient: PatientName?
    /// Whether every line says that a recording is played.
    public var isReplay = false
    /// The unit of temperatures.
    public var temperatureUnit = TemperatureUnit.celsius
    /// Whether only ASCII may be printed.
    public var isASCII = false

    private let interval: Duration
    private var text = ""
    private var vitals: [Vital: Told] = [:]
    private var sensors: [String: ToldSensor] = [:]
    private var trouble: EnvironmentTrouble?
    private var isUsable = false
    private var isDisagreeing = false
    private var day = ""

    /// What was told about a vital last.
    private struct Told {
        var key: String
        var at: Moment
        var source: SensorIdentity?
        /// Whether something is kept back.
        var isWaiting = false
    }

    /// What was told about a sensor last.
    private struct ToldSensor {
        var connection = ""
        var isNearby = false
        var battery: Int?
        var malformedAt: Moment?
        var sendsCopies = false
    }

    /// The most sensors of which is known what was told; the others are told anew.
    private static let sensorLimit = 2048

    /// Makes a report that has told nothing.
    ///
    /// - Parameter interval: How often the value of a vital is told at most.
    public init(interval: Duration) {
        self.interval = interval
    }

    /// Whether no line waits to be taken.
    public var isEmpty: Bool { text.isEmpty }

    /// Hands over the lines, each with its end, and forgets them.
    public mutating func takeLines() -> String {
        defer { text = "" }
        return text
    }

    /// When a value is to be told that was kept back, at the latest; `nil` when there is none.
    public var nextDue: Moment? {
        vitals.values.lazy.filter(\.isWaiting).map { $0.at.advanced(by: interval) }.min()
    }

    // MARK: Taking in

    /// Takes in an event, and what it brought about.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - effects: The effects of it.
    ///   - state: The state with the event folded in.
    public mutating func take(_ event: MonitorEvent, _ effects: [Effect], _ state: MonitorState) {
        tell(event.kind, state)
        take(effects, state)
    }

    /// Takes in what happened without an event: time passed, somebody answered an alarm.
    public mutating func take(_ effects: [Effect], _ state: MonitorState) {
        tellVitals(state)
        for effect in effects {
            switch effect {
            case .alarm(let alarm, _):
                if let words = EventWords.words(alarm, time(state.now)) { tell(words + inFahrenheit(alarm), state.now) }
            case .alarmAgain(let alarm, _):
                tell("ALARM again, \(alarm.priority.rawValue) priority: \(alarm.text)", state.now)
            case .unanswered(let alarm, _): tell(EventWords.unanswered(alarm, time(state.now)), state.now)
            case .entry(let entry):
                let words = ManualWords(temperatureUnit).text(of: entry)
                let clock = time(state.now).point(entry.taken, isExact: false)
                tell(
                    entry.isRetracted
                        ? "MANUAL entry taken back as a mistake: \(words), of \(clock)"
                        : "MANUAL \(words), measured at \(clock)", state.now)
            case .action(let record) where record.kind.isManualEntry: break
            case .action(let record):
                let by = record.actor == .user ? "by a user" : "by itself"
                tell("\(by): \(record.kind.words)", state.now)
            case .latchReset, .reading, .soundBurst, .soundReminder: break
            }
        }
    }

    private mutating func tell(_ kind: MonitorEvent.Kind, _ state: MonitorState) {
        switch kind {
        case .bus, .daemon, .adapter: tellEnvironment(state)
        case .nearby(let sensor, _, _):
            guard sensor.kind != .other, sensors[sensor.address]?.isNearby != true else { break }
            note(sensor) { $0.isNearby = true }
            tell("\(name(sensor, state)) nearby, \(sensor.kind.words)", state.now)
        case .gone(let sensor):
            guard sensors[sensor.address]?.isNearby == true else { break }
            sensors[sensor.address] = nil
            tell("\(name(sensor, state)) no longer heard", state.now)
        case .connection(let sensor, let connection):
            guard let words = EventWords.words(connection, of: sensor.kind),
                sensors[sensor.address]?.connection != words
            else { break }
            note(sensor) { $0.connection = words }
            tell("\(name(sensor, state)) \(words)", state.now)
        case .battery(let sensor, let percent):
            guard sensors[sensor.address]?.battery != percent else { break }
            note(sensor) { $0.battery = percent }
            tell("\(name(sensor, state)) battery \(percent) %", state.now)
        case .malformed(let sensor, let octets):
            if let last = sensors[sensor.address]?.malformedAt, state.now.since(last) < interval { break }
            note(sensor) { $0.malformedAt = state.now }
            let what = "sent what makes no sense (\(octets.characteristic): \(octets.reason))"
            tell("\(name(sensor, state)) \(what)", state.now)
        case .gap(let gap): tell(EventWords.words(gap, time(state.now), isReplay: isReplay), state.now)
        case .pairing(let sensor, let pairing):
            if let words = EventWords.words(pairing) { tell("\(name(sensor, state)) \(words)", state.now) }
        // An alarm says it.
        case .sensorsLeftOut: break
        case .reading(let reading):
            tellCopies(reading.sensor, state)
            guard let late = reading.late, let line = late.words(reading, state, temperatureUnit, time(state.now))
            else {
                break
            }
            tell(line, state.now)
        case .adapters, .remembered, .forgotten, .services, .octets, .tick, .restarted: break
        }
    }

    private mutating func tellCopies(_ sensor: SensorIdentity, _ state: MonitorState) {
        let sendsCopies = state.sensor(address: sensor.address)?.sendsCopies ?? false
        guard sendsCopies != sensors[sensor.address]?.sendsCopies ?? false else { return }
        note(sensor) { $0.sendsCopies = sendsCopies }
        tell("\(name(sensor, state)) \(sendsCopies ? SensorWords.copies : "values come once again")", state.now)
    }

    /// Reports that lines were dropped, because whoever reads them had stopped reading.
    ///
    /// - Parameters:
    ///   - count: How many were dropped.
    ///   - from: When the first of them was.
    ///   - to: When the last of them was.
    public mutating func reportLoss(ofLines count: Int, from: Moment, to: Moment) {
        let stretch = EventWords.stretch(from, to, time(to))
        let lines = count == 1 ? "1 line was" : "\(count) lines were"
        tell("NOT WRITTEN: \(lines) dropped \(stretch), because nobody read; monitoring went on", at: to)
    }

    private mutating func note(_ sensor: SensorIdentity, _ change: (inout ToldSensor) -> Void) {
        if sensors[sensor.address] == nil, sensors.count >= Self.sensorLimit { sensors = [:] }
        change(&sensors[sensor.address, default: ToldSensor()])
    }

    // MARK: Vitals

    private mutating func tellVitals(_ state: MonitorState) {
        for vital in state.vitals {
            guard let line = VitalLine(vital, state, unit: temperatureUnit) else { continue }
            let told = vitals[vital.vital]
            guard told?.key != line.key else {
                vitals[vital.vital]?.isWaiting = false
                continue
            }
            if let told, !line.isUrgent, state.now.since(told.at) < interval {
                vitals[vital.vital]?.isWaiting = true
                continue
            }
            let namesSource = line.source != nil && line.source != told?.source
            tell(line.text(time(state.now), vital: vital.vital, namesSource: namesSource), state.now)
            vitals[vital.vital] = Told(key: line.key, at: state.now, source: line.source)
        }
        tellDisagreement(state)
    }

    private mutating func tellDisagreement(_ state: MonitorState) {
        let disagreement = state.rateDisagreement(at: state.now)
        guard (disagreement != nil) != isDisagreeing else { return }
        isDisagreeing.toggle()
        guard let disagreement else { return tell("heart rate and pulse rate differ no more", state.now) }
        let text = ValueText(temperatureUnit: temperatureUnit)
        let heart = text.digits(
            disagreement.heartRate.value, of: .heartRate, limits: state.boundaries(of: .heartRate))
        let pulse = text.digits(
            disagreement.pulseRate.value, of: .pulseRate, limits: state.boundaries(of: .pulseRate))
        tell("heart rate \(heart) and pulse rate \(pulse) DIFFER: check strap and oximeter", state.now)
    }

    // MARK: Bluetooth

    private mutating func tellEnvironment(_ state: MonitorState) {
        let present = EnvironmentTrouble(state.environment)
        if let present {
            isUsable = false
            if present != trouble { tell("\(present.title): \(present.sentence) Try: \(present.remedy)", state.now) }
        } else if let adapter = state.environment.adapter, !isUsable {
            isUsable = true
            tell("Bluetooth works, \(adapter.identifier ?? "adapter")", state.now)
        }
        trouble = present
    }

    // MARK: Lines

    /// Tells something that is about no event, such as that a recording is over.
    public mutating func tell(_ words: String, at moment: Moment) {
        tell(words, moment)
    }

    private func name(_ sensor: SensorIdentity, _ state: MonitorState) -> String {
        let shown = state.shownIdentity(of: sensor)
        return shown.name.allSatisfy(\.isWhitespace) ? shown.address : shown.name
    }

    /// The value of a temperature alarm in the unit that is told elsewhere.
    private func inFahrenheit(_ alarm: Alarm) -> String {
        guard temperatureUnit == .fahrenheit, let vital = alarm.vital, vital.isTemperature, let value = alarm.value
        else {
            return ""
        }
        return " (\(ValueText(temperatureUnit: .fahrenheit).limit(value, of: vital)) °F)"
    }

    private func time(_ now: Moment) -> TimeText { TimeText(now: now, timeZoneOffset: timeZoneOffset) }

    /// Adds a line with its time of day; a new day, or another distance from UTC, has a line of its own before.
    private mutating func tell(_ line: String, _ now: Moment) {
        let time = time(now)
        let day = "\(time.fullDate(now.wallMilliseconds)), local time is UTC\(time.offsetText)"
        let simulated = isSimulated ? " SIMULATED" : ""
        if day != self.day {
            self.day = day
            add("\(isReplay ? "REPLAY of " : "")\(day)\(simulated)")
        }
        let mark = (isReplay ? " REPLAY" : "") + simulated + (patient.map { " \($0.text):" } ?? "")
        add("\(time.dateAndTime(now.wallMilliseconds).time)\(mark) \(line)")
    }

    /// Nothing that could move a cursor or break a line gets through, wherever it comes from.
    private mutating func add(_ line: String) {
        let harmless = harmlessText(line, limit: 500)
        text += isASCII ? asciiText(harmless) : harmless
        text += "\n"
    }
}
