import Foundation
import Glibc
import TestSupport
import Testing

/// A monitor whose process is stopped measures nothing and gives no alarm: every view of it must say so.
@Suite("A monitor that is stopped", .startsPrograms)
struct StoppedTests {
    private let session: TemporaryFolder
    private var environment: [String: String] {
        ["XDG_RUNTIME_DIR": session.path, "XDG_STATE_HOME": session.path + "/state"]
    }

    init() throws {
        session = try TemporaryFolder()
    }

    /// Stops a program for as long as the shortest stop that must be noticed, and a little longer.
    private func stopForAWhile(_ program: ProgramWithPipes) async throws {
        await program.send(signal: SIGSTOP)
        // The length of the stop is what is tested; nothing is waited for.
        try await Task.sleep(for: .seconds(3))
        await program.send(signal: SIGCONT)
    }

    @Test("reports the stop as a gap with an alarm, in JSON and in the journal, and continues")
    func gap() async throws {
        let world = try await World.simulated("steady")
        let record = try await ProgramWithPipes.start(
            ["record", "--connect", "all"], on: world, environment: environment)
        try await record.waitForWarning("CORE [1A] connected")
        let watch = try await ProgramWithPipes.start(["watch", "--json", "--connect", "all"], on: world)
        _ = try await watch.next("a heart rate") { $0.isReading(of: "heart_rate", 72) }
        try await stopForAWhile(watch)
        let gap = try await watch.next("the gap") { $0.event == "gap" }
        #expect(gap.text("reason") == "program")
        let (from, to) = (try #require(gap.text("from")), try #require(gap.text("to")))
        #expect(from < to)
        let alarm = try await watch.next("the alarm") { $0.text("kind") == "not_monitored" }
        #expect(alarm.text("priority") == "low" && alarm.text("state") == "active")
        let late = try await watch.next("a heart rate that waited") { $0.text("late") == "waited" }
        #expect(late.text("measured_from") == from && late.text("measured_to") == to)
        _ = try await watch.next("another heart rate") { $0.isReading(of: "heart_rate", 72) && $0.text("late") == nil }
        await watch.send(signal: SIGTERM)
        #expect(try await watch.waitForExit().status == .exited(0))
        try await stopForAWhile(record)
        try await record.waitForWarning("Not monitored: the program missed ")
        await record.send(signal: SIGTERM)
        #expect(try await record.waitForExit().status == .exited(0))
    }

    @Test("does not count as running for a second start, and is found again when it continues")
    func secondStart() async throws {
        let bus = try PrivateBusDaemon()
        let real = environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": bus.address]) { $1 }
        let record = try await ProgramWithPipes.start(["record"], environment: real)
        try await record.waitForWarning("Bluetooth")
        await record.send(signal: SIGSTOP)
        for command in ["watch", "record"] {
            let second = try await ProgramWithPipes.run([command], environment: real)
            #expect(second.status == .exited(75) && second.output.isEmpty)
            #expect(
                second.errorOutput.contains("It is stopped: it measures nothing, records nothing and gives no alarm."))
            #expect(second.errorOutput.firstMatch(of: /kill -CONT \d+/) != nil, "\(second.errorOutput)")
        }
        let screen = try await ProgramInTerminal.start(environment: real)
        #expect(try await screen.waitForExit() == .exited(75))
        // However the terminal has broken the lines.
        #expect(await screen.screen.text.filter { !$0.isWhitespace }.contains("Itisstopped:itmeasuresnothing"))
        let status = try await ProgramWithPipes.run(["status"], environment: real)
        #expect(status.status == .exited(69) && status.errorOutput.contains("does not answer. It is stopped"))
        await record.send(signal: SIGCONT)
        try await awaitCondition("it answers again") {
            try await ProgramWithPipes.run(["status"], environment: real).status == .exited(0)
        }
        await record.send(signal: SIGTERM)
        #expect(try await record.waitForExit().status == .exited(0))
    }

