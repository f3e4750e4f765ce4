import Base
import Testing
import TestSupport

@Suite("What somebody meant")
struct NearestWordTests {
    @Test(
        "a word that is nearly right is recognised, any other is not",
        arguments: [
            ("temprature", "temperature"), ("RSSI", "rssi"), ("sensor", "sensors"), ("batery", "battery"),
            ("zzz", nil), ("", nil),
        ] as [(String, String?)])
    func nearest(word: String, expected: String?) {
        #expect(nearestWord(to: word, among: ["temperature", "rssi", "sensors", "battery"]) == expected)
    }

    @Test("of several words as near the first is taken, and of none nothing")
    func ties() {
        #expect(nearestWord(to: "cat", among: ["hat", "bat"]) == "hat")
        #expect(nearestWord(to: "cat", among: []) == nil)
    }

    @Test(
        "letters that are swapped are one mistake, and a word may be short for another",
        arguments: [
            ("hepl", "help"), ("jsno", "json"), ("bral", "braille"), ("hihg", "high"), ("wear", "wearing"),
            ("br", nil), ("ral", nil), ("braj", nil), ("illebra", nil),
        ] as [(String, String?)])
    func swappedOrShort(word: String, expected: String?) {
        #expect(nearestWord(to: word, among: ["help", "json", "braille", "high", "wearing"]) == expected)
    }

    @Test("a letter that is swapped, changed, added or left out is always found again", arguments: 0..<50)
    func mistyped(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let words = ["temperature", "heart-rate", "oximeter", "quiet-hours"]
        let word = words[Int.random(in: 0..<words.count, using: &random)]
        var letters = Array(word)
        let index = Int.random(in: 0..<(letters.count - 1), using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: letters.swapAt(index, index + 1)
        case 1: letters[index] = "#"
        case 2: letters.insert("#", at: index)
        default: letters.remove(at: index)
        }
        #expect(nearestWord(to: String(letters), among: words) == word, "\(String(letters))")
    }
}

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
