import Monitoring
import TextGrid
import Vitals

/// Draws successive frames, and reuses the vitals that look the same.
///
/// A frame never depends on the previous ones: it equals the result of ``draw(state:screen:size:now:)`` for the same
/// state. Unchanged parts only cost less. All frames are of one state as time passes; begin another sequence for
/// another state.
public struct FrameSequence: Sendable {
    private(set) var last: Frame?

    /// Starts without a frame.
    public init() {}

    /// Draws the whole screen after ``ScreenState/prepare(for:size:at:)`` for the same state, size and moment.
    ///
    /// Parameters and result are those of ``draw(state:screen:size:now:)``, but the list is not prepared; call
    /// `prepare` first.
    public mutating func drawPrepared(
        state: MonitorState, screen: ScreenState, size: (columns: Int, rows: Int), now: Moment
    ) -> Grid {
        guard let replay = screen.session.replay else { return draw(state, screen, size: size, now: now) }
        var grid = Grid(columns: size.columns, rows: size.rows, isASCII: screen.glyphs == .ascii)
        let room = ReplayBanner.room(in: (grid.columns, grid.rows))
        grid.place(draw(state, screen, size: (room.columns, room.rows), now: now), in: room)
        ReplayBanner(replay: replay, screen: screen, now: now).draw(on: &grid)
        return grid
    }

    /// Draws everything but the replay banner.
    private mutating func draw(
        _ state: MonitorState, _ screen: ScreenState, size: (columns: Int, rows: Int), now: Moment
    ) -> Grid {
        let frame = Frame(state, screen, size: size, now: now, after: last)
        last = frame
        return frame.grid
    }
}
