import Appearance
import Base
import Monitoring
import Testing
import Vitals
import Wording

@testable import Dashboard

@Suite("Absence of a measurement")
struct MissingViewTests {
    private static let sizes = [
        (20, 4), (24, 8), (30, 6), (34, 50), (45, 20), (60, 16), (80, 12), (80, 24), (100, 30), (120, 40), (200, 10),
        (200, 60),
    ]

    /// A heart rate that is measured, and the same one second later without one.
    private static func pair(_ reason: AbsenceReason) -> (measured: Ward, missing: Ward) {
        var measured = Ward.live(seconds: 30)
        measured.screen.list.selection = Ward.core.address
        var missing = measured
        if reason == .linkLost {
            missing.apply(.connection(Ward.strap, ConnectionState(phase: .waiting, reason: .linkLost)))
        } else {
            missing.miss(Ward.strap, .heartRate, reason)
        }
        return (measured, missing)
    }

    /// The cells that a number takes, in large digits or as text, in the division of a screen.
    private func numberCells(_ number: String, _ ward: Ward, _ columns: Int, _ rows: Int, _ glyphs: GlyphSet) -> (
        cells: Int, rows: Int
    ) {
        var screen = ward.screen
        screen.glyphs = glyphs
        screen.prepare(for: ward.state, size: (columns, rows), at: ward.now)
        let scene = Scene(state: ward.state, screen: screen, now: ward.now)
        let isDistance = screen.pages.current == .distance
        let size =
            isDistance ? DistanceView(scene: scene).layout(columns: columns, rows: rows).digits : screen.layout.digits
        return (size.columns(of: number) * size.rows, size.rows)
    }

    /// The cells between the first and the last in an alarm's colour of each row below the alarm lines, outside of the
    /// list: the word, its text and its outline, without its title.
    private func outlinedCells(_ ward: Ward, _ columns: Int, _ rows: Int, _ glyphs: GlyphSet) -> (cells: Int, rows: Int)
    {
        var screen = ward.screen
        screen.glyphs = glyphs
        screen.prepare(for: ward.state, size: (columns, rows), at: ward.now)
        let grid = ward.drawn(columns, rows, glyphs)
        var outlinedRows = 0
        var cells = 0
        let first =
            screen.layout.sizeClass == .minimal || screen.pages.current == .distance ? 0 : screen.layout.body.row
        for row in first..<rows {
            let colored = (0..<columns).filter { column in
                let (style, scalar) = (grid[column, row].style, grid[column, row].scalar)
                return style.role.isAlarm && style.attributes.isDisjoint(with: [.reverse, .flashing])
                    && scalar != glyphs.frame.horizontal
            }
            guard let first = colored.first, let last = colored.last else { continue }
            cells += last - first + 1
            outlinedRows += 1
        }
        return (cells, outlinedRows)
    }

    @Test(
        "what an absence shows is never in fewer cells or rows than the number it replaces, in every view and glyph set",
        arguments: AbsenceReason.allCases, GlyphSet.allCases)
    func neverSmaller(reason: AbsenceReason, glyphs: GlyphSet) {
        for isDistance in [false, true] {
            let measured = Self.pair(reason).measured
            var missing = Self.pair(reason).missing
            let digits = Scene(state: measured.state, screen: measured.screen, now: measured.now).panels[0].digits
            if isDistance { missing = .distance(missing) }
            for (columns, rows) in Self.sizes {
                // A word of an alarm, which only some absences raise at once, leaves fewer rows to all numbers.
                let number = numberCells(digits, missing, columns, rows, glyphs)
                let absence = outlinedCells(missing, columns, rows, glyphs)
                #expect(absence.cells >= number.cells, "\(columns) × \(rows), distance: \(isDistance)")
                #expect(absence.rows >= number.rows, "\(columns) × \(rows), distance: \(isDistance)")
            }
        }
    }

    @Test("the absence is never smaller in a larger window", arguments: GlyphSet.allCases)
    func grows(glyphs: GlyphSet) {
        for isDistance in [false, true] {
            var ward = Self.pair(.noContact).missing
            if isDistance { ward = .distance(ward) }
            var former = 0
            for (columns, rows) in [(30, 6), (45, 20), (80, 24), (100, 30), (120, 40), (200, 60), (300, 90)] {
                let cells = outlinedCells(ward, columns, rows, glyphs).cells
                #expect(cells >= former, "\(columns) × \(rows), distance: \(isDistance)")
                former = cells
            }
        }
    }

    @Test("reason and time are beside the word at every size, the last value and the remedy where there are rows")
    func text() {
        var ward = Self.pair(.noContact).missing
        ward.now = ward.now.advanced(by: .seconds(130))
        for (columns, rows) in Self.sizes where columns >= 30 {
            let grid = ward.drawn(columns, rows)
            let text = (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
            if columns > 30 { #expect(text.contains("2 min 10 s"), "\(columns) × \(rows)") }
            #expect(text.contains("contact"), "\(columns) × \(rows)")
            #expect(text.contains("OFF"), "\(columns) × \(rows)")
            guard rows >= 24, columns >= 45 else { continue }
            #expect(text.contains("moisten"), "\(columns) × \(rows)")
            #expect(text.contains("last 76 bpm at 13:50"), "\(columns) × \(rows)")
        }
    }

    @Test("its colour follows the alarm's priority, and before there is an alarm the first line warns")
    func priority() {
        var ward = Ward.live(seconds: 30)
        ward.miss(Ward.strap, .heartRate, .noContact)
        func panel() -> VitalPanel {
            VitalPanel(.rate, state: ward.state, screen: ward.screen, time: TimeText(now: ward.now, timeZoneOffset: 0))
        }
        #expect(ward.state.shownAlarms.isEmpty)
        let line = ward.drawn(80, 24).text(row: 1)
        #expect(line.contains("NOT MEASURED: HR no contact"))
        #expect(ward.drawn(80, 24)[1, 1].style == Style(.alarmLow, .bold))
        var seen: Set<AlarmPriority> = []
        for _ in 0..<1200 {
            ward.pass(1)
            ward.miss(Ward.strap, .heartRate, .noContact)
            let alarms = ward.state.shownAlarms.filter { $0.kind == .sensorOff }
            let worst = alarms.map(\.priority).max() ?? .low
            seen.insert(worst)
            #expect(panel().digitStyle == Style(worst.role, .bold))
            #expect(panel().marks.isEmpty == alarms.isEmpty)
        }
        #expect(seen.count >= 2, "the alarm of a sensor that is off escalates")
    }

    @Test("the time since then is redrawn each second")
    func redraw() {
        var ward = Ward.live(seconds: 30)
        for sensor in [Ward.strap, Ward.core] {
            ward.apply(.connection(sensor, ConnectionState(phase: .waiting, reason: .linkLost)))
        }
        ward.now = ward.now.advanced(by: .milliseconds(130_300))
        ward.screen.prepare(for: ward.state, size: (80, 24), at: ward.now)
        let next = nextRedraw(state: ward.state, screen: ward.screen, now: ward.now)
        #expect(next.since(ward.now) <= .milliseconds(700))
    }
}
