import CommandLineInterface
import Foundation
import Glibc
import TestSupport
import Testing

/// Every block of README.md and of the articles for users that somebody may paste, pasted into a fresh account.
@Suite("Documents for users", .startsPrograms, .timeLimit(.minutes(10)))
struct ReadmeTests {
    private let blocks: DocumentBlocks

    init() throws {
        blocks = try DocumentBlocks.ofProject()
    }

    /// What is not run here, and why.
    private static let notRun = [
        "systemctl --user daemon-reload": "needs the service manager of a user who is logged in",
        "systemctl --user enable --now bedside": "the same",
        "systemctl --user enable --now bedside-send": "the same",
        "loginctl enable-linger": "changes the computer",
        "systemctl --user status bedside": "needs the service manager",
        "journalctl --user --unit bedside --follow": "needs the journal",
        "systemctl --user reload bedside": "needs the service manager",
        "systemctl --user edit bedside": "the same, and opens an editor",
        "sudo apt install ./bedside_*.deb": "needs root and a package; `make deb-check` installs one",
    ]

    /// How the indented blocks begin that are no commands.
    private static let noCommands: Set = [
        "14:50:31 heart rate 121 bpm, above the limit of 120", "set -g status-interval 2",
        #""custom/bedside": { "exec": "bedside status --format waybar --follow", "return-type": "json" }"#,
        "#custom-bedside.high { background: red; color: white }", "[module/bedside]",
    ]

