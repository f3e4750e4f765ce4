import Testing
import Base

@Suite("Sanitized text")
struct SanitizedTextTests {
    @Test(
        "has nothing in it that steers a terminal or hides",
        arguments: [
            ("Polar H10 4A2C", "Polar H10 4A2C"),
            ("", ""),
            ("Thermomètre 体温計 🌡", "Thermomètre 体温計 🌡"),
            ("\u{1B}[2J\u{1B}]0;owned\u{07}x", "\u{FFFD}[2J\u{FFFD}]0;owned\u{FFFD}x"),
            ("a\r\nb\tc\0d\u{7F}", "a\u{FFFD}\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}"),
            ("\u{85}\u{9B}31m", "\u{FFFD}\u{FFFD}31m"),
            ("line\u{2028}paragraph\u{2029}", "line\u{FFFD}paragraph\u{FFFD}"),
            ("\u{202E}gnp.exe\u{202C}\u{2066}x\u{2069}", "gnp.exex"),
            ("a\u{200B}b\u{200D}c\u{FEFF}d\u{AD}e", "abcde"),
            ("\u{E000}\u{F8FF}\u{10FFFD}", "\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("\u{378}\u{FFFF}", "\u{FFFD}\u{FFFD}"),
        ])
    func harmless(text: String, expected: String) {
        #expect(sanitized(text) == expected)
        #expect(sanitized(sanitized(text)) == expected, "making harmless twice changes nothing")
    }

    @Test("is bounded, and says by an ellipsis that it was cut")
    func bounded() {
        #expect(sanitized(String(repeating: "x", count: 64)) == String(repeating: "x", count: 64))
        #expect(sanitized(String(repeating: "x", count: 65)) == String(repeating: "x", count: 64) + "…")
        #expect(sanitized(String(repeating: "x", count: 1_000_000), limit: 3) == "xxx…")
        #expect(sanitized("a" + String(repeating: "\u{301}", count: 500), limit: 5).unicodeScalars.count == 6)
    }

    @Test("of every Unicode scalar holds no control, separator of lines, or format character")
    func everyScalar() {
        let harmful: Set<Unicode.GeneralCategory> = [
            .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned,
        ]
        let found = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init).filter { scalar in
            sanitized(String(scalar)).unicodeScalars.contains { harmful.contains($0.properties.generalCategory) }
        }
        #expect(found.isEmpty)
    }
}
