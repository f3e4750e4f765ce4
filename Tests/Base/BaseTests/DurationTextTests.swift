import Base
import Testing

@Suite("Lengths of time")
struct DurationTextTests {
    @Test(
        "a number with a unit is a length of time",
        arguments: [
            ("30s", Duration.seconds(30)), ("30", .seconds(30)), ("1.5m", .seconds(90)), ("8h", .seconds(28_800)),
            ("250ms", .milliseconds(250)),
        ])
    func valid(_ text: String, _ expected: Duration) {
        #expect(DurationText.duration(text) == expected)
    }

    @Test(
        "anything else is none", arguments: ["", "s", "0", "-3s", "3d", "1e9", "3  s x", "nan", "99999999h", "1.2.3s"])
    func invalid(_ text: String) {
        #expect(DurationText.duration(text) == nil)
    }
}
