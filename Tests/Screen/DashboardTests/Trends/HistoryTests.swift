import Appearance
import Base
import Monitoring
import Testing
import TextGrid
import Vitals

@testable import Dashboard

@Suite("History on the screen")
struct HistoryTests {
    private func text(_ grid: Grid) -> String {
        (0..<grid.rows).map { grid.text(row: $0) }.joined(separator: "\n")
    }

    @Test("the past is announced in every window that has space for trends, and the numbers stay live")
    func announced() {
        let live = Ward.night()
        let past = Ward.history()
        for (columns, rows) in [(30, 6), (45, 20), (60, 16), (80, 24), (100, 30), (200, 60), (400, 120)] {
            for glyphs in GlyphSet.allCases {
                let shown = text(past.drawn(columns, rows, glyphs))
                #expect(shown.contains("HISTORY"), "\(columns) × \(rows)")
                #expect(shown.contains("Esc: now"), "\(columns) × \(rows)")
                #expect(!text(live.drawn(columns, rows, glyphs)).contains("HISTORY"))
            }
            // The large digits are the same cells as without the cursor.
            let (now, then) = (live.drawn(columns, rows), past.drawn(columns, rows))
            let size = (columns: columns, rows: rows)
            for index in 0..<3 {
                let layout = ScreenLayout(columns: size.columns, rows: size.rows)
                guard let places = layout.places(ofVital: index, .celsius) else { continue }
                for area in [places.digits, places.value] {
                    for row in area.row..<area.row + area.rows {
                        for column in area.column..<area.column + area.columns {
                            #expect(now[column, row] == then[column, row])
                        }
                    }
                }
            }
        }
    }

    @Test("Space freezes the trends where they are, says so, and goes on; a mark is a note of this moment")
    func freezes() {
        var ward = Ward.live(seconds: 60)
        _ = ward.drawn(100, 30)
        ward.screen.prepare(for: ward.state, size: (100, 30), at: ward.now)
        #expect(ward.press(.character(" ")) == nil)
        #expect(text(ward.drawn(100, 30)).contains("FROZEN"))
        let end = ward.screen.trends.past?.end
        ward.stream(seconds: 20)
        let frozen = text(ward.drawn(100, 30))
        #expect(frozen.contains("FROZEN") && frozen.contains("Esc: now"))
        // In the title of the trends, reversed, and not only in the line of the lowest row.
        let grid = ward.drawn(100, 30)
        let row = (0..<29).first { grid.text(row: $0).contains(" FROZEN 20 s ") }
        let isReversed = row.map { row in
            (0..<100).contains { grid[$0, row].scalar == "F" && grid[$0, row].style.attributes.contains(.reverse) }
        }
        #expect(isReversed == true)
        #expect(ward.screen.trends.past?.end == end)
        _ = ward.press(.character("-"))
        #expect(text(ward.drawn(100, 30)).contains("FROZEN"))
        #expect(ward.press(.character(" ")) == nil)
        #expect(!text(ward.drawn(100, 30)).contains("FROZEN"))
        guard case .monitor(.patient(.enter(let entry))) = ward.press(.character("m")) else {
            Issue.record("nothing is marked")
            return
        }
        #expect(entry.content == .note("Event marked") && entry.taken == ward.now)
    }

    @Test("the values under the cursor are shown for every vital in every window that fits trends")
    func everyVital() {
        let ward = Ward.history()
        for (columns, rows) in [(30, 6), (45, 20), (60, 16), (80, 24), (100, 30), (200, 60)] {
            for glyphs in GlyphSet.allCases {
                var screen = ward.screen
                screen.glyphs = glyphs
                screen.prepare(for: ward.state, size: (columns, rows), at: ward.now)
                let shown = text(ward.drawn(columns, rows, glyphs))
                for panel in Scene(state: ward.state, screen: screen, now: ward.now).panels {
                    let words = panel.cursorText(screen)
                    #expect(!words.isEmpty && shown.contains(words), "\(words) at \(columns) × \(rows)")
                }
            }
        }
    }

    @Test("the cursor reads what was then: the range of its column, or that there is no data")
    func cursor() throws {
        var ward = Ward.night()
        ward.press(.left)
        var seen: Set<String> = []
        for _ in 0..<60 {
            ward.press(.left)
            let shown = text(ward.drawn(200, 60))
            for words in ["SpO₂ 85 ", "SpO₂ 96 ", "HR no data"] where shown.contains(words) { seen.insert(words) }
        }
        #expect(seen == ["SpO₂ 85 ", "SpO₂ 96 ", "HR no data"])
        ward.press(.escape)
        #expect(!ward.screen.trends.isPast)
    }

