import Foundation
import TestSupport
import Testing

/// A bed in Home Assistant, whose part a program plays that follows Home Assistant's documentation, with the real mosquitto.
@Suite(
    "A bed in Home Assistant", .startsPrograms,
    .enabled(if: PrivateBroker.isHere && PythonScript.isHere(with: "paho.mqtt, jinja2")))
struct HomeAssistantTests {
    /// A line of the program.
    private struct Line {
        var fields: [String: Any]

        subscript(_ name: String) -> String? { fields[name] as? String }

        /// Whether it shows an entity like this.
        func shows(_ entity: String, where condition: (String) -> Bool) -> Bool {
            self["entity"] == entity && condition(self["state"] ?? "")
        }
    }

    private func startHomeAssistant(_ broker: PrivateBroker) async throws -> ProgramWithPipes {
        try await ProgramWithPipes.start(
            [Peer.path("home_assistant.py"), "\(broker.port)"], program: "/usr/bin/python3")
    }

    /// The next line that satisfies a condition.
    @discardableResult
    private func next(_ program: ProgramWithPipes, _ condition: (Line) -> Bool) async throws -> Line {
        while let text = try await program.nextLine() {
            guard let fields = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
                throw HarnessError("the program printed \(text)")
            }
            let line = Line(fields: fields)
            if let error = line["error"] { throw HarnessError(error) }
            if condition(line) { return line }
        }
        throw HarnessError("the program has ended")
    }

    private func startBed(
        _ broker: PrivateBroker, _ folder: TemporaryFolder, isAnnounced: Bool = true, _ scenario: String = "steady"
    ) async throws -> ProgramWithPipes {
        try await ProgramWithPipes.start(
            [
                "record", "--simulate=\(scenario)", "--connect", "all", "--set", "ward.site=home", "--set",
                "ward.bed=12", "--set", "ward.home_assistant=\(isAnnounced)",
            ] + broker.options, environment: ["XDG_DATA_HOME": folder.path + "/data"])
    }

    private static func isNumber(_ text: String) -> Bool { Double(text) != nil }

    @Test("has its values with units, none where nothing is measured, and none that is old when the bed is stopped")
    func values() async throws {
        let (broker, folder) = (try PrivateBroker(), try TemporaryFolder())
        let scenario = try folder.write(
            """
            {
              repeatAfter: 12,
              sensors: [{ name: 'Polar H10', address: 'C0:52:49:00:00:02', kind: 'heartRateStrap', heartRate: 72 }],
              events: [
                { at: 6, sensor: 'Polar H10', do: 'offBody' },
                { at: 10, sensor: 'Polar H10', do: 'onBody' },
              ],
            }
            """, to: "evening.json5")
        let home = try await startHomeAssistant(broker)
        let bed = try await startBed(broker, folder, scenario)
        try await next(home) { $0["discovered"] == "Bedside bed 12 (SIMULATED)" }
        let shown = try await next(home) { $0.shows("heart_rate", where: Self.isNumber) }
        #expect(shown["unit"] == "bpm")
        // Unknown, not the last number.
        try await next(home) { $0.shows("heart_rate") { $0 == "unknown" } }
        try await next(home) { $0.shows("heart_rate", where: Self.isNumber) }
        await bed.send(signal: SIGSTOP)
        try await next(home) { $0.shows("heart_rate") { $0 == "unavailable" } }
        await bed.send(signal: SIGCONT)
        try await next(home) { $0.shows("heart_rate", where: Self.isNumber) }
        await bed.send(signal: SIGTERM)
        try await next(home) { $0.shows("heart_rate") { $0 == "unavailable" } }
        #expect(try await bed.waitForExit().status == .exited(0))
    }

    @Test("is there again when Home Assistant starts again, and is removed when the setting is switched off")
    func restart() async throws {
        let (broker, folder) = (try PrivateBroker(), try TemporaryFolder())
        let home = try await startHomeAssistant(broker)
        let bed = try await startBed(broker, folder)
        try await next(home) { $0.shows("heart_rate", where: Self.isNumber) }
        await home.write("restart\n")
        try await next(home) { $0["discovered"] == "Bedside bed 12 (SIMULATED)" }
        try await next(home) { $0.shows("heart_rate", where: Self.isNumber) }
        await bed.send(signal: SIGTERM)
        #expect(try await bed.waitForExit().status == .exited(0))
        // The next run of Home Assistant finds it at the broker; its values are not there, and not old ones.
        let second = try await startHomeAssistant(broker)
        try await next(second) { $0["discovered"] == "Bedside bed 12 (SIMULATED)" }
        try await next(second) { $0.shows("heart_rate") { $0 == "unavailable" } }
        let without = try await startBed(broker, folder, isAnnounced: false)
        try await next(second) { $0["removed"] != nil }
        await without.send(signal: SIGTERM)
        #expect(try await without.waitForExit().status == .exited(0))
    }
}
