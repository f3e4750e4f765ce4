import Appearance
import Base
import Testing

@testable import Terminal

@Suite("Terminal traits")
struct TerminalTraitsTests {
    @Test(
        "the glyph set is what locale and terminal can show",
        arguments: [
            ("UTF-8", "xterm-256color", GlyphSet.braille), ("utf8", "foot", .braille), ("UTF-8", "linux", .blocks),
            ("UTF-8", "linux-16color", .blocks), ("ANSI_X3.4-1968", "xterm", .ascii), ("ISO-8859-1", "linux", .ascii),
            ("", "", .ascii),
        ])
    func glyphs(codeset: String, type: String, expected: GlyphSet) {
        #expect(TerminalTraits(type: type, codeset: codeset, isColorRefused: false).suitableGlyphs == expected)
    }
}
