import Monitoring
import TextGrid
import Vitals

/// Draws one frame after the other, and takes from the last one the vitals that look the same.
///
/// A frame never depends on the frames before: it is what ``draw(state:screen:size:now:)`` makes of the same state. What
/// has not changed only costs less. All are of one state as time goes on; begin another sequence when another state takes
/// its place.
public struct FrameSequence: Sendable {
    private(set) var last: Frame?

    /// Starts without a frame.
    public init() {}

    /// Draws the whole screen after ``ScreenState/prepare(for:size:at:)`` for the same state, size and moment.
    ///
    /// Parameters and result are those of ``draw(state:screen:size:now:)``, but without preparing the list; call `prepare`
    /// first.
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
