import Appearance
import Base
import TestSupport
import Testing
import TextGrid

@testable import Dashboard

@Suite("Drawing at every size")
struct DrawPropertyTests {
    /// What must hold for any picture.
    static func fault(in grid: Grid, _ columns: Int, _ rows: Int, isASCII: Bool) -> String? {
        guard grid.columns == columns, grid.rows == rows, grid.cells.count == columns * rows else {
            return "wrong size"
        }
        // By the array itself: tests are not optimised, and there are many millions of cells.
        for (index, cell) in grid.cells.enumerated() {
            let width = cell.columns
            if width == 2 {
                guard (index + 1) % columns != 0, grid.cells[index + 1].columns == 0 else { return "half a character" }
            } else if width == 0 {
                guard index % columns != 0, grid.cells[index - 1].columns == 2 else { return "a right half alone" }
            }
            let value = cell.scalar.value
            if value < 0x20 || value >= 0x7F && value <= 0x9F { return "a control character" }
            if isASCII, value >= 0x80 { return "not ASCII" }
        }
        if let cursor = grid.cursor, cursor.column >= columns || cursor.row >= rows { return "cursor outside" }
        return nil
    }

    /// The sizes at which a story is drawn: all small widths, and of the rest other ones for each story.
    private static func sizes(ofStory number: Int) -> [(columns: Int, rows: Int)] {
        let widths = Array(1...44) + Array(stride(from: 45 + number % 5, through: 120, by: 5))
        return widths.flatMap { columns in
            // Neighbouring heights share their code.
            stride(from: 1 + (columns * 3 + number / 5) % 10, through: 50, by: 10).map { (columns, $0) }
        }
    }

    @Test("the sizes at which stories are drawn are all from 1 × 1 to 120 × 50 together")
    func allSizes() {
        var drawn: Set<Int> = []
        for number in Ward.stories.indices {
            for (columns, rows) in Self.sizes(ofStory: number) { drawn.insert(columns * 1000 + rows) }
        }
        #expect(drawn.count == 120 * 50)
    }

    @Test(
        "every story draws at every width up to 44, at every fifth up to 120, and at absurd ones", .computing,
        arguments: Ward.stories.indices)
    func everySize(number: Int) {
        let ward = Ward.stories[number].ward
        for (columns, rows) in RandomCases.share(5, of: Self.sizes(ofStory: number)) {
            let glyphs = GlyphSet.allCases[(columns + rows) % 3]
            let fault = Self.fault(in: ward.drawn(columns, rows, glyphs), columns, rows, isASCII: glyphs == .ascii)
            #expect(fault == nil, "\(Ward.stories[number].name), \(columns) × \(rows), \(glyphs)")
        }
        for (columns, rows) in [(400, 120), (400, 4), (20, 120), (300, 100), (0, 0), (1, 120), (400, 1)] {
            let glyphs = GlyphSet.allCases[(number + columns / 100) % 3]
            let fault = Self.fault(in: ward.drawn(columns, rows, glyphs), columns, rows, isASCII: glyphs == .ascii)
            #expect(fault == nil, "\(Ward.stories[number].name), \(columns) × \(rows), \(glyphs)")
        }
    }