    @Test("at the ends of what is known a key says so, and changes nothing")
    func ends() {
        var ward = Ward.night()
        ward.press(.right)
        #expect(ward.screen.dialogs.message == "These are the newest values.")
        for _ in 0..<20 { ward.press(.character("[")) }
        #expect(ward.screen.dialogs.message == "This is as far back as anything is known.")
    }

    @Test("Esc goes back to now before it clears the filter")
    func escape() {
        var ward = Ward.night()
        ward.screen.list.setFilter("core")
        ward.press(.left)
        ward.press(.escape)
        #expect(!ward.screen.trends.isPast)
        #expect(ward.screen.list.filter == "core")
        ward.press(.escape)
        #expect(ward.screen.list.filter == "")
    }

    @Test(
        "the time of an alarm is shaded in its vital's graph only, with characters and not only with colour",
        arguments: GlyphSet.allCases)
    func shaded(glyphs: GlyphSet) throws {
        let grid = Ward.night().drawn(100, 30, glyphs)
        let layout = ScreenLayout(columns: 100, rows: 30, glyphs: glyphs)
        for index in 0..<3 {
            let graph = try #require(layout.places(ofVital: index, .celsius)).graph
            var shaded = 0
            for row in graph.row..<graph.row + graph.rows {
                for column in graph.column..<graph.column + graph.columns
                where grid[column, row].scalar == glyphs.alarmShade && grid[column, row].style.role == .alarmMedium {
                    shaded += 1
                }
            }
            #expect((shaded > 0) == (index == 1), "\(index)")
        }
    }

    /// A day of readings at 1 Hz, one of which may be low.
    private static func day(lowest: Int) -> Ward {
        var ward = Ward.live(seconds: 5)
        ward.screen.trends.window = .day
        ward.restore(hours: 23, interval: 1, .oxygenSaturation) { $0 == 50_000 ? lowest : 9700 }
        return ward
    }

    private static let withDip = day(lowest: 8600)
    private static let calm = day(lowest: 9700)

    @Test(
        "a desaturation of one second is drawn a day later, to its depth",
        arguments: GlyphSet.allCases, [(45, 20), (80, 24), (100, 30), (200, 60)])
    func oneSecond(glyphs: GlyphSet, size: (columns: Int, rows: Int)) throws {
        let dip = Self.withDip.drawn(size.columns, size.rows, glyphs)
        let calm = Self.calm.drawn(size.columns, size.rows, glyphs)
        let layout = ScreenLayout(columns: size.columns, rows: size.rows, glyphs: glyphs)
        let graph = try #require(layout.places(ofVital: 1, .celsius)).graph
        var different: [(column: Int, row: Int)] = []
        for row in graph.row..<graph.row + graph.rows {
            for column in graph.column..<graph.column + graph.columns where dip[column, row] != calm[column, row] {
                // What glows below the line says nothing.
                if dip[column, row].style.attributes.fade == 0 { different.append((column, row)) }
            }
        }
        // One column of cells, from the line down to where 86 is of 85 to 100.
        #expect(!different.isEmpty)
        #expect(Set(different.map(\.column)).count == 1)
        let lowest = different.map(\.row).max()
        #expect(lowest.map { $0 >= graph.row + (graph.rows - 1) * 14 / 15 } == true)
        #expect(different.allSatisfy { dip[$0.column, $0.row].scalar != " " })
    }

    @Test("a desaturation of one second is seen in a graph of one row, too", arguments: GlyphSet.allCases)
    func oneSecondInOneRow(glyphs: GlyphSet) {
        #expect(Self.withDip.drawn(60, 8, glyphs).text(row: 3) != Self.calm.drawn(60, 8, glyphs).text(row: 3))
    }

