import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A trace", .startsPrograms)
struct TraceTests {
    private let folder: TemporaryFolder
    private let file: String

    init() throws {
        folder = try TemporaryFolder()
        file = folder.path + "/fault.btsnoop"
    }

    /// The octets of a line after a word.
    private static func octets(_ line: String, after word: String) -> [UInt8]? {
        guard let place = line.range(of: word) else { return nil }
        return line[place.upperBound...].split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }

    @Test("is replayed with the values that came, and each line and the replay say that they are simulated")
    func replayed() async throws {
        let trace = try await ProgramWithPipes.start(
            ["trace", "--simulate=steady", "--connect", "all", "-o", file],
            environment: ["XDG_DATA_HOME": folder.path])
        var rates: [Double] = []
        var lines: [String] = []
        while rates.count < 5, let line = try await trace.nextLine() {
            lines.append(line)
            guard let octets = Self.octets(line, after: "2A37 Heart Rate Measurement notified ") else { continue }
            rates.append(Double(octets[1]))
        }
        await trace.send(signal: SIGINT)
        #expect(try await trace.waitForExit().status == .exited(0))
        #expect(lines.allSatisfy { $0.contains("Z SIMULATED C0:52:49:00:00:0") })
        for step in [
            "connect", "connected", "connect: done", "characteristic 0x001D 2A37 Heart Rate Measurement: notify",
        ] {
            #expect(lines.contains { $0.hasSuffix("Polar H10 1234: \(step)") }, "\(step)")
        }
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)

        let replay = try await ProgramWithPipes.run(["replay", file, "--json"])
        #expect(replay.status == .exited(0) && replay.errorOutput.isEmpty, "\(replay.errorOutput)")
        let played = try replay.output.split(separator: "\n").map { try WatchLine(String($0)) }
        #expect(played.allSatisfy { $0.fields["replay"] as? Bool == true })
        #expect(played.filter { $0.isFromSensor }.allSatisfy { $0.fields["simulated"] as? Bool == true })
        let again = played.filter { $0.event == "reading" && $0.text("vital") == "heart_rate" }
            .compactMap { $0.number("value") }
        #expect(again.prefix(rates.count) == rates[...])
        // The file is new, or nothing is done.
        let twice = try await ProgramWithPipes.run(["trace", "--simulate=steady", "-o", file])
        #expect(twice.status == .exited(74) && twice.errorOutput.contains("There is a file"), "\(twice)")
    }

    @Test(
        "of a running monitor has a pairing that fails, with BlueZ's name of that, as a line and in the capture")
    func failedPairing() async throws {
        let world = try await World.simulated(
            try folder.write(
                "{ sensors: [{ name: 'Nonin 1', address: 'C0:52:49:18:00:05', kind: 'noninOximeter' }] }",
                to: "nonin.json5"))
        try await world.please("pairing all refuse")
        let session = try TemporaryFolder()
        let environment = ["XDG_DATA_HOME": folder.path, "XDG_RUNTIME_DIR": session.path]
        let bedside = try await ProgramInTerminal.start(["--connect", "all"], on: world, environment: environment)
        try await bedside.waitFor("Nonin 1")
        let trace = try await ProgramWithPipes.start(
            ["trace", "--view", "-o", file], on: world, environment: environment)
        func next(_ part: String) async throws {
            while let line = try await trace.nextLine() { if line.contains(part) { return } }
            Issue.record("the trace has ended without \(part)")
        }
        try await next("Nonin 1: heard")
        try await bedside.waitFor("wants to be paired")
        await bedside.type("B")
        try await bedside.waitFor("Pair Nonin 1")
        await bedside.type("y")
        try await next(": pair")
        try await next("pair: FAILED, org.bluez.Error.Authentication")
        await trace.send(signal: SIGTERM)
        let outcome = try await trace.waitForExit()
        #expect(outcome.status == .exited(0))
        #expect(outcome.errorOutput.contains("This is a trace of bedside, process"), "\(outcome.errorOutput)")
        let capture = String(decoding: try #require(FileManager.default.contents(atPath: file)), as: UTF8.self)
        #expect(capture.contains("C0:52:49:18:00:05: pair: FAILED, org.bluez.Error.Authentication"))
        #expect(try await ProgramWithPipes.run(["replay", file, "--lines"]).status == .exited(0))
        await bedside.send(signal: SIGTERM)
        #expect(try await bedside.waitForExit() == .exited(0))
    }

    @Test("tries what the command line says, and shows the answer; nothing is written without an answer")
    func attempts() async throws {
        let article = try UserDocuments.text(
            "Libraries/Sources/Sensing/KnownSensors/KnownSensors.docc/AddingASensor.md")
        let scenario = try folder.write(
            try #require(article.components(separatedBy: "```json5\n").last?.components(separatedBy: "```").first),
            to: "clip.json5")
        let words = [
            "trace", "PulseClip 3", "--simulate=\(scenario)", "--subscribe", "FFF2", "--write", "FFF1=01",
        ]
        let refused = try await ProgramWithPipes.run(words, environment: ["XDG_DATA_HOME": folder.path])
        #expect(refused.status == .exited(64) && refused.errorOutput.contains("--yes"), "\(refused)")
        let trace = try await ProgramWithPipes.start(words + ["--yes"], environment: ["XDG_DATA_HOME": folder.path])
        while let line = try await trace.nextLine() {
            if Self.octets(line, after: "FFF2 notified ") == [0x61, 0x48, 0xA9] { break }
        }
        await trace.send(signal: SIGTERM)
        #expect(try await trace.waitForExit().status == .exited(0))
    }

    @Test(
        "the page of a sensor streams octets, leaves Bedside's own subscription alone, and shows alarms")
    func stream() async throws {
        let world = try await World.simulated("steady")
        let bedside = try await ProgramInTerminal.start(
            ["--connect", "all"], on: world, environment: ["XDG_DATA_HOME": folder.path])
        try await bedside.waitForSteadyValues()
        try await bedside.select(Steady.strap)
        await bedside.type("i")
        try await bedside.waitFor("SENSOR Polar H10 1234")
        try await bedside.waitFor("ADVERTISEMENT")
        // The page has its headings at once, and something to select only when the services are known.
        try await bedside.waitFor("Manufacturer")
        try await bedside.selectCharacteristic("2A37")
        await bedside.type("o")
        try await bedside.waitFor("values, the newest first")
        for (key, answer) in [("s", "Bedside reads it itself"), ("u", "it stays subscribed")] {
            await bedside.type("E")
            try await bedside.waitFor("do what?")
            await bedside.type(key)
            try await bedside.waitFor(answer)
        }
        try await world.please("hr 131")
        try await bedside.waitUntil("the octets of the new rate") { $0.text.contains(" 83") }
        try await world.please("temp 39.5")
        try await bedside.waitFor("FEVER")
        await bedside.type("t")
        try await bedside.waitFor("Its traffic is written to")
        try await bedside.closePage()
        #expect(try await bedside.quit() == .exited(0))
        let traces = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains("traces/") }
        #expect(traces.count == 2, "\(traces)")
    }
}
