/// A stretch of the record in which the wall clock ran without a jump.
///
/// How long ago something was recorded is counted in *recording time*: the milliseconds for which Bedside has recorded
/// into a store in all, by the clock that never jumps. It lacks the times in which nothing was recorded, so it never runs
/// ahead of the true time, whatever happens to the wall clock.
struct ClockLine: Hashable, Sendable {
    /// The recording time at which the stretch began.
    var began: Int64
    /// The recording time of the newest that is known of it.
    var ended: Int64
    /// What the wall clock showed at the beginning, in milliseconds since 1970 (UTC).
    var wall: Int64

    /// By how much the wall clock is ahead of the recording time.
    var offset: Int64 { wall - began }
}

extension ClockLine {
    /// The stretches of a store, in the order of recording time, and those from before recording time was counted.
    ///
    /// - Throws: ``StoreError``.
    static func read(
        from database: SQLiteDatabase
    ) throws(StoreError) -> (counted: [ClockLine], uncounted: [ClosedRange<Int64>]) {
        var counted: [ClockLine] = []
        var uncounted: [ClosedRange<Int64>] = []
        try database.forEach("SELECT wall_ms, last_wall_ms, running_ms, last_running_ms FROM epoch ORDER BY id") {
            row in
            // No clock shows more than this, so a damaged row cannot make a sum overflow.
            func time(_ column: Int32) -> Int64? { row.integer(column).map { min(max($0, -farthest), farthest) } }
            guard let wall = time(0) else { return }
            if let began = time(2) {
                counted.append(ClockLine(began: began, ended: max(began, time(3) ?? began), wall: wall))
            } else {
                uncounted.append(wall...max(wall, time(1) ?? wall))
            }
        }
        // Programs that record side by side have overlapping stretches.
        counted.sort { ($0.began, $0.ended) < ($1.began, $1.ended) }
        return (joined(counted), uncounted)
    }

    /// A hundred thousand years, in milliseconds.
    private static let farthest: Int64 = 3_155_760_000_000_000

    /// Makes one of neighbouring stretches between which the clock did not jump: epochs begin for other reasons, too.
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
