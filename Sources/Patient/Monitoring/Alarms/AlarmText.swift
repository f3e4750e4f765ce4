import Vitals

/// The parts of an alarm's text; a narrow screen omits parts from the end.
///
/// Values are in the vital's own unit; a screen with other units replaces them.
public struct AlarmPhrase: Hashable, Sendable {
    /// The subject: "SpO₂", "Fever", "Battery low".
    public var subject: String
    /// The newest value: "88", "38.6 °C".
    public var value: String?
    /// The limit with the relation to it: "< 90".
    public var limit: String?
    /// How long the limit must be crossed, or the time within which the change counts: "for 15 s", "within 60 s".
    public var duration: String?
    /// The site on the body: "core".
    public var site: String?
    /// The sensor's name.
    public var source: String?
    /// Its state unless it is simply active: "suspended: link lost", "1 of 3 readings".
    public var status: String?

    /// Whether the subject contains that the alarm has ended: "Fever over:".
    public var isOver: Bool { subject.hasSuffix(" over:") }

    /// The phrase in one line: "SpO₂ 88 < 90 for 15 s · e-Oximeter".
    public var text: String {
        let statement = [subject, value, limit, duration].compactMap { $0 }.joined(separator: " ")
        return [statement, site, source, status].compactMap { $0 }.joined(separator: " · ")
    }
}

extension Alarm {
    /// The alarm in one line without a time of day: "Fever 38.6 °C ≥ 38.3 · core · CORE 1A2B".
    ///
    /// For logs and `bedside watch --json`; screens build their own line from ``phrase``, in their units.
    public var text: String { phrase.text }

    /// The parts of the alarm's text as of its last event.
    public var phrase: AlarmPhrase { phrase(isCurrent: isLive) }

    /// The parts of the alarm's text.
    ///
    /// - Parameter isCurrent: Whether its value is current; see ``MonitorState/isCurrent(_:)``.
    func phrase(isCurrent: Bool) -> AlarmPhrase {
        var phrase = statement(isCurrent: isCurrent)
        phrase.site = site?.text
        phrase.source = sensor.map { $0.name.isEmpty ? $0.address : $0.name }
        phrase.status = phrase.isOver ? nil : status
        return phrase
    }

    /// The alarm's title, with the vital if the condition alone is ambiguous: "SpO₂ low".
    public var title: String {
        if phase == .pending, kind.isFever { return "Suspected \(kind.title.lowercased())" }
        return switch (kind, feverRisk) {
        case (.feverSingle, let risk?): risk.title
        case (.feverSustained, .febrileNeutropenia?): "\(FeverRisk.febrileNeutropenia.title), sustained fever"
        case (.feverSustained, .countUnknown?): "\(kind.title), neutrophils unknown"
        default: snoozeKey.text
        }
    }

    private func statement(isCurrent: Bool) -> AlarmPhrase {
        switch kind {
        case .feverSingle, .feverSustained:
            return crossing(title, unit: " °C", isCurrent: isCurrent)
        case .severeLow, .low, .high, .severeHigh:
            return crossing(vital?.shortText ?? title, isCurrent: isCurrent)
        case .fall, .rise:
            guard let vital, let value, let limit else { return AlarmPhrase(subject: title) }
            return AlarmPhrase(
                subject: vital.shortText, value: "\(isCurrent ? "" : "last ")\(digits(value, of: vital))",
                limit: "\(kind == .fall ? "fell" : "rose") by ≥ \(limit.text(of: vital))",
                duration: duration.map { "within \($0.text)" })
        case .flatLine:
            guard let vital, let value, let duration else { return AlarmPhrase(subject: title) }
            return AlarmPhrase(
                subject: vital.shortText, value: digits(value, of: vital), limit: "unchanged",
                duration: "for \(duration.text), check placement")
        case .batteryLow:
            return AlarmPhrase(
                subject: kind.title, value: value.map { "\($0.hundredths / 100) %" },
                limit: isCrossing ? limit.map { "≤ \($0.hundredths / 100)" } : nil)
        case .weakSignal:
            return AlarmPhrase(
                subject: kind.title, value: value.map { "\($0.hundredths / 100) dBm" },
                limit: isCrossing ? limit.map { "≤ \($0.hundredths / 100)" } : nil)
        case .weakPulse:
            return crossing(title, unit: " %", isCurrent: isCurrent)
        case .sensorOff, .equipment, .noMeasurement, .calibrationWanted, .silent:
            guard let reason, let sensor else { return AlarmPhrase(subject: titleWithDetail) }
            let why = AbsenceExplanation(reason: reason, sensor: sensor.kind, vital: vital).title
            return AlarmPhrase(subject: "\(kind.title): \(why)")
        // Avoids "Link lost: link lost".
        case .linkLost, .malformed, .busLost, .daemonGone, .busSilent, .daemonSilent, .adapterOff, .storage, .soundLost,
            .wardLost, .labDue, .clockJump, .notMonitored, .readingsDropped, .nothingMonitored, .tooManySensors,
            .monitorLost:
            return AlarmPhrase(subject: titleWithDetail)
        }
    }

    private var titleWithDetail: String { detail.map { "\(kind.title): \($0)" } ?? kind.title }

