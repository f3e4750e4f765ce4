import SaturatingArithmetic
import Vitals

/// The newest neutrophil count, and what a fever means with it at present.
struct FeverWeight: Codable, Hashable, Sendable {
    /// The count, however old; `nil` when none was entered.
    let count: NeutrophilCount?
    /// What a fever means with it.
    let risk: FeverRisk

    /// Weighs a count by its age at a moment.
    init(_ count: NeutrophilCount?, at now: Moment) {
        self.count = count
        risk = FeverRisk(count, at: now)
    }

    /// When the count expires, in nanoseconds of the monotonic clock.
    func deadline(after now: Moment) -> Int64? {
        guard let count, count.isValid(at: now) else { return nil }
        let left = count.validUntil.subtractingSaturated(now.wallMilliseconds).addingSaturated(1)
        return now.monotonicNanoseconds.addingSaturated(left.clamped(to: 0...Int64.max / 1_000_000) * 1_000_000)
    }
}

extension MonitorState {
    /// Sets or forgets the neutrophil count; ongoing fevers are weighted by it at once.
    mutating func setNeutrophils(_ count: NeutrophilCount?) -> [Effect] {
        neutrophils == count ? [] : report(.neutrophilsEntered(count)) + weighFevers(by: count)
    }

    /// Weights fevers by a neutrophil count at its present age.
    mutating func weighFevers(by count: NeutrophilCount?) -> [Effect] {
        let before = feverRisk
        weight = FeverWeight(count, at: now)
        return feverRisk == before ? [] : board.weighFevers(feverRisk, now)
    }
}
