import BlueZSimulator
import DBus
import Foundation
import Glibc
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

    @Test("the socket beside the bus takes a command a line, also while there is no bus")
    func socket() async throws {
        try await withSimulator { _, bench in
            let bus = try #require(bench.address.firstMatch(of: /unix:path=([^,]+)/)).1
            let path = URL(fileURLWithPath: String(bus)).deletingLastPathComponent().path + "/control"
            let answers = try await lines(from: path, "dbus-stop\nhr 121\nst", "ate\ndance\ndbus-start\nevents 2\n")
            #expect(answers.count == 6)
            #expect(answers[0] == "ok" && answers[1] == "ok" && answers[4] == "ok")
            #expect(answers[2].hasPrefix("{\"adapter\": true, \"bluetoothd\": false, "))
            #expect(answers[3] == "error: unknown command: dance (try help)")
            #expect(answers[5].contains("> hr 121") && answers[5].contains("> dbus-start"))
        }
    }

    /// Sends pieces of lines to a socket and reads as many lines as were sent; a thread of its own waits for them.
    private func lines(from path: String, _ pieces: String...) async throws -> [String] {
        let answer: Result<String, any Error> = await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: Result { try Self.exchange(path, pieces) }) }.start()
        }
        return try answer.get().split(separator: "\n").map(String.init)
    }

    private static func exchange(_ path: String, _ pieces: [String]) throws -> String {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) == 0 }
        }
        try #require(isConnected)
        for piece in pieces { _ = write(descriptor, piece, piece.utf8.count) }
        let expected = pieces.joined().count { $0 == "\n" }
        var bytes: [UInt8] = []
        while bytes.count(where: { $0 == UInt8(ascii: "\n") }) < expected {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(descriptor, &buffer, buffer.count)
            if count <= 0 { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
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
