import Base
import Vitals

/// The newest neutrophil count, and the present meaning of a fever with it.
struct FeverWeight: Codable, Hashable, Sendable {
    /// The count, however old; `nil` if none was entered.
    let count: NeutrophilCount?
    /// The meaning of a fever with it.
    let risk: FeverRisk

    /// Weights by a count at its age.
    init(_ count: NeutrophilCount?, at now: Moment) {
        self.count = count
        risk = FeverRisk(count, at: now)
    }

    /// When the count expires.
    func deadline(after now: Moment) -> MonotonicTime? {
        guard let count, count.isValid(at: now) else { return nil }
        let left = count.validUntil.subtractingSaturated(now.wallMilliseconds).addingSaturated(1)
        return now.monotonic.advanced(byNanoseconds: max(0, left).multipliedSaturated(by: 1_000_000))
    }
}

extension MonitorState {
    /// Sets or forgets the neutrophil count; ongoing fevers are weighted by it at once.
    mutating func setNeutrophils(_ count: NeutrophilCount?) -> [Effect] {
        neutrophils == count ? [] : report(.neutrophilsEntered(count)) + weighFevers(by: count) + followLabReminder()
    }

    /// Weights fevers by a neutrophil count at its present age.
    mutating func weighFevers(by count: NeutrophilCount?) -> [Effect] {
        let before = feverRisk
        weight = FeverWeight(count, at: now)
        return feverRisk == before ? [] : board.weighFevers(feverRisk, now)
    }
}