    @Test("records stand in for what memory holds too coarsely, and only while they cover what is shown")
    func pastTrends() throws {
        var ward = Ward.scrolledBack()
        ward.screen.prepare(for: ward.state, size: (100, 30), at: ward.now)
        let missing = try #require(ward.screen.missingPast(in: ward.state, at: ward.now))
        let without = text(ward.drawn(100, 30))
        #expect(without.contains("HR no data"), "\(without)")
        let points = stride(from: missing.from.wallMilliseconds, to: missing.to.wallMilliseconds, by: 1000).map {
            RecordedTrend.Point(wallMilliseconds: $0, .measured(VitalValue(whole: 123), .good))
        }
        ward.screen.trends.loaded = PastTrends(from: missing.from, to: missing.to, [RecordedTrend(.heartRate, points)])
        #expect(text(ward.drawn(100, 30)).contains("HR 123"), "\(text(ward.drawn(100, 30)))")
        #expect(ward.screen.missingPast(in: ward.state, at: ward.now) == nil)
        // What is live is not from the record.
        #expect(text(ward.drawn(100, 30)).contains("HR 72 bpm"))
        ward.press(.escape)
        #expect(!text(ward.drawn(100, 30)).contains("HR 123"))
    }

    @Test("no record is asked for where memory is as fine as the screen")
    func nothingMissing() {
        var ward = Ward.night()
        ward.press(.left)
        ward.screen.prepare(for: ward.state, size: (100, 30), at: ward.now)
        #expect(ward.screen.missingPast(in: ward.state, at: ward.now) == nil)
        ward.press(.escape)
        #expect(ward.screen.missingPast(in: ward.state, at: ward.now) == nil)
    }

    @Test("what is loaded is wider than what is shown, and no wider than is held as finely")
    func margins() throws {
        for (window, reach) in [(TrendWindow.twoMinutes, 900), (.tenMinutes, 900), (.hour, 10_800), (.day, 172_800)] {
            var ward = Ward.night()
            ward.screen.trends.window = window
            ward.screen.trends.recordedSince = ward.now.advanced(by: .seconds(-30 * 86_400))
            ward.screen.prepare(for: ward.state, size: (100, 30), at: ward.now)
            var missing: MissingPast?
            while missing == nil, ward.screen.trends.past.map({ ward.now.since($0.end) < .seconds(5 * 86_400) }) ?? true
            {
                ward.press(.character("["))
                ward.screen.prepare(for: ward.state, size: (100, 30), at: ward.now)
                missing = ward.screen.missingPast(in: ward.state, at: ward.now)
            }
            let found = try #require(missing)
            let span = found.to.since(found.from)
            #expect(span > window.duration)
            #expect(span <= .seconds(reach))
            ward.screen.trends.loaded = PastTrends(from: found.from, to: found.to, [])
            #expect(ward.screen.missingPast(in: ward.state, at: ward.now) == nil)
            ward.press(.left)
            #expect(ward.screen.missingPast(in: ward.state, at: ward.now) == nil)
        }
    }

    @Test("'no data' is not shown while they are being read, or cannot be")
    func reading() {
        var ward = Ward.scrolledBack()
        ward.screen.trends.reading = .reading
        #expect(text(ward.drawn(100, 30)).contains("reading…"))
        #expect(!text(ward.drawn(100, 30)).contains("no data"))
        ward.screen.trends.reading = .failed
        #expect(text(ward.drawn(140, 30)).contains("the record cannot be read"))
        #expect(!text(ward.drawn(140, 30)).contains("no data"))
        ward.screen.trends.reading = .idle
        #expect(text(ward.drawn(100, 30)).contains("no data"))
    }

    @Test("the time before the record is marked, and where the record begins")
    func beginning() {
        var ward = Ward.scrolledBack()
        ward.screen.trends.recordedSince = ward.screen.trends.past?.cursor.advanced(by: .seconds(-60))
        #expect(text(ward.drawn(140, 30)).contains("nothing before "))
        ward.press(.character("["))
        #expect(ward.screen.dialogs.message?.hasPrefix("Nothing was recorded before ") == true)
    }

    @Test("the mark of a time stands before its label always, and never alone in a graph")
    func marksOfTimes() {
        let ward = Ward.night()
        for columns in stride(from: 20, through: 200, by: 3) {
            for rows in stride(from: 4 + columns % 4, through: 60, by: 4) {
                let grid = ward.drawn(columns, rows)
                for row in 0..<rows {
                    let line = Array(grid.text(row: row))
                    for (index, character) in line.enumerated() where character == "╵" {
                        #expect(index + 1 < line.count && line[index + 1].isNumber, "\(columns) × \(rows), row \(row)")
                    }
                }
            }
        }
    }
}
