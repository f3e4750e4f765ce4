import Base
import TestSupport
import Testing
import TextGrid
import Wording

@Suite("Measuring of texts")
struct TextMeasuringTests {
    /// Pieces of names that strangers' radios might send.
    private static let pieces = [
        "Polar", " ", "体温", "한국", "ﾃｽﾄ", "e\u{301}", "\u{1100}\u{1161}", "👨\u{200D}👩\u{200D}👧", "👍🏽", "🇩🇪", "❤\u{FE0F}",
        "\u{200B}", "\u{202E}", "\u{FEFF}", "\u{AD}", "नमस्ते", "ไทย", "\u{7}", "\u{1B}[31m", "\u{E000}",
        "a\u{300}\u{301}\u{302}",
        "\u{10FFFF}", "ﷺ", "⣿", "½", "\t",
    ]

    @Test("a text is drawn in exactly as many columns as were calculated, whatever is in it")
    func drawn() {
        var generator = SeededGenerator(seed: 20_260_301)
        for _ in 0..<2000 {
            let count = Int.random(in: 0...8, using: &generator)
            let text = (0..<count).compactMap { _ in Self.pieces.randomElement(using: &generator) }.joined()
            var grid = Grid(columns: 120, rows: 1)
            let end = grid.put(text, .plain, in: grid.area)
            let shown = text.unicodeScalars.compactMap(\.printable).reduce(0) { $0 + $1.columns }
            #expect(end == shown, "\(text.debugDescription)")
            #expect(columnWidth(of: text) >= shown, "\(text.debugDescription)")
        }
    }

    @Test("what is cut to a width never exceeds it, and is all of it where it fits")
    func cut() {
        var generator = SeededGenerator(seed: 20_260_301)
        for _ in 0..<2000 {
            let text = (0..<6).compactMap { _ in Self.pieces.randomElement(using: &generator) }.joined()
            let columns = Int.random(in: 0...20, using: &generator)
            for glyphs in GlyphSet.allCases {
                let cut = ellipsized(text, columns: columns, glyphs: glyphs)
                #expect(columnWidth(of: cut) <= columns, "\(text.debugDescription), \(columns)")
                if columnWidth(of: text) <= columns { #expect(cut == text) }
                for line in wrapped(text, columns: columns, glyphs: glyphs) {
                    #expect(columnWidth(of: line) <= columns, "\(text.debugDescription), \(columns)")
                }
            }
        }
    }
}
