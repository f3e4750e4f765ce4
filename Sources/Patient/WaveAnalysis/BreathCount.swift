/// Counts breaths in a signal that breathing modulates.
enum BreathCount {
    /// Values a second of the signals that are counted.
    static let rate = 4.0
    /// The band of breathing: 4 to 42 a minute.
    private static let band = (from: 0.07, to: 0.7)
    /// The least share of the window that the counted breaths must fill: a rate says nothing about the rest.
    private static let leastShare = 0.6
    /// How long the longest breath may be, in breaths of the median length: a pause is no slow breath.
    private static let longestPause = 2.0

    /// What breathing leaves of a signal: the band of breathing, without delay.
    ///
    /// The ends are mirrored about themselves, and the filters run in both directions.
    static func banded(_ signal: [Double]) -> [Double] {
        guard signal.count > 2, let first = signal.first, let last = signal.last else { return signal }
        let pad = min(signal.count - 1, 60)
        var values = (1...pad).reversed().map { 2 * first - signal[$0] } + signal
        values += (1...pad).map { 2 * last - signal[signal.count - 1 - $0] }
        for band in [SecondOrderFilter.Band.above, .below] {
            for _ in 0..<2 {
                var filter = SecondOrderFilter(band, band == .above ? Self.band.from : Self.band.to, rate: rate)
                filter.settle(at: values.first ?? 0)
                values = values.map { filter.pass($0) }.reversed()
            }
        }
        return Array(values[pad..<pad + signal.count])
    }

    /// The breaths a minute in a signal of the band; `nil` where too little of it looks like breathing.
    ///
    /// Of all maxima and minima, the neighbours that differ least are taken away in pairs, until every difference is at least
    /// three tenths of the third quartile of the first ones; a breath is from one maximum that is left to the next. Source: the
    /// advanced counting of A. Schäfer and K. W. Kratky, "Estimation of breathing rate from respiratory sinus arrhythmia:
    /// comparison of various methods", Annals of Biomedical Engineering 36 (2008), 476–485. Their simpler method gives up a
    /// breath for every small wave in it.
    static func perMinute(_ signal: [Double]) -> Double? {
        guard signal.count > 2 else { return nil }
        var places = (1..<signal.count - 1).filter { place in
            (signal[place] > signal[place - 1]) == (signal[place] >= signal[place + 1])
        }
        func difference(_ index: Int) -> Double { abs(signal[places[index + 1]] - signal[places[index]]) }
        guard places.count > 3 else { return nil }
        let differences = (0..<places.count - 1).map(difference).sorted()
        let threshold = 0.3 * differences[differences.count * 3 / 4]
        while places.count > 3, let least = (0..<places.count - 1).min(by: { difference($0) < difference($1) }),
            difference(least) < threshold
        {
            places.removeSubrange(least...least + 1)
        }
        let peaks = places.indices.filter { index in
            let neighbour = index + 1 < places.count ? places[index + 1] : places[index - 1]
            return signal[places[index]] > signal[neighbour]
        }.map { places[$0] }
        guard peaks.count > 2, let first = peaks.first, let last = peaks.last else { return nil }
        // The vertex of each maximum, because a quarter of a second is much of a fast breath.
        func vertex(_ peak: Int) -> Double {
            let (before, here, after) = (signal[peak - 1], signal[peak], signal[peak + 1])
            let bend = before - 2 * here + after
            return Double(peak) + (bend < 0 ? (before - after) / (2 * bend) : 0)
        }
        let total = vertex(last) - vertex(first)
        guard total >= Double(signal.count) * leastShare else { return nil }
        let lengths = zip(peaks, peaks.dropFirst()).map { $1 - $0 }.sorted()
        guard let longest = lengths.last, Double(longest) <= longestPause * Double(lengths[lengths.count / 2]) else {
            return nil
        }
        return 60 * rate * Double(peaks.count - 1) / total
    }
}
