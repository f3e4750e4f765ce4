import SaturatingArithmetic
import Vitals

extension MonitorState {
    /// Takes a neutrophil count over, or forgets it; fevers that go on are judged by it at once.
    mutating func setNeutrophils(_ count: NeutrophilCount?) -> [Effect] {
        guard neutrophils != count else { return [] }
        neutrophils = count
        return report(.neutrophilsEntered(count)) + followFeverRisk()
    }

    /// Lets fevers weigh what they do by the newest neutrophil count, which grows old.
    mutating func followFeverRisk() -> [Effect] {
        let risk = FeverRisk(neutrophils, at: now)
        guard risk != feverRisk else { return [] }
        feverRisk = risk
        return board.weighFevers(risk, now)
    }

    /// When the neutrophil count is too old to count, in nanoseconds of the monotonic clock.
    var neutrophilDeadline: Int64? {
        guard let neutrophils, neutrophils.isValid(at: now) else { return nil }
        let left = neutrophils.validUntil.subtractingSaturated(now.wallMilliseconds).addingSaturated(1)
        return now.monotonicNanoseconds.addingSaturated(left.clamped(to: 0...Int64.max / 1_000_000) * 1_000_000)
    }
}
