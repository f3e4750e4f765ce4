import Vitals

extension AbsenceReason {
    /// The reason in two words at most, for lists and the smallest screens.
    package var shortText: String {
        switch self {
        case .offBody: "off body"
        case .noContact: "no contact"
        case .notANumber: "no value"
        case .searching: "searching"
        case .lowPerfusion: "weak pulse"
        case .equipment: "sensor fault"
        case .calibrating: "calibrating"
        case .calibrationWanted: "uncalibrated"
        case .demo: "demo mode"
        case .test: "test mode"
        case .silent: "silent"
        case .linkLost: "link lost"
        case .outOfRange: "out of range"
        case .unusable: "unusable"
        case .aboveRange: "above range"
        case .belowRange: "below range"
        case .above400: "> 400 mg/dL"
        case .below40: "< 40 mg/dL"
        }
    }

    /// The word shown as large as a number in its place; ``BigDigits`` has only these letters.
    package var word: String {
        switch self {
        case .offBody, .noContact: "OFF"
        case .linkLost: Self.lostWord
        case .silent: Self.silentWord
        case .equipment: "FAULT"
        case .lowPerfusion: "FAINT"
        case .demo, .test: "TEST"
        // As a meter shows it.
        case .aboveRange, .above400: "HI"
        case .belowRange, .below40: "LO"
        case .notANumber, .searching, .calibrating, .calibrationWanted, .outOfRange, .unusable: Self.noneWord
        }
    }

    /// The link, or what it depends on, is gone.
    package static let lostWord = "LOST"
    /// The link is up, and nothing arrives.
    package static let silentWord = "SILENT"
    /// The sensor has no number.
    package static let noneWord = "NONE"
}
