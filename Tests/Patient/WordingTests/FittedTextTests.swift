import Base
import Testing
import Wording

@Suite("Fitted text")
struct FittedTextTests {
    @Test(
        "a text that is too long ends with an ellipsis",
        arguments: [
            ("Polar H10", 9, "Polar H10"), ("Polar H10", 7, "Polar…"), ("体温計", 5, "体温…"), ("体温計", 4, "体…"),
            ("ab", 1, "a"), ("ab", 0, ""),
        ])
    func ellipsizes(text: String, columns: Int, expected: String) {
        #expect(ellipsized(text, columns: columns, glyphs: .braille) == expected)
    }

    @Test("the ellipsis of ASCII is ASCII")
    func ellipsizesInASCII() {
        #expect(ellipsized("Polar H10", columns: 8, glyphs: .ascii) == "Polar..")
    }

    @Test(
        "parts are left out from the end, and never half",
        arguments: [(30, "FEVER · core · since 13:58"), (25, "FEVER · core"), (6, "FEVER"), (4, "FEV…")])
    func fitsParts(columns: Int, expected: String) {
        let parts = ["FEVER", "core", "since 13:58"]
        #expect(fitted(parts, separator: " · ", columns: columns, glyphs: .braille) == expected)
    }

    @Test("lines break between words, and no line is too long", arguments: 1...40)
    func wraps(columns: Int) {
        let text = "moisten and refit the strap; check the 体温計 too"
        let lines = wrapped(text, columns: columns, glyphs: .braille)
        #expect(lines.allSatisfy { columnWidth(of: $0) <= columns })
        if columns >= 7 { #expect(lines.joined(separator: " ") == text) }
    }
}
