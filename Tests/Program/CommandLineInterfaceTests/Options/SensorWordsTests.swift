import CommandLineInterface
import Testing
import Vitals

@Suite("Remembered sensors for a shell")
struct SensorWordsTests {
    private func sensor(_ number: Int, _ name: String, _ label: String? = nil) -> RememberedSensor {
        RememberedSensor(
            address: "C0:52:49:00:00:0\(number)", name: name, kind: .heartRateStrap, label: label, isWanted: true)
    }

    @Test("are what the user calls them, with their address")
    func names() {
        let lines = SensorWords.lines([sensor(1, "Polar H10"), sensor(2, "CORE", "Ada")])
        #expect(lines == "Polar H10\tC0:52:49:00:00:01\nAda\tC0:52:49:00:00:02\n")
    }

    @Test(
        "are their addresses where a name would mean another sensor, all of them, or cannot be typed",
        arguments: [
            (["Polar H10", "POLAR h10"], 2), (["all"], 1), (["  "], 1), (["a\u{1B}[2Jb"], 1), (["x\ny", "Ada"], 1),
            (["Ada", "Bea"], 0),
        ])
    func addresses(_ names: [String], _ count: Int) {
        let lines = SensorWords.lines(names.enumerated().map { sensor($0, $1) }).split(separator: "\n")
        #expect(lines.count == names.count)
        #expect(lines.count { $0.hasPrefix("C0:52:49:00:00:0") } == count)
        #expect(lines.allSatisfy { !$0.unicodeScalars.contains { $0.value < 32 && $0 != "\t" } })
    }

    @Test("that go by another one's own name stand by their address")
    func namedLikeAnother() {
        let lines = SensorWords.lines([sensor(1, "Polar H10", "Ada"), sensor(2, "CORE", "Polar H10")])
        #expect(lines == "Ada\tC0:52:49:00:00:01\nC0:52:49:00:00:02\tPolar H10\n")
    }
}
