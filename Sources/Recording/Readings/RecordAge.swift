/// Which part of a record is older than a length of time, whatever the wall clock showed.
///
/// A wall clock can be wrong: a battery is empty, a time server errs, somebody mistypes the year. It is believed when it
/// has been right for a day, so it is taken for granted that every day of recording time has a moment at which the wall
/// clock was right. From this follow two bounds, and what is erased is too old by both:
///
/// * it is now at least the least that any wall clock of the last day says;
/// * a row is at most as old as the farthest that any wall clock of the day after it says.
///
/// What was recorded with a wrong clock may lie in the far future or past. It is erased when Bedside has recorded for the
/// whole length of time since, which needs no wall clock at all.
struct RecordAge {
    /// How long a wall clock must be right to be believed, in milliseconds of recording time.
    static let trial: Int64 = 86_400_000
    /// How far a row's wall time may lie outside of its stretch as it is known: the newest minute of a program that was
    /// killed is missing, and a value may arrive just before the news that the clock was set.
    private static let slack: Int64 = 600_000

    private let lines: [ClockLine]
    private let uncounted: [ClosedRange<Int64>]
    /// The present recording time.
    private let now: Int64

    /// Describes a record.
    ///
    /// - Parameters:
    ///   - counted: Its stretches in the order of recording time; the newest goes on.
    ///   - uncounted: The wall times of what was recorded before recording time was counted, in their order.
    init(counted: [ClockLine], uncounted: [ClosedRange<Int64>] = []) {
        // What is older than the counting ended when it began, if not later.
        let first = uncounted.last.map { [ClockLine(began: 0, ended: 0, wall: $0.upperBound)] } ?? []
        lines = first + counted
        self.uncounted = uncounted
        now = lines.map(\.ended).max() ?? 0
    }

    /// The wall time that it is now at least, in milliseconds since 1970 (UTC); `nil` when nothing was recorded.
    var believedNow: Int64? {
        lines.lazy.filter { $0.ended >= now - Self.trial }.map(\.offset).min().map { now + $0 }
    }

    /// The wall times of which everything is older than `age` milliseconds: sorted, and apart from each other.
    ///
    /// - Parameter present: What the wall clock shows now.
    func erasable(olderThan age: Int64, present: Int64 = .max) -> [Range<Int64>] {
        guard let believedNow else { return [] }
        let bound = min(believedNow, present) - age
        var old = [Int64.min..<bound]
        var young: [Range<Int64>] = []
        for index in lines.indices {
            let (line, following) = (lines[index], following(index))
            let (start, end) = (line.wall - Self.slack, line.offset + line.ended + Self.slack)
            // What no other clock followed within a day has no doubt about it.
            let undoubted = min(bound, line.offset + following.from - Self.trial)
            let edge = max(undoubted, bound - following.lead, line.offset + now - age)
            if start < edge { old.append(start..<min(edge, end)) }
            if edge < end { young.append(max(edge, start)..<end) }
        }
        if now >= age { for range in uncounted { old.append(range.lowerBound..<range.upperBound + 1) } }
        return WallRanges.difference(old, young)
    }

    /// Of a stretch: from which recording time on a wall clock was farther ahead, in it or within a day after it, and by
    /// how much it was ahead at most.
    private func following(_ index: Int) -> (from: Int64, lead: Int64) {
        let line = lines[index]
        var (from, lead): (Int64, Int64) = (now + Self.trial + Self.slack, 0)
        for later in lines[(index + 1)...] {
            if later.began > line.ended + Self.trial { break }
            guard later.offset > line.offset else { continue }
            from = min(from, later.began)
            lead = max(lead, later.offset - line.offset)
        }
        return (from, lead)
    }
}

/// Sets of wall times.
enum WallRanges {
    /// What lies in one of the first ranges and in none of the second, sorted and joined.
    static func difference(_ wanted: [Range<Int64>], _ unwanted: [Range<Int64>]) -> [Range<Int64>] {
        var edges: [(time: Int64, wanted: Int, unwanted: Int)] = []
        for range in wanted where !range.isEmpty {
            edges += [(range.lowerBound, 1, 0), (range.upperBound, -1, 0)]
        }
        for range in unwanted where !range.isEmpty {
            edges += [(range.lowerBound, 0, 1), (range.upperBound, 0, -1)]
        }
        edges.sort { $0.time < $1.time }
        var found: [Range<Int64>] = []
        var depth = (wanted: 0, unwanted: 0)
        var start: Int64?
        for (index, edge) in edges.enumerated() {
            depth = (depth.wanted + edge.wanted, depth.unwanted + edge.unwanted)
            if index + 1 < edges.count, edges[index + 1].time == edge.time { continue }
            if depth.wanted > 0, depth.unwanted == 0 {
                start = start ?? edge.time
            } else if let begun = start {
                found.append(begun..<edge.time)
                start = nil
            }
        }
        return found
    }
}
