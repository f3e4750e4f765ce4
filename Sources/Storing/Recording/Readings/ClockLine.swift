import Vitals

/// A part of the record in which the wall clock did not jump.
///
/// The age of a record is counted in *recording time*: the total milliseconds for which Bedside has recorded into a
/// store, by the monotonic clock. Times without recording do not count, so it never runs ahead of the true time,
/// whatever the wall clock shows.
struct ClockLine: Hashable, Sendable {
    /// The recording time at its beginning.
    var began: Int64
    /// The recording time of its newest record.
    var ended: Int64
    /// The wall time at its beginning, in milliseconds since 1970 (UTC).
    var wall: Int64

    /// How far the wall clock is ahead of the recording time.
    var offset: Int64 { wall - began }
}

extension ClockLine {
    /// The lines of a store, in the order of recording time.
    ///
    /// - Throws: ``StoreError``.
    static func read(from database: SQLiteDatabase) throws(StoreError) -> [ClockLine] {
        var lines: [ClockLine] = []
        try database.forEach("SELECT wall_ms, running_ms, last_running_ms FROM epoch ORDER BY id") { row in
            // Clamped, so that a damaged row cannot make a sum overflow.
            func time(_ column: Int32) -> Int64? { row.integer(column).map { min(max($0, -farthest), farthest) } }
            guard let wall = time(0), let began = time(1) else { return }
            lines.append(ClockLine(began: began, ended: max(began, time(2) ?? began), wall: wall))
        }
        // Programs that record at the same time have overlapping lines.
        lines.sort { ($0.began, $0.ended) < ($1.began, $1.ended) }
        return joined(lines)
    }

    /// A hundred thousand years, in milliseconds.
    private static let farthest: Int64 = 3_155_760_000_000_000

    /// Merges neighbouring lines without a clock jump between them, because epochs also begin for other reasons.
    private static func joined(_ lines: [ClockLine]) -> [ClockLine] {
        var joined: [ClockLine] = []
        for line in lines {
            if let last = joined.last, abs(line.offset - last.offset) <= 1000 {
                joined[joined.count - 1].ended = max(last.ended, line.ended)
            } else {
                joined.append(line)
            }
        }
        return joined
    }
}

/// Both clocks at the beginning of an epoch, in which they advance together.
///
/// A row has its wall time, and only how far its monotonic time is from the line through this beginning: less than a
/// millisecond, which takes three octets instead of eight.
struct EpochClock: Hashable, Sendable {
    /// Milliseconds since 1970 (UTC).
    var wall: Int64 = 0
    /// Nanoseconds since the computer started.
    var monotonic: Int64 = 0

    /// How much more the monotonic clock has advanced until a moment than the wall clock, in nanoseconds.
    func drift(at moment: Moment) -> Int64 {
        moment.monotonicNanoseconds &- line(at: moment.wallMilliseconds)
    }

    /// The moment of this line at a monotonic time.
    func moment(at monotonic: Int64) -> Moment {
        let passed = (monotonic &- self.monotonic) / 1_000_000
        return Moment(monotonicNanoseconds: monotonic, wallMilliseconds: wall &+ passed)
    }

    /// The moment of a row.
    func moment(wall: Int64, drift: Int64) -> Moment {
        Moment(monotonicNanoseconds: line(at: wall) &+ drift, wallMilliseconds: wall)
    }

    // It wraps, so that any two times can be stored, and come back as they were.
    private func line(at wall: Int64) -> Int64 { monotonic &+ (wall &- self.wall) &* 1_000_000 }
}