    /// A value beside the limit that it crosses; otherwise the newest and the worst value: "now 91, lowest 88 < 90".
    ///
    /// A value that is not current is marked. A comparison that does not hold, because the limit has changed, is not
    /// printed; the condition is named instead.
    private func crossing(_ subject: String, unit: String = "", isCurrent: Bool) -> AlarmPhrase {
        guard let vital, let limit, let relation = kind.relation else { return AlarmPhrase(subject: title) }
        let bound = "\(relation.sign) \(limit.text(of: vital))"
        if let rangeText {
            guard phase == .ended else {
                return AlarmPhrase(
                    subject: subject, value: "\(isCurrent || isOfEntry ? "" : "last ")\(rangeText)", limit: bound,
                    duration: durationText)
            }
            return AlarmPhrase(
                subject: isInterrupted ? "\(title):" : "\(title) over:", value: "\(peakWord) \(rangeText)",
                limit: bound)
        }
        guard let value else { return AlarmPhrase(subject: title) }
        if phase != .ended, isCrossing {
            let isLast = !isCurrent && !isOfEntry
            return AlarmPhrase(
                subject: subject, value: "\(isLast ? "last " : "")\(digits(value, of: vital))\(unit)", limit: bound,
                duration: durationText)
        }
        let worst = "\(peakWord) \(AbsenceExplanation.rangeText(worstReason) ?? digits(peak ?? value, of: vital))"
        let newest = "\(isCurrent ? "now" : "last") \(digits(value, of: vital))\(unit)"
        let isWorse =
            worstReason != nil || peak.map { digits($0, of: vital) != digits(value, of: vital) } ?? false
        return AlarmPhrase(
            subject: phase == .ended && !isInterrupted ? "\(kind.isFever ? kind.title : title) over:" : "\(title):",
            value: isCrossing ? worst + unit : isWorse ? "\(newest), \(worst)" : newest,
            limit: (isCrossing || isWorse) && isBeyondLimit(peak ?? value) ? bound : nil)
    }

    /// The digits of a value as on the screen; exact if the values that rounding must not cross are unknown, as for an
    /// alarm of an earlier run.
    private func digits(_ value: VitalValue, of vital: Vital) -> String {
        boundaries.isEmpty ? value.text(of: vital) : ValueText().digits(value, of: vital, limits: boundaries)
    }

    /// How long the limit is crossed: "for 60 min", for a suspicion "for 34 of 60 min" or "for less than 15 s".
    private var durationText: String? {
        guard let duration, duration > .zero else { return nil }
        guard phase == .pending else { return "for \(duration.text)" }
        return confirmations.map { "for \($0.count) of \($0.wanted) min" } ?? "for less than \(duration.text)"
    }

    /// The progress of a rule: "1 of 3 readings"; `nil` if the duration contains it.
    public var progressText: String? {
        guard let confirmations, kind != .feverSustained || !isCrossing else { return nil }
        return "\(confirmations.count) of \(confirmations.wanted) \(kind == .feverSustained ? "min" : "readings")"
    }

    /// The name of the worst value of an episode.
    public var peakWord: String { kind.isWorseWhenLower ? "lowest" : "peak" }

    /// Whether the newest value is beyond the limit, by the comparison of the rule.
    public var isCrossing: Bool { isBeyondLimit(value) }

    /// Whether its value was current at its last event: `false` if it is late, suspended, ended or typed.
    var isLive: Bool {
        switch phase {
        case .pending, .active, .clearing: !isOfEntry && !isValueLate
        case .suspended, .ended: false
        }
    }

    private var status: String? {
        switch phase {
        case .suspended(_, let reason):
            let why = sensor.flatMap { sensor in
                reason.map { AbsenceExplanation(reason: $0, sensor: sensor.kind, vital: vital).title }
            }
            return "suspended: \(why ?? "no measurement")"
        case .pending:
            return progressText
        case .ended where isInterrupted: return "over, end unknown: Bedside ended"
        case .ended: return isLatched ? "over" : nil
        case .active, .clearing: return isUnconfirmed ? EntryFacts.unconfirmed : nil
        }
    }
}

extension AlarmKind {
    /// The condition's title: "Fever"; for a limit, the text after the vital: "low".
    public var title: String {
        switch self {
        case .feverSingle: "Fever"
        case .feverSustained: "Sustained fever"
        case .severeLow: "severely low"
        case .low: "low"
        case .high: "high"
        case .severeHigh: "severely high"
        case .fall: "falling"
        case .rise: "rising"
        case .flatLine: "unchanged"
        case .sensorOff: "Sensor off"
        case .equipment: "Sensor fault"
        case .noMeasurement: "No measurement"
        case .calibrationWanted: "Calibration wanted"
        case .silent: "Sensor silent"
        case .linkLost: "Link lost"
        case .batteryLow: "Battery low"
        case .weakSignal: "Weak signal"
        case .weakPulse: "Weak pulse"
        case .malformed: "Malformed data"
        case .busLost: "No message bus"
        case .daemonGone: "Bluetooth service not running"
        case .busSilent: "Message bus does not answer"
        case .daemonSilent: "Bluetooth does not answer"
        case .adapterOff: "Bluetooth adapter not usable"
        case .storage: "Storage"
        case .soundLost: "Sound lost"
        case .wardLost: "No ward"
        case .labDue: "Blood count due"
        case .clockJump: "Clock was set"
        case .notMonitored: "Not monitored"
        case .readingsDropped: "Readings dropped"
        case .nothingMonitored: "Nothing is monitored"
        case .tooManySensors: "Too many sensors"
        case .monitorLost: "No monitor"
        }
    }
}
