import Foundation
import Glibc
import TestSupport
import Testing

/// A ward's broker, set up as the article “Many beds” says it: certificates, configuration, access list.
struct WardSetup {
    let broker: PrivateBroker
    /// The certificates, the keys, the access list and the configurations of the computers.
    let folder: TemporaryFolder

    /// Certificates take seconds to make, so all setups begin with the same ones.
    private static let certificates = Task {
        let folder = try TemporaryFolder()
        try await run(try block("sh").replacingOccurrences(of: "ward.example", with: "localhost"), in: folder)
        return folder
    }

    /// The first block of the article with a language.
    private static func block(_ language: String) throws -> String {
        let blocks = try DocumentBlocks.ofProject().all.filter {
            $0.language == language && $0.place.contains("Ward.md")
        }
        return try #require(blocks.first).lines.joined(separator: "\n")
    }

    private static func run(_ commands: String, in folder: TemporaryFolder) async throws {
        let outcome = try await ProgramWithPipes.run(
            ["-ec", "cd \"$0\"\n\(commands)", folder.path], program: "/bin/sh")
        #expect(outcome.status == .exited(0), "\(outcome.errorOutput)")
    }

    /// Starts the broker.
    ///
    /// - Parameter lines: Lines that are added to the access list before its first user.
    init(access lines: String = "") async throws {
        folder = try TemporaryFolder()
        let all = try await Self.certificates.value
        try await Self.run("cp '\(all.path)'/*.crt '\(all.path)'/*.csr '\(all.path)'/*.key .", in: folder)
        // The broker gives its privileges up before it reads them.
        for name in ["ca.crt", "broker.crt", "broker.key"] { chmod(folder.path + "/" + name, 0o644) }
        _ = try folder.write(lines + "\n" + (try Self.block("acl")), to: "access")
        chmod(folder.path + "/access", 0o644)
        chmod(folder.path, 0o755)
        let configuration = try Self.block("conf").replacingOccurrences(
            of: "listener 8883", with: "listener PORT 127.0.0.1"
        )
        .replacingOccurrences(of: "/etc/mosquitto/bedside", with: folder.path)
        broker = try PrivateBroker(configuration)
    }

    /// The configuration file of a computer: the article's section, with the computer's certificate.
    ///
    /// - Parameters:
    ///   - name: Whose certificate it has.
    ///   - port: Where the broker is reached; `nil` for its own port.
    ///   - replacements: Further changes of the section.
    func configuration(
        _ name: String = "12", port: UInt16? = nil, _ replacements: [(String, String)] = []
    ) throws -> String {
        var text = try Self.block("bedside").replacingOccurrences(
            of: "ward.example:8883", with: "localhost:\(port ?? broker.port)"
        )
        .replacingOccurrences(of: "/etc/bedside", with: folder.path)
        .replacingOccurrences(of: "/12.", with: "/\(name).")
        .replacingOccurrences(of: "bed = \"12\"", with: "bed = \"\(name)\"")
        for (old, new) in replacements { text = text.replacingOccurrences(of: old, with: new) }
        return try folder.write(text + "\n", to: "\(name)-\(UUID().uuidString).toml")
    }

    /// Makes a certificate anew, which ends after so many days, or has ended.
    func renew(_ name: String, days: Int) async throws {
        try await Self.run(
            "openssl x509 -req -in \(name).csr -CA ca.crt -CAkey ca.key -CAcreateserial -copy_extensions copy "
                + "-days \(days) -out \(name).crt", in: folder)
    }

    /// Starts a bed on simulated sensors.
    ///
    /// - Parameters:
    ///   - file: Its configuration file.
    ///   - command: What monitors: `record`, or `watch` for its lines.
    ///   - scenario: What its sensors do.
    ///   - data: The name of the folder of its data.
    func startBed(
        _ file: String, as command: String = "record", scenario: String = "steady", data: String = "data"
    ) async throws -> ProgramWithPipes {
        try await ProgramWithPipes.start(
            [command] + (command == "watch" ? ["--json"] : [])
                + ["--simulate=\(scenario)", "--connect", "all", "--config", file],
            environment: ["XDG_DATA_HOME": "\(folder.path)/\(data)"])
    }

    /// Starts a ward's screen that shows simulated beds.
    ///
    /// - Parameter port: Where the broker is reached; `nil` for its own port.
    func startScreen(port: UInt16? = nil) async throws -> ProgramInTerminal {
        let file = try configuration("screen", port: port, [("bed = \"screen\"", "")])
        return try await ProgramInTerminal.start(
            ["ward", "--site", "ward-2", "--simulate", "--config", file], columns: 100, rows: 30)
    }
}

extension Screen {
    /// Whether the header of a ward's screen counts a live bed.
    var hasLiveBed: Bool {
        guard let header = lines.first(where: { $0.contains("WARD ") }) else { return false }
        guard let match = header.firstMatch(of: /· (\d+)( of \d+)? beds?/) else { return false }
        return match.1 != "0"
    }
}
