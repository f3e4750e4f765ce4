import Monitoring
import Vitals

/// The text of manual entries, in the units on the screen.
package struct ManualLabels {
    private let units: DisplayUnits

    package init(_ units: DisplayUnits) {
        self.units = units
    }

    /// The entry as text: "body temperature 38.4 °C, mouth".
    package func text(of entry: RecordEntry) -> String {
        if case .calibration = entry.content { return value(of: entry) }
        guard case .vital(let vital, _, _) = entry.content,
            vital == .glucose || vital.isTemperature && units.temperature == .fahrenheit
        else { return entry.text }
        return "\(vital.text) \(value(of: entry))"
    }

    /// The value with its unit and details, without a name: "38.4 °C, mouth".
    package func value(of entry: RecordEntry) -> String {
        switch entry.content {
        case .vital(let vital, let value, let site):
            let isFahrenheit = vital.isTemperature && units.temperature == .fahrenheit
            let isConverted = isFahrenheit || vital == .glucose
            let number = isConverted ? ValueText(units).limit(value, of: vital) : value.text(of: vital)
            let unit =
                vital == .glucose
                ? units.glucose.text : isFahrenheit ? units.temperature.sign : vital.unitText
            return "\(number) \(unit)\(site.map { ", \($0.text)" } ?? "")"
        case .bloodPressure(let pressure):
            return "\(pressure.digits) mmHg\(pressure.pulse.map { ", pulse \($0)" } ?? "")"
        case .neutrophils(let count): return "\(count.perMicrolitre)/µL"
        case .weight(let weight): return "\(weight.decimalText) kg"
        case .lab(let result): return result.text
        case .medication(let medication): return medication.text
        case .symptom(let rating): return rating.text
        case .calibration(let calibration):
            let number = ValueText(units).limit(calibration.glucose, of: .glucose)
            return calibration.text("\(number) \(units.glucose.text)")
        case .note(let text): return text
        case .noMeasurement: return entry.absenceText ?? ""
        default: return entry.text
        }
    }
}

extension TimeText {
    /// The age of a manual measurement: "12 min old"; "just now" for less than a minute.
    package func manualAge(of moment: Moment) -> String {
        let seconds = now.since(moment).components.seconds
        return seconds < 60 ? "just now" : "\(seconds < 7200 ? "\(seconds / 60) min" : Self.span(seconds)) old"
    }

    /// When the text of ``manualAge(of:)`` changes next.
    package func nextChange(ofManualAgeOf moment: Moment) -> Moment {
        let minutes = now.since(moment).components.seconds / 60
        return minutes < 120
            ? max(now, moment.advanced(by: .seconds((max(0, minutes) + 1) * 60))) : nextChange(ofAgeOf: moment)
    }
}

/// The last antipyretic, which may hide a fever, as text.
package struct AntipyreticLabels {
    /// The remark for the temperature and a fever: "paracetamol 2 h ago"; `nil` when none was given recently.
    package let remark: String?

    /// Finds the text.
    package init(_ state: borrowing MonitorState, time: TimeText) {
        remark = state.patientRecord.antipyretic(at: time.now).map { found in
            let age = time.manualAge(of: found.given)
            let ago = age.hasSuffix(" old") ? "\(age.dropLast(4)) ago" : age
            return "\(found.medication.name) \(ago)"
        }
    }
}

/// The neutrophil count (ANC) as text, with its age.
package struct NeutrophilLabels {
    /// The remark for the temperature: "ANC 450/µL, 2 d old"; `nil` when none was entered.
    package var remark: String?
    /// The same as a sentence, with the recommended action.
    package var sentence: String

    /// Finds the text.
    package init(_ state: borrowing MonitorState, time: TimeText) {
        guard let count = state.neutrophils else {
            sentence = "Neutrophils unknown: N enters the count (ANC)"
            return
        }
        let (date, clock) = time.dateAndTime(count.sampledAt)
        let milliseconds = time.now.wallMilliseconds.subtractingReportingOverflow(count.sampledAt)
        let age = TimeText.span(milliseconds.overflow ? 0 : milliseconds.partialValue / 1000)
        let taken = "ANC \(count.perMicrolitre)/µL of \(date) \(clock.prefix(5))"
        if count.isValid(at: time.now) {
            remark = "ANC \(count.perMicrolitre)/µL, \(age) old"
            sentence = "\(taken), \(age) old: \(NeutropeniaGrade(count, at: time.now).text)"
        } else {
            remark = "ANC \(age) old: too old to count"
            sentence = "\(taken), \(age) old: too old to count; N enters a newer one"
        }
    }
}
