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

    @Test(
        "the ground that the environment names is one of sixteen colours, and what names none is not known",
        arguments: [
            ("15;0", 0x000000), ("0;15", 0xFFFFFF), ("0;default;7", 0xE5E5E5), ("7", 0xE5E5E5), ("12;8", 0x7F7F7F),
            ("", nil), ("15;default", nil), ("0;16", nil), ("0;-1", nil), ("0;15;", 0xFFFFFF), ("x;y", nil),
        ])
    func ground(colors: String, rgb: Int?) {
        #expect(TerminalTraits.ground(colors)?.rgb == rgb)
    }
}
