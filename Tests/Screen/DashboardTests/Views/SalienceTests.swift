import Appearance
import Base
import Monitoring
import TestSupport
import Testing
import TextGrid
import Vitals

@testable import Dashboard

/// What is seen first is what matters most: counted on drawn screens, whatever their layout.
@Suite("Salience")
struct SalienceTests {
    /// The heart rate with one alarm of a priority, in every view that shows numbers.
    private static func rate(_ priority: AlarmPriority) -> Ward {
        switch priority {
        case .high: return .high()
        case .medium, .low:
            var ward = Ward.live(seconds: 60)
            ward.answer(.setLimit(.heartRate, .high, AlarmLimit(VitalValue(whole: 120), priority)))
            ward.hold([.heartRate: 13_200], seconds: 4)
            return ward
        }
    }

    /// The strap is off, and that is an alarm.
    private static func absent() -> Ward {
        var ward = Ward.live(seconds: 60)
        ward.hold([:], seconds: 40, strapOff: true)
        return ward
    }

    /// A phase of the flashing, as a moment in nanoseconds.
    private enum Phase: Int64, CaseIterable {
        case lit = 0
        case darkForHigh = 250_000_000
        case darkForMedium = 1_000_000_000
        case dark = 1_250_000_000
    }

    /// The cells that are filled in an alarm's colour.
    private func filled(_ grid: Grid, in phase: Phase) -> Int {
        var grid = grid
        grid.flash(at: Moment(monotonicNanoseconds: phase.rawValue, wallMilliseconds: 0), isMotionReduced: false)
        return grid.cells.count { $0.style.role.isAlarm && $0.style.attributes.contains(.reverse) }
    }

    private static let sizes = GoldenTests.sizes + [(24, 8), (34, 50), (80, 12), (120, 40), (300, 90)]

    private static func forEachPicture(_ body: (_ draw: (Ward) -> Grid, _ name: String) -> Void) {
        for isDistance in [false, true] {
            for (columns, rows) in sizes {
                for glyphs in GlyphSet.allCases {
                    body(
                        { (isDistance ? Ward.distance($0) : $0).drawn(columns, rows, glyphs) },
                        "\(columns) × \(rows), \(glyphs), distance: \(isDistance)")
                }
            }
        }
    }

    @Test("the alarms of these tests are the only ones of their states, and have their priorities")
    func subjects() {
        for priority in AlarmPriority.allCases {
            #expect(Self.rate(priority).state.shownAlarms.map(\.priority) == [priority])
        }
        #expect(Self.absent().state.shownAlarms.map(\.kind) == [.sensorOff])
    }

    @Test(
        "high priority fills more than medium, and that more than low or a missing measurement, at every size",
        .computing)
    func order() {
        let wards = [AlarmPriority.high, .medium, .low].map(Self.rate)
        let absent = Self.absent()
        Self.forEachPicture { draw, name in
            let cells = wards.map { filled(draw($0), in: .lit) }
            #expect(cells[0] > cells[1], "\(name)")
            #expect(cells[1] > cells[2], "\(name)")
            #expect(cells[1] > filled(draw(absent), in: .lit), "\(name)")
        }
    }

