import Base
import Vitals

/// Which numbers of a session's messages are missing.
struct SequenceGaps: Hashable, Sendable {
    /// How long a missing message may be on its way: another topic may be faster.
    static let tolerance = Duration.milliseconds(1000)
    /// The greatest number of missing messages that are told apart.
    private static let most = 64

    private var newest: Int64?
    private var missing: Set<Int64> = []
    /// Since when something has been missing; `nil` while nothing is.
    private(set) var since: MonotonicTime?

    /// Records the number of a message.
    mutating func record(_ sequence: Int64, at now: MonotonicTime) {
        guard let newest else {
            self.newest = sequence
            return
        }
        if sequence > newest {
            let count = sequence.subtractingSaturated(newest) - 1
            if count > 0 {
                if since == nil { since = now }
                for number in 0..<min(count, Int64(Self.most)) where missing.count < Self.most {
                    missing.insert(newest + 1 + number)
                }
            }
            self.newest = sequence
        } else {
            missing.remove(sequence)
            if missing.isEmpty { since = nil }
        }
    }

    /// The full picture of this number has come: what is older no longer matters.
    mutating func reset(to sequence: Int64) {
        missing = missing.filter { $0 > sequence }
        newest = max(newest ?? sequence, sequence)
        if missing.isEmpty { since = nil }
    }
}
