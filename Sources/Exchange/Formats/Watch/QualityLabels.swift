import Vitals

extension Reading.Quality {
    /// The word in the field `quality`, which is `good` or `questionable`.
    var word: String { (isQuestionable ? Self.questionable : .good).rawValue }

    /// The word in the field `equipment`; `nil` without a reported malfunction.
    var equipmentWord: String? { self == .malfunction ? rawValue : nil }

    /// The word in the field `doubt`; `nil` for a good value, or without further details.
    var doubtWord: String? { self == .calibrationWanted || isEstimate ? rawValue : nil }
}
