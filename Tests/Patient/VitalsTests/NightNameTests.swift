import Testing
import Vitals

@Suite("The name of a night")
struct NightNameTests {
    @Test(
        "has letters, digits, _ and - alone, so that it can be one of a file",
        arguments: ["20260921221320", "A-b_9", String(repeating: "x", count: NightName.longest)])
    func usable(_ name: String) { #expect(NightName.isUsable(name)) }

    @Test(
        "is refused where it could lead out of its folder or upset a terminal",
        arguments: [
            "", ".", "..", "../../../etc/passwd", "a/b", "/a", "a.dat", ".hidden", "a b", "a\n", "a\u{0}", "é",
            "a\u{1B}[2J", "~", "$HOME", "*", String(repeating: "a", count: NightName.longest + 1),
        ])
    func hostile(_ name: String) { #expect(!NightName.isUsable(name)) }

    @Test("says when the night begins, if it is a time")
    func time() {
        let time = DeviceTime(year: 2026, month: 9, day: 21, hour: 22, minute: 13, second: 20)
        #expect(NightName.start("20260921221320") == time)
        for name in ["20261321221320", "2026092122132", "202609212213200", "2026-09-21-2213", "20260921256099"] {
            #expect(NightName.start(name) == nil, "\(name)")
        }
    }
}
