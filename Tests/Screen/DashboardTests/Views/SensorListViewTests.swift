import Appearance
import Base
import Monitoring
import Testing
import TextGrid
import Vitals

@testable import Dashboard

@Suite("Sensor list")
struct SensorListViewTests {
    private func crowded() -> Ward {
        var ward = Ward.empty()
        for number in 10..<40 {
            ward.find(
                SensorIdentity(address: "00:00:00:00:00:\(number)", name: "Strap \(number)", kind: .heartRateStrap),
                signal: -number)
        }
        return ward
    }

    @Test("the selected row is always visible, and the cursor rests on it")
    func selectionIsVisible() throws {
        var ward = crowded()
        for number in 10..<40 {
            ward.screen.list.selection = "00:00:00:00:00:\(number)"
            let grid = ward.drawn(80, 24)
            let cursor = try #require(grid.cursor)
            #expect(grid.text(row: cursor.row).contains("▶ ○ Strap \(number)"))
        }
    }

    @Test("a list that does not fit says which part is shown")
    func partIsNamed() {
        var ward = crowded()
        ward.screen.list.selection = "00:00:00:00:00:39"
        let grid = ward.drawn(80, 24)
        let text = (0..<24).map { grid.text(row: $0) }.joined(separator: "\n")
        #expect(text.contains("SENSORS 14–30 of 30"))
    }

    @Test("sensors of the same name are distinguished by their addresses")
    func sameNames() {
        var ward = Ward.empty()
        for number in 1...2 {
            ward.find(
                SensorIdentity(address: "AA:BB:CC:DD:EE:0\(number)", name: "HRM", kind: .heartRateStrap), signal: -50)
        }
        let grid = ward.drawn(80, 24)
        let text = (0..<24).map { grid.text(row: $0) }.joined(separator: "\n")
        #expect(text.contains("HRM EE:01"))
        #expect(text.contains("HRM EE:02"))
    }

    @Test("a row shows battery, signal and age")
    func numbers() throws {
        var ward = Ward.live(seconds: 3)
        ward.screen.pages.show(.sensors)
        let grid = ward.drawn(80, 24)
        let row = try #require((0..<24).map { grid.text(row: $0) }.first { $0.contains("CORE 1A2B  ") })
        #expect(row.contains("−58 dBm  87 %    now"))
    }

    @Test("a row whose link is lost shows no signal, until the sensor is heard again", arguments: [60, 80, 200])
    func lostLink(columns: Int) throws {
        var ward = Ward.live(seconds: 3)
        ward.screen.pages.show(.sensors)
        func row(_ ward: Ward) throws -> String {
            let grid = ward.drawn(columns, 60)
            return try #require((0..<60).map { grid.text(row: $0) }.last { $0.contains(" Polar") })
        }
        let bars = GlyphSet.braille.signalBars(4).first.map(String.init) ?? ""
        #expect(try row(ward).contains(bars))
        ward.apply(.connection(Ward.strap, ConnectionState(phase: .waiting, reason: .linkLost, attempt: 1)))
        ward.pass(1)
        #expect(try !row(ward).contains(bars) && !row(ward).contains("dBm"))
        ward.find(Ward.strap, signal: -50)
        #expect(try row(ward).contains(bars))
    }

    @Test("a name is never shorter in a wider window")
    func names() throws {
        var ward = Ward.live(seconds: 3)
        ward.screen.pages.show(.sensors)
        var longest = 0
        for columns in 45...250 {
            let grid = ward.drawn(columns, 60)
            let row = try #require((0..<60).map { grid.text(row: $0) }.last { $0.contains(" Polar") })
            let whole = "Polar H10 4A2C1234"
            let name = (0...whole.count).last { row.contains(String(whole.prefix($0))) } ?? 0
            #expect(name >= longest, "\(columns): \(row)")
            longest = name
        }
        #expect(longest == 18)
    }
}

@Suite("Scroll bars")
struct ScrollBarTests {
    /// The rows of a border that the thumb covers.
    private func thumb(_ bar: ScrollBar, rows: Int) -> [Int] {
        var grid = Grid(columns: 1, rows: rows)
        bar.draw(.braille, over: grid.area, on: &grid)
        return (0..<rows).filter { grid[0, $0].scalar == GlyphSet.braille.scrollThumb }
    }

    @Test("the thumb is at an end only where nothing is hidden beyond it, and moves with what is seen")
    func ends() {
        for rows in 3...20 {
            for total in [rows + 1, rows + 2, rows * 2, 500] {
                var former = -1
                for top in 0...(total - rows) {
                    let covered = thumb(ScrollBar(top: top, shown: rows, total: total), rows: rows)
                    let first = covered.first ?? -1
                    #expect(covered == Array(first..<first + covered.count) && !covered.isEmpty)
                    #expect((first == 0) == (top == 0), "\(rows), \(total), \(top)")
                    #expect((covered.last == rows - 1) == (top == total - rows), "\(rows), \(total), \(top)")
                    #expect(first >= former)
                    former = first
                }
            }
        }
    }

    @Test("there is none where everything is seen")
    func none() {
        #expect(thumb(ScrollBar(top: 0, shown: 5, total: 5), rows: 5).isEmpty)
        #expect(thumb(ScrollBar(top: 0, shown: 0, total: 0), rows: 5).isEmpty)
    }

    @Test(
        "every page that hides rows has one, and so has the help",
        arguments: [ScreenState.Page.alarms, .log, .settings, .sensor, .entries])
    func pages(page: ScreenState.Page) {
        var ward = Ward.several()
        ward.screen.settings.items = Ward.items + Ward.items
        ward.screen.pages.show(page)
        func hasThumb(_ ward: Ward, rows: Int) -> Bool {
            let grid = ward.drawn(80, rows)
            return (0..<rows).contains { grid[79, $0].scalar == GlyphSet.braille.scrollThumb }
        }
        #expect(hasThumb(ward, rows: page == .log || page == .entries ? 11 : 16))
        #expect(!hasThumb(ward, rows: 60))
        ward.screen.pages.help = LineScroll()
        #expect(hasThumb(ward, rows: 24))
    }
}
