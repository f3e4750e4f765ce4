import Base
import Vitals

/// The missing numbers of a session's messages.
struct SequenceGaps: Hashable, Sendable {
    /// How long a message may be delayed, because another topic may be faster.
    static let tolerance = Duration.milliseconds(1000)
    /// The greatest number of missing messages to remember.
    private static let most = 64

    private var newest: Int64?
    private var missing: Set<Int64> = []
    /// Since when a message has been missing; `nil` for none.
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

    /// Records that the full picture of this number has arrived: older messages no longer matter.
    mutating func reset(to sequence: Int64) {
        missing = missing.filter { $0 > sequence }
        newest = max(newest ?? sequence, sequence)
        if missing.isEmpty { since = nil }
    }
}
