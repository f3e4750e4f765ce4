import Vitals

/// Learns the interval at which a sensor usually sends, from the times of arrival.
///
/// The interval is the median of the last five gaps between arrivals, so that one outlier does not change it. Arrivals
/// within a quarter of a second count as one: a sensor may send twice in one radio event.
struct ArrivalInterval: Codable, Hashable, Sendable {
    private static let depth = 5
    private static let sameArrival: Int64 = 250_000_000

    /// The last gaps in nanoseconds in lanes 0 to 4, as a ring buffer.
    ///
    /// A vector, because it is stored inline.
    private var gaps = SIMD8<Int64>(repeating: 0)
    private var count = 0
    private var next = 0
    private var lastArrival: MonotonicTime?

    /// The median gap in nanoseconds; `nil` before the second arrival.
    private(set) var median: Int64?

    /// Records an arrival.
    mutating func arrived(at time: MonotonicTime) {
        guard let lastArrival else {
            self.lastArrival = time
            return
        }
        let gap = time.nanoseconds(since: lastArrival)
        guard gap >= Self.sameArrival else { return }
        self.lastArrival = time
        gaps[next] = gap
        next = (next + 1) % Self.depth
        count = min(count + 1, Self.depth)
        median = lowerMedian()
    }

    /// Forgets the last arrival: the next gap is not the sensor's interval, because the link was lost in between.
    mutating func interrupted() {
        lastArrival = nil
    }

    private func lowerMedian() -> Int64 {
        var sorted = gaps
        for index in 1..<max(1, count) {
            var place = index
            while place > 0, sorted[place - 1] > sorted[place] {
                let lower = sorted[place]
                sorted[place] = sorted[place - 1]
                sorted[place - 1] = lower
                place -= 1
            }
        }
        return sorted[(count - 1) / 2]
    }
}
