import Glibc
import TestSupport
import Testing

/// `bedside watch` without `--json`, as a person reads it on a braille display, in a pager or in a log.
@Suite("bedside watch in words", .startsPrograms)
struct WatchLabelsTests {
    @Test("reports in plain lines what the sensors measure, that a strap is off, and that a link is lost")
    func text() async throws {
        let world = try await World.simulated("steady")
        let watch = try await ProgramWithPipes.start(["watch", "--connect", "all", "--interval", "1s"], on: world)
        var lines: [String] = []
        func next(_ words: String) async throws {
            while let line = try await watch.nextLine() {
                lines.append(line)
                if line.contains(words) { return }
            }
            Issue.record("“\(words)” was never reported")
        }
        try await next("Bluetooth works")
        var missing: Set = ["heart rate 72 bpm", "oxygen saturation 98 %", "pulse rate 71 bpm", "(core) 36.8 °C"]
        while !missing.isEmpty, let line = try await watch.nextLine() {
            lines.append(line)
            missing = missing.filter { !line.contains($0) }
        }
        #expect(missing.isEmpty)
        try await world.please("contact off")
        try await next("heart rate NO MEASUREMENT: sensor reports no skin contact")
        try await world.please("drop spo2")
        try await next("reconnecting; link lost")
        #expect(lines.dropFirst().allSatisfy { $0.contains(" SIMULATED ") })
        #expect(lines.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } })
        await watch.send(signal: SIGTERM)
        #expect(try await watch.waitForExit().status == .exited(0))
    }

    @Test("reports an invalid interval in one sentence")
    func mistakes() async throws {
        for (arguments, words) in [
            (["watch", "--interval", "soon"], "'soon' is not a length of time"),
            (["watch", "--json", "--interval", "5s"], "--interval is for lines of text"),
        ] {
            let outcome = try await ProgramWithPipes.run(arguments)
            #expect(outcome.status == .exited(64))
            #expect(outcome.errorOutput.contains(words), "\(outcome.errorOutput)")
        }
    }
}
