import Base
import Monitoring
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
        if let remark = entry.facts.remark, sanitized(remark, limit: EntryFacts.remarkLimit) != remark {
            throw .impossible("a remark has characters that cannot be shown")
        }
        guard entry.facts.user.map({ EntryFacts.users.contains($0) }) ?? true else {
            throw .impossible("no device has such a number for a person")
        }
        if let complaint = entry.content.complaint { throw .impossible(complaint) }
        if case .neutrophils(let count) = entry.content { try neutrophils(count) }
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

    func neutrophils(_ count: NeutrophilCount) throws(WishError) {
        guard (0...NeutrophilCount.greatest).contains(count.perMicrolitre), count.isValid(at: now),
            sanitized(count.enteredBy, limit: NeutrophilCount.nameLimit) == count.enteredBy
        else { throw .impossible("no blood has such a count, or it is too old to say anything") }
    }
}