    @Test(
        "the worst alarm and the mark of simulated data survive at every size from 20 × 4", .computing,
        arguments: [false, true])
    func alarmSurvives(isHelpShown: Bool) {
        var ward = Ward.linkLost()
        ward.screen.session.isSimulated = true
        ward.screen.pages.help = isHelpShown ? LineScroll() : nil
        for columns in RandomCases.share(3, of: 20...120) {
            for rows in stride(from: 4 + columns % 5, through: 50, by: 5) {
                let grid = ward.drawn(columns, rows)
                let text = (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
                #expect(text.contains("FEVER 38.8 °C"), "\(columns) × \(rows)")
                #expect(text.contains("SIMULATED"), "\(columns) × \(rows)")
            }
        }
    }

    @Test(
        "an alarm that is over or suspended says so wherever its name is, on every page, with and without an answer",
        .computing,
        arguments: [ScreenState.Page?.none, .alarms, .log, .limits, .sensor, .distance, .days])
    func standingSurvives(page: ScreenState.Page?) {
        var stories = [(Ward.latched(), ["over"]), (Ward.suspended(), ["susp"])]
        var fever = Ward.fever()
        fever.answer(.acknowledgeAll)
        fever.miss(Ward.core, .bodyTemperature, .notANumber)
        stories.append((fever, ["susp"]))
        for (story, words) in stories {
            var ward = story
            ward.screen.pages.show(page)
            let title = ward.state.shownAlarms[0].capitals(.braille)
            let names = [title, title.replacing("SEVERELY ", with: "")]
            for rows in [1, 2, 4, 5, 6, 10, 16, 24, 30, 45, 60] {
                for columns in RandomCases.share(4, of: 20...60) + [80, 100, 150, 200] {
                    let grid = ward.drawn(columns, rows)
                    // Below the alarm lines the log has its own text.
                    let lines = (0..<(page == .log ? 2 : rows)).prefix(rows).map { grid.text(row: $0) }
                    for line in lines where names.contains(where: line.contains) && line.contains("▲") {
                        #expect(words.contains { line.contains($0) }, "\(columns) × \(rows): \(line)")
                    }
                }
            }
        }
    }

    @Test("windows of one and two rows say that data are simulated, and still show the alarm or the values")
    func simulatedInTwoRows() {
        for page in [ScreenState.Page?.none, .distance] {
            for (ward, word) in [(Ward.latched(), "▲▲▲"), (.live(seconds: 5), "73")] {
                var ward = Ward.simulated(ward)
                ward.screen.pages.show(page)
                for rows in 1...2 {
                    for columns in 20...120 {
                        let grid = ward.drawn(columns, rows)
                        let text = (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
                        #expect(text.contains("SIMULATED"), "\(columns) × \(rows)")
                        #expect(text.contains(word), "\(columns) × \(rows): \(text)")
                    }
                }
            }
        }
    }

    @Test("the worst alarm is the last thing to go: one row of any width shows it, on every page")
    func alarmIsLast() {
        let pages: [ScreenState.Page?] = [nil, .alarms, .log, .limits, .sensor, .days]
        for page in pages {
            var ward = Ward.several()
            ward.screen.pages.show(page)
            ward.screen.days.overview = Ward.twoWeeks
            for rows in 1...30 {
                for columns in stride(from: 20, through: 200, by: rows == 1 ? 1 : 20) {
                    let grid = ward.drawn(columns, rows)
                    let text = (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
                    #expect(text.contains("▲"), "\(columns) × \(rows), \(String(describing: page))")
                }
            }
        }
    }

    @Test("sizes at random up to 400 × 120, on every page, with everything that can cover it")
    func randomSizes() throws {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<600 {
            var ward = try #require(Ward.stories.randomElement(using: &random)?.ward)
            ward.screen.pages.show(([nil] + ScreenState.Page.all).randomElement(using: &random) ?? nil)
            ward.screen.pages.help = Int.random(in: 0..<6, using: &random) == 0 ? LineScroll() : nil
            ward.screen.dialogs.message =
                Bool.random(using: &random) ? "A message 心 that may be too long for the line" : nil
            // Small ones, where it is tight, more often than large ones.
            let side = [30, 60, 120, 400].randomElement(using: &random) ?? 30
            let columns = Int.random(in: 20...max(20, side), using: &random)
            let rows = Int.random(in: 4...max(4, side * 3 / 10), using: &random)
            let glyphs = GlyphSet.allCases.randomElement(using: &random) ?? .ascii
            let fault = Self.fault(in: ward.drawn(columns, rows, glyphs), columns, rows, isASCII: glyphs == .ascii)
            #expect(fault == nil, "\(columns) × \(rows), \(glyphs)")
        }
    }

    @Test("the three numbers are on the screen as text or as digits wherever there are four rows")
    func numbersSurvive() {
        let ward = Ward.live(seconds: 5)
        for columns in 20...60 {
            let grid = ward.drawn(columns, 4)
            let text = (0..<4).map { grid.text(row: $0) }.joined(separator: "\n")
            for number in ["73", "98", "36.8"] {
                #expect(text.contains(number), "\(number) at \(columns) columns")
            }
        }
    }

    @Test(
        "the cursor rests on what is selected, on every page",
        arguments: [nil] + ScreenState.Page.all.filter { !$0.type.coversScreen })
    func cursor(page: ScreenState.Page?) throws {
        var ward = Ward.several()
        ward.screen.pages.show(page)
        ward.screen.settings.items = Ward.items
        for (columns, rows) in [(100, 30), (60, 16), (30, 7)] {
            let grid = ward.drawn(columns, rows)
            let cursor = try #require(grid.cursor, "\(columns) × \(rows)")
            let line = grid.text(row: cursor.row)
            switch page {
            // Where no row is selected, it is the alarms that are found.
            case nil: #expect(line.contains("▲"), "\(columns) × \(rows): \(line)")
            case .alarms, .sensors: #expect(line.contains("▶"), "\(columns) × \(rows): \(line)")
            case .log, .sensor, .rhythm, .wave, .record, .contacts, .days, .nights:
                #expect(cursor.row >= 2 && !line.isEmpty)
            case .limits, .settings: #expect(cursor.row >= 2)
            case .entries: #expect(line.contains("▶"), "\(columns) × \(rows): \(line)")
            default: Issue.record("What does the cursor rest on here?")
            }
        }
    }

    @Test("the same state makes the same picture")
    func isPure() {
        let ward = Ward.fever()
        #expect(ward.drawn(80, 24) == ward.drawn(80, 24))
    }

    @Test("absurd sizes do not trap", arguments: [(-1, 5), (5, -1), (Int.max, 1), (Int.min, Int.min)])
    func absurdSizes(columns: Int, rows: Int) {
        let grid = Ward.live(seconds: 2).drawn(columns, rows)
        #expect(grid.cells.count == grid.columns * grid.rows)
    }
}
