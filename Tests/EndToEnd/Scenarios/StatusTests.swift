import EventLoops
import Foundation
import Glibc
import TestSupport
import Testing

/// What the running monitor shows, asked from elsewhere.
@Suite("The status of a running monitor", .startsPrograms)
struct StatusTests {
    let folder: TemporaryFolder
    var session: [String: String] { ["XDG_RUNTIME_DIR": folder.path, "XDG_STATE_HOME": folder.path + "/state"] }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func status(_ options: [String] = []) async throws -> ProgramWithPipes.Outcome {
        var outcome: ProgramWithPipes.Outcome
        var attempts = 0
        repeat {
            outcome = try await ProgramWithPipes.run(["status"] + options, environment: session)
            attempts += 1
            // A monitor on a busy computer may answer too late for once.
        } while outcome.status == .exited(69) && attempts < 10
        return outcome
    }

    private func simulatedMonitor(_ options: [String] = []) async throws -> ProgramInTerminal {
        let monitor = try await ProgramInTerminal.start(
            ["--simulate=steady", "--connect", "all"] + options, environment: session)
        try await monitor.waitForSteadyValues()
        return monitor
    }

    @Test("is one line in every form, labelled as simulated, and none once the monitor has ended")
    func simulated() async throws {
        let monitor = try await simulatedMonitor()
        let plain = try await status()
        #expect(plain.status == .exited(0) && plain.errorOutput.isEmpty)
        #expect(plain.output.firstMatch(of: /^SIMULATED  ♥ \d+  SpO₂ \d+  \d\d\.\d°\n$/) != nil, "\(plain.output)")
        for format in ["tmux", "waybar", "polybar", "json"] {
            let found = try await status(["--format", format])
            #expect(found.status == .exited(0))
            #expect(found.output.contains("SIMULATED") && found.output.hasSuffix("\n"))
            #expect(found.output.split(separator: "\n").count == 1)
        }
        let json = try await status(["--json", "--simulate"])
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect(object?["v"] as? Int == 1 && object?["simulated"] as? Bool == true)
        #expect((object?["vitals"] as? [Any])?.count == 3)
        let ascii = try await ProgramWithPipes.run(
            ["status", "--fahrenheit"], environment: session.merging(["LANG": "C"]) { $1 })
        #expect(ascii.output.firstMatch(of: /^SIMULATED  HR \d+  SpO2 \d+  \d\d\.\dF\n$/) != nil, "\(ascii.output)")
        // The title says the same.
        #expect(await monitor.hasWritten("\u{1B}]2;SIMULATED  ♥"))
        #expect(try await monitor.quit() == .exited(0))
        #expect(await monitor.hasWritten("\u{1B}[23;0t"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/bedside").isEmpty)

        let none = try await status()
        #expect(none.status == .exited(3) && none.output.isEmpty && none.errorOutput.contains("No monitor runs"))
        for format in ["tmux", "waybar", "polybar"] {
            let bar = try await status(["--format", format])
            #expect(bar.status == .exited(0) && bar.output.contains("NO MONITOR"), "\(format)")
        }
        #expect(try await status(["--json"]).status == .exited(3))
    }

    @Test("is followed through the end of a monitor to the next one, until the reader goes")
    func follow() async throws {
        let follower = try await ProgramWithPipes.start(["status", "--follow"], environment: session)
        #expect(try await follower.nextLine() == "no monitor")
        let first = try await simulatedMonitor()
        while let line = try await follower.nextLine(), !line.hasPrefix("SIMULATED  ♥") {}
        await first.send(signal: SIGKILL)
        while let line = try await follower.nextLine(), line != "no monitor" {}
        let second = try await simulatedMonitor()
        #expect(try await follower.nextLine()?.hasPrefix("SIMULATED") == true)
        await follower.closeOutput()
        #expect(try await follower.waitForExit().status == .exited(0))
        _ = second
    }

