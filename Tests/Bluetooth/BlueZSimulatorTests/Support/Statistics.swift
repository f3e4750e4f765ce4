extension Collection where Element == Double {
    /// The arithmetic mean; 0 of nothing.
    var mean: Double { isEmpty ? 0 : reduce(0, +) / Double(count) }

    /// The standard deviation.
    var deviation: Double {
        let mean = mean
        return map { ($0 - mean) * ($0 - mean) }.mean.squareRoot()
    }
}
