import Testing

import Base

@Suite("Text within text")
struct SearchedTextTests {
    @Test(
        "is found where it occurs first, also behind characters of many octets",
        arguments: [
            ("38.4 °C at 03:12", "at", "38.4 °C ", " 03:12"), ("“a”“a”", "“a”", "", "“a”"), ("aab", "ab", "a", ""),
        ])
    func first(text: String, part: String, before: String, after: String) throws {
        let place = try #require(text.firstPlace(of: part))
        #expect(text[..<place.lowerBound] == before)
        #expect(text[place.upperBound...] == after)
    }

    @Test("is not found where there is none, in nothing, and as nothing")
    func none() {
        #expect("SpO2".firstPlace(of: "spo2") == nil)
        #expect("".firstPlace(of: "a") == nil)
        #expect("a".firstPlace(of: "") == nil)
        #expect("a".firstPlace(of: "aa") == nil)
    }

    @Test("is held by each text if it is empty, as a filter that was not typed yet")
    func held() {
        #expect("".holds(""))
        #expect("Anna Müller".holds(""))
        #expect("Anna Müller".holds("a Mü"))
        #expect(!"Anna Müller".holds("Mu"))
    }

    @Test("is exchanged wherever it occurs, from the left, and what comes in its place is not looked at again")
    func exchanged() {
        #expect("it's Anna's".exchanging("'", for: "'\\''") == "it'\\''s Anna'\\''s")
        #expect("aaa".exchanging("aa", for: "b") == "ba")
        #expect("≥ 38 ≥".exchanging("≥", for: "at least") == "at least 38 at least")
        #expect("as it is".exchanging("x", for: "y") == "as it is")
        #expect("as it is".exchanging("", for: "y") == "as it is")
    }
}
