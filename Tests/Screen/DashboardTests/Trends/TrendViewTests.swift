import Appearance
import Base
import Monitoring
import Testing
import Vitals
import Wording

@testable import Dashboard

@Suite("Looking back")
struct TrendViewTests {
    private let now = Moment(monotonicNanoseconds: 500_000_000_000_000, wallMilliseconds: 1_772_373_000_000)

    private func view(_ window: TrendWindow = .tenMinutes, cells: Int = 60) -> TrendView {
        var view = TrendView()
        view.window = window
        view.fit(cells: cells)
        return view
    }

    private func cursorCell(_ view: TrendView, at now: Moment? = nil) -> Int? {
        let now = now ?? self.now
        return view.past.flatMap { view.frame(glyphs: .braille, now: now)?.cell(of: $0.cursor) }
    }

    @Test(
        "a frame is as long as its window, ends after now, and stands still within a column",
        arguments: TrendWindow.allCases)
    func frame(window: TrendWindow) throws {
        for cells in [1, 4, 37, 136, 390] {
            for glyphs in GlyphSet.allCases {
                let frame = TrendFrame(window, cells: cells, glyphs: glyphs, endingAt: now)
                #expect(frame.end > now)
                #expect(frame.end.since(now) <= frame.cellWidth)
                let length = frame.end.since(frame.start)
                #expect(length <= window.duration && length > window.duration - .milliseconds(1))
                let later = TrendFrame(
                    window, cells: cells, glyphs: glyphs, endingAt: frame.end.advanced(by: .nanoseconds(-1)))
                #expect(later == frame)
                #expect(frame.cell(of: now) == cells - 1)
                #expect(frame.cell(of: frame.start) == 0)
                #expect(frame.cell(of: frame.end) == nil)
            }
        }
    }

    @Test("a frame stays the same where the wall clock was read a millisecond earlier or later")
    func rounding() {
        let moved = (Int64(0)..<1000).filter { step in
            let moment = now.advanced(by: .milliseconds(1237 * step))
            let frames = [Int64(-1), 0, 1].map { difference in
                var moment = moment
                moment.wallMilliseconds += difference
                return TrendFrame(.tenMinutes, cells: 60, glyphs: .braille, endingAt: moment)
            }
            return Set(frames).count > 1
        }
        // Where the tenth of a second ends.
        #expect(moved.count < 50)
    }

    @Test("the cursor comes at the newest cell, walks back cell by cell, and scrolls at the left edge")
    func cursor() throws {
        var view = view()
        #expect(!view.isPast)
        #expect(view.moveCursor(cells: -1, glyphs: .braille, now: now) == true)
        #expect(view.isPast)
        #expect(cursorCell(view) == 59)
        for cell in (0..<59).reversed() {
            #expect(view.moveCursor(cells: -1, glyphs: .braille, now: now) == true)
            #expect(cursorCell(view) == cell)
        }
        let left = try #require(view.frame(glyphs: .braille, now: now)).start
        #expect(view.moveCursor(cells: -1, glyphs: .braille, now: now) == true)
        #expect(cursorCell(view) == 0)
        #expect(try #require(view.frame(glyphs: .braille, now: now)).start < left)
    }

