import Foundation
import Glibc
import TestSupport
import Testing

/// What the doctor says of a ward's broker, with the real mosquitto and the set-up of the article “Many beds”.
@Suite(
    "The doctor at a ward", .startsPrograms,
    .enabled(if: PrivateBroker.isHere && PythonScript.isHere(with: "paho.mqtt")))
struct WardDoctorTests {
    /// Here is no Bluetooth, which is trouble of its own.
    private func examine(_ file: String) async throws -> DoctorVerdicts {
        try await DoctorVerdicts.examine(["--config", file], status: 2)
    }

    private func publish(_ ward: WardSetup, _ name: String, _ topic: String, _ payload: String, retain: Bool = false)
        async throws -> ProgramWithPipes
    {
        let client = try await ProgramWithPipes.start(
            ["\(ward.broker.port)", ward.folder.path, name].withPeer("client.py"), program: "/usr/bin/python3")
        #expect(try await client.nextLine() == "{\"ready\": true}")
        let order: [String: Any] = ["topic": topic, "payload": payload, "retain": retain]
        await client.write(
            String(decoding: try JSONSerialization.data(withJSONObject: order), as: UTF8.self) + "\n")
        #expect(try await client.nextLine()?.contains("published") == true)
        return client
    }

    @Test("finds nothing wrong with the article's set-up, at a bed and at a screen, beside a bed that runs")
    func well() async throws {
        let ward = try await WardSetup()
        let bed = try await ward.startBed(try ward.configuration())
        try await bed.waitForWarning("connected")
        let own = try await examine(try ward.configuration())
        for name in ["ward", "ward_files", "ward_certificates", "ward_access", "ward_leftovers"] {
            #expect(own[name]?.verdict == "ok", "\(name): \(own[name]?.finding ?? "")")
        }
        #expect(own["ward_access"]?.finding.contains("refuses") == true)
        // A bed must not hear other beds.
        #expect(own["ward_clocks"]?.verdict == "skipped")
        let screen = try await examine(try ward.configuration("screen", [("bed = \"screen\"", "")]))
        for name in ["ward", "ward_files", "ward_certificates", "ward_access", "ward_clocks", "ward_leftovers"] {
            #expect(screen[name]?.verdict == "ok", "\(name): \(screen[name]?.finding ?? "")")
        }
        #expect(screen["ward_clocks"]?.finding.contains("bed 12") == true)
    }

    @Test("finds a clock that is an hour wrong, and what somebody has had the broker keep")
    func clocksAndLeftovers() async throws {
        let ward = try await WardSetup()
        let kept = try await publish(
            ward, "14", "bedside/v1/ward-2/14/vital/heart_rate", "{\"v\":1,\"value\":199}", retain: true)
        let command = ["--config", try ward.configuration("screen", [("bed = \"screen\"", "")])]
        let doctor = try await ProgramWithPipes.start(["doctor", "--json"] + command)
        // Heartbeats, until the doctor has heard one.
        let format = ISO8601DateFormatter()
        format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        let beating = Task {
            while !Task.isCancelled {
                let time = format.string(from: Date(timeIntervalSinceNow: -3600))
                let text = "{\\\"v\\\":1,\\\"event\\\":\\\"heartbeat\\\",\\\"t\\\":\\\"\(time)\\\"}"
                await kept.write("{\"topic\": \"bedside/v1/ward-2/14/heartbeat\", \"payload\": \"\(text)\"}\n")
                try await Task.sleep(for: .milliseconds(200))
            }
        }
        let outcome = try await doctor.waitForExit()
        beating.cancel()
        #expect(outcome.output.contains("The clock of bed 14 is 60 min behind this computer's."), "\(outcome.output)")
        #expect(outcome.output.contains("keep: bedside/v1/ward-2/14/vital/heart_rate."), "\(outcome.output)")
    }

    @Test("finds that nothing forbids to publish under another bed's name")
    func open() async throws {
        let (broker, folder) = (try PrivateBroker(), try TemporaryFolder())
        let file = try folder.write("[ward]\nbroker = \"\(broker.address)\"\nbed = \"12\"\n", to: "bedside.toml")
        let verdicts = try await examine(file)
        #expect(verdicts["ward"]?.verdict == "ok")
        #expect(verdicts["ward_access"]?.verdict == "advice")
        #expect(verdicts["ward_certificates"]?.verdict == "skipped")
    }

    @Test("finds that the access list does not let the bed publish, and a key that others can read")
    func forbidden() async throws {
        let ward = try await WardSetup()
        let verdicts = try await examine(try ward.configuration("12", [("bed = \"12\"", "bed = \"15\"")]))
        #expect(verdicts["ward_access"]?.verdict == "trouble")
        chmod(ward.folder.path + "/12.key", 0o644)
        let open = try await examine(try ward.configuration())
        #expect(open["ward_files"]?.remedy == "chmod 600 \(ward.folder.path)/12.key")
        #expect(open["ward"]?.finding.contains("others can read") == true)
    }

    @Test("gives two weeks' notice before a certificate ends, and says which one has ended", arguments: [13, -1])
    func certificates(days: Int) async throws {
        let ward = try await WardSetup()
        // This computer's, whose end is in its file.
        try await ward.renew("12", days: days)
        let own = try await examine(try ward.configuration())
        #expect(own["ward_certificates"]?.verdict == (days > 0 ? "advice" : "trouble"))
        #expect(own["ward_certificates"]?.finding.contains("of this computer (\(ward.folder.path)/12.crt)") == true)
        #expect(own["ward"]?.verdict == (days > 0 ? "ok" : "trouble"))
        try await ward.renew("12", days: 100)
        // The broker's, whose end is in what it shows.
        try await ward.renew("broker", days: days)
        chmod(ward.folder.path + "/broker.crt", 0o644)
        ward.broker.kill()
        try ward.broker.start()
        let broker = try await examine(try ward.configuration())
        #expect(broker["ward_certificates"]?.verdict == (days > 0 ? "advice" : "trouble"))
        #expect(broker["ward_certificates"]?.finding.contains("of the broker") == true)
        #expect(broker["ward"]?.verdict == (days > 0 ? "ok" : "trouble"))
    }

    @Test("does not wait for long for a broker that is stopped, or not there")
    func gone() async throws {
        let ward = try await WardSetup()
        ward.broker.setStopped(true)
        let stopped = try await examine(try ward.configuration())
        #expect(stopped["ward"]?.finding.contains("does not answer within 8 s") == true)
        ward.broker.kill()
        let gone = try await examine(try ward.configuration())
        #expect(gone["ward"]?.finding.contains("Connection refused") == true)
        #expect(gone["ward_access"]?.verdict == "skipped")
    }
}
