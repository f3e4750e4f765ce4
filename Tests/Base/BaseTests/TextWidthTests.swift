@testable import Base
import Glibc
import Testing

/// Declared in wchar.h for X/Open only.
@_silgen_name("wcwidth") private func systemWidth(_ character: Int32) -> Int32

@Suite("Column width")
struct TextWidthTests {
    @Test(
        "a text has the width that terminals give it",
        arguments: [
            ("", 0), ("Polar H10", 9), ("SpO₂", 4), ("°C", 2), ("−58 dBm", 7), ("体温計", 6), ("ｆｕｌｌ", 8), ("ｶﾀｶﾅ", 4),
            ("e\u{0301}", 1), ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("👍", 2), ("⣀⡠⠤", 3), ("█▀▄░", 4), ("╭─╮", 3),
            ("a\u{200D}b", 2), ("\u{AD}", 0), ("♥●◐○", 4),
        ])
    func widths(text: String, columns: Int) {
        #expect(columnWidth(of: text) == columns)
    }

    @Test("the table of wide characters is sorted, so that it can be searched by halves")
    func tableIsSorted() {
        for (former, latter) in zip(wideRanges, wideRanges.dropFirst()) {
            #expect(former.upperBound < latter.lowerBound)
        }
    }

    @Test("what is not looked up would be found visible and one column wide")
    func plainOnes() {
        let hidden: Set<Unicode.GeneralCategory> = [
            .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned,
            .nonspacingMark, .enclosingMark, .spacingMark,
        ]
        let plain = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init).filter(\.isPlain)
        #expect(plain.count > 1300)
        #expect(plain.filter { hidden.contains($0.properties.generalCategory) || $0.isWide } == [])
    }

    @Test("agrees with the C library on what both know, but for a few that are listed")
    func agrees() throws {
        try #require(setlocale(LC_CTYPE, "C.UTF-8") != nil)
        var others: [UInt32] = []
        var compared = 0
        for value in UInt32(0x20)...0x3FFFF {
            guard let scalar = Unicode.Scalar(value), scalar.printable == scalar else { continue }
            let width = systemWidth(Int32(value))
            // What one of the two does not know yet is shown as a question mark.
            guard width >= 0 else { continue }
            compared += 1
            if Int(width) != scalar.columns { others.append(value) }
        }
        #expect(compared > 100_000)
        // The painter shows a question mark for each of these, in as many columns as are reckoned with here.
        #expect(others.count < 200, "\(others.map { String($0, radix: 16) })")
    }
}