    @Test("has no block that is neither run, nor known to be something else")
    func complete() {
        #expect(blocks.commands.count > 30)
        #expect(Set(blocks.otherIndentedBlocks.map { $0.lines[0] }) == Self.noCommands)
        #expect(Self.notRun.count <= 9)
        for command in Self.notRun.keys { #expect(blocks.commands.contains(command), "\(command)") }
        // What needs a broker or a database is run by WardSetupTests, WardTests and `make exports`.
        // A release's files are installed and compared by `make deb-check`, in the words of the article.
        let elsewhere: [String?] = ["sh", "sh-release", "sh-collect", "sh-ward", "bedside", "conf", "acl"]
        let languages: [String?] = ["toml", "json5", "ini", "swift", "", nil] + elsewhere
        #expect(blocks.all.allSatisfy { languages.contains($0.language) })
    }

    @Test("shows settings that the program takes")
    func settings() async throws {
        let account = try Account()
        let tables = blocks.all.filter { $0.language == "toml" }
        #expect(tables.count >= 5)
        for block in tables {
            let file = try account.write(block.lines.joined(separator: "\n") + "\n", to: "block.toml")
            let check =
                block.lines.contains("[setup]") ? "bedside setup --dry-run --answers" : "bedside config check"
            let outcome = try await account.run("\(check) '\(file)'")
            #expect(outcome.status == .exited(0), "\(block.place): \(outcome.errorOutput)")
        }
    }

    @Test("shows commands that a monitor which runs answers")
    func status() async throws {
        let account = try Account()
        // A bus without a bluetoothd: what is monitored is not simulated.
        let bus = try PrivateBusDaemon()
        let environment = ["DBUS_SYSTEM_BUS_ADDRESS": bus.address]
        let commands = (blocks.commands + (try await Self.manualCommands())).filter { $0.hasPrefix("bedside status") }
        #expect(commands.count >= 6)
        for patient in ["", " --patient bed-12"] {
            let monitor = try await account.start("exec bedside record" + patient, environment)
            try await monitor.waitForWarning("starts to monitor")
            for command in commands where command.contains("--patient") == !patient.isEmpty {
                try await account.expectLine(command)
            }
            await monitor.send(signal: SIGTERM)
            #expect(try await monitor.waitForExit().status == .exited(0))
        }
    }

    @Test("shows commands that work as they are printed, one after the other, in a fresh account")
    func commands() async throws {
        let account = try Account()
        let world = try await World.simulated("steady")
        try await prepare(account, world)
        for command in blocks.commands where Self.notRun[command] == nil && !command.hasPrefix("bedside status") {
            try await run(command, in: account, world)
        }
        // What they were to make is there.
        for file in [".config/bedside/bedside.toml", ".config/systemd/user/bedside.service", "shift.csv", "shift.json"]
        {
            #expect(FileManager.default.fileExists(atPath: "\(account.home)/\(file)"), "\(file)")
        }
    }

    @Test("and so do the examples of help and of the manual page")
    func examples() async throws {
        let account = try Account()
        let world = try await World.simulated("steady")
        try await prepare(account, world)
        let commands = try await Self.manualCommands()
        let examples = Subcommand.allCases.flatMap(\.examples).map(\.command)
        #expect(commands == examples)
        for command in commands where !command.hasPrefix("bedside status") {
            try await run(command, in: account, world)
        }
    }

    @Test("and the example of the manual page about scenarios is one that plays")
    func scenario() async throws {
        let account = try Account()
        let page = try await account.run("bedside --man=bedside-scenario").output
        let example = try #require(page.components(separatedBy: "\n.nf\n").first { $0.hasPrefix("{") })
        let text = example.components(separatedBy: "\n.fi\n")[0].replacing("\\-", with: "-").replacing("\\&", with: "")
        let file = try account.write(text, to: "example.json5")
        try await account.expectLine("bedside simulate '\(file)'")
    }

    /// The commands of the examples in the manual page, as they are typed.
    private static func manualCommands() async throws -> [String] {
        let page = try await ProgramWithPipes.run(["--man"]).output
        let section = try #require(page.components(separatedBy: "\n.SH ").first { $0.hasPrefix("EXAMPLES\n") })
        return section.matches(of: /\n\.nf\n\\fB(.*)\\fR\n\.fi\n/).map { match in
            String(match.1).replacing("\\-", with: "-").replacing("\\e", with: "\\")
        }
    }

    @Test("that were wrong would not pass", arguments: ["bedside histroy", "bedside config >~/no/folder/bedside.toml"])
    func wrong(command: String) async throws {
        let account = try Account()
        #expect(try await account.run(command).status != .exited(0))
    }

    /// Brings about what the documents take for granted: files that it says to save, and an evening that was recorded.
    private func prepare(_ account: Account, _ world: World) async throws {
        let scenario = try #require(blocks.all.first { $0.language == "json5" })
        _ = try account.write(scenario.lines.joined(separator: "\n"), to: "evening.json5")
        let answers = try #require(blocks.all.first { $0.lines.contains("[setup]") })
        _ = try account.write(answers.lines.joined(separator: "\n"), to: "answers.toml")
        _ = try account.write("time;kind;value;unit;site\n2026-01-02 08:00;temperature;37,2;°C;mouth\n", to: "labs.csv")
        let bundle = """
            {"resourceType": "Observation", "status": "final", "effectiveDateTime": "2026-01-02T09:00:00Z", \
            "code": {"coding": [{"system": "http://loinc.org", "code": "8310-5"}]}, "valueQuantity": \
            {"value": 37.2, "unit": "°C", "system": "http://unitsofmeasure.org", "code": "Cel"}}
            """
        _ = try account.write(bundle, to: "bundle.json")
        let night = (0..<60).map { second in
            "23:05:\(second < 10 ? "0" : "")\(second) Jan 03 2026,97,60,0,0,0\n"
        }
        _ = try account.write(
            "Time,Oxygen Level,Pulse Rate,Motion,O2 Reminder,PR Reminder\n" + night.joined(),
            to: "O2Ring_20260103230405.csv")
        let capture = UserDocuments.root.appending(path: "Tests/Sensing/ReplayTests/Captures/steady-room.btsnoop")
        try FileManager.default.copyItem(atPath: capture.path, toPath: account.home + "/ward.btsnoop")
        let evening = try await account.run(
            "bedside watch --json --connect all --count 20", ["DBUS_SYSTEM_BUS_ADDRESS": world.address])
        #expect(evening.status == .exited(0), "\(evening.errorOutput)")
        // What a simulator gives is kept apart; here it stands for what real sensors have given.
        let moved = try await account.run(
            "cd .local/share/bedside && mv simulated/store.sqlite* . && test -s store.sqlite")
        #expect(moved.status == .exited(0), "\(moved.errorOutput)")
    }

    private func run(_ printed: String, in account: Account, _ world: World) async throws {
        let environment = ["DBUS_SYSTEM_BUS_ADDRESS": world.address]
        // The evening of the documents was in January; the recorded one began a minute ago.
        let command = printed.replacing("2026-01-02T22:00", with: account.started)
        let words = command.split(separator: " ").map(String.init)
        let program = words.prefix(2).joined(separator: " ")
        switch program {
        case "sudo make",
            _ where words[0] == "make":
            // What it would do, without doing it.
            let target = words.last ?? ""
            let root = UserDocuments.root.path
            let outcome = try await account.run("make --dry-run --directory '\(root)' \(target)")
            #expect(outcome.status == .exited(0), "\(printed): \(outcome.errorOutput)")
        case "bedside watch",
            "bedside record" where !command.contains("--systemd-unit"):
            try await account.expectLine(command, environment)
        case "bedside trace" where command.contains("--write"):
            // Nobody is there to be asked.
            let outcome = try await account.run(command, environment)
            #expect(outcome.status == .exited(64), "\(printed): \(outcome.errorOutput)")
            #expect(outcome.errorOutput.contains("or --yes"), "\(printed): \(outcome.errorOutput)")
        case "bedside trace":
            try await account.expectLine(command.replacing("\"Polar H10\"", with: "\"\(Steady.strap)\""), environment)
        case "bedside confirm" where words.count > 2:
            // Nothing waits here, and so nothing with these numbers.
            let outcome = try await account.run(command, environment)
            #expect(outcome.status == .exited(65), "\(printed): \(outcome.errorOutput)")
            #expect(outcome.errorOutput.contains("waits to be confirmed"), "\(printed): \(outcome.errorOutput)")
        case "bedside export" where command.contains("ring-file"):
            // No ring has handed a night over.
            let outcome = try await account.run(command, environment)
            #expect(outcome.status == .exited(66), "\(printed): \(outcome.errorOutput)")
        case "bedside sound" where !command.contains("--"):
            // A sound card that takes everything.
            let configuration = "\(account.home)/alsa.conf"
            try "pcm.default { type null }\n".write(toFile: configuration, atomically: true, encoding: .utf8)
            let outcome = try await account.run(command, ["ALSA_CONFIG_PATH": configuration])
            #expect(outcome.status == .exited(0), "\(printed): \(outcome.errorOutput)")
        case "bedside ward", "bedside collect":
            guard PrivateBroker.isHere else {
                return print("NOT CHECKED: \(command), because there is no mosquitto")
            }
            let broker = try PrivateBroker()
            try FileManager.default.createDirectory(
                atPath: account.home + "/ward-settings/bedside", withIntermediateDirectories: true)
            _ = try account.write("[ward]\nbroker = \"\(broker.address)\"\n", to: "ward-settings/bedside/bedside.toml")
            let settings = ["XDG_CONFIG_HOME": account.home + "/ward-settings"]
            if command.hasPrefix("bedside ward status") {
                // There is no bed, so nobody knows.
                let outcome = try await account.run(command, settings)
                #expect(outcome.status == .exited(3), "\(printed): \(outcome.errorOutput)")
            } else if program == "bedside ward" {
                try await account.expectScreen(command, "WARD", settings)
            } else {
                try await account.expectLine(command, settings)
            }
        case "bedside send" where !command.contains("--systemd-unit"):
            guard StandInServer.isPossible else {
                return print("NOT CHECKED: \(command), because there is no python3")
            }
            let server = try StandInServer()
            try FileManager.default.createDirectory(
                atPath: account.home + "/send-settings/bedside", withIntermediateDirectories: true)
            _ = try account.write(
                "[send]\nfhir = \"\(server.address)/fhir\"\n", to: "send-settings/bedside/bedside.toml")
            let settings = ["XDG_CONFIG_HOME": account.home + "/send-settings"]
            if command.contains("--once") {
                let outcome = try await account.run(command, settings)
                #expect(outcome.status == .exited(0), "\(printed): \(outcome.errorOutput)")
            } else {
                try await account.expectLine(command, settings)
            }
        case "bedside simulate":
            try await account.expectLine(command)
        case "bedside doctor":
            let outcome = try await account.run(command, environment)
            #expect([.exited(0), .exited(1), .exited(2)].contains(outcome.status), "\(printed)")
        case "bedside setup" where !command.contains("--answers"):
            try await account.expectScreen(command, "SETUP", environment)
        case "bedside replay" where !command.contains("--json"):
            try await account.expectScreen(command, "REPLAY", environment)
        case _ where words[0] == "bedside" && words.dropFirst().first.map({ $0.hasPrefix("-") }) ?? true:
            try await account.expectScreen(command, "BEDSIDE", environment)
        default:
            let outcome = try await account.run(command, environment)
            #expect(outcome.status == .exited(0), "\(printed): \(outcome.errorOutput)")
        }
    }
}

/// A user's account as it is on the first day, with the program in `PATH`.
private final class Account: Sendable {
    let home: String
    /// When it was made, as a time on the command line.
    let started: String
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        home = folder.path
        let formatter = DateFormatter()
        formatter.dateFormat = "yyyy-MM-dd'T'HH:mm"
        formatter.timeZone = .gmt
        started = formatter.string(from: Date(timeIntervalSinceNow: -60))
        for name in ["bin", "run"] {
            try FileManager.default.createDirectory(atPath: "\(home)/\(name)", withIntermediateDirectories: false)
        }
        try FileManager.default.createSymbolicLink(
            atPath: home + "/bin/bedside", withDestinationPath: Harness.program)
        // A sound card, which not every computer has.
        _ = try write("pcm.default { type null }\n", to: "alsa.conf")
        // Another client of BlueZ, which shows that the address leads to sensors.
        let client = try write("#!/bin/sh\nexec bedside watch --json --connect all --count 1\n", to: "bin/bluetoothctl")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: client)
    }

    func write(_ text: String, to name: String) throws -> String {
        try folder.write(text, to: name)
    }

    private func environment(_ additions: [String: String]) -> [String: String] {
        let own = [
            "HOME": home, "PATH": "\(home)/bin:/usr/local/bin:/usr/bin:/bin", "XDG_RUNTIME_DIR": home + "/run",
            "ALSA_CONFIG_PATH": home + "/alsa.conf",
            // Empty is as good as not set, which nothing that is added could be.
            "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "", "XDG_STATE_HOME": "", "TZ": "UTC",
        ]
        return own.merging(additions) { $1 }
    }

    /// Has a shell do a command in the home folder.
    func start(_ command: String, _ additions: [String: String] = [:]) async throws -> ProgramWithPipes {
        try await ProgramWithPipes.start(
            ["-o", "pipefail", "-c", "cd && \(command)"], environment: environment(additions), program: "/bin/bash")
    }

    /// Has a shell do a command to its end.
    func run(_ command: String, _ additions: [String: String] = [:]) async throws -> ProgramWithPipes.Outcome {
        let program = try await start(command, additions)
        await program.closeInput()
        return try await program.waitForExit()
    }

    /// Demands a line of a command that may go on for ever, in the file that it writes if it writes one; then Ctrl-C.
    func expectLine(_ command: String, _ additions: [String: String] = [:]) async throws {
        let program = try await start(command, additions)
        if let file = command.firstMatch(of: />>?(\S+)$/)?.1 {
            let path = "\(home)/\(file)"
            try await awaitCondition("\(command) writes a line", within: Harness.timeout) {
                (try? String(contentsOfFile: path, encoding: .utf8))?.contains("\n") == true
            }
        } else if command.hasPrefix("bedside record") {
            try await program.waitForWarning("starts to monitor")
        } else {
            let line = try await program.nextLine()
            #expect(line?.isEmpty == false, "\(command)")
        }
        kill(-(await program.processIdentifier), SIGINT)
        let status = try await program.waitForExit().status
        // A shell that was interrupted together with what it has started says so.
        #expect([.exited(0), .exited(130), .killed(signal: SIGINT)].contains(status), "\(command): \(status)")
    }

    /// Demands words on the screen of a command that has one; then Ctrl-C.
    func expectScreen(_ command: String, _ words: String, _ additions: [String: String]) async throws {
        let screen = try await ProgramInTerminal.start(
            ["-c", "cd && exec \(command)"], environment: environment(additions), program: "/bin/bash")
        try await screen.waitFor(words)
        await screen.type("\u{3}")
        #expect(try await screen.waitForExit() == .exited(0), "\(command)")
    }
}
