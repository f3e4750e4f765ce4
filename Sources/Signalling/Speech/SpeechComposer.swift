import Monitoring
import Base
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
