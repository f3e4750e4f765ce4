import Foundation
import TestSupport
import Testing

/// What terminals do to programs; none of it may hurt the screen or what is left of the terminal afterwards.
@Suite("A terminal that makes trouble", .startsPrograms)
struct TerminalTroubleTests {
    @Test("by changing its size a thousand times shows at the end what it should")
    func resizeStorm() async throws {
        // Nothing but the clock moves where there is no bus.
        let bedside = try await ProgramInTerminal.start()
        try await bedside.waitFor("NO MESSAGE BUS")
        var random = SeededGenerator(seed: 6)
        for _ in 0..<1000 {
            let (columns, rows) = (Int.random(in: 1...250, using: &random), Int.random(in: 1...80, using: &random))
            await bedside.resize(columns: columns, rows: rows)
        }
        await bedside.resize(columns: 100, rows: 30)
        try await bedside.waitUntil("the frame is whole") {
            $0.lines[2].hasPrefix("─ ♥ HEART RATE ─") && $0.lines[2].hasSuffix("───")
                && $0.lines[29].hasPrefix(" a acknowledge ") && $0.lines[29].contains("q quit")
        }
        try await bedside.expectTrueScreen(marker: "after the storm")
        await bedside.send(signal: SIGTERM)
        #expect(try await bedside.waitForExit() == .exited(0))
        #expect(await bedside.damageToTerminal.isEmpty)
    }

    @Test("gives it back at Ctrl-Z, and has the screen again at fg")
    func suspends() async throws {
        let script = """
            set -m; "$0" --simulate=steady --connect all; echo "stopped with $?"; read line; fg; echo "ended with $?"
            """
        let shell = try await ProgramInTerminal.start(["-c", script, Harness.program], program: "/bin/bash")
        try await shell.waitForSteadyValues()
        await shell.press(.controlZ)
        try await shell.waitFor("stopped with 148")
        #expect(await shell.damageToTerminal.isEmpty)
        await shell.press(.enter)
        try await shell.waitForSteadyValues()
        #expect(await shell.screen.modes.isAlternateScreen)
        // What is typed while the shell hands the terminal over may be lost.
        try await shell.waitUntil("it has the keyboard again", pressing: "?") { $0.shows("HELP") }
        await shell.press(.escape)
        try await shell.waitUntil("the help is closed") { !$0.shows("HELP") }
        try await shell.quitWhenAsked()
        try await shell.waitFor("ended with 0")
        #expect(try await shell.waitForExit() == .exited(0))
        #expect(await shell.damageToTerminal.isEmpty)
    }

    @Test("by going away without a signal (end of input, input/output errors) ends the program")
    func goesAway() async throws {
        // With nohup it should outlive the hang-up, but it has no screen any more.
        let script = #"trap "" HUP; exec "$0" --simulate=steady"#
        let bedside = try await ProgramInTerminal.start(["-c", script, Harness.program], program: "/bin/sh")
        try await bedside.waitUntil("sensors are listed") { $0.row(of: Steady.strap) != nil }
        await bedside.hangUp()
        #expect(try await bedside.waitForExit() == .exited(129))
    }

    @Test("by taking nothing any more holds up no alarm, and shows the present as soon as it is read again")
    func hangs() async throws {
        let world = try await World.simulated("steady")
        let folder = try TemporaryFolder()
        let received = folder.path + "/received.jsonl"
        let bedside = try await ProgramInTerminal.start(
            [
                "--connect", Steady.thermometer, "--set", "alarms.hook=cat >>'\(received)'",
                "--set", "limits.body_temperature.high_delay=0s",
            ], on: world)
        try await bedside.waitFor("36.8")
        await bedside.stopReading()
        try await world.please("temp 38.7")
        try await world.waitUntil("the hook has received the fever") {
            (try? String(contentsOfFile: received, encoding: .utf8).contains("fever_single")) ?? false
        }
        await bedside.readAgain()
        try await bedside.waitUntil("the present is shown, in a whole frame") {
            $0.shows("38.7") && $0.shows("FEVER") && $0.lines[29].hasPrefix(" a acknowledge ")
                && $0.lines[29].contains("q quit") && $0.lines[0].contains("BEDSIDE")
        }
        // Ending it then does not wait for a line that hangs.
        await bedside.stopReading()
        await bedside.send(signal: SIGTERM)
        #expect(try await bedside.waitForExit() == .exited(0))
    }

