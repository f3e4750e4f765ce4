import Appearance
import Monitoring
import Testing
import Vitals

@testable import Dashboard

@Suite("The page of the last days")
struct DaysPageTests {
    private func text(_ ward: Ward, _ columns: Int = 120, _ rows: Int = 40) -> String {
        let grid = ward.drawn(columns, rows)
        return (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
    }

    /// What is read on the page, as one line.
    private func words(_ ward: Ward) -> String {
        let lines = text(ward, 200, 60).split(separator: "\n").map { line in
            line.trimmingPrefix { $0 == " " || $0 == "│" }.reversed().trimmingPrefix {
                $0 == " " || $0 == "│" || $0 == "┃"
            }
            .reversed()
        }
        return lines.map { String($0) }.joined(separator: " ")
    }

    @Test("the cursor reads a day in words, from the last to the first")
    func cursor() {
        var ward = Ward.daysPage()
        #expect(words(ward).contains("Sun 2026-03-01; "))
        #expect(words(ward).contains("08:00 ANC 1300/µL (mild neutropenia)"))
        ward.press(.right)
        #expect(text(ward).contains("This is today."))
        for _ in 0..<4 { ward.press(.left) }
        let day = words(ward)
        for part in [
            "Wed 2026-02-25; FEVER from 09:00 on; body temperature",
            "°C, median 37.9, 5 h 20 min outside limits, 96 % measured",
            "10:00 paracetamol 1000 mg, antipyretic", "09:00 chills 10/10, severe", "11:00 blood culture taken",
            "08:00 ANC 60/µL (profound neutropenia)",
        ] { #expect(day.contains(part), "\(part) in \(day)") }
        for _ in 0..<9 { ward.press(.left) }
        // Of the first day only sums are left.
        #expect(words(ward).contains("Mon 2026-02-16; ") && words(ward).contains("median unknown"))
        ward.press(.left)
        #expect(text(ward).contains("This is the first of the days."))
    }

    @Test("fault 18: axis in °F with values in °C: titles, lines, scale and words are in the unit of the screen")
    func fahrenheit() {
        var ward = Ward.daysOfFever()
        ward.press(.character("u"))
        let page = text(ward, 200, 60)
        #expect(page.contains("Body temperature °F · lines at 95.9, 100.4, 100.94"))
        #expect(page.contains("103") && !page.contains("°C"))
        #expect(words(ward).contains("97.4–102.0 °F, median 100.2"))
    }

    @Test("a value of each day stands where its own scale puts it, so that no day is drawn by the unit of another")
    func bars() throws {
        let overview = Ward.twoWeeks
        let axis = try #require(DayAxis(overview, columns: 76, glyphs: .braille))
        let values = ValueText(isFahrenheit: true)
        let spans = axis.spans(of: overview.days[9][.bodyTemperature]) {
            values.shownHundredths($0, of: .bodyTemperature)
        }
        let known = spans.compactMap(\.self)
        #expect(known.map(\.low).min() == 9743 && known.map(\.high).max() == 10_202)
        #expect(axis.spans(of: nil) { $0.hundredths }.allSatisfy { $0 == nil })
    }

    @Test("a day of 23 or 25 hours has the same width, says so, and its marks stand at their share of it")
    func changeOfClocks() throws {
        var ward = Ward.daysPage()
        var overview = Ward.twoWeeks
        // The clocks go back in the night before the second day: from then on all midnights are an hour later.
        let change = Ward.midnight(12) + 1 * 3_600_000
        for place in overview.days.indices {
            let range = overview.days[place].range
            let (start, end) = (place < 2 ? 0 : 1, place < 1 ? 0 : 1)
            overview.days[place].range =
                range.lowerBound + Int64(start) * 3_600_000..<range.upperBound + Int64(end) * 3_600_000
        }
        #expect(overview.days[1].range.upperBound - overview.days[1].range.lowerBound == 25 * 3_600_000)
        let axis = try #require(DayAxis(overview, columns: 76, glyphs: .braille))
        #expect(axis.cell(of: overview.days[1].range.lowerBound) == axis.dayColumns)
        #expect(axis.cell(of: overview.days[1].range.upperBound) == 2 * axis.dayColumns)
        let noon = overview.days[1].range.lowerBound + 25 * 1_800_000
        #expect(axis.cell(of: noon) == axis.dayColumns + axis.dayColumns / 2)
        ward.screen.days.overview = overview
        ward.screen.session.timeZone = LocalTimeZone(
            offset: -3600, changes: [LocalTimeZone.Change(moment: change / 1000, offsetBefore: 0)])
        for _ in 0..<12 { ward.press(.left) }
        #expect(words(ward).contains("Tue 2026-02-17 (25 hours: the clocks were changed); "))
    }

    @Test("Enter opens the day in the trends, which ask for it from the store; Esc shows now again")
    func openDay() throws {
        var ward = Ward.daysOfFever()
        _ = ward.drawn(120, 40)
        ward.press(.enter)
        #expect(ward.screen.pages.current == nil)
        ward.screen.prepare(for: ward.state, size: (120, 40), at: ward.now)
        let missing = try #require(ward.screen.missingPast(in: ward.state, at: ward.now))
        #expect(missing.from.wallMilliseconds <= Ward.midnight(4))
        #expect(missing.to.wallMilliseconds >= Ward.midnight(3))
        #expect(ward.screen.trends.window == .day)
        let page = text(ward)
        #expect(page.contains("2026-02-25"))
        ward.press(.escape)
        #expect(!ward.screen.trends.isPast)
    }

    @Test("today is opened up to now", arguments: [0])
    func openToday(_ moves: Int) {
        var ward = Ward.daysPage()
        _ = ward.drawn(120, 40)
        ward.press(.enter)
        #expect(ward.screen.trends.isPast && ward.screen.trends.past?.end == ward.now)
    }

    @Test("more graphs than fit are scrolled to")
    func scrolling() {
        var ward = Ward.daysPage()
        #expect(text(ward, 80, 24).contains("Body temperature") && !text(ward, 80, 24).contains("SpO₂ %"))
        ward.press(.end)
        #expect(text(ward, 80, 24).contains("Oxygen saturation") && !text(ward, 80, 24).contains("Body temperature"))
        ward.press(.home)
        #expect(text(ward, 80, 24).contains("Body temperature"))
    }

    @Test("alarms, numbers and the mark of simulated data stay", arguments: [(80, 24), (120, 40), (200, 60), (60, 16)])
    func alarms(_ columns: Int, _ rows: Int) {
        let page = text(Ward.daysOfFever(), columns, rows)
        #expect(page.contains("FEVER") && page.contains("38."))
        #expect(page.contains("SIM"))
    }

    @Test("where the graphs do not fit, the day is read in words")
    func small() {
        for (columns, rows) in [(40, 14), (60, 11)] {
            #expect(text(Ward.daysPage(), columns, rows).contains("2026-03-01"), "\(columns) × \(rows)")
        }
    }

    @Test("says what it reads, that there is nothing, that it cannot be read, and that a view has no store")
    func without() {
        var ward = Ward.live(seconds: 60)
        ward.press(.character("D"))
        #expect(text(ward).contains("Nothing was recorded in the last 14 days."))
        ward.press(.left)
        #expect(text(ward).contains("There are no days to read yet."))
        ward.screen.days.reading = .reading
        #expect(text(ward).contains("Reading the record…"))
        ward.screen.days.reading = .failed
        #expect(text(ward).contains("The record cannot be read."))
        #expect(text(.daysOfView()).contains("This is a view of bedside record, process 4711, which keeps the record."))
        ward.press(.character("D"))
        #expect(ward.screen.pages.current == nil)
    }

    @Test("counts that are far apart stand on lines of their own: 500 and 100 are told apart where there is room")
    func neutrophils() {
        #expect(DayGraph.power(10) == 1000 && DayGraph.power(100) == 2000 && DayGraph.power(500) == 2699)
        #expect(DayGraph.power(0) == 1000 && DayGraph.power(100_000) == 4000)
        let page = text(Ward.daysPage(), 200, 60)
        for label in ["3200", "900", "60", "1300", "lines at 500, 100"] { #expect(page.contains(label), "\(label)") }
    }
}