    @Test(
        "what an unanswered alarm of high priority fills is filled in every phase, and medium is not in the dark",
        .computing)
    func flashing() {
        let wards = [AlarmPriority.high, .medium, .low].map(Self.rate)
        Self.forEachPicture { draw, name in
            let grids = wards.map(draw)
            let lit = filled(grids[0], in: .lit)
            for phase in Phase.allCases { #expect(filled(grids[0], in: phase) == lit, "\(name), \(phase)") }
            #expect(filled(grids[1], in: .darkForHigh) == filled(grids[1], in: .lit), "\(name)")
            for phase in [Phase.darkForMedium, .dark] { #expect(filled(grids[1], in: phase) == 0, "\(name)") }
            for phase in Phase.allCases {
                #expect(filled(grids[2], in: phase) == filled(grids[2], in: .lit), "\(name), \(phase)")
            }
        }
    }

    @Test("an answer ends every fill, and leaves the number in the alarm's colour", .computing)
    func answered() {
        for priority in AlarmPriority.allCases {
            var ward = Self.rate(priority)
            ward.answer(.acknowledgeAll)
            Self.forEachPicture { draw, name in
                let grid = draw(ward)
                for phase in Phase.allCases { #expect(filled(grid, in: phase) == 0, "\(priority), \(name)") }
                #expect(grid.cells.contains { $0.style.role == priority.role }, "\(priority), \(name)")
            }
        }
    }

    @Test("the two fills of high priority look different on every terminal, and are never the ground of the screen")
    func fills() {
        for (lit, (name, theme)) in [Style.Attributes(), .field].flatMap({ part in
            Theme.builtIn.map { (Style(.alarmHigh, [.bold, .reverse, .flashing]).with(part), $0) }
        }) {
            for depth in ColorDepth.allCases {
                let looks = [true, false].map { theme.look(of: AlarmLook.phase(lit, isLit: $0), at: depth) }
                #expect(looks[0] != looks[1], "\(name), \(depth)")
                guard depth > .none else { continue }
                for look in looks {
                    #expect(look.ground != nil && look.ground != theme.ground && look.text != nil, "\(name), \(depth)")
                }
            }
        }
    }

    @Test("what flashes writes its own cells only: no others change")
    func cells() {
        for priority in [AlarmPriority.high, .medium] {
            let ward = Self.rate(priority)
            Self.forEachPicture { draw, name in
                let grid = draw(ward)
                var other = grid
                other.flash(
                    at: Moment(monotonicNanoseconds: Phase.dark.rawValue, wallMilliseconds: 0), isMotionReduced: false)
                for (cell, flashed) in zip(grid.cells, other.cells) where cell != flashed {
                    #expect(cell.style.role == priority.role && cell.scalar == flashed.scalar, "\(name)")
                }
            }
        }
    }

    @Test("in the distance view the alarm's word is several rows high where there is room")
    func word() {
        for glyphs in GlyphSet.allCases {
            for (columns, rows) in [(80, 24), (120, 40), (200, 60)] {
                var ward = Ward.distance(.fever())
                ward.screen.glyphs = glyphs
                let grid = ward.drawn(columns, rows, glyphs)
                guard let size = BigLetters.fitting("FEVER", columns: columns - 4, rows: rows / 6, glyphs: glyphs)
                else {
                    #expect(glyphs == .ascii && rows < 42)
                    continue
                }
                #expect(size.rows >= 4)
                var alone = Grid(columns: size.columns(of: "FEVER"), rows: size.rows, isASCII: glyphs == .ascii)
                size.draw("FEVER", Style(.alarmHigh, .bold), in: alone.area, on: &alone)
                let isShown = (0...rows - alone.rows).contains { top in
                    (0...columns - alone.columns).contains { left in
                        (0..<alone.rows).allSatisfy { row in
                            (0..<alone.columns).allSatisfy {
                                let (cell, shown) = (alone[$0, row], grid[left + $0, top + row])
                                return cell.scalar == shown.scalar
                                    && (shown.scalar == " " || shown.style.role == .alarmHigh)
                            }
                        }
                    }
                }
                #expect(isShown, "\(columns) × \(rows), \(glyphs)")
            }
        }
    }

    @Test("every large letter differs from every other letter and digit, and each has a shape")
    func letters() {
        let characters =
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { String(UnicodeScalar($0)) } + (0...9).map(String.init)
        for kind in [BigLetters.Kind.halves, .quarters, .cells] {
            let pictures = characters.map { character -> [String] in
                let size = BigLetters(scale: 1, kind: kind)
                var grid = Grid(columns: size.columns(of: character), rows: size.rows)
                size.draw(character, .plain, in: grid.area, on: &grid)
                return (0..<grid.rows).map { grid.text(row: $0) }
            }
            // O and zero are told from each other by the word.
            #expect(Set(pictures).count == characters.count - 1, "\(kind)")
            #expect(pictures.allSatisfy { $0.contains { !$0.isEmpty } })
        }
    }
}