    @Test(
        "is what tmux shows with the lines of the article",
        .enabled(if: access("/usr/bin/tmux", X_OK) == 0, "tmux is not installed"))
    func tmux() async throws {
        let monitor = try await simulatedMonitor()
        let article = try UserDocuments.text("Sources/Program/bedside/Bedside.docc/OtherPrograms.md")
        let lines = article.split(separator: "\n").filter { $0.hasPrefix("    set -g status-") }
        try #require(lines.count == 3, "the article shows what belongs into tmux.conf")
        let configuration = try folder.write(
            lines.joined(separator: "\n").replacing("bedside status", with: "\"\(Harness.program)\" status") + "\n",
            to: "tmux.conf")
        let tmux = try await ProgramInTerminal.start(
            ["-S", "\(folder.path)/tmux.sock", "-f", configuration, "new-session", "exec sleep 1000"],
            environment: session, program: "/usr/bin/tmux")
        try await tmux.waitFor(" SIMULATED   ♥")
        let text = await tmux.screen.text
        #expect(!text.contains("#["))
        _ = try await ProgramWithPipes.run(
            ["-S", "\(folder.path)/tmux.sock", "kill-server"], environment: session, program: "/usr/bin/tmux")
        _ = monitor
    }

    @Test("is printed by the commands that the article gives to waybar and polybar")
    func bars() async throws {
        let monitor = try await simulatedMonitor()
        let article = try UserDocuments.text("Sources/Program/bedside/Bedside.docc/OtherPrograms.md")
        let commands = article.matches(of: /exec(?:": "| = )bedside (status [^"\n]+)/).map { String($0.1) }
        #expect(commands.count == 2)
        for command in commands {
            let bar = try await ProgramWithPipes.start(
                command.split(separator: " ").map(String.init), environment: session)
            var classes: [String]?
            repeat {
                let line = try #require(try await bar.nextLine())
                #expect(line.contains("SIMULATED"))
                guard command.contains("waybar") else { break }
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                for key in ["text", "tooltip", "class", "alt", "percentage"] { #expect(object?[key] != nil, "\(key)") }
                classes = object?["class"] as? [String]
                // An alarm that a busy computer kept the monitor from monitoring may stand first.
            } while classes != ["normal", "simulated"]
            await bar.send(signal: SIGTERM)
            #expect(try await bar.waitForExit().status == .exited(0))
        }
        _ = monitor
    }

    @Test("is not that of simulated sensors when the patient's monitor is killed, until another one has ended normally")
    func crashed() async throws {
        let bus = try PrivateBusDaemon()
        let real = session.merging(["DBUS_SYSTEM_BUS_ADDRESS": bus.address]) { $1 }
        let simulated = try await ProgramWithPipes.start(
            ["record", "--simulate=steady", "--connect", "all"], environment: session)
        try await simulated.waitForWarning("CORE [1A] connected")
        let record = try await ProgramWithPipes.start(["record"], environment: real)
        try await record.waitForWarning("BLUETOOTH NOT RUNNING")
        let follower = try await ProgramWithPipes.start(["status", "--follow"], environment: session)
        let first = try #require(try await follower.nextLine())
        #expect(!first.contains("SIMULATED"), "\(first)")
        await record.send(signal: SIGKILL)
        while let line = try await follower.nextLine() {
            #expect(!line.contains("SIMULATED"), "\(line)")
            if line.contains("monitor has ended") { break }
        }
        let missed = try await status()
        #expect(missed.status == .exited(3) && missed.output.isEmpty)
        #expect(missed.errorOutput.contains("bedside record, process "), "\(missed.errorOutput)")
        #expect(try await status(["--simulate"]).output.contains("SIMULATED"))
        let again = try await ProgramWithPipes.start(["record"], environment: real)
        try await again.waitForWarning("BLUETOOTH NOT RUNNING")
        await again.send(signal: SIGTERM)
        #expect(try await again.waitForExit().status == .exited(0))
        #expect(try await status().output.contains("SIMULATED"))
        // A follower of this patient's monitor does not get another one even then.
        while let line = try await follower.nextLine(), !line.contains("no monitor") {
            #expect(!line.contains("SIMULATED"), "\(line)")
        }
        for program in [follower, simulated] {
            await program.send(signal: SIGTERM)
            #expect(try await program.waitForExit().status == .exited(0))
        }
    }

    @Test("is asked of one monitor for each patient; a second start says who monitors and harms nothing")
    func onePerPatient() async throws {
        let bus = try PrivateBusDaemon()
        let real = session.merging(["DBUS_SYSTEM_BUS_ADDRESS": bus.address]) { $1 }
        func watch(_ options: [String]) async throws -> ProgramWithPipes {
            try await ProgramWithPipes.start(["watch"] + options, environment: real)
        }
        let first = try await watch([])
        let named = try await watch(["--patient", "bed-12"])
        for monitor in [first, named] {
            while let line = try await monitor.nextLine(), !line.contains("BLUETOOTH NOT RUNNING") {}
        }
        for (options, whose) in [([], "The patient"), (["--patient", "bed-12"], "The patient 'bed-12'")] {
            let second = try await ProgramWithPipes.run(["watch"] + options, environment: real)
            #expect(second.status == .exited(75) && second.output.isEmpty)
            #expect(
                second.errorOutput.firstMatch(
                    of: /is monitored already, by bedside watch, process \d+, since \d{4}-/) != nil)
            #expect(second.errorOutput.contains("bedside: \(whose) is monitored already"))
            let status = try await ProgramWithPipes.run(["status"] + options, environment: real)
            #expect(status.status == .exited(0))
            #expect(status.output.contains("nothing is measured"), "\(status.output)")
            #expect(status.output.hasPrefix("bed-12:") == !options.isEmpty)
        }
        // A screen shows that one, and says so; it is the same patient. The message below, which gives way to the alarm,
        // may be gone before anybody reads it.
        let screen = try await ProgramInTerminal.start(environment: real)
        try await screen.waitUntil("it is a view") { screen in
            screen.lines[0].contains("VIEW of bedside watch") && screen.shows("BLUETOOTH NOT RUNNING")
        }
        #expect(try await screen.quit() == .exited(0))
        // Asked from a session that has another folder, or none.
        let elsewhere = try await ProgramWithPipes.run(
            ["status"], environment: real.merging(["XDG_RUNTIME_DIR": "/nonexistent"]) { $1 })
        #expect(elsewhere.output.contains("nothing is measured"))
        // Simulated monitors neither exclude others nor are excluded.
        let simulated = try await simulatedMonitor()
        #expect(try await status(["--simulate"]).output.hasPrefix("SIMULATED"))
        #expect(try await !status().output.contains("SIMULATED"))
        #expect(try await simulated.quit() == .exited(0))
        // A kill leaves the socket and the note, and neither decides.
        await first.send(signal: SIGKILL)
        _ = try await first.waitForExit()
        #expect(try await status().status == .exited(3))
        let third = try await watch([])
        while let line = try await third.nextLine(), !line.contains("BLUETOOTH NOT RUNNING") {}
        #expect(try await status().status == .exited(0))
        for monitor in [third, named] {
            await monitor.send(signal: SIGTERM)
            #expect(try await monitor.waitForExit().status == .exited(0))
        }
    }

    @Test("refuses the name of a patient that is no name", arguments: ["../x", "a/b", "."])
    func badNames(name: String) async throws {
        for command in [["status"], ["watch"], ["history"], ["alarms"], ["export"]] {
            let outcome = try await ProgramWithPipes.run(command + ["--patient", name], environment: session)
            #expect(outcome.status == .exited(64) && outcome.errorOutput.contains("expected a name"), "\(command)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/state"))
    }

    @Test("is not waited for when the monitor does not answer")
    func stopped() async throws {
        let monitor = try await simulatedMonitor()
        await monitor.send(signal: SIGSTOP)
        let outcome = try await ProgramWithPipes.run(["status"], environment: session)
        #expect(outcome.status == .exited(69) && outcome.errorOutput.contains("does not answer"))
        #expect(try await status(["--format", "tmux"]).output.contains("DOES NOT ANSWER"))
        await monitor.send(signal: SIGCONT)
    }
}
