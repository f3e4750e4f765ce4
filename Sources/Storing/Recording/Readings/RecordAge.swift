/// Determines which part of a record is older than a length of time, even if the wall clock was wrong.
///
/// A wall clock can be wrong: an empty battery, a faulty time server, a mistyped year. The assumption is that the wall
/// clock is right at some moment of every day of recording time. This gives two bounds, and only rows that are too old
/// by both are erased:
///
/// * the present time is at least the lowest one that any wall clock of the last day implies;
/// * a row is at most as old as any wall clock of the day after it implies.
///
/// Rows recorded with a wrong clock may be in the far future or past. They are erased when Bedside has recorded for
/// the whole length of time since, which needs no wall clock.
struct RecordAge {
    /// How long a wall clock must be right to be trusted, in milliseconds of recording time.
    static let trial: Int64 = 86_400_000
    /// How far a row's wall time may be outside of its known stretch: the last minute of a killed program is missing,
    /// and a value may arrive just before the news of a clock change.
    private static let slack: Int64 = 600_000

    private let lines: [ClockLine]
    /// The present recording time.
    private let now: Int64

    /// Describes a record.
    ///
    /// - Parameter lines: Its lines in the order of recording time; the newest continues.
    init(_ lines: [ClockLine]) {
        self.lines = lines
        now = lines.map(\.ended).max() ?? 0
    }

    /// The lower bound of the present wall time, in milliseconds since 1970 (UTC); `nil` for an empty record.
    var believedNow: Int64? {
        lines.lazy.filter { $0.ended >= now - Self.trial }.map(\.offset).min().map { now + $0 }
    }

    /// The wall times of rows that are all older than `age` milliseconds: sorted and disjoint.
    ///
    /// - Parameter present: The present wall time.
    func erasable(olderThan age: Int64, present: Int64 = .max) -> [Range<Int64>] {
        guard let believedNow else { return [] }
        let bound = min(believedNow, present) - age
        var old = [Int64.min..<bound]
        var young: [Range<Int64>] = []
        for index in lines.indices {
            let (line, following) = (lines[index], following(index))
            let (start, end) = (line.wall - Self.slack, line.offset + line.ended + Self.slack)
            // A clock that no other clock contradicts within a day is trusted.
            let undoubted = min(bound, line.offset + following.from - Self.trial)
            let edge = max(undoubted, bound - following.lead, line.offset + now - age)
            if start < edge { old.append(start..<min(edge, end)) }
            if edge < end { young.append(max(edge, start)..<end) }
        }
        return WallRanges.difference(old, young)
    }

    /// For a stretch: the recording time from which a wall clock was farther ahead, in it or within a day after it, and
    /// the greatest lead.
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
    /// The first ranges without the second ones, sorted and merged.
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
