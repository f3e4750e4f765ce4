import Monitoring
import Vitals

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
