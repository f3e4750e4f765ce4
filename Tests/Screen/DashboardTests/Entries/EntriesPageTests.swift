import Appearance
import Base
import Monitoring
import Testing
import Vitals
import Wording

@testable import Dashboard

@Suite("The page of manual entries")
struct EntriesPageTests {
    private func text(_ ward: Ward, _ columns: Int = 100, _ rows: Int = 30) -> String {
        let grid = ward.drawn(columns, rows)
        return (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
    }

    @Test("a value is typed, and shown large with the word manual and its age where no sensor measures")
    func alone() {
        let ward = Ward.manual()
        let screen = text(ward)
        #expect(screen.contains("TEMPERATURE, MOUTH 38.4 °C"))
        #expect(screen.contains("manual 13:38, 12 min old"))
        // The cuff's pulse is the newer rate.
        #expect(screen.contains("HEART RATE 94 bpm"))
        #expect(screen.contains("BP 118/74/89 mmHg · manual 13:47 · 3 min old · pulse 94"))
    }

    @Test("a sensor's value stays large, and what was typed stands beside it")
    func beside() {
        let ward = Ward.manualBeside()
        let screen = text(ward, 200, 60)
        #expect(screen.contains("─ CORE 36.8 °C"))
        #expect(screen.contains("manual 38.6 at 13:51"))
        #expect(screen.contains("▲▲▲ FEVER 38.6 °C"))
        #expect(screen.contains("◆"))
    }

    @Test("of a sensor that has no measurement, why stays, and what was typed stands beside it")
    func besideBanner() {
        var ward = Ward.live(seconds: 10)
        ward.miss(Ward.core, .bodyTemperature, .notANumber)
        ward.enter("t", "37.9 ear")
        ward.obey(.escape)
        let screen = text(ward)
        #expect(screen.contains("NO MEASUREMENT"))
        #expect(screen.contains("manual 37.9 at 13:50"))
    }

    @Test("what is old says so, and after a day is not shown as a value any more")
    func old() {
        var ward = Ward.manualOld()
        #expect(text(ward).contains("OLD manual 08:50, 5 h old"))
        #expect(text(ward).contains("OLD, manual 07:50"))
        ward.pass(20 * 3600)
        #expect(!text(ward).contains("37.2"))
        #expect(!text(ward).contains("118/74"))
    }

    @Test("what was typed is marked at every size that shows it", arguments: GlyphSet.allCases)
    func marked(glyphs: GlyphSet) {
        let ward = Ward.manual()
        for (columns, rows) in [(20, 4), (24, 5), (30, 6), (45, 20), (60, 16), (80, 24), (200, 60)] {
            let grid = ward.drawn(columns, rows, glyphs)
            for row in 0..<rows {
                let line = grid.text(row: row)
                // In the middle size the word stands two lines below the number.
                guard line.contains("38.4") || line.contains("118/74") else { continue }
                guard !line.contains("!") && !line.contains("▲") else { continue }
                let below = (row..<min(rows, row + 3)).map { grid.text(row: $0) }.joined()
                #expect(below.contains("manual") || line.contains("m"), "\(columns) × \(rows): \(line)")
            }
        }
    }

    @Test("a question is answered with y or n, and Esc leaves without entering")
    func questions() {
        var ward = Ward.entryAsked()
        #expect(text(ward).contains("98.6 °C is not possible. Did you mean 98.6 °F (37.0 °C)?"))
        #expect(ward.press(.enter) == nil)
        #expect(ward.press(.character("n")) == nil)
        #expect(text(ward).contains("Temperature °C: 98.6"))
        #expect(ward.press(.enter) == nil)
        #expect(ward.press(.escape) == nil)
        #expect(ward.screen.dialogs.inputLine == nil)
        ward.type("t98.6")
        #expect(ward.press(.enter) == nil)
        guard case .monitor(.patient(.enter(let entry))) = ward.press(.character("y")) else {
            Issue.record("it is not entered")
            return
        }
        #expect(entry.content == .vital(.bodyTemperature, VitalValue(hundredths: 3700), site: nil))
        ward.type("t38.4")
        #expect(ward.press(.escape) == nil)
        #expect(ward.state.patientRecord.entries.isEmpty)
    }

    @Test("what is refused stays in the line, with a sentence above it")
    func refused() {
        var ward = Ward.live(seconds: 5)
        ward.type("eo101")
        #expect(ward.press(.enter) == nil)
        #expect(text(ward).contains("101 % is not a possible SpO₂: 20 to 100 can be entered."))
        #expect(text(ward).contains("SpO2 %: 101"))
    }

    @Test("without a choice the entry is taken back that was typed last; with one, that one; each only once")
    func retracting() throws {
        var ward = Ward.entriesPage()
        #expect(text(ward).contains("MISTAKE, taken back"))
        #expect(ward.state.patientRecord.newest(.bodyTemperature)?.value == VitalValue(hundredths: 3840))
        ward.obey(.end)
        #expect(ward.press(.enter) == nil)
        #expect(text(ward).contains("Take back body temperature 38.4 °C, mouth?"))
        let first = try #require(ward.state.patientRecord.newestFirst.last)
        #expect(ward.press(.character("y")) == .patient(.retract(first.id)))
        ward.answer(.retract(first.id))
        #expect(ward.press(.enter) == nil)
        #expect(ward.screen.dialogs.message?.contains("already") == true)
        var empty = Ward.live(seconds: 1)
        empty.type("ex")
        #expect(empty.screen.dialogs.message?.contains("no entry") == true)
    }

    @Test("the cursor in the trends reads what was typed, too")
    func cursor() {
        var ward = Ward.manual()
        // Keys are pressed in a window of this size.
        for _ in 0..<40 {
            ward.obey(.left)
            let shown = text(ward, 80, 24)
            if shown.contains("at cursor manual 94") || shown.contains("[manual 94]") { return }
        }
        Issue.record("it is not found")
    }

    @Test("a click selects a row")
    func mouse() throws {
        var ward = Ward.manual()
        ward.obey(.character("e"))
        let grid = ward.drawn(100, 30)
        let row = try #require((0..<30).first { grid.text(row: $0).contains("blood pressure  ") })
        _ = ward.screen.mouse(.click(column: 10, row: row), on: grid, in: ward.state, at: ward.now)
        #expect(ward.screen.pages[EntriesPage.self].cursor.selected == .kind(.bloodPressure))
    }

    @Test("lines of text report an entry, and its retraction, once")
    func lines() throws {
        var (ward, report) = (
            Ward.live(seconds: 5),
            LineReport(
                interval: .seconds(10), context: SessionContext(provenance: .real, patient: nil, timeZoneOffset: 0))
        )
        report.handle([], ward.state)
        _ = report.takeLines()
        let entry = RecordEntry(
            .bloodPressure(BloodPressure(systolic: 120, diastolic: 80)), taken: ward.now.advanced(by: .seconds(-600)),
            enteredAt: ward.now)
        report.handle(ward.state.apply(.enter(entry), at: ward.now), ward.state)
        report.handle(ward.state.apply(.retract(entry.id), at: ward.now), ward.state)
        let lines = report.takeLines().split(separator: "\n").filter { $0.contains("120/80") }
        #expect(lines.count == 2)
        #expect(lines.first?.hasSuffix("MANUAL blood pressure 120/80 mmHg, measured at 13:40") == true)
        #expect(
            lines.last?.hasSuffix("MANUAL entry taken back as a mistake: blood pressure 120/80 mmHg, of 13:40") == true)
    }

