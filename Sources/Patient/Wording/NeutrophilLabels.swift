import Monitoring
import Vitals

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