    @Test("to the right of the newest cell it is live again")
    func forward() {
        var view = view()
        for _ in 0..<3 { _ = view.moveCursor(cells: -1, glyphs: .braille, now: now) }
        for _ in 0..<3 { #expect(view.moveCursor(cells: 1, glyphs: .braille, now: now) == true) }
        #expect(!view.isPast)
        #expect(view.moveCursor(cells: 1, glyphs: .braille, now: now) == false)
    }

    @Test("the viewed period is fixed while time passes")
    func standsStill() {
        var view = view()
        _ = view.scroll(back: true, now: now)
        let before = view.frame(glyphs: .braille, now: now)
        let later = now.advanced(by: .seconds(3000))
        #expect(view.frame(glyphs: .braille, now: later)?.start == before?.start)
        #expect(cursorCell(view, at: later) == cursorCell(view))
    }

    @Test("scrolling goes back by half a window to the beginning of memory or the record, and forward to now")
    func scroll() {
        var view = view(.day)
        var count = 0
        while view.scroll(back: true, now: now) { count += 1 }
        #expect(count == 4)
        view.recordedSince = now.advanced(by: .seconds(-10 * 86_400))
        while view.scroll(back: true, now: now) { count += 1 }
        #expect(count == 20)
        for _ in 0..<20 { #expect(view.isPast); #expect(view.scroll(back: false, now: now) == true) }
        #expect(!view.isPast)
        #expect(view.scroll(back: false, now: now) == false)
    }

    @Test("zooming keeps the cursor's time in sight, and stops at both ends")
    func zoom() throws {
        var view = view(.eightHours)
        for _ in 0..<20 { _ = view.moveCursor(cells: -1, glyphs: .braille, now: now) }
        let cursor = try #require(view.past).cursor
        for isLonger in [false, false, false, false, true, true, true, true, true] {
            view.zoom(longer: isLonger, now: now)
            #expect(view.past?.cursor == cursor)
            #expect(cursorCell(view) != nil)
        }
        #expect(view.window == .day)
        // In the newest cell of a long window the cursor is in the future of a short one.
        view.goToNow()
        _ = view.moveCursor(cells: -1, glyphs: .braille, now: now)
        for _ in 0..<4 { view.zoom(longer: false, now: now) }
        #expect(view.window == .twoMinutes)
        #expect(cursorCell(view) != nil)
    }

    @Test("a window of another size keeps the cursor's time", arguments: [1, 20, 300])
    func resized(cells: Int) throws {
        var view = view()
        for _ in 0..<30 { _ = view.moveCursor(cells: -1, glyphs: .braille, now: now) }
        view.fit(cells: cells)
        #expect(cursorCell(view) != nil)
    }

    @Test("where there is no space for graphs nothing moves")
    func noRoom() {
        var view = view(cells: 0)
        #expect(view.moveCursor(cells: -1, glyphs: .braille, now: now) == false)
        #expect(view.scroll(back: true, now: now) == false)
        #expect(!view.isPast)
    }

    /// The windows that an automatic view takes as time goes on, where the vital is known at some seconds.
    private func followed(_ seconds: Range<Int>, step: Int = 20, isKnown: (Int) -> Bool) -> [(second: Int, TrendWindow)]
    {
        var view = TrendView()
        view.fit(cells: 60)
        view.show(nil)
        var taken: [(second: Int, TrendWindow)] = [(0, view.window)]
        var knownBefore = [0]
        for second in seconds { knownBefore.append(knownBefore[second] + (isKnown(second) ? 1 : 0)) }
        for second in stride(from: step, to: seconds.upperBound, by: step) {
            view.follow(
                at: Moment(monotonicNanoseconds: Int64(second) * 1_000_000_000, wallMilliseconds: Int64(second) * 1000)
            ) {
                let length = Int($0.seconds)
                return (knownBefore[second] - knownBefore[max(0, second - length)]) * 100 / length
            }
            if view.window != taken.last?.1 { taken.append((second, view.window)) }
        }
        return taken
    }

    @Test("a window that nobody has chosen grows when 60 % of the next one is known")
    func growing() {
        let taken = followed(0..<30_000) { _ in true }
        #expect(taken.map(\.1) == [.twoMinutes, .tenMinutes, .hour, .eightHours])
        #expect(taken.map(\.second) == [0, 360, 2160, 17_280])
    }

    @Test("a gap makes such a window shorter only when less than 40 % of it is known, and never to and fro")
    func gaps() {
        // An hour, then nine minutes of every ten missing, as of a sensor that is hardly ever on.
        let rare = followed(0..<20_000) { $0 < 3600 || $0 % 600 < 60 }
        #expect(rare.map(\.1) == [.twoMinutes, .tenMinutes, .hour])
        // At the edge: 58 to 62 % of ten minutes, changing every minute.
        let edge = followed(0..<6000) { ($0 % 10) < ($0 / 60 % 2 == 0 ? 7 : 5) }
        #expect(edge.count <= 4, "\(edge)")
        // A sensor that is new after a long pause: its last minutes are seen, not the empty hour.
        let anew = followed(0..<9000) { $0 < 3000 || $0 >= 8000 }
        #expect(anew.map(\.1) == [.twoMinutes, .tenMinutes, .hour, .twoMinutes, .tenMinutes], "\(anew)")
    }

    @Test(
        "what is known of a window is what the best known vital has",
        arguments: [(30, "2 min"), (80, "2 min"), (400, "10 min")])
    func known(seconds: Int, text: String) {
        var ward = Ward.live(seconds: seconds)
        ward.screen.trends.show(nil)
        let grid = ward.drawn(100, 30)
        #expect((0..<30).contains { grid.text(row: $0).contains("last \(text)") })
        #expect(abs(ward.state.knownPercent(of: .tenMinutes, at: ward.now) - seconds * 100 / 600) <= 2)
    }

    @Test("a key ends the automatic window, and a day that was looked at leaves it")
    func choosing() throws {
        let now = Moment(monotonicNanoseconds: 0, wallMilliseconds: 0)
        var view = TrendView()
        view.fit(cells: 60)
        view.show(nil)
        view.follow(at: now) { _ in 100 }
        #expect(view.window == .eightHours)
        view.show(-86_400_000..<0, now: now)
        view.follow(at: now) { _ in 100 }
        #expect(view.window == .day)
        view.goToNow()
        view.follow(at: now) { _ in 100 }
        #expect(view.window == .eightHours)
        view.zoom(longer: false, now: now)
        view.follow(at: now.advanced(by: .seconds(60))) { _ in 100 }
        #expect(view.window == .hour)
        view.show(.twoMinutes)
        view.follow(at: now.advanced(by: .seconds(120))) { _ in 100 }
        #expect(view.window == .twoMinutes)
    }

    @Test("ticks are at round local times, far enough apart, and inside", arguments: TrendWindow.allCases)
    func ticks(window: TrendWindow) {
        for cells in 1...200 {
            let frame = TrendFrame(window, cells: cells, glyphs: .braille, endingAt: now)
            let ticks = TimeAxis(frame, time: TimeText(now: now, timeZoneOffset: 5400)).ticks
            for (tick, next) in zip(ticks, ticks.dropFirst()) { #expect(next.cell - tick.cell >= 8) }
            #expect(ticks.allSatisfy { (0..<cells).contains($0.cell) })
            if cells >= 12, window != .day || cells >= 24 { #expect(!ticks.isEmpty, "\(cells)") }
            if window == .day { #expect(ticks.allSatisfy { $0.label.hasSuffix(":00") }) }
        }
    }
}
