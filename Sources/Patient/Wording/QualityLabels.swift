import Vitals

extension Reading.Quality {
    /// What stands beside a value that its sensor doubts; `nil` beside a good one.
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
