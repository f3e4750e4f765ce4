import Vitals

extension PatientRecord {
    /// How long an antipyretic may hide a fever: most are given every four to eight hours.
    public static let antipyreticEffect = Duration.seconds(8 * 3600)

    /// The newest antipyretic that may still hide a fever; `nil` for none.
    ///
    /// It is shown beside the temperature, and changes no rule.
    public func antipyretic(at now: Moment) -> (medication: Medication, given: Moment)? {
        for entry in entries.reversed() where !entry.isRetracted {
            guard case .medication(let medication) = entry.content, medication.isAntipyretic else { continue }
            return now.since(entry.taken) < Self.antipyreticEffect ? (medication, entry.taken) : nil
        }
        return nil
    }
}
