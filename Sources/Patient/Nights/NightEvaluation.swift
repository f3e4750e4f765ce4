import Base

/// The figures of one night of one oximeter.
///
/// It states what was measured, and is no diagnosis. Every figure is of the usable instants alone: what is left out is
/// counted by its reason.
public struct NightEvaluation: Hashable, Sendable {
    /// The time with a sample or a report, in seconds.
    public private(set) var recorded = 0
    /// The time with a saturation that can be used, in seconds.
    public private(set) var usable = 0
    /// The time that is left out for each reason, in seconds, by its raw value.
    private var excluded = [Int](repeating: 0, count: NightExclusion.allCases.count)
    /// The median of the usable saturations outside of falls, in percent; `nil` without one.
    public private(set) var baseline: Int?
    /// The mean saturation, in hundredths of a percent; `nil` without one.
    public private(set) var mean: Int?
    /// The lowest saturation in percent, and its first instant; `nil` without one.
    public private(set) var lowest: (value: Int, instant: Int)? {
        get { lowestInstant.map { (lowestValue, $0) } }
        set { (lowestValue, lowestInstant) = (newValue?.value ?? 0, newValue?.instant) }
    }
    private var lowestValue = 0
    private var lowestInstant: Int?
    /// The time below 90 % and below 88 %, in seconds.
    public private(set) var below90 = 0, below88 = 0
    /// The falls of at least 3 %, in the order of time.
    public private(set) var falls: [NightFall] = []
    /// The falls that a gap, or the end of the night, cut off; they are not in ``falls``.
    public private(set) var cutFalls = 0
    /// The lowest, the mean and the highest usable pulse rate, in beats a minute; `nil` without one.
    public private(set) var pulse: Pulse?
    /// The time with any movement, in seconds; `nil` where movement is not known.
    public private(set) var moved: Int?
    /// Seconds from one instant to the next.
    public let interval: Int

    /// The pulse rates of a night.
    public struct Pulse: Hashable, Sendable {
        public var lowest, mean, highest: Int
    }

    /// From this usable time on, in seconds, an index stands alone; below it the usable time is said with it.
    public static let enough = 4 * 3600
    /// Below this usable time, in seconds, there is no index at all.
    public static let least = 3600
    /// The least depths of falls for which there is an index, in percentage points.
    public static let depths = [3, 4]

    /// Evaluates a night.
    public init(_ course: NightCourse) {
        interval = course.interval
        var values = [UInt8](repeating: 0, count: course.instants.count)
        var counts = [Int](repeating: 0, count: 101)
        var rates = (count: 0, sum: 0, lowest: Int.max, highest: 0)
        var knowsMovement = false
        var movedInstants = 0
        for (index, instant) in course.instants.enumerated() {
            if let movement = instant.movement {
                knowsMovement = true
                if movement > 0 { movedInstants += 1 }
            }
            let value = instant.usableSaturation
            guard value != 0, value <= 100 else {
                excluded[Int((instant.exclusion ?? .noMeasurement).rawValue)] += 1
                continue
            }
            values[index] = value
            counts[Int(value)] += 1
            if lowestInstant == nil || Int(value) < lowestValue { lowest = (Int(value), index) }
            if let rate = instant.pulseRate {
                rates.count += 1
                rates.sum += Int(rate)
                rates.lowest = min(rates.lowest, Int(rate))
                rates.highest = max(rates.highest, Int(rate))
            }
        }
        let count = counts.reduce(0, +)
        usable = count * interval
        excluded = excluded.map { $0 * interval }
        recorded = course.instants.count * interval - excluded[Int(NightExclusion.gap.rawValue)]
        moved = knowsMovement ? movedInstants * interval : nil
        below90 = counts[..<90].reduce(0, +) * interval
        below88 = counts[..<88].reduce(0, +) * interval
        if rates.count > 0 {
            pulse = Pulse(
                lowest: rates.lowest, mean: (rates.sum + rates.count / 2) / rates.count, highest: rates.highest)
        }
        guard count > 0 else { return }
        let sum = counts.enumerated().reduce(0) { $0 + $1.offset * $1.element }
        mean = (sum * 100 + count / 2) / count
        let finder = FallFinder(values, interval: interval)
        (falls, cutFalls) = (finder.falls, finder.cut)
        for fall in falls {
            for index in fall.begin + 1..<fall.end where values[index] != 0 { counts[Int(values[index])] -= 1 }
        }
        baseline = Self.median(counts)
    }

    private static func median(_ counts: [Int]) -> Int? {
        let count = counts.reduce(0, +)
        var below = 0
        for (value, number) in counts.enumerated() where number > 0 {
            below += number
            if below * 2 >= count { return value }
        }
        return nil
    }

    /// The time that is left out for a reason, in seconds.
    public func time(of exclusion: NightExclusion) -> Int { excluded[Int(exclusion.rawValue)] }

    /// The number of falls of at least a depth in percentage points, 3 or more.
    public func count(ofDepth depth: Int) -> Int { falls.count { $0.depth >= depth } }

    /// The oxygen desaturation index: the falls of at least a depth in an hour of usable time, in tenths.
    ///
    /// - Returns: `nil` for less than ``least`` usable time.
    public func index(ofDepth depth: Int) -> Int? {
        guard usable >= Self.least else { return nil }
        return (count(ofDepth: depth) * 36_000 + usable / 2) / usable
    }

    /// Whether so little is usable that an index must not be without that word.
    public var isShort: Bool { usable < Self.enough }

    /// A time as a share of the usable time, in tenths of a percent; 0 without any.
    public func share(_ seconds: Int) -> Int { usable > 0 ? (seconds * 1000 + usable / 2) / usable : 0 }

    /// The length of a fall, in seconds.
    public func length(of fall: NightFall) -> Int { (fall.end - fall.begin) * interval }

    /// The longest fall, the first of several; `nil` without one.
    public var longest: NightFall? {
        falls.reduce(nil) { best, next in best.map { length(of: next) > length(of: $0) } ?? true ? next : best }
    }

    /// The deepest fall, the first of several; `nil` without one.
    public var deepest: NightFall? {
        falls.reduce(nil) { best, next in best.map { next.depth > $0.depth } ?? true ? next : best }
    }
}