    @Test(
        "gives no number to those who follow its status, in any form, until it continues",
        arguments: ["plain", "json", "tmux", "waybar", "polybar"])
    func follow(format: String) async throws {
        let world = try await World.simulated("steady")
        let record = try await ProgramWithPipes.start(
            ["record", "--connect", "all"], on: world, environment: environment)
        try await record.waitForWarning("CORE [1A] connected")
        let follower = try await ProgramWithPipes.start(
            ["status", "--follow", "--format", format], environment: environment)
        while let line = try await follower.nextLine(), !line.contains("♥ 72  SpO₂ 98") {}
        await record.send(signal: SIGSTOP)
        while let line = try await follower.nextLine() {
            guard !line.contains("♥ 72") else { continue }
            #expect(line.lowercased().contains("monitor does not answer") && !line.contains("♥"), "\(line)")
            #expect(!line.contains("Start one"))
            break
        }
        // A new follower gets the same, and no earlier values.
        let second = try await ProgramWithPipes.start(
            ["status", "--follow", "--format", format], environment: environment)
        let line = try #require(try await second.nextLine())
        #expect(line.lowercased().contains("monitor does not answer") && !line.contains("♥"), "\(line)")
        await record.send(signal: SIGCONT)
        for follower in [follower, second] {
            while let line = try await follower.nextLine(), !line.contains("♥ 72  SpO₂ 98") {}
            await follower.send(signal: SIGTERM)
            #expect(try await follower.waitForExit().status == .exited(0))
        }
        await record.send(signal: SIGTERM)
        #expect(try await record.waitForExit().status == .exited(0))
    }

    @Test("shows a view that begins meanwhile no value, and says that it does not answer because it is stopped")
    func view() async throws {
        let world = try await World.simulated("steady")
        let record = try await ProgramWithPipes.start(
            ["record", "--connect", "all"], on: world, environment: environment)
        try await record.waitForWarning("CORE [1A] connected")
        await record.send(signal: SIGSTOP)
        let view = try await ProgramInTerminal.start(["--view"], on: world, environment: environment)
        try await view.waitUntil("it says so") { $0.shows("NO MONITOR") && $0.shows("it is stopped") }
        await record.send(signal: SIGCONT)
        try await view.waitForSteadyValues()
        await view.type("q")
        #expect(try await view.waitForExit() == .exited(0))
        await record.send(signal: SIGTERM)
        #expect(try await record.waitForExit().status == .exited(0))
    }

    @Test("by Ctrl-Z asks first while an alarm about the patient continues; only yes stops it")
    func asks() async throws {
        let world = try await World.simulated("steady")
        let script = """
            set -m; "$0" --connect all; echo "stopped with $?"; read line; fg; echo "ended with $?"
            """
        let shell = try await ProgramInTerminal.start(["-c", script, Harness.program], on: world, program: "/bin/bash")
        try await shell.waitForSteadyValues()
        try await world.please("temp 39.5")
        try await shell.waitFor("FEVER")
        await shell.press(.controlZ)
        try await shell.waitUntil("it asks") {
            $0.shows("Stop Bedside anyway?") && $0.shows("A stopped Bedside measures nothing")
        }
        await shell.type("n")
        try await shell.waitUntil("it goes on") { !$0.shows("Stop Bedside") && $0.shows("FEVER") }
        await shell.press(.controlZ)
        try await shell.waitFor("Stop Bedside anyway?")
        await shell.type("y")
        try await shell.waitFor("stopped with 148")
        #expect(await shell.damageToTerminal.isEmpty)
        await shell.press(.enter)
        try await shell.waitFor("FEVER")
        // What is typed while the shell hands the terminal over may be lost.
        try await shell.waitUntil("it has the keyboard again", pressing: "?") { $0.shows("HELP") }
        await shell.press(.escape)
        try await shell.waitUntil("the help is closed") { !$0.shows("HELP") }
        try await shell.quitWhenAsked()
        try await shell.waitFor("ended with 0")
        #expect(try await shell.waitForExit() == .exited(0))
    }
}
