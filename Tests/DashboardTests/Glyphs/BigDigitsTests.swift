import Appearance
import Testing

@testable import Dashboard

@Suite("Large digits")
struct BigDigitsTests {
    private func picture(_ text: String, _ size: BigDigits) -> [String] {
        var grid = Grid(columns: size.columns(of: text), rows: size.rows, isASCII: size.isASCII)
        size.draw(text, .plain, in: grid.area, on: &grid)
        return (0..<grid.rows).map { grid.text(row: $0) }
    }

    @Test("the smallest half-block digits are three rows high")
    func small() {
        #expect(
            picture("36.8", BigDigits(face: .small, isASCII: false)) == [
                "▀▀█ █▀▀   █▀█", " ▀█ █▀█   █▀█", "▀▀▀ ▀▀▀ ▀ ▀▀▀",
            ])
    }

    @Test("the smallest ASCII digits are made of lines")
    func lines() {
        #expect(picture("27", BigDigits(face: .lines, isASCII: true)) == [" _   _", " _|   |", "|_    |"])
    }

    @Test(
        "no two digits of a size look alike", arguments: GlyphSet.allCases,
        [(9, 3), (20, 4), (40, 5), (60, 10), (200, 40)])
    func digitsDiffer(glyphs: GlyphSet, room: (columns: Int, rows: Int)) {
        let size = BigDigits.fitting("88", columns: room.columns, rows: room.rows, glyphs: glyphs)
        let pictures = (0...9).map { picture("\($0)", size) }
        #expect(Set(pictures).count == 10)
    }

    @Test("the largest size that fits is taken, and never one that does not", arguments: GlyphSet.allCases)
    func fitting(glyphs: GlyphSet) {
        var former = 0
        for rows in 1...60 {
            let size = BigDigits.fitting("188.8", columns: 300, rows: rows, glyphs: glyphs)
            #expect(size.rows <= rows)
            #expect(size.columns(of: "188.8") <= 300)
            #expect(size.rows >= former)
            former = size.rows
        }
        #expect(former >= 30)
        #expect(BigDigits.fitting("188.8", columns: 4, rows: 60, glyphs: glyphs).face == .text)
    }

    @Test("a digit that does not fit is left out whole")
    func noHalfDigit() {
        var grid = Grid(columns: 6, rows: 3)
        BigDigits(face: .small, isASCII: false).draw("12", .plain, in: grid.area, on: &grid)
        #expect((0..<3).map { grid.text(row: $0) } == ["▄█", " █", "▀▀▀"])
    }
}
