import Foundation
import Glibc
import TestSupport
import Testing

/// The set-up of the article “Many beds”, as it is written there: certificates, configuration, access list.
@Suite("The set-up of a ward's broker", .serialized, .enabled(if: PrivateBroker.isHere))
struct WardSetupTests {
    /// The blocks of the article with a language.
    private static func block(_ language: String) throws -> String {
        let blocks = try DocumentBlocks.ofProject().all.filter {
            $0.language == language && $0.place.contains("Ward.md")
        }
        return try #require(blocks.first).lines.joined(separator: "\n")
    }

    /// A broker with the article's certificates, and their folder.
    private func setUp() async throws -> (PrivateBroker, TemporaryFolder) {
        let folder = try TemporaryFolder()
        let commands = try Self.block("sh").replacingOccurrences(of: "ward.example", with: "localhost")
        let outcome = try await ProgramWithPipes.run(["-ec", "cd \(folder.path)\n\(commands)"], program: "/bin/sh")
        #expect(outcome.status == .exited(0), "\(outcome.errorOutput)")
        // The broker gives its privileges up before it reads them.
        for name in ["ca.crt", "broker.crt", "broker.key"] { chmod(folder.path + "/" + name, 0o644) }
        _ = try folder.write(try Self.block("acl"), to: "access")
        chmod(folder.path + "/access", 0o644)
        chmod(folder.path, 0o755)
        let configuration = try Self.block("conf").replacingOccurrences(
            of: "listener 8883", with: "listener PORT 127.0.0.1"
        )
        .replacingOccurrences(of: "/etc/mosquitto/bedside", with: folder.path)
        return (try PrivateBroker(configuration), folder)
    }

    /// Starts a bed with the article's section, changed by replacements.
    private func startBed(
        _ broker: PrivateBroker, _ folder: TemporaryFolder, _ replacements: [(String, String)] = []
    ) async throws -> ProgramWithPipes {
        var text = try Self.block("bedside").replacingOccurrences(
            of: "ward.example:8883", with: "localhost:\(broker.port)"
        )
        .replacingOccurrences(of: "/etc/bedside", with: folder.path)
        for (old, new) in replacements { text = text.replacingOccurrences(of: old, with: new) }
        let file = try folder.write(text, to: "bedside.toml")
        return try await ProgramWithPipes.start(
            ["watch", "--json", "--simulate=steady", "--connect", "all", "--config", file])
    }

    private func waitForLine(_ bed: ProgramWithPipes, _ condition: (String) -> Bool) async throws -> String {
        while let line = try await bed.nextLine() { if condition(line) { return line } }
        throw HarnessError("the bed has ended")
    }

    @Test("lets a bed publish below its own name, and the collector collect")
    func collecting() async throws {
        let (broker, folder) = try await setUp()
        let bed = try await startBed(broker, folder)
        let file = try folder.write(
            try String(contentsOfFile: folder.path + "/bedside.toml", encoding: .utf8)
                .replacingOccurrences(of: "/12.", with: "/collector."), to: "collector.conf")
        let collector = try await ProgramWithPipes.start(
            ["collect", "--site", "ward-2", "--config", file, "--folder", folder.path + "/stores"])
        #expect(try await collector.nextLine()?.contains("collecting from mqtts://localhost") == true)
        #expect(try await collector.nextLine()?.contains("readings of simulated/ward-2/12 go into") == true)
        withExtendedLifetime(bed) {}
    }

    @Test("refuses a bed that publishes below another's name, and the bed says so")
    func anotherBed() async throws {
        let (broker, folder) = try await setUp()
        let bed = try await startBed(broker, folder, [("bed = \"12\"", "bed = \"14\"")])
        try await bed.waitForWarning("Ward: the broker's access list forbids this bed to publish.")
    }

    @Test("is of no use with a key that others can read, or an authority that is not the broker's; the alarm says why")
    func certificates() async throws {
        let (broker, folder) = try await setUp()
        chmod(folder.path + "/14.key", 0o644)
        let open = try await startBed(broker, folder, [("/12.", "/14.")])
        #expect(try await waitForLine(open) { $0.contains("ward_lost") }.contains("others can read"))
        let stranger = try await startBed(broker, folder, [("/ca.crt", "/12.crt")])
        let reason = try await waitForLine(stranger) { $0.contains("ward_lost") }
        #expect(reason.contains("the broker's certificate is not trusted"))
    }
}
