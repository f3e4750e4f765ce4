import Foundation
import Testing

extension BothBackEnds {
    @Suite("Bluetooth traffic is captured")
    struct CaptureTests {
        @Test("and its replay reports the same as the live program", .only(.capture))
        func captured() async throws {
            let world = try await World.start()
            let folder = try TemporaryFolder()
            let file = folder.path + "/air.btsnoop"
            let monitor = try await ProgramWithPipes.start(["-w", file], on: world, program: "/usr/bin/btmon")
            // It says nothing to a pipe before it ends.
            try await world.waitUntil("the capture begins") {
                FileManager.default.contents(atPath: file)?.isEmpty == false
            }
            let watch = try await ProgramWithPipes.start(["watch", "--json", "--connect", "all"], on: world)
            var values: [String] = []
            func receive(until description: String, _ isLast: (WatchLine) -> Bool) async throws {
                _ = try await watch.next(description) { line in
                    if let words = Self.text(line) { values.append(words) }
                    return isLast(line)
                }
            }
            try await receive(until: "the temperature") { $0.isReading(of: "body_temperature", 36.8) }
            try await world.please("hr 131")
            try await receive(until: "a fast heart") { $0.isReading(of: "heart_rate", 131) }
            try await world.please("contact off")
            try await receive(until: "the strap off the body") { $0.text("reason") == "no_contact" }
            await watch.send(signal: SIGINT)
            _ = try await watch.waitForExit()
            await monitor.send(signal: SIGINT)
            _ = try await monitor.waitForExit()

            let replay = try await ProgramWithPipes.run(["replay", file, "--json"])
            #expect(replay.status == .exited(0) && replay.errorOutput.isEmpty, "\(replay.errorOutput)")
            let played = try replay.output.split(separator: "\n").compactMap { Self.text(try WatchLine(String($0))) }
            #expect(values.count >= 5)
            for sensor in [Steady.strap, Steady.oximeter, Steady.thermometer] {
                let (live, again) = (values.filter { $0.hasPrefix(sensor) }, played.filter { $0.hasPrefix(sensor) })
                #expect(again.prefix(live.count) == live[...])
            }
        }

        /// What a sensor values; `nil` for lines about something else.
        private static func text(_ line: WatchLine) -> String? {
            guard line.isFromSensor, line.text("reason") != "link_lost" else { return nil }
            let value = line.number("value").map { "\($0)" } ?? line.text("reason") ?? ""
            return "\(line.sensor) \(line.text("vital") ?? "") \(value) \(line.text("site") ?? "")"
        }
    }
}
