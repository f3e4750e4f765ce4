import Appearance
import Monitoring
import TextGrid
import Vitals
import Wording

/// The top line during a replay, so that it is not mistaken for the present.
struct ReplayBanner {
    let replay: ReplayStatus
    let screen: ScreenState
    let now: Moment

    /// Its width in columns if it has no line.
    private static let narrowColumns = 7
    /// The number of columns that must then remain beside it.
    private static let leastColumns = 12

    /// The remaining size of the screen.
    static func room(in size: (columns: Int, rows: Int)) -> Area {
        if size.rows > 1 { return Area(column: 0, row: 1, columns: size.columns, rows: size.rows - 1) }
        guard size.columns >= narrowColumns + leastColumns else {
            return Area(column: 0, row: 0, columns: 0, rows: 0)
        }
        return Area(column: narrowColumns, row: 0, columns: size.columns - narrowColumns, rows: size.rows)
    }

    /// Draws in the remaining columns.
    func draw(on grid: inout Grid) {
        let room = Self.room(in: (grid.columns, grid.rows))
        let isBeside = room.row == 0 && !room.isEmpty
        let line = Area(column: 0, row: 0, columns: isBeside ? Self.narrowColumns - 1 : grid.columns, rows: 1)
        let style = Style(.simulated, [.bold, .reverse])
        grid.fill(line, " ", style)
        // Text that does not fit is truncated, but never completely.
        guard !isBeside, line.columns > Self.narrowColumns else {
            grid.put("REPLAY", style, in: line)
            return
        }
        let segments = [
            Segment("REPLAY", style, rank: 0), Segment(clock, style, rank: 2), Segment(state, style, rank: 1),
            Segment("\(replay.percent(at: now.wallMilliseconds)) %", style, rank: 4), Segment(date, style, rank: 3),
            Segment(keys, style, rank: 5),
        ]
        let inner = line.columns >= 10 ? line.inset(left: 1, right: 1) : line
        grid.put(segments, gap: 2, in: inner)
    }

    private var time: TimeText { TimeText(now: now, timeZoneOffset: screen.session.timeZoneOffset) }

    private var date: String { "of \(time.fullDate(now.wallMilliseconds))" }

    private var clock: String { time.dateAndTime(now.wallMilliseconds).time }

    /// The state of time: running at a speed, paused, or ended.
    private var state: String {
        if replay.hasEnded { return "END OF REPLAY" }
        if replay.isSeeking { return "going there\(screen.glyphs.ellipsis)" }
        let speed = replay.speed == "max" ? "max" : "\(replay.speed)x"
        return replay.isPaused ? "PAUSED \(speed)" : speed
    }

    private var keys: String {
        func name(_ command: Command) -> String { screen.keys.name(of: command) }
        let pause = replay.isPaused ? "go on" : "pause"
        return [
            (name(.freeze), pause), (name(.replaySlower) + name(.replayFaster), "speed"),
            (name(.replayBack) + name(.replayForward), "1 min"),
            (name(.replayFarBack) + name(.replayFarForward), "1 h"), (name(.replayStep), "step"),
        ].filter { !$0.0.isEmpty && !(replay.hasEnded && $0.1 != "1 min" && $0.1 != "1 h") }
            .map { "\($0.0) \($0.1)" }.joined(separator: "  ")
    }
}

extension Grid {
    /// Copies another grid into an area of the same size.
    mutating func place(_ other: Grid, in area: Area) {
        for row in 0..<min(area.rows, other.rows) {
            for column in 0..<min(area.columns, other.columns) {
                copy(other[column, row], column: area.column + column, row: area.row + row)
            }
        }
        cursor = other.cursor.map { Position(column: $0.column + area.column, row: $0.row + area.row) }
        spots = other.spots.map { spot in
            var moved = spot
            moved.area = Area(
                column: spot.area.column + area.column, row: spot.area.row + area.row, columns: spot.area.columns,
                rows: spot.area.rows)
            return moved
        }
    }
}

extension Command {
    /// The wish of the command for a replay; `nil` for other commands.
    var replayWish: ReplayWish? {
        switch self {
        case .freeze: .togglePause
        case .replayFaster: .faster
        case .replaySlower: .slower
        case .replayStep: .step
        case .replayBack: .jump(seconds: -60)
        case .replayForward: .jump(seconds: 60)
        case .replayFarBack: .jump(seconds: -3600)
        case .replayFarForward: .jump(seconds: 3600)
        default: nil
        }
    }
}
