import Appearance
import Dashboard
import Monitoring
import Testing
import Vitals
import WardMessages

@testable import Ward
@testable import WardScreen

@Suite("The history of a bed")
struct BedHistoryTests {
    /// Where the page of a bed has marks in the colour of a vital, right of the numbers.
    private func colored(_ small: SmallWard, _ screen: WardScreenState) -> (cells: Int, text: String) {
        let grid = drawWard(small.ward, screen, size: (100, 30), now: small.moment)
        var cells = 0
        for row in 0..<grid.rows {
            for column in 30..<grid.columns where grid[column, row].style.role == .heartRate { cells += 1 }
        }
        return (cells, (0..<grid.rows).map { grid.text(row: $0) }.joined(separator: "\n"))
    }

    @Test("is labelled with its time, in no vital's colour, of this bed only, and leaves the numbers alone")
    func page() throws {
        var small = try SmallWard()
        small.pass(30)
        var screen = WardScreenState()
        (screen.glyphs, screen.isMotionReduced, screen.page) = (.ascii, true, .bed(small.bed))
        let live = colored(small, screen)
        #expect(live.cells > 0 && !live.text.contains("HISTORY"))

        #expect(screen.handle(.character("h"), small.ward, columns: 1, at: small.moment) == nil)
        #expect(screen.showsHistory)
        #expect(colored(small, screen).text.contains("HISTORY - reading"))
        let start = small.moment.wallMilliseconds - 3_600_000
        let value = TrendColumn(
            minimum: VitalValue(whole: 61), maximum: VitalValue(whole: 66), last: VitalValue(whole: 64))
        let points = (0..<30).map { minute in
            RecordedTrend.Point(
                wallMilliseconds: start + Int64(minute) * 60_000, duration: .seconds(60), values: value)
        }
        let past = PastTrends(
            from: small.moment.advanced(by: .zero - BedHistory.reach), to: small.moment,
            [RecordedTrend(.heartRate, points)])
        screen.history = BedHistory(small.bed, .trends(past))
        let history = colored(small, screen)
        #expect(history.cells == 0)
        // The ward's clock says 13:50, and the last half hour was not collected.
        #expect(history.text.contains("HISTORY of 24 h until 13:2"))
        #expect(history.text.contains("not the present") && history.text.contains("24 h"))
        #expect(history.text.split(separator: "\n").count { $0.contains("now") } > 0)

        let other = WardBed(site: small.bed.site, bed: small.bed.site)
        screen.history = BedHistory(other, .trends(past))
        #expect(colored(small, screen).text.contains("HISTORY - reading"))
        screen.history = BedHistory(small.bed, .missing("nothing of this bed in /ward"))
        #expect(colored(small, screen).text.contains("NO HISTORY - nothing of this bed in /ward"))
    }
}