    /// A folder whose `terminfo` holds the description of a terminal.
    private static func description(_ entry: String) async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let source = try folder.write(entry, to: "terminal.ti")
        let compiled = try await ProgramWithPipes.run(
            ["-x", "-o", folder.path + "/terminfo", source], program: "/usr/bin/tic")
        #expect(compiled.status == .exited(0), "\(compiled.errorOutput)")
        return folder
    }

    @Test(
        "or is of an unusual type is used within its abilities",
        arguments: ["vt100", "linux", "screen", "tmux-256color", "bare-ansi"])
    func types(type: String) async throws {
        // The terminals that `ansi` describes wrap as soon as the last column is written; emulators do so with the next
        // character, which ncurses must know, or it moves by a row less.
        let folder = try await Self.description("bare-ansi|ansi on an emulator, xenl, use=ansi,\n")
        let bedside = try await ProgramInTerminal.start(
            ["--simulate=steady", "--connect", "all"],
            environment: type == "bare-ansi"
                ? ["TERM": type, "TERMINFO": folder.path + "/terminfo"] : ["TERM": type],
            columns: 80, rows: 24)
        try await bedside.waitUntil("the values are shown") {
            $0.text.contains("72") && $0.text.contains("98") && $0.text.contains("36.8") && $0.text.contains("SENSORS")
        }
        await bedside.resize(columns: 60, rows: 16)
        try await bedside.waitUntil("a smaller screen is whole") { $0.lines[0].contains("BEDSIDE") }
        await bedside.send(signal: SIGTERM)
        #expect(try await bedside.waitForExit() == .exited(0))
        #expect(await bedside.damageToTerminal.isEmpty)
    }

    @Test("has colours that a terminal of direct colours understands")
    func directColors() async throws {
        let entry = """
            xterm-direct|xterm with direct colours of the tests,
            \tcolors#0x1000000, pairs#0x7FFF, RGB,
            \tsetab=\\E[%?%p1%{8}%<%t4%p1%d%e48;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m,
            \tsetaf=\\E[%?%p1%{8}%<%t3%p1%d%e38;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m,
            \tuse=xterm-256color,

            """
        let folder = try await Self.description(entry)
        let bedside = try await ProgramInTerminal.start(
            ["--simulate=steady", "--connect", "all"],
            environment: ["TERM": "xterm-direct", "TERMINFO": folder.path + "/terminfo"])
        try await bedside.waitForSteadyValues()
        let colors = Set(await bedside.screen.cells.flatMap { $0 }.map(\.foreground))
        #expect(colors.contains(.rgb(0x00D75F)), "the theme's colour of the heart rate")
        // An index of the palette taken for red, green and blue would be a dark blue.
        for case .rgb(let color) in colors where color < 0x100 {
            Issue.record("a colour that was not chosen: \(color)")
        }
        #expect(try await bedside.quit() == .exited(0))
        #expect(await bedside.damageToTerminal.isEmpty)
    }

    @Test("is refused with one sentence where it can show nothing", arguments: ["", "dumb", "no-such-terminal"])
    func refused(type: String) async throws {
        let bedside = try await ProgramInTerminal.start(["--simulate=steady"], environment: ["TERM": type])
        guard case .exited(let status) = try await bedside.waitForExit() else {
            Issue.record("the program was killed")
            return
        }
        #expect(status == 69)
        let screen = await bedside.screen
        #expect(screen.text.contains("bedside:"))
        #expect(!screen.modes.isAlternateScreen)
        #expect(await bedside.damageToTerminal.isEmpty)
    }

    @Test("on one side only is none", arguments: ["</dev/null", ">/dev/null", "</dev/null >/dev/null"])
    func halfTerminal(redirection: String) async throws {
        let script = #""$0" --simulate=steady \#(redirection); echo "ended with $?""#
        let shell = try await ProgramInTerminal.start(["-c", script, Harness.program], program: "/bin/sh")
        let screen = try await shell.waitFor("ended with 64")
        #expect(screen.shows("bedside watch"))
        #expect(!screen.modes.isAlternateScreen)
        #expect(try await shell.waitForExit() == .exited(0))
        #expect(await shell.damageToTerminal.isEmpty)
    }

    @Test("with another locale has its words in ASCII, whatever the sensor's name")
    func locale() async throws {
        // Where no character can be wide, ncurses has those that repeat repeated (REP), which libvterm 0.1 cannot do;
        // this type of terminal cannot either.
        let bedside = try await ProgramInTerminal.start(
            ["--simulate=steady", "--connect", "all"],
            environment: ["LANG": "C", "LC_ALL": "C", "TERM": "screen-256color"])
        try await bedside.waitUntil("the values are shown") { $0.text.contains("72") && $0.shows("HEART RATE") }
        await bedside.type("i")
        let screen = try await bedside.waitFor("CONNECTION HISTORY")
        #expect(screen.text.utf8.allSatisfy { $0 < 0x80 })
        await bedside.send(signal: SIGTERM)
        #expect(try await bedside.waitForExit() == .exited(0))
    }

    @Test("for a screen reader has its cursor on the selected row")
    func cursor() async throws {
        let bedside = try await ProgramInTerminal.start(["--simulate=steady"])
        try await bedside.waitUntil("sensors are listed") { screen in
            [Steady.strap, Steady.oximeter, Steady.thermometer].allSatisfy { screen.row(of: $0) != nil }
        }
        for key in [Key.down, .down, .up, .home] {
            await bedside.press(key)
            try await bedside.waitUntil("the cursor is where the pointer is") { screen in
                screen.lines.indices.contains(screen.cursor.row)
                    && screen.lines[screen.cursor.row].contains("▶")
            }
        }
        #expect(try await bedside.quit() == .exited(0))
    }
}
