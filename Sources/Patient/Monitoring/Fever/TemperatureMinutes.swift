import Vitals

/// The temperatures of the newest hour, minute by minute, for the rule for sustained fever.
///
/// Minutes count from the first sample after the last long gap: after a long gap the samples must span an hour again.
/// Whether a minute's median reaches the threshold follows from the number of samples that do, and, if that is half of
/// them, from the two in the middle; so nothing must be sorted, and a minute takes the same memory with one sample as
/// with a thousand.
struct TemperatureMinutes: Codable, Hashable, Sendable {
    /// The newest minutes, each at its number modulo the length of the window; empty before the first sample.
    private var ring: [Minute] = []
    /// When the first sample after the last long gap arrived.
    private var start = MonotonicTime(nanoseconds: 0)
    private var newest = MonotonicTime(nanoseconds: 0)
    /// The number of the minute of the newest sample.
    private var newestNumber = 0

    /// The number of allocated minutes.
    var minuteCount: Int { ring.count }

    /// Whether its parts are consistent.
    var isCoherent: Bool { Coherence.counts.contains(newestNumber) && ring.count <= 240 }

    /// Adds a sample; times must not go back.
    mutating func enter(_ value: VitalValue, at time: MonotonicTime, settings: MonitorSettings.Fever) {
        let window = settings.windowMinutes
        let gap = time.since(newest)
        if ring.count != window || gap > settings.largestGap {
            ring = Array(repeating: Minute(), count: window)
            start = time
            newestNumber = 0
        }
        let number = number(of: time)
        // After a gap longer than the window nothing of it is left, and each place must be cleared only once.
        for passed in max(newestNumber + 1, number - window + 1)..<max(newestNumber + 1, number + 1) {
            ring[passed % window] = Minute()
        }
        newestNumber = number
        newest = time
        ring[number % window].enter(value.hundredths, threshold: settings.sustainedThreshold.hundredths)
    }

    /// Counts the minutes of the window that ends now.
    func tally(at now: MonotonicTime, settings: MonitorSettings.Fever) -> Tally {
        let window = settings.windowMinutes
        var tally = Tally()
        guard ring.count == window, now.since(newest) <= settings.largestGap else {
            return tally
        }
        let span = number(of: now)
        let threshold = settings.sustainedThreshold.hundredths
        let (coverage, warmShare) = settings.percentages
        // The number of cool minutes that an hour with samples in every minute may have.
        let forgiven = window * (100 - warmShare) / 100
        var (used, warm, cool, streak, streakStart) = (0, 0, 0, 0, newestNumber)
        var number = newestNumber
        while number >= 0, number > span - window {
            let minute = ring[number % window]
            if minute.isUsed {
                used += 1
                if minute.isWarm(threshold: threshold) {
                    warm += 1
                    if cool <= forgiven { (streak, streakStart) = (warm, number) }
                } else {
                    cool += 1
                }
            }
            number -= 1
        }
        tally.minutes = min(used, span, window)
        tally.isSpanned = span >= window
        tally.suffices = tally.isSpanned && used * 100 >= coverage * window
        tally.isWarm = tally.suffices && warm * 100 >= warmShare * used
        tally.warmMinutes = min(streak, newestNumber - streakStart, window)
        return tally
    }

    private func number(of time: MonotonicTime) -> Int {
        Int(max(.zero, time.since(start)).components.seconds / 60)
    }

    /// The evaluation of the minutes of a window.
    struct Tally: Hashable {
        /// The number of minutes in the window with samples.
        var minutes = 0
        /// Whether the samples span the window.
        var isSpanned = false
        /// Whether there are enough samples to evaluate.
        var suffices = false
        /// Whether they suffice, and nearly all minutes with samples are warm.
        var isWarm = false
        /// The number of warm minutes until now.
        var warmMinutes = 0
    }

    /// The samples of one minute; temperatures in hundredths.
    private struct Minute: Codable, Hashable, Sendable {
        private var below: UInt32 = 0
        private var atLeast: UInt32 = 0
        private var highestBelow = Int32.min
        private var lowestAtLeast = Int32.max

        var isUsed: Bool { below | atLeast != 0 }

        mutating func enter(_ hundredths: Int, threshold: Int) {
            let value = Int32(clamping: hundredths)
            if hundredths < threshold {
                below = below.addingReportingOverflow(1).overflow ? below : below + 1
                highestBelow = max(highestBelow, value)
            } else {
                atLeast = atLeast.addingReportingOverflow(1).overflow ? atLeast : atLeast + 1
                lowestAtLeast = min(lowestAtLeast, value)
            }
        }

        /// Whether the median reaches the threshold; of an even number of samples it is the mean of the middle two.
        func isWarm(threshold: Int) -> Bool {
            guard below == atLeast else { return atLeast > below }
            return Int(highestBelow) + Int(lowestAtLeast) >= 2 * threshold
        }
    }
}
