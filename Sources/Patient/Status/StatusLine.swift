import Base
import Monitoring
import Vitals
import Wording

/// A status summary in one line: "♥ 72  SpO₂ 98  38.6° FEVER".
///
/// It consists of labelled pieces, so that a bar can colour each; the text alone is complete.
public struct StatusLine: Hashable, Sendable {
    /// The kind of a piece.
    public enum Tone: Hashable, Sendable {
        /// That the data are simulated.
        case simulated
        /// The name of the patient.
        case patient
        /// A value that is current.
        case value
        /// A value that is not current or does not exist.
        case missing
        /// An alarm; calm when acknowledged.
        case alarm(AlarmPriority, isCalm: Bool)
        /// Other remarks.
        case notice
        /// No monitor runs or answers; also for the marks around that text.
        case noMonitor(isMark: Bool)
    }

    /// A piece of the line.
    public struct Piece: Hashable, Sendable {
        /// Its text; safe for a terminal, but not escaped for any status bar.
        public var text: String
        public var tone: Tone

        public init(text: String, tone: Tone) {
            (self.text, self.tone) = (text, tone)
        }
    }

    /// The pieces, in their order.
    public private(set) var pieces: [Piece] = []
    private let glyphs: GlyphSet
    private let values: ValueText

    /// The pieces, each in some markup, side by side; the worst alarm is close to the numbers.
    public func joined(_ markup: (Piece) -> String) -> String {
        var line = ""
        for piece in pieces {
            if case .alarm = piece.tone, !line.isEmpty { line += " " } else if !line.isEmpty { line += "  " }
            line += markup(piece)
        }
        return line
    }

    /// Finds the text.
    ///
    /// - Parameters:
    ///   - glance: The status summary.
    ///   - unit: The unit of temperatures.
    ///   - isASCII: Whether only ASCII can be shown.
    public init(_ glance: StatusSummary, unit: DisplayUnits = DisplayUnits(), isASCII: Bool = false) {
        glyphs = isASCII ? .ascii : .braille
        values = ValueText(unit)
        if glance.isSimulated { add("SIMULATED", .simulated) }
        if let patient = glance.patient { add("\(patient):", .patient) }
        if glance.vitals.allSatisfy({ $0.state == .neverSeen }) {
            add("nothing is measured", .missing)
        } else {
            for vital in glance.vitals { add(vital, at: glance.wallMilliseconds) }
        }
        for alarm in glance.alarms.prefix(1) {
            // The worst alarm may be acknowledged while another is not.
            let isNewHidden = alarm.isAcknowledged && glance.alarms.dropFirst().contains { !$0.isAcknowledged }
            let more = glance.alarmCount > 1 ? " +\(glance.alarmCount - 1)\(isNewHidden ? " new" : "")" : ""
            add(text(of: alarm, glance) + more, .alarm(alarm.priority, isCalm: alarm.isAcknowledged))
        }
        // An alarm reports it, too, but later.
        let isSaid = glance.alarms.first?.kind?.isAboutBluetooth ?? false
        if let trouble = glance.trouble, !isSaid {
            add(trouble, .missing)
        }
        for notice in glance.notices { add(notice, .notice) }
    }

    /// The line without colours.
    public var text: String { joined(\.text) }

    /// The worst alarm of a status summary as text: "FEVER", "LINK LOST Polar H10", "FEVER (suspended)".
    ///
    /// It includes a value that is not the number in the line, and the worst value of an alarm that is over: "FEVER
    /// 38.6° Thermometer", "HR HIGH (over, peak 132)".
    private func text(of alarm: StatusAlarm, _ glance: StatusSummary) -> String {
        let isApart = alarm.sensorName != nil || !glance.vitals.contains { $0.vital == alarm.vital }
        var words = [alarm.title]
        let boundaries = glance.vitals.first { $0.vital == alarm.vital }?.evaluatedAt ?? []
        func number(_ value: VitalValue) -> String { self.number(value, alarm, boundaries) }
        if alarm.alarmClass == .physiological, isApart, let value = alarm.value { words.append(number(value)) }
        if let sensor = alarm.sensorName { words.append(sensor) }
        var standing = alarm.standing.map { [$0] } ?? []
        if alarm.state == .ended, let peak = alarm.peak {
            standing.append("\(alarm.kind?.isWorseWhenLower == true ? "lowest" : "peak") \(number(peak))")
        }
        if !standing.isEmpty { words.append("(\(standing.joined(separator: ", ")))") }
        return words.joined(separator: " ")
    }

    private func number(_ value: VitalValue, _ alarm: StatusAlarm, _ boundaries: [VitalValue]) -> String {
        guard let vital = alarm.vital else { return "\(value.hundredths / 100)" }
        let boundary = alarm.limit.flatMap { alarm.kind?.relation?.boundary($0) }
        return number(value, of: vital, limits: (boundary.map { [$0] } ?? []) + boundaries)
    }

    private mutating func add(_ text: String, _ tone: Tone) {
        let harmless = sanitized(glyphs.fit(text), limit: 120)
        guard glyphs == .ascii else { return pieces.append(Piece(text: harmless, tone: tone)) }
        pieces.append(Piece(text: asciiText(harmless), tone: tone))
    }

    private mutating func add(_ vital: StatusVital, at now: Int64) {
        let name = label(vital.vital)
        func line(_ rest: String) -> String { name.isEmpty ? rest : "\(name) \(rest)" }
        let nameless = vital.vital == .bodyTemperature ? "Temp" : name
        switch vital.state {
        case .measured:
            let warnings = vital.quality.warnings(hasWeakPulse: vital.hasWeakPulse).map { $0[0].lowercased() }
            let calibrated = vital.calibration.map { calibration in
                let age = TimeText.span(max(0, now.subtractingSaturated(calibration.wallMilliseconds) / 1000))
                return " with \(number(calibration.glucose, of: .glucose, limits: [])) \(age) ago"
            }
            let words = warnings.joined(separator: ", ") + (calibrated ?? "")
            add(line(number(vital)) + (words.isEmpty ? "" : " (\(words))"), .value)
        case .stale:
            add(line(number(vital)) + " (\(age(vital)) old)", .missing)
        case .noMeasurement:
            let words = vital.reasonText ?? vital.reason.map { $0.exchanging("_", for: " ") } ?? "no measurement"
            add("\(nameless) -- \(words)", .missing)
        case .lost: add("\(nameless) -- no value for \(age(vital))", .missing)
        case .notConnected: add("\(nameless) -- not connected", .missing)
        case .neverSeen: add("\(nameless) --", .missing)
        }
    }

    private func age(_ vital: StatusVital) -> String { TimeText.span(vital.age ?? 0) }

    /// The label before the number; a body temperature needs none, because it has a degree sign.
    private func label(_ vital: Vital) -> String {
        vital == .heartRate && glyphs != .ascii ? glyphs.heart : glyphs.fit(vital.traits.label)
    }

    private func number(_ vital: StatusVital) -> String {
        vital.value.map { number($0, of: vital.vital, limits: vital.evaluatedAt) } ?? "--"
    }

    private func number(_ value: VitalValue, of vital: Vital, limits: [VitalValue]) -> String {
        let digits = values.digits(value, of: vital, limits: limits)
        guard vital.isTemperature else { return digits }
        let isFahrenheit = values.isFahrenheit
        return digits + (glyphs == .ascii ? (isFahrenheit ? "F" : "C") : glyphs.degree + (isFahrenheit ? "F" : ""))
    }
}
