import BlueZSimulator
import DBus
import Foundation
import Testing

@Suite("Driving the simulator")
struct ControlTests {
    @Test("sensors can be driven over the bus, also while bluetoothd is dead")
    func overTheBus() async throws {
        try await withSimulator { client, _ in
            func perform(_ line: String) async throws -> String {
                let values = try await client.connection.call(
                    Simulator.controlName, Simulator.controlPath, Simulator.controlInterface, "Do", [.string(line)])
                return values.first?.text ?? ""
            }
            let answer = try await perform("bluez-kill")
            #expect(answer == "ok")
            #expect(try await perform("hr 121") == "ok")
            #expect(try await perform("dance") == "error: unknown command: dance (try help)")
            #expect(try await perform("bluez-start") == "ok")
            try await client.log.wait(for: "org.bluez is there")
        }
    }

    @Test("the state is JSON, whatever the sensors are called")
    func state() async throws {
        try await withSimulator { client, bench in
            try await client.attach("/D2")
            try await client.call(heartRateMeasurement, "GattCharacteristic1", "StartNotify")
            try await bench.perform("rename temp \u{1B}[31m\"x\\ é😀")
            let text = await bench.simulator.perform(command: "state")
            let state = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            #expect(state["adapter"] as? Bool == true && state["bluetoothd"] as? Bool == true)
            let strap = try #require(state["hr"] as? [String: Any])
            #expect(strap["connected"] as? Bool == true && strap["advertising"] as? Bool == false)
            #expect(strap["subscribed"] as? [String: String] == ["2a37": "notify"])
            #expect((state["temp"] as? [String: Any])?["name"] as? String == "\u{1B}[31m\"x\\ é😀")
        }
    }

    @Test("the events of a scenario happen, and again after its period")
    func events() async throws {
        let text = """
            {sensors: [{name: 'S', address: 'C0:52:49:00:00:02', kind: 'generic'}], repeatAfter: 60, events: [
              {at: 20, adapter: 'powerOff'}, {at: 40, adapter: 'powerOn'}, {at: 50, daemon: 'restart'}]}
            """
        try await withSimulator(try Scenario(json5: text, file: "events.json5"), timeScale: 0.01) { client, _ in
            var last = 0
            for _ in 0..<2 {
                last = try await client.log.wait(for: "/hci0 Adapter1 {Powered: false, Discovering: false}", from: last)
                last = try await client.log.wait(for: "/hci0 Adapter1 {Powered: true}", from: last)
                last = try await client.log.wait(for: "org.bluez is gone", from: last)
                last = try await client.log.wait(for: "org.bluez is there", from: last)
            }
        }
    }
}
