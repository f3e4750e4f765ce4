import Foundation
import TestSupport
import Testing

/// What a ring has stored itself, from the ring to the table of falls.
@Suite("The nights of a ring", .startsPrograms)
struct NightFetchingTests {
    @Test(
        "are fetched once it is taken off, stored with their files, evaluated, and not asked for again",
        arguments: [
            // The falls that the simulator has made; its noise hides some. The newer ring is writing its fourth one still.
            ("ring-nights", "C0:52:49:53:00:01", [0, 42, 150, 280]),
            ("ring-s-nights", "C0:52:49:53:00:02", [42, 150, 280]),
        ])
    func fetched(scenario: String, ring: String, made: [Int]) async throws {
        let world = try await World.simulated(scenario)
        let folder = try TemporaryFolder()
        let environment = ["XDG_DATA_HOME": folder.path + "/data", "XDG_STATE_HOME": folder.path + "/state"]
        let arguments = ["watch", "--json", "--connect", "all", "--set", "sensors.fetch_nights=always"]
        let watch = try await ProgramWithPipes.start(arguments, on: world, environment: environment)
        _ = try await watch.next("a saturation") { $0.measures("spo2") }
        #expect(try await Self.falls(environment).isEmpty)

        try await world.please("set \(ring) lead 0")
        var falls: [Int] = []
        try await world.waitUntil("all nights are stored", within: Harness.timeout * 2) {
            // Each look evaluates all nights, which holds up what it waits for.
            try await Task.sleep(for: .seconds(1))
            falls = try await Self.falls(environment)
            return falls.count == made.count
        }
        for (found, made) in zip(falls, made) { #expect(abs(found - made) <= made / 10, "\(falls)") }
        let files = try FileManager.default.contentsOfDirectory(
            atPath: "\(folder.path)/data/bedside/simulated/nights/\(ring.replacing(":", with: "-"))")
        #expect(files.count == made.count)
        // No value of a night is one of now.
        try await world.please("set \(ring) lead 1")
        _ = try await watch.next("a saturation after the nights") { $0.measures("spo2") }
        await watch.send(signal: SIGTERM)
        let outcome = try await watch.waitForExit()
        #expect(outcome.status == .exited(0))
        #expect(
            outcome.errorOutput.components(separatedBy: " is stored, ").count == made.count + 1,
            "\(outcome.errorOutput)")

        let again = try await ProgramWithPipes.start(arguments, on: world, environment: environment)
        _ = try await again.next("a saturation of the next run") { $0.measures("spo2") }
        try await world.please("set \(ring) lead 0")
        _ = try await again.next("it is off") { $0.text("reason") == "off_body" }
        await again.send(signal: SIGTERM)
        #expect(try await !again.waitForExit().errorOutput.contains(" is stored, "))
        #expect(try await Self.falls(environment) == falls)
    }

    /// The falls of at least 3 % of each night in the store.
    private static func falls(_ environment: [String: String]) async throws -> [Int] {
        let nights = try await ProgramWithPipes.run(
            ["night", "--simulate", "--from", "7d", "--json"], environment: environment)
        return try nights.output.split(separator: "\n").compactMap {
            let fields = try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            return fields?["falls_3"] as? Int
        }
    }
}

extension WatchLine {
    /// Whether it reports a value of a vital.
    fileprivate func measures(_ vital: String) -> Bool {
        event == "reading" && text("vital") == vital && text("state") == "measured"
    }
}
