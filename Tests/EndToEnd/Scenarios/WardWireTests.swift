import Foundation
import TestSupport
import Testing

/// What is on the wire between a bed, a screen and a collector, read by libraries of others (paho-mqtt, jsonschema).
@Suite(
    "The messages of a ward on the wire", .startsPrograms,
    .enabled(if: PrivateBroker.isHere && PythonScript.isHere(with: "paho.mqtt, jsonschema")))
struct WardWireTests {
    private static let schema = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../Sources/Exchange/WardMessages/WardMessages.docc/ward-message.schema.json"
    ).standardized.path

    @Test("are what their schema says, each at its topic, from the first one to the last")
    func schema() async throws {
        let (broker, folder) = (try PrivateBroker(), try TemporaryFolder())
        let reader = try await ProgramWithPipes.start(
            ["\(broker.port)", Self.schema].withPeer("wire.py"), program: "/usr/bin/python3")
        #expect(try await reader.nextLine() == "ready")
        let scenario = try folder.write(
            """
            {
              sensors: [
                { name: 'Polar H10', address: 'C0:52:49:00:00:02', kind: 'heartRateStrap', heartRate: 190 },
                { name: 'CORE 1A2B', address: 'C0:52:49:00:00:01', kind: 'core', temperature: 36.9 },
              ],
              events: [{ at: 8, sensor: 'Polar H10', do: 'offBody' }],
            }
            """, to: "evening.json5")
        let file = try folder.write("[ward]\n\(broker.settings)site = \"ward-2\"\nbed = \"12\"\n", to: "bedside.toml")
        let environment = ["XDG_DATA_HOME": folder.path + "/data"]
        let bed = try await ProgramWithPipes.start(
            ["record", "--simulate=\(scenario)", "--connect", "all", "--config", file], environment: environment)
        var missing: Set = [
            "session online", "birth", "reading", "alarm", "heartbeat", "history", "history_ack", "cmd",
        ]
        // A screen that comes later asks for the full picture.
        let collector = try await ProgramWithPipes.start(
            ["collect", "--config", file, "--folder", folder.path + "/ward"])
        try await bed.waitForWarning("connected")
        let screen = try await ProgramInTerminal.start(["ward", "--simulate", "--config", file])
        while !missing.isEmpty {
            let line = try #require(try await reader.nextLine())
            #expect(!line.hasPrefix("wrong"), "\(line)")
            missing.remove(line)
        }
        await bed.send(signal: SIGTERM)
        #expect(try await bed.waitForExit().status == .exited(0))
        while let line = try await reader.nextLine(), line != "session offline" {
            #expect(!line.hasPrefix("wrong"), "\(line)")
        }
        withExtendedLifetime((collector, screen)) {}
    }
}
