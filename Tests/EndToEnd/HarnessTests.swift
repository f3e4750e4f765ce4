import Foundation
import TestSupport
import Testing

/// What the scenarios rest on, tried with programs that are known to be right or wrong.
@Suite("The harness", .startsPrograms)
struct HarnessTests {
    private func shell(_ script: String) async throws -> ProgramInTerminal {
        try await ProgramInTerminal.start(["-c", script], columns: 40, rows: 5, program: "/bin/sh")
    }

    @Test("shows what a program writes, where it writes it, and how")
    func screen() async throws {
        let program = try await shell(#"printf 'plain \033[1;31mbold red\033[0m\r\n♥ 36.8 °C'; exit 3"#)
        #expect(try await program.waitForExit() == .exited(3))
        let screen = await program.screen
        #expect(screen.lines == ["plain bold red", "♥ 36.8 °C", "", "", ""])
        #expect(screen.cells(of: "bold").allSatisfy { $0.isBold && $0.foreground == .palette(1) })
        #expect(screen.cells(of: "plain").allSatisfy { !$0.isBold && $0.foreground == .standard })
        #expect(await program.damageToTerminal.isEmpty)
    }

    @Test("types, resizes and sends signals to the program that leads the terminal")
    func input() async throws {
        let program = try await shell("read name; echo hello $name; trap 'stty size; exit 0' WINCH; echo ready; read x")
        await program.type("you\r")
        try await program.waitFor("hello you")
        try await program.waitFor("ready")
        await program.resize(columns: 61, rows: 7)
        // A shell takes the signal when `read` returns.
        await program.press(.enter)
        try await program.waitFor("7 61")
        #expect(try await program.waitForExit() == .exited(0))
    }

    @Test(
        "sees what a program leaves behind in the terminal",
        arguments: [
            (#"printf '\033[?1049h'"#, "the alternate screen is still shown"),
            (#"printf '\033[?25l'"#, "the cursor is hidden"),
            (#"printf '\033[?1000h'"#, "the mouse is still reported"),
            ("stty -echo", "the line settings are not those of before"),
        ])
    func damage(script: String, expected: String) async throws {
        let program = try await shell(script)
        #expect(try await program.waitForExit() == .exited(0))
        #expect(await program.damageToTerminal == [expected])
    }

    @Test("gives the program a controlling terminal: Ctrl-C and a closed window end it")
    func controllingTerminal() async throws {
        let interrupted = try await shell("echo ready; exec sleep 1000")
        try await interrupted.waitFor("ready")
        await interrupted.press(.controlC)
        #expect(try await interrupted.waitForExit() == .killed(signal: SIGINT))

        let hungUp = try await shell("echo ready; exec sleep 1000")
        try await hungUp.waitFor("ready")
        await hungUp.hangUp()
        #expect(try await hungUp.waitForExit() == .killed(signal: SIGHUP))
    }

    @Test("fails with what the screen shows when a condition is not met in time")
    func vainWait() async throws {
        let program = try await shell("echo something else; exec sleep 1000")
        try await program.waitFor("something else")
        let failure = await #expect(throws: HarnessError.self) {
            try await program.waitFor("this", within: .milliseconds(200))
        }
        #expect(failure?.description.contains("waited in vain until “this” stands on the screen") == true)
        #expect(failure?.description.contains("something else") == true)
    }

    @Test("reads lines, both streams and the status of a program with pipes")
    func pipes() async throws {
        let outcome = try await ProgramWithPipes.run(
            ["-c", "cat; echo careful >&2; exit 4"], input: "one\ntwo\n", program: "/bin/sh")
        #expect(outcome.status == .exited(4))
        #expect(outcome.output == "one\ntwo\n")
        #expect(outcome.errorOutput == "careful\n")

        let cat = try await ProgramWithPipes.start([], program: "/bin/cat")
        await cat.write("first\nsec")
        #expect(try await cat.nextLine() == "first")
        await cat.write("ond\n")
        #expect(try await cat.nextLine() == "second")
        await cat.closeInput()
        #expect(try await cat.nextLine() == nil)
    }

    @Test("leaves out of a back end only what Testing.md says, for the reason that it gives")
    func exceptions() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let article = try String(
            contentsOf: root.appendingPathComponent("Sources/Program/bedside/Bedside.docc/Testing.md"), encoding: .utf8)
        let rows = article.split(separator: "\n").drop { !$0.hasPrefix("| Scenario | Only in | Why |") }.dropFirst(2)
            .prefix { $0.hasPrefix("|") }.map(String.init)
        #expect(rows == OnlyIn.allCases.map { "| \($0.scenario) | \($0.backEnd) | \($0.reason) |" })
    }

    @Test("ends a program with its last reference")
    func cleanUp() async throws {
        var program: ProgramWithPipes? = try await ProgramWithPipes.start(["1000"], program: "/bin/sleep")
        let identifier = try #require(await program?.processIdentifier)
        #expect(kill(identifier, 0) == 0)
        program = nil
        // The harness's own loop does the ending; whatever is asked of it next comes after that.
        _ = try await ProgramWithPipes.run([], program: "/bin/true")
        #expect(kill(identifier, 0) == -1)
    }
}
