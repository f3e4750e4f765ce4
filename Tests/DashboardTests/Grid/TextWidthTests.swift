import Testing

@testable import Dashboard

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
}
