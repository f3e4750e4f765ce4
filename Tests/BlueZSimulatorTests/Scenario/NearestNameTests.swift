import Testing

@testable import BlueZSimulator

@Suite("What somebody meant")
struct NearestNameTests {
    @Test(
        "a word that is nearly right is recognised, any other is not",
        arguments: [
            ("temprature", "temperature"), ("RSSI", "rssi"), ("sensor", "sensors"), ("batery", "battery"),
            ("zzz", nil), ("", nil),
        ] as [(String, String?)])
    func nearest(word: String, expected: String?) {
        #expect(NearestName.of(word, among: ["temperature", "rssi", "sensors", "battery"]) == expected)
    }
}
