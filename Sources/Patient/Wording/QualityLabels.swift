import Vitals

extension Reading.Quality {
    /// The warning beside a value that its sensor marks as unreliable; `nil` for a good one.
    package var warning: String? {
        switch self {
        case .good: nil
        case .questionable: "POOR SIGNAL"
        case .malfunction: "SENSOR FAULT"
        case .calibrationWanted: "CALIBRATE"
        case .rawEstimate: "RAW ESTIMATE"
        }
    }

    /// The same in a word, for narrow titles.
    package var shortWarning: String? {
        switch self {
        case .good: nil
        case .questionable: "POOR"
        case .malfunction: "FAULT"
        case .calibrationWanted: "CALIBR."
        case .rawEstimate: "RAW"
        }
    }
}
