import Vitals

extension RecordEntry {
    /// The entry without reasons and without the names of people and files, so that it may leave the bed; `nil` for a
    /// note.
    var published: RecordEntry? {
        var content = content
        switch content {
        case .note: return nil
        case .mascc(let index):
            content = .mascc(
                MASCCIndex(
                    burden: index.burden, hasHypotension: index.hasHypotension,
                    hasPulmonaryDisease: index.hasPulmonaryDisease,
                    hasSolidTumourOrNoFungalInfection: index.hasSolidTumourOrNoFungalInfection,
                    isDehydrated: index.isDehydrated, isOutpatient: index.isOutpatient, isUnder60: index.isUnder60))
        case .vital, .bloodPressure, .neutrophils, .weight, .lab, .medication, .symptom, .noMeasurement: break
        }
        var entry = RecordEntry(
            content, from: source, facts, taken: taken, enteredAt: enteredAt, retractedAt: retractedAt)
        entry.correction = correction.map { Correction(of: $0.corrected) }
        entry.origin = origin.map { ImportOrigin(key: $0.key, source: "", enteredAt: $0.enteredAt) }
        return entry
    }
}
