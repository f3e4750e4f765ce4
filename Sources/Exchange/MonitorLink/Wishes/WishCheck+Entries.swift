import Monitoring
import Base
import Vitals

// Checks of manual entries, with the same ranges as on the screen.
extension WishCheck {
    /// The greatest age of an entry on arrival; the monitor may have been busy.
    private static let longestWay = Duration.seconds(600)
    /// The greatest age of a measurement: two weeks can be entered, and clocks may be set meanwhile.
    private static let longestAge = Duration.seconds(16 * 86_400)
    /// The greatest difference between the ages by the two clocks of a moment, in milliseconds: more than an hour, for
    /// summer time.
    private static let disagreement: Int64 = 2 * 3_600_000

    func entry(_ entry: RecordEntry) throws(WishError) {
        guard entry.source == .typed else { throw .impossible("only a sensor hands over what it has measured") }
        guard entry.retractedAt == nil, entry.retractionReason.isEmpty else {
            throw .impossible("an entry cannot be taken back before it is made")
        }
        try age(of: entry.enteredAt, at: now, atMost: Self.longestWay, tolerance: .seconds(5))
        try age(of: entry.taken, at: entry.enteredAt, atMost: Self.longestAge, tolerance: .zero)
        if let typed = entry.typed {
            guard sanitized(typed, limit: RecordEntry.typedLimit) == typed else {
                throw .impossible("what was typed has characters that cannot be shown")
            }
        }
        if let correction = entry.correction {
            try text(correction.reason, limit: RecordEntry.reasonLimit, "reason")
            // The entry that an imported one corrects may be older than those in memory.
            guard
                entry.origin != nil
                    || state.patientRecord.entries.contains(where: { $0.id == correction.corrected && !$0.isRetracted })
            else { throw .unknown("entry") }
        }
        if let origin = entry.origin {
            guard !origin.key.isEmpty, sanitized(origin.key, limit: ImportOrigin.keyLimit) == origin.key,
                sanitized(origin.source, limit: ImportOrigin.sourceLimit) == origin.source
            else { throw .impossible("an imported entry has a key and a source that can be shown") }
        }
        switch entry.content {
        case .vital(let vital, let value, _): try measurement(value, of: vital)
        case .bloodPressure(let pressure): try bloodPressure(pressure)
        case .neutrophils(let count): try neutrophils(count)
        case .weight(let weight):
            guard RecordEntry.weights.contains(weight.hundredths) else {
                throw .impossible("no body has such a weight")
            }
        case .lab(let result):
            guard result.isPossible else { throw .impossible("no blood has such a count") }
        case .medication(let medication):
            try words(medication.name, limit: Medication.nameLimit, "medication")
            guard medication.dose.map({ Medication.Dose.possible.contains($0.thousandths) }) ?? true else {
                throw .impossible("no medication has such a dose")
            }
        case .symptom(let rating):
            if case .other(let text) = rating.symptom { try words(text, limit: Symptom.textLimit, "symptom") }
            guard SymptomRating.severities.contains(rating.severity) else {
                throw .impossible("a symptom is rated from 0 to 10")
            }
        case .mascc(let index):
            guard sanitized(index.assessedBy, limit: MASCCIndex.nameLimit) == index.assessedBy else {
                throw .impossible("a name has at most \(MASCCIndex.nameLimit) characters that can be shown")
            }
        case .noMeasurement: throw .impossible("only a sensor says that it has measured nothing")
        case .note(let text):
            guard !text.isEmpty, sanitized(text, limit: RecordEntry.noteLimit) == text else {
                throw .impossible("a note has 1 to \(RecordEntry.noteLimit) characters that can be shown")
            }
        }
    }

    /// A text that is not empty and can be shown.
    private func words(_ text: String, limit: Int, _ what: String) throws(WishError) {
        guard !text.isEmpty, sanitized(text, limit: limit) == text else {
            throw .impossible("a \(what) has 1 to \(limit) characters that can be shown")
        }
    }

    /// The age of a moment by both clocks, checked against a limit.
    private func age(
        of moment: Moment, at present: Moment, atMost limit: Duration, tolerance: Duration
    ) throws(WishError) {
        let bounds = (Duration.zero - tolerance)...limit
        let nanoseconds = present.monotonicNanoseconds.subtractingSaturated(moment.monotonicNanoseconds)
        let milliseconds = present.wallMilliseconds.subtractingSaturated(moment.wallMilliseconds)
        let disagreement = (nanoseconds / 1_000_000).subtractingSaturated(milliseconds)
        guard bounds.contains(.nanoseconds(nanoseconds)),
            (-Self.disagreement...Self.disagreement).contains(disagreement)
        else { throw .impossible("the time of the entry or of the measurement is impossible") }
    }

    private func measurement(_ value: VitalValue, of vital: Vital) throws(WishError) {
        let range: ClosedRange<Int>? =
            switch vital {
            case .heartRate: 1000...30_000
            case .oxygenSaturation: 100...10_000
            case .bodyTemperature: 2500...4500
            case .glucose: 1000...100_000
            default: nil
            }
        guard let range, range.contains(value.hundredths) else {
            throw .impossible("no body has such a value, or it cannot be entered by hand")
        }
    }

    private func bloodPressure(_ pressure: BloodPressure) throws(WishError) {
        guard BloodPressure.isPossible(pressure.systolic, pressure.diastolic),
            pressure.mean.map({ (pressure.diastolic...pressure.systolic).contains($0) }) ?? true,
            pressure.pulse.map({ (10...300).contains($0) }) ?? true
        else { throw .impossible("no body has such a blood pressure") }
    }

    func neutrophils(_ count: NeutrophilCount) throws(WishError) {
        guard (0...NeutrophilCount.greatest).contains(count.perMicrolitre), count.isValid(at: now),
            sanitized(count.enteredBy, limit: 32) == count.enteredBy
        else { throw .impossible("no blood has such a count, or it is too old to say anything") }
    }
}
