import Appearance
import Base
import Dashboard
import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Ward
@testable import WardMessages
@testable import WardScreen

@Suite("The ward screen")
struct WardGoldenTests {
    /// Twelve beds with different stories.
    static func ward(beds count: Int = 12) -> FaultyWorld {
        var world = FaultyWorld(beds: count, seed: 3)
        for _ in 0..<300 { world.step(200) }
        for place in 0..<min(count, 5) { world.raise(place) }
        for _ in 0..<20 { world.step(200) }
        return world
    }

    private func text(
        _ world: FaultyWorld, _ columns: Int, _ rows: Int, _ glyphs: GlyphSet, _ page: WardScreenState.Page = .beds
    ) -> String {
        var screen = WardScreenState()
        (screen.glyphs, screen.isMotionReduced, screen.page) = (glyphs, true, page)
        let grid = drawWard(world.ward, screen, size: (columns, rows), now: world.moment)
        return (0..<grid.rows).map { grid.text(row: $0) + "\n" }.joined()
    }

    @Test("fills four sizes, shows one bed as large as the screen, opens it, and lists all alarms")
    func pictures() throws {
        let (world, single) = (Self.ward(), Self.ward(beds: 1))
        let pictures = [
            "40 × 12\n" + text(world, 40, 12, .ascii), "80 × 24\n" + text(world, 80, 24, .braille),
            "120 × 40\n" + text(world, 120, 40, .braille), "200 × 60\n" + text(world, 200, 60, .blocks),
            "One bed\n" + text(single, 80, 24, .braille),
            "A bed of twelve\n" + text(world, 80, 24, .braille, .bed(world.beds[0])),
            "All alarms\n" + text(world, 80, 24, .braille, .alarms),
        ]
        try expectGolden(pictures.joined(separator: "\n"), "ward.txt")
    }

    @Test("draws within every size, and always says what it is where there is room", .computing)
    func everySize() {
        let world = Self.ward(beds: 64)
        for columns in stride(from: 1, through: 230, by: 13) {
            for rows in stride(from: 1, through: 70, by: 5) {
                let text = text(world, columns, rows, .ascii)
                #expect(rows < 8 || columns < 60 || text.contains("this screen informs"))
            }
        }
    }

    @Test("divides itself by the number of beds")
    func layouts() {
        #expect(WardLayout(beds: 1, columns: 80, rows: 20) == .sectors(columns: 1, rows: 1))
        #expect(WardLayout(beds: 4, columns: 80, rows: 20) == .sectors(columns: 2, rows: 2))
        #expect(WardLayout(beds: 16, columns: 120, rows: 36) == .sectors(columns: 4, rows: 4))
        #expect(WardLayout(beds: 64, columns: 80, rows: 20) == .lines(columns: 1))
    }

    @Test("has keys for selection, pages, order and filter")
    func keys() {
        let world = Self.ward()
        var screen = WardScreenState()
        #expect(screen.selectedBed(world.ward) == screen.shownBeds(world.ward).first?.bed)
        _ = screen.handle(.character("o"), world.ward, columns: 3, at: world.moment)
        #expect(screen.selectedBed(world.ward)?.bed.text == "1")
        _ = screen.handle(.down, world.ward, columns: 3, at: world.moment)
        #expect(screen.selectedBed(world.ward)?.bed.text == "4")
        _ = screen.handle(.enter, world.ward, columns: 3, at: world.moment)
        #expect(screen.page == .bed(world.beds[3]))
        #expect(screen.handle(.character("a"), world.ward, columns: 3, at: world.moment) == .acknowledge(world.beds[3]))
        _ = screen.handle(.escape, world.ward, columns: 3, at: world.moment)
        for scalar in "/bed 12".unicodeScalars {
            _ = screen.handle(.character(scalar), world.ward, columns: 3, at: world.moment)
        }
        _ = screen.handle(.enter, world.ward, columns: 3, at: world.moment)
        #expect(screen.shownBeds(world.ward).map(\.bed.bed.text) == ["12"])
        #expect(screen.handle(.character("q"), world.ward, columns: 3, at: world.moment) == .quit)
    }
}
