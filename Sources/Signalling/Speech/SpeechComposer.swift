import Base
import Monitoring
import Vitals

/// Composes spoken texts: alarms, and the values that a user asks for.
///
/// Only live numbers are spoken, because a spoken number has no age beside it.
package struct SpeechComposer: Hashable, Sendable {
    package var language: SpeechLanguage
    /// The units of the numbers.
    package var units: ValueText
    /// The labels of the session, which every text has; the local time.
    package var context: SessionContext

    /// Creates a composer.
    package init(language: SpeechLanguage, units: ValueText = ValueText(), context: SessionContext) {
        (self.language, self.units, self.context) = (language, units, context)
    }

    /// The present values: "heart rate 72, saturation 98, temperature 38.6, fever since 13:58".
    ///
    /// A vital without a sensor is left out; so is the pulse rate beside a heart rate, and the skin temperature beside
    /// the body temperature.
    package func values(of state: MonitorState) -> Utterance {
        var parts: [String] = []
        for shown in state.vitals where shown.condition != .neverSeen {
            if let principal = shown.vital.traits.role.principal, state[principal].condition.isMeasured { continue }
            parts.append(part(of: shown, in: state))
        }
        if parts.isEmpty { parts = [SpeechText.noMeasurement.in(language)] }
        if let fever = feverPart(of: state) { parts.append(fever) }
        return Utterance(sentence(parts.joined(separator: ", ")), language, .answer)
    }

    /// An alarm: "alarm: saturation low, 86".
    ///
    /// - Parameters:
    ///   - alarm: The alarm.
    ///   - state: The state, which determines whether the alarm's value is live.
    package func alarm(_ alarm: Alarm, in state: borrowing MonitorState) -> Utterance {
        var parts = [condition(of: alarm)]
        if alarm.alarmClass == .physiological, let vital = alarm.vital, let value = alarm.value, alarm.isCrossing,
            !alarm.isOfEntry, state.isCurrent(alarm)
        {
            parts.append(digits(value, of: vital, limits: alarm.boundaries))
        } else if let name = alarm.sensor.map({ Self.pronounceable($0.name) }), !name.isEmpty,
            alarm.alarmClass == .technical
        {
            parts.append(name)
        }
        let text = "\(SpeechText.alarm.in(language)): \(parts.joined(separator: ", "))"
        return Utterance(sentence(text), language, .alarm(alarm.priority))
    }

    /// The letters, digits and hyphens of a sensor's name, which can be pronounced.
    static func pronounceable(_ name: String) -> String {
        let kept = name.unicodeScalars.prefix(longestName).map { scalar in
            isPronounceable(scalar) ? Character(scalar) : " "
        }
        return String(kept).split(separator: " ").joined(separator: " ")
    }

    private static let longestName = 40

    private static func isPronounceable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber, .dashPunctuation:
            true
        default: false
        }
    }

    // MARK: Parts

    private func sentence(_ text: String) -> String {
        let beginnings = [
            context.isSimulated ? SpeechText.simulated.in(language) : nil,
            context.patient.map { Self.pronounceable($0.text) },
        ]
        return (beginnings.compactMap { $0 } + [text]).joined(separator: ": ")
    }

    private func part(of shown: VitalState, in state: MonitorState) -> String {
        let name = SpeechText.vital(shown.vital).in(language)
        guard case .measured(let sample) = shown.condition else {
            return "\(name): \(SpeechText.noMeasurement.in(language))"
        }
        let number = digits(sample.value, of: shown.vital, limits: state.boundaries(of: shown.vital))
        let doubt = sample.quality == .good ? "" : " \(SpeechText.doubtful.in(language))"
        return "\(name) \(number)\(doubt)"
    }

    private func condition(of alarm: Alarm) -> String {
        let condition = SpeechText.condition(alarm.kind).in(language)
        guard let vital = alarm.vital, !alarm.kind.isFever,
            alarm.alarmClass == .physiological || alarm.kind == .flatLine
        else { return condition }
        return "\(SpeechText.vital(vital).in(language)) \(condition)"
    }

    private func feverPart(of state: MonitorState) -> String? {
        guard let fever = state.alarms.first(where: { $0.kind.isFever && $0.state != .pending }),
            let since = fever.activeSince
        else { return nil }
        if state.now.since(since) >= .seconds(86_400) { return SpeechText.feverSinceADay.in(language) }
        return "\(SpeechText.feverSince.in(language)) \(timeOfDay(since))"
    }

    private func timeOfDay(_ moment: Moment) -> String {
        let local = moment.wallMilliseconds.addingSaturated(Int64(context.timeZoneOffset) * 1000)
        let minutes = (local / 60_000 % 1440 + 1440) % 1440
        let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
        return "\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }

    private func digits(_ value: VitalValue, of vital: Vital, limits: [VitalValue]) -> String {
        String(units.digits(value, of: vital, limits: limits).map { $0 == "." ? language.decimalMark : $0 })
    }
}

/// A text in every spoken language: another language needs another property here, and a column below.
struct SpeechText {
    private let english, german: String

    fileprivate init(_ english: String, _ german: String) {
        (self.english, self.german) = (english, german)
    }