    @Test("what waits to be confirmed is first, marked wherever it is shown, and confirmed or discarded by a key")
    func confirming() {
        var settings = MonitorSettings()
        settings.confirmsMeasurements = true
        var ward = Ward.live(seconds: 5)
        ward.type("e")
        #expect(ward.press(.character("v")) == nil)
        #expect(text(ward).contains("No measurement waits to be confirmed."))
        _ = ward.state.apply(settings: settings, change: nil, at: ward.now)
        for systolic in [118, 142, 150] {
            ward.pass(1)
            ward.handOver(.bloodPressure(BloodPressure(systolic: systolic, diastolic: 80)))
        }
        #expect(text(ward, 120, 40).contains("3 to confirm (e)"))
        #expect(text(ward, 120, 40).contains("TO CONFIRM: V confirms all"))
        ward.obey(.escape)
        let line = text(ward, 120, 40).split(separator: "\n").first {
            $0.contains("BP 150/80 mmHg · UNCONFIRMED, BM 54")
        }
        #expect(line.map { $0.contains("unconfirmed") } == false)
        ward.type("e")
        // The newest one is selected.
        ward.obey(.character("v"))
        let record = ward.state.patientRecord
        #expect(record.newestFirst.map(\.isUnconfirmed) == [false, true, true])
        ward.type("x")
        #expect(text(ward, 120, 40).contains("Discard blood pressure 142/80 mmHg?"))
        ward.obey(.character("y"))
        #expect(ward.state.patientRecord.newestFirst.map(\.isRetracted) == [false, true, false])
        #expect(ward.state.patientRecord.newestFirst[1].retractionReason == RecordEntry.discarded)
        ward.type("V")
        #expect(text(ward, 120, 40).contains("Confirm blood pressure 118/80 mmHg?"))
        ward.obey(.character("y"))
        #expect(ward.state.patientRecord.unconfirmed.isEmpty)
        let screen = text(ward, 120, 40)
        #expect(!screen.contains("to confirm") && !screen.contains("TO CONFIRM"))
    }
}
