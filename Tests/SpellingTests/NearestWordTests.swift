import Spelling
import Testing

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
}