    /// The text in a language.
    func `in`(_ language: SpeechLanguage) -> String {
        switch language {
        case .english: english
        case .german: german
        }
    }
}

// All texts that are spoken.
extension SpeechText {
    static let simulated = SpeechText("simulated", "simuliert")
    static let alarm = SpeechText("alarm", "Alarm")
    static let noMeasurement = SpeechText("no measurement", "keine Messung")
    static let doubtful = SpeechText("doubtful", "unsicher")
    /// A time of day follows.
    static let feverSince = SpeechText("fever since", "Fieber seit")
    static let feverSinceADay = SpeechText("fever for more than a day", "Fieber seit mehr als einem Tag")

    static func vital(_ vital: Vital) -> SpeechText {
        SpeechText(vital.traits.spoken.english, vital.traits.spoken.german)
    }

    /// The condition of an alarm; for a crossed limit, the text after the vital.
    static func condition(_ kind: AlarmKind) -> SpeechText {
        switch kind {
        case .feverSingle: SpeechText("fever", "Fieber")
        case .feverSustained: SpeechText("sustained fever", "anhaltendes Fieber")
        case .severeLow: SpeechText("severely low", "sehr niedrig")
        case .low: SpeechText("low", "niedrig")
        case .high: SpeechText("high", "hoch")
        case .severeHigh: SpeechText("severely high", "sehr hoch")
        case .fall: SpeechText("falling fast", "fällt schnell")
        case .rise: SpeechText("rising fast", "steigt schnell")
        case .flatLine: SpeechText("unchanged for a long time", "lange unverändert")
        case .sensorOff: SpeechText("sensor off", "Sensor nicht am Körper")
        case .equipment: SpeechText("sensor fault", "Sensorfehler")
        case .noMeasurement: noMeasurement
        case .calibrationWanted: SpeechText("calibration wanted", "Kalibrierung nötig")
        case .silent: SpeechText("sensor silent", "Sensor sendet nicht")
        case .linkLost: SpeechText("link lost", "Verbindung verloren")
        case .batteryLow: SpeechText("battery low", "Batterie schwach")
        case .weakSignal: SpeechText("weak signal", "schwaches Signal")
        case .weakPulse: SpeechText("weak pulse at the oximeter", "schwacher Puls am Oximeter")
        case .malformed: SpeechText("malformed data", "fehlerhafte Daten")
        case .busLost: SpeechText("no message bus", "kein Message-Bus")
        case .daemonGone: SpeechText("Bluetooth service not running", "Bluetooth-Dienst läuft nicht")
        case .busSilent: SpeechText("message bus does not answer", "Message-Bus antwortet nicht")
        case .daemonSilent: SpeechText("Bluetooth does not answer", "Bluetooth antwortet nicht")
        case .adapterOff: SpeechText("Bluetooth adapter not usable", "Bluetooth-Adapter nicht verfügbar")
        case .storage: SpeechText("storage", "Speicherung gestört")
        case .soundLost: SpeechText("sound lost", "Ton ausgefallen")
        case .wardLost: SpeechText("no connection to the ward", "keine Verbindung zur Station")
        case .labDue: SpeechText("blood count due", "Blutbild fällig")
        case .clockJump: SpeechText("clock was set", "Uhr wurde gestellt")
        case .notMonitored: SpeechText("monitoring was interrupted", "Überwachung war unterbrochen")
        case .readingsDropped: SpeechText("sensor not monitored", "Sensor nicht überwacht")
        case .nothingMonitored: SpeechText("nothing is monitored", "Nichts wird überwacht")
        case .tooManySensors: SpeechText("too many sensors", "zu viele Sensoren")
        case .monitorLost: SpeechText("no monitor", "kein Monitor")
        }
    }
}

/// A spoken language; the raw value is its ISO 639-1 code.
package enum SpeechLanguage: String, CaseIterable, Hashable, Sendable {
    case english = "en"
    case german = "de"

    /// The language of a locale such as `de_AT.UTF-8`; English if there are no texts in that language.
    package init(locale: some StringProtocol) {
        let code = locale.prefix { $0.isASCII && $0.isLetter }.lowercased()
        self = SpeechLanguage(rawValue: code) ?? .english
    }

    /// The mark before the decimals of a number.
    var decimalMark: Character {
        switch self {
        case .english: "."
        case .german: ","
        }
    }
}

/// A text that is spoken without a break.
package struct Utterance: Hashable, Sendable {
    /// Why it is spoken.
    package enum Reason: Hashable, Sendable {
        /// A user has asked for it.
        case answer
        case alarm(AlarmPriority)
    }

    package let text: String
    /// The language of the text.
    package let language: SpeechLanguage
    /// Why it is spoken.
    package let reason: Reason

    /// Creates an utterance.
    package init(_ text: String, _ language: SpeechLanguage, _ reason: Reason) {
        (self.text, self.language, self.reason) = (text, language, reason)
    }

    /// The rank of a reason: of two, the higher one is spoken first and interrupts the other.
    var rank: Int {
        switch reason {
        case .answer: 0
        case .alarm(.low): 1
        case .alarm(.medium): 2
        case .alarm(.high): 3
        }
    }

    /// Whether it is an alarm.
    var isAlarm: Bool { reason != .answer }
}
