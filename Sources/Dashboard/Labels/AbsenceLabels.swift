import Vitals

extension AbsenceReason {
    /// The reason in two words at most, for lists and the smallest screens.
    var shortText: String {
        switch self {
        case .offBody: "off body"
        case .noContact: "no contact"
        case .notANumber: "no value"
        case .searching: "searching"
        case .lowPerfusion: "weak pulse"
        case .equipment: "sensor fault"
        case .calibrating: "calibrating"
        case .demo: "demo mode"
        case .test: "test mode"
        case .silent: "silent"
        case .linkLost: "link lost"
        case .outOfRange: "out of range"
        }
    }
}
