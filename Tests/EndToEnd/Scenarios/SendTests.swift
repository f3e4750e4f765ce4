import Foundation
import TestSupport
import Testing

@Suite("bedside send", .enabled(if: StandInServer.isPossible), .startsPrograms)
struct SendTests {
    let folder: TemporaryFolder
    let server: StandInServer
    var session: [String: String] {
        [
            "XDG_RUNTIME_DIR": folder.path, "XDG_STATE_HOME": folder.path + "/state",
            "XDG_DATA_HOME": folder.path + "/data",
        ]
    }

    init() throws {
        (folder, server) = (try TemporaryFolder(), try StandInServer())
    }

    private func run(_ words: [String]) async throws -> ProgramWithPipes.Outcome {
        try await ProgramWithPipes.run(words, environment: session)
    }

    /// A file with a secret.
    private func secret(_ text: String) throws -> String {
        let path = "\(folder.path)/secret"
        #expect(
            FileManager.default.createFile(
                atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]))
        return path
    }

    private func send(_ settings: [String], _ options: [String] = ["--once"]) async throws -> ProgramWithPipes.Outcome {
        try await run(["send"] + options + settings.flatMap { ["--set", "send.\($0)"] })
    }

    @Test("sends a FHIR server what is new, once, and after an outage what it has missed")
    func fhir() async throws {
        let settings = [
            "fhir=\(server.address)/fhir", "fhir_patient=Patient/7", "fhir_secret=\(try secret("a-word\n"))",
        ]
        try server.command("secret a-word")
        let first = try await send(settings)
        #expect(first.status == .exited(0), "\(first.errorOutput)")
        #expect(first.output.contains("0 sent to \(server.address)/fhir"))
        #expect(try await run(["enter", "lab", "wbc=1.2", "neutrophils=35%"]).status == .exited(0))
        #expect(try await run(["enter", "note", "sleeps"]).status == .exited(0))
        #expect(try await send(settings).output.contains("2 sent to"))
        let resources = try server.objects("resources")
        // Three values of the blood count, and the note.
        #expect(resources.count == 4)
        #expect(resources.allSatisfy { ($0["subject"] as? [String: Any])?["reference"] as? String == "Patient/7" })
        #expect(try await send(settings).output.contains("0 sent to"))
        try server.command("down")
        #expect(try await run(["enter", "temperature", "37.9"]).status == .exited(0))
        let away = try await send(settings)
        #expect(away.status == .exited(69))
        #expect(away.errorOutput.contains("it cannot be reached; nothing is lost"))
        try server.command("up")
        #expect(try await send(settings).status == .exited(0))
        #expect(try server.objects("resources").count == 5)
        #expect(try server.command("requests") == "2 5")
    }

    @Test("sends a Nightscout site finger-pricks and notes, and says a wrong secret without it", arguments: ["1", "3"])
    func nightscout(version: String) async throws {
        let token = "bedside-0123456789abcdef"
        try server.command("secret \(token)")
        #expect(try await run(["enter", "glucose", "118"]).status == .exited(0))
        #expect(try await run(["enter", "note", "ate a biscuit"]).status == .exited(0))
        let settings = ["nightscout=\(server.address)", "nightscout_version=\(version)"]
        let wrong = try await send(settings + ["nightscout_secret=\(try secret("wrong-0123456789abcdef\n"))"])
        #expect(wrong.status == .exited(78))
        #expect(wrong.errorOutput.contains("the server rejects the secret"))
        #expect(!(wrong.errorOutput + wrong.output).contains("0123456789abcdef"))
        let lines = try JSONSerialization.jsonObject(with: Data(server.command("lines").utf8)) as? [String]
        // Tried once.
        #expect(lines?.count == 1)
        let right = try await send(settings + ["nightscout_secret=\(try secret(token))"])
        #expect(right.status == .exited(0), "\(right.errorOutput)")
        #expect(try server.objects("entries").compactMap { $0["mbg"] as? Int } == [118])
        #expect(
            Set(try server.objects("treatments").compactMap { $0["eventType"] as? String }) == ["BG Check", "Note"])
    }

    @Test("sends an interface engine measurements and no notes, and again only what it did not take")
    func engine() async throws {
        #expect(try await run(["enter", "pressure", "120/80"]).status == .exited(0))
        #expect(try await run(["enter", "note", "ate a biscuit"]).status == .exited(0))
        let settings = [
            "hl7=\(try server.engine())", "hl7_alarms=\(try server.engine())", "hl7_patient=123^^^HOSPITAL^MR",
            "hl7_location=ICU^2^12",
        ]
        try server.command("acknowledge AE")
        let refused = try await send(settings)
        #expect(refused.status == .exited(69))
        #expect(refused.errorOutput.contains("it accepts nothing (AE: as it was told)"), "\(refused.errorOutput)")
        try server.command("acknowledge AA")
        #expect(try await send(settings).status == .exited(0))
        #expect(try await send(settings).status == .exited(0))
        let messages = try server.messages()
        #expect(messages.count == 1)
        let message = try #require(messages.first)
        #expect(message.count == 7)
        #expect(message[0].contains("|ORU^R01^ORU_R01|") && message[0].contains("|P|2.6|"))
        #expect(message[1].hasPrefix("PID|||123^^^HOSPITAL^MR|"))
        #expect(message[2] == "PV1||U|ICU^2^12")
        #expect(message[5].hasPrefix("OBX|2|NM|150021^MDC_PRESS_BLD_NONINV_SYS^MDC|1.0.0.150021|120|"))
    }

    @Test("goes on by itself, and ends at once at a signal")
    func service() async throws {
        #expect(try await run(["enter", "temperature", "37.9"]).status == .exited(0))
        let program = try await ProgramWithPipes.start(
            ["send", "--set", "send.fhir=\(server.address)/fhir"], environment: session)
        try server.command("await 1")
        await program.send(signal: SIGTERM)
        _ = try await program.waitForExit()
        // The signal may have come before the answer; then it is sent once more, and recognised.
        #expect(try await send(["fhir=\(server.address)/fhir"]).status == .exited(0))
        #expect(try server.objects("resources").count == 1)
    }

    @Test("refuses without a server, with an address that is no safe one, and with a secret that others can read")
    func refusals() async throws {
        #expect(try await send([]).status == .exited(78))
        let open = try await send(["fhir=http://fhir.example/r4"])
        #expect(open.status == .exited(78))
        #expect(open.errorOutput.contains("http:// is for this computer only"))
        #expect(try await send(["fhir=https://user:word@fhir.example"]).status == .exited(64))
        #expect(try await send(["fhir=https://fhir.example", "fhir_patient=123"]).status == .exited(78))
        #expect(try await run(["enter", "temperature", "37.9"]).status == .exited(0))
        let path = try secret("word\n")
        chmod(path, 0o640)
        let readable = try await send(["fhir=\(server.address)/fhir", "fhir_secret=\(path)"])
        #expect(readable.status == .exited(78))
        #expect(readable.errorOutput.contains("others can read \(path)"))
        #expect(try server.command("requests") == "0 0")
        #expect(try await send(["hl7=mllp://engine.example/path"]).status == .exited(78))
        let simulated = try await send(["nightscout=\(server.address)"], ["--once", "--simulate"])
        #expect(simulated.status == .exited(78))
    }
}
