import Glibc

/// The vertical axis of a picture.
struct ReportScale: Hashable {
    /// The values at the lower and the upper edge.
    let range: ClosedRange<Int>
    /// The labelled values, from the lowest.
    let ticks: [Tick]

    /// A value with its number.
    struct Tick: Hashable {
        var value: Int
        var label: String
    }

    /// A scale of hundredths in round steps, with at most six numbers, that includes all values.
    init(fitting values: [Int]) {
        // Hostile values must not overflow.
        let bounded = values.map { min(max($0, -1_000_000), 1_000_000) }
        let (low, high) = (bounded.min() ?? 0, bounded.max() ?? 100)
        let step = Self.steps.first { (high - low) / $0 < 4 } ?? 500_000
        let lower = low - (low % step + step) % step
        let upper = max(lower + step, high + (step - (high % step + step) % step) % step)
        range = lower...upper
        ticks = stride(from: lower, through: upper, by: step).map { Tick(value: $0, label: Self.label($0)) }
    }

    /// A logarithmic scale of powers of ten.
    init(ofPowers powers: ClosedRange<Int>) {
        range = powers.lowerBound * 1000...powers.upperBound * 1000
        ticks = powers.map { power in
            Tick(value: power * 1000, label: "1" + String(repeating: "0", count: power))
        }
    }

    /// The position of a whole number on a logarithmic scale.
    static func power(_ number: Int) -> Int { Int((log10(Double(max(1, number))) * 1000).rounded()) }

    private static let steps = [
        50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000,
    ]

    /// The position of a value, from 0 at the lower edge to 1; a value beyond is at the edge.
    func share(of value: Int) -> Double {
        let bounded = min(max(value, range.lowerBound), range.upperBound)
        return Double(bounded - range.lowerBound) / Double(max(1, range.upperBound - range.lowerBound))
    }

    /// A number of hundredths as a label.
    private static func label(_ hundredths: Int) -> String {
        let (whole, rest) = (abs(hundredths) / 100, abs(hundredths) % 100)
        let sign = hundredths < 0 ? "-" : ""
        return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest / 10)"
    }
}
