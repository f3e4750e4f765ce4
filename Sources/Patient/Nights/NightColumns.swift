import Base

/// A night cut into columns of equal times, for a picture.
public struct NightColumns: Hashable, Sendable {
    /// The period, as wall times in milliseconds since 1970 (UTC).
    public let range: Range<Int64>
    /// From the left to the right.
    public let columns: [Column]

    /// What is in a column.
    public struct Column: Hashable, Sendable {
        /// The lowest and the highest usable saturation in percent; `nil` without one.
        public var saturation: ClosedRange<UInt8>?
        /// The lowest and the highest usable pulse rate; `nil` without one.
        public var pulse: ClosedRange<UInt16>?
        /// Why most of it is left out; `nil` if at least half of it can be used.
        public var exclusion: NightExclusion?
        /// The depth of the deepest fall with its lowest value here, in percentage points; 0 for none.
        public var fall = 0
    }

    /// Cuts a night.
    ///
    /// - Parameter count: The number of columns, 1 or more.
    public init(_ part: PatientNight.Part, count: Int) {
        let course = part.course
        let count = max(1, count)
        range = course.start..<max(course.start, course.end)
        var columns = [Column](repeating: Column(), count: count)
        var reasons = [Int](repeating: 0, count: NightExclusion.allCases.count)
        for column in 0..<count {
            // A short night has fewer instants than columns; each column then shows the one that it lies in.
            let total = course.instants.count
            let first = column.multipliedSaturated(by: total) / count
            let end = max(first + 1, (column + 1).multipliedSaturated(by: total) / count)
            for place in reasons.indices { reasons[place] = 0 }
            var usable = 0
            for index in first..<min(end, total) {
                let instant = course.instants[index]
                guard instant.isUsable, let value = instant.saturation else {
                    reasons[Int((instant.exclusion ?? .noMeasurement).rawValue)] += 1
                    continue
                }
                usable += 1
                let range = columns[column].saturation ?? value...value
                columns[column].saturation = min(range.lowerBound, value)...max(range.upperBound, value)
                guard let rate = instant.pulseRate else { continue }
                let rates = columns[column].pulse ?? rate...rate
                columns[column].pulse = min(rates.lowerBound, rate)...max(rates.upperBound, rate)
            }
            let most = NightExclusion.allCases.max { reasons[Int($0.rawValue)] < reasons[Int($1.rawValue)] }
            if reasons.reduce(0, +) > usable { columns[column].exclusion = most }
        }
        for fall in part.evaluation.falls {
            let column = fall.nadir.multipliedSaturated(by: count) / max(1, course.instants.count)
            columns[min(column, count - 1)].fall = max(columns[min(column, count - 1)].fall, fall.depth)
        }
        self.columns = columns
    }

    /// The column of a wall time; `nil` outside.
    public func column(of wall: Int64) -> Int? {
        guard range.contains(wall) else { return nil }
        let length = max(1, range.upperBound.subtractingSaturated(range.lowerBound))
        let passed = wall.subtractingSaturated(range.lowerBound).multipliedSaturated(by: Int64(columns.count))
        return min(columns.count - 1, Int(clamping: passed / length))
    }

    /// The lowest and the highest saturation of all columns, in percent; `nil` without one.
    public var saturations: ClosedRange<UInt8>? {
        let known = columns.compactMap(\.saturation)
        guard let low = known.map(\.lowerBound).min(), let high = known.map(\.upperBound).max() else { return nil }
        return low...high
    }

    /// The lowest and the highest pulse rate of all columns; `nil` without one.
    public var pulses: ClosedRange<UInt16>? {
        let known = columns.compactMap(\.pulse)
        guard let low = known.map(\.lowerBound).min(), let high = known.map(\.upperBound).max() else { return nil }
        return low...high
    }
}
