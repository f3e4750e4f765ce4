import Foundation
import Glibc
import TestSupport
import Testing

/// The set-up of the article “Many beds”, as it is written there: certificates, configuration, access list.
@Suite("The set-up of a ward's broker", .startsPrograms, .enabled(if: PrivateBroker.isHere))
struct WardSetupTests {
    private func waitForLine(_ bed: ProgramWithPipes, _ condition: (String) -> Bool) async throws -> String {
        while let line = try await bed.nextLine() { if condition(line) { return line } }
        throw HarnessError("the bed has ended")
    }

    @Test("lets a bed publish below its own name, and the collector collect")
    func collecting() async throws {
        let ward = try await WardSetup()
        let bed = try await ward.startBed(try ward.configuration())
        let collector = try await ProgramWithPipes.start(
            [
                "collect", "--site", "ward-2", "--config", try ward.configuration("collector"), "--folder",
                ward.folder.path + "/stores",
            ])
        #expect(try await collector.nextLine()?.contains("collecting from mqtts://localhost") == true)
        #expect(try await collector.nextLine()?.contains("readings of simulated/ward-2/12 go into") == true)
        withExtendedLifetime(bed) {}
    }

    @Test("refuses a bed that publishes below another's name, and the bed says so")
    func anotherBed() async throws {
        let ward = try await WardSetup()
        let bed = try await ward.startBed(try ward.configuration("12", [("bed = \"12\"", "bed = \"14\"")]))
        try await bed.waitForWarning("Ward: the broker's access list forbids this bed to publish.")
    }

    @Test("is of no use with a key that others can read, or an authority that is not the broker's; the alarm says why")
    func certificates() async throws {
        let ward = try await WardSetup()
        chmod(ward.folder.path + "/14.key", 0o644)
        let open = try await ward.startBed(try ward.configuration("14"), as: "watch")
        #expect(try await waitForLine(open) { $0.contains("ward_lost") }.contains("others can read"))
        let stranger = try await ward.startBed(
            try ward.configuration("12", [("/ca.crt", "/12.crt")]), as: "watch")
        let reason = try await waitForLine(stranger) { $0.contains("ward_lost") }
        #expect(reason.contains("the broker's certificate is not trusted"))
    }

    @Test("lets a bed announce itself to Home Assistant, and no other bed; one that may not says so")
    func homeAssistant() async throws {
        // The article's line, for simulated sensors.
        let ward = try await WardSetup(
            access: "pattern readwrite homeassistant/device/bedside-simulated-ward-2/%u/config")
        let home = ("[ward]", "[ward]\nhome_assistant = true")
        let reader = try await ProgramWithPipes.start(
            ["\(ward.broker.port)", ward.folder.path, "homeassistant", "homeassistant/#"].withPeer("client.py"),
            program: "/usr/bin/python3")
        #expect(try await reader.nextLine() == "{\"ready\": true}")
        let bed = try await ward.startBed(try ward.configuration("12", [home]))
        let topic = "homeassistant/device/bedside-simulated-ward-2/12/config"
        #expect(try await waitForLine(reader) { $0.contains(topic) }.contains("Bedside bed 12 (SIMULATED)"))
        let other = try await ward.startBed(
            try ward.configuration("14", [home, ("bed = \"14\"", "bed = \"15\"")]), data: "other")
        try await other.waitForWarning("Ward: the broker's access list does not let this bed announce itself")
        withExtendedLifetime(bed) {}
    }
}
