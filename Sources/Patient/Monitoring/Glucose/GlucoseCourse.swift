import Vitals

/// The direction of glucose, and its time in the target range in the last day.
///
/// Computed from the values alone, by the same rule for every sensor; values of another sensor before the present one
/// do not count.
public struct GlucoseCourse: Hashable, Sendable {
    /// The rate of change; `nil` without two values that are close enough.
    public var arrow: Arrow?
    /// The change within five minutes, in the vital's unit; `nil` without two values that are close enough.
    public var delta: VitalValue?
    /// The shares of the last day below, in and above the target range; `nil` with less than an hour of values.
    public var inRange: InRange?

    /// The target range in mg/dL of the international consensus (Battelino and others, Diabetes Care 2019, 42, 1593).
    public static let target = VitalValue(whole: 70)...VitalValue(whole: 180)

    /// The directions, by the usual thresholds of transmitters in mg/dL a minute: 1, 2 and 3.5.
    public enum Arrow: String, CaseIterable, Hashable, Sendable {
        case fallingVeryFast = "falling_very_fast"
        case fallingFast = "falling_fast"
        case falling, steady, rising
        case risingFast = "rising_fast"
        case risingVeryFast = "rising_very_fast"

        /// The direction of a change.
        ///
        /// - Parameter hundredths: Hundredths of mg/dL a minute.
        init(hundredthsPerMinute hundredths: Int) {
            switch hundredths {
            case ...(-350): self = .fallingVeryFast
            case ...(-200): self = .fallingFast
            case ...(-100): self = .falling
            case ..<100: self = .steady
            case ..<200: self = .rising
            case ..<350: self = .risingFast
            default: self = .risingVeryFast
            }
        }
    }

    /// Parts of the time with values, in whole percent that add up to 100.
    public struct InRange: Hashable, Sendable {
        /// Below the target range.
        public var below: Int
        public var inside: Int
        public var above: Int
        /// The number of values.
        public var count: Int
        /// The numbers of values below, and above.
        public var belowCount = 0, aboveCount = 0

        /// The number of values in the range.
        public var insideCount: Int { count - belowCount - aboveCount }
    }

    /// The course up to a moment.
    ///
    /// - Parameters:
    ///   - trend: The trend of glucose; the newest value of each minute counts.
    ///   - now: When.
    public init(_ trend: Trend, at now: Moment) {
        let end = now.advanced(by: .seconds(1))
        let change = trend.lastSourceChange(from: end.advanced(by: .seconds(-86_400)), to: end)
        // If the source changes within a column, the column belongs to the new one.
        let longest = change.map { end.since($0).nanoseconds } ?? .max
        /// The newest value of each part of a stretch, with its distance from now in seconds.
        func values(of stretch: Int, each width: Int) -> [(age: Int, value: VitalValue)] {
            let columns = trend.samples(
                from: end.advanced(by: .seconds(-stretch)), to: end, columns: stretch / width)
            return columns.indices.compactMap { column in
                let age = stretch - (column + 1) * width
                guard Int64(age) * 1_000_000_000 < longest else { return nil }
                return columns[column].map { (age, $0.last) }
            }
        }
        let recent = values(of: 1800, each: 10)
        if let newest = recent.last, newest.age <= Self.longestAge,
            let earlier = recent.last(where: { $0.age - newest.age >= Self.distances.lowerBound })
        {
            let change = Self.change(from: earlier.value, to: newest.value, seconds: earlier.age - newest.age)
            (arrow, delta) = (change?.arrow, change?.delta)
        }
        inRange = InRange(values(of: 86_400, each: 60).map(\.value))
    }

    /// The direction, and the change within five minutes, between two values; `nil` outside ``distances``.
    ///
    /// - Parameters:
    ///   - earlier: The first value.
    ///   - newest: The second one.
    ///   - seconds: The time between them.
    public static func change(
        from earlier: VitalValue, to newest: VitalValue, seconds: Int
    ) -> (arrow: Arrow, delta: VitalValue)? {
        guard distances.contains(seconds) else { return nil }
        // To the minute, because transmitters keep their interval; the trend has a resolution of ten seconds.
        let minutes = (seconds + 30) / 60
        let change = newest.hundredths - earlier.hundredths
        return (Arrow(hundredthsPerMinute: change / minutes), VitalValue(hundredths: change * 5 / minutes))
    }

    /// Seconds: an older value does not show the direction.
    private static let longestAge = 660
    /// The seconds between two values that show the direction.
    ///
    /// Closer values show noise, and more distant ones hide the course between them.
    public static let distances = 240...960
}

extension GlucoseCourse.InRange {
    /// The parts of values; `nil` for fewer than a dozen, an hour of a transmitter.
    init?(_ values: [VitalValue]) {
        guard values.count >= 12 else { return nil }
        func percent(_ count: Int) -> Int { (count * 200 + values.count) / (values.count * 2) }
        let low = values.count { $0 < GlucoseCourse.target.lowerBound }
        let high = values.count { $0 > GlucoseCourse.target.upperBound }
        (below, above, count) = (percent(low), percent(high), values.count)
        (belowCount, aboveCount) = (low, high)
        inside = max(0, 100 - below - above)
    }
}
