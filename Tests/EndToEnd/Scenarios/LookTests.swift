import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Who makes the screen their own", .startsPrograms)
struct LookTests {
    private func folder(with text: String) throws -> (TemporaryFolder, [String: String]) {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/bedside/themes", withIntermediateDirectories: true)
        _ = try folder.write(text, to: "bedside/bedside.toml")
        return (folder, ["XDG_CONFIG_HOME": folder.path, "XDG_STATE_HOME": folder.path + "/state"])
    }

    @Test("finds a change on the page of settings hold at once, and in the file with the comments as they were")
    func settings() async throws {
        let (folder, environment) = try folder(with: "# ours\n[screen]\nunits = \"celsius\"   # for now\n")
        let bedside = try await ProgramInTerminal.start(
            ["--simulate=steady", "--connect", "all"], environment: environment)
        try await bedside.waitForSteadyValues()
        await bedside.type(",")
        _ = try await bedside.waitFor("SETTINGS")
        await bedside.press(.right)
        _ = try await bedside.waitFor("SETTINGS 1 not kept")
        // The key that quits closes the page first, and then asks while the change is not kept.
        await bedside.type("q")
        try await bedside.waitUntil("the page is closed") { !$0.shows("SETTINGS") }
        await bedside.type("q")
        _ = try await bedside.waitFor("1 changed setting is not kept.")
        await bedside.type("n,")
        _ = try await bedside.waitFor("SETTINGS 1 not kept")
        await bedside.type("s")
        _ = try await bedside.waitFor("Kept in")
        #expect(
            try String(contentsOfFile: folder.path + "/bedside/bedside.toml", encoding: .utf8)
                == "# ours\n[screen]\nunits = \"fahrenheit\"   # for now\n")
        await bedside.press(.escape)
        _ = try await bedside.waitFor("°F")
        #expect(try await bedside.quit() == .exited(0))
        #expect(await bedside.damageToTerminal.isEmpty)
    }

    @Test("is greeted once, on the very first start")
    func greeting() async throws {
        let (folder, environment) = try folder(with: "")
        defer { withExtendedLifetime(folder) {} }
        let first = try await ProgramInTerminal.start(environment: environment, isFirstStart: true)
        _ = try await first.waitFor("WELCOME")
        // Each key does what the card says, and closes it.
        await first.type("?")
        try await first.waitUntil("the card is gone") { $0.shows("HELP") && !$0.shows("WELCOME") }
        await first.type("q")
        try await first.waitUntil("the help is closed") { !$0.shows("HELP") }
        #expect(try await first.quit() == .exited(0))
        let second = try await ProgramInTerminal.start(environment: environment, isFirstStart: true)
        _ = try await second.waitFor("NO MESSAGE BUS")
        #expect(!(await second.screen.shows("WELCOME")))
    }

    @Test(
        "is greeted at the first simulated start, too, beside the numbers, and Enter connects while the card is shown")
    func simulatedGreeting() async throws {
        let (folder, environment) = try folder(with: "")
        defer { withExtendedLifetime(folder) {} }
        func start(_ options: [String]) async throws -> ProgramInTerminal {
            try await ProgramInTerminal.start(
                ["--simulate=steady"] + options, environment: environment, isFirstStart: true)
        }
        let first = try await start([])
        try await first.waitFor("These sensors are simulated.")
        // All of them, so that the list is at rest when Enter takes its first row.
        try await first.waitUntil("three sensors are listed below the card") {
            $0.sensorRows.count { $0.contains("nearby") } == 3
        }
        await first.press(.enter)
        try await first.waitUntil("it is connected, and the card gone") {
            !$0.shows("WELCOME") && $0.sensorRows.contains { $0.contains(" connected ") }
        }
        #expect(try await first.quit() == .exited(0))
        // Real sensors are another first time.
        let real = try await ProgramInTerminal.start(environment: environment, isFirstStart: true)
        try await real.waitFor("WELCOME")
        await real.send(signal: SIGTERM)
        let second = try await start(["--connect", "all"])
        try await second.waitForSteadyValues()
        #expect(!(await second.screen.shows("WELCOME")))
    }

    @Test("gives keys other commands, and clicks on them; the terminal is given back without the mouse")
    func keysAndMouse() async throws {
        let (folder, environment) = try folder(with: "[keys]\ntoggle_help = \"F1\"\n[screen]\nmouse = true\n")
        defer { withExtendedLifetime(folder) {} }
        let bedside = try await ProgramInTerminal.start(["--simulate=steady"], environment: environment)
        // The keys at the bottom are others, and elsewhere, until a sensor is found.
        let screen = try await bedside.waitUntil("the key for help is where it stays") { screen in
            screen.lines.last.map { $0.contains("Enter connect") && $0.contains("F1 help") } ?? false
        }
        let line = try #require(screen.lines.last)
        let range = try #require(line.range(of: "F1 help"))
        let column = line.distance(from: line.startIndex, to: range.lowerBound) + 1
        await bedside.type("\u{1B}[<0;\(column);30M")
        _ = try await bedside.waitFor("HELP")
        await bedside.press(.escape)
        try await bedside.waitUntil("the help is closed") { !$0.shows("HELP") }
        await bedside.type("\u{1B}OP")
        _ = try await bedside.waitFor("HELP")
        // Together with what follows it, Esc would be Alt.
        await bedside.press(.escape)
        try await bedside.waitUntil("the help is closed again") { !$0.shows("HELP") }
        #expect(try await bedside.quit() == .exited(0))
        #expect(await bedside.damageToTerminal.isEmpty)
    }

    @Test("takes a theme of their own from a file; one that hides an alarm is refused with its line")
    func themes() async throws {
        let (folder, environment) = try folder(with: "[screen]\ntheme = \"night\"\n")
        _ = try folder.write("[theme]\nheart_rate = \"#5fd787\"\n", to: "bedside/themes/night.toml")
        let listed = try await ProgramWithPipes.run(["config", "themes"], environment: environment)
        #expect(listed.output.contains("color-blind\tbuilt in\n"))
        #expect(listed.output.contains("night\t\(folder.path)/bedside/themes/night.toml\n"))
        #expect(try await ProgramWithPipes.run(["config", "check"], environment: environment).status == .exited(0))
        _ = try folder.write("[theme]\nalarm_low_ground = \"#ffd700\"\n", to: "bedside/themes/night.toml")
        let refused = try await ProgramWithPipes.run(["config", "check"], environment: environment)
        #expect(refused.status == .exited(78))
        #expect(
            refused.errorOutput.contains("night.toml:2:20: alarm_low_ground: alarms of medium priority could not be"))
        _ = try folder.write("[screen]\ntheme = \"nigth\"\n", to: "bedside/bedside.toml")
        let unknown = try await ProgramWithPipes.run(["config", "check"], environment: environment)
        #expect(unknown.errorOutput.contains("bedside.toml:2:9: theme: there is no theme \"nigth\""))
        #expect(unknown.errorOutput.contains("did you mean \"night\"?"))
    }

    @Test("changes at once with what is set: the window of the trends, the cursor, themes of their own in turn")
    func atOnce() async throws {
        let (folder, environment) = try folder(with: "")
        _ = try folder.write("[theme]\nheart_rate = \"#5fd787\"\n", to: "bedside/themes/night.toml")
        _ = try folder.write("[theme]\nheart_rate = \"mauve\"\n", to: "bedside/themes/broken.toml")
        let bedside = try await ProgramInTerminal.start(
            ["--simulate=steady", "--connect", "all", "--trend-window", "10m"], environment: environment)
        try await bedside.waitFor("last 10 min")
        #expect(!(await bedside.screen.modes.isCursorVisible))
        func step(_ setting: String, _ title: String, times: Int, to value: String) async throws {
            // The filter is still there from the last time.
            await bedside.type(",/\u{15}\(setting)\r")
            for _ in 0..<times { await bedside.press(.right) }
            try await bedside.waitUntil("\(setting) is \(value)") { screen in
                screen.lines.contains { $0.contains("▶ \(title) ") && $0.contains(value) }
            }
            await bedside.press(.escape)
            try await bedside.waitUntil("the page is closed") { !$0.shows("SETTINGS") }
        }
        try await step("trend_window", "Trend length", times: 1, to: "1 h")
        try await bedside.waitFor("last 1 h")
        try await step("show_cursor", "Visible cursor", times: 1, to: "on")
        try await bedside.waitUntil("the cursor is seen") { $0.modes.isCursorVisible }
        // Past the one that is wrong: auto, terminal, dark, light, high-contrast, color-blind, night.
        try await step("theme", "Theme", times: 6, to: "night")
        // Quitting asks while it is not kept.
        await bedside.type("q")
        try await bedside.waitFor("Quit anyway?")
        await bedside.type("y")
        #expect(try await bedside.waitForExit() == .exited(0))
        #expect(await bedside.damageToTerminal.isEmpty)
    }

    @Test(
        "has colours for the ground that the terminal answers, and a ground in each cell where it answers none",
        arguments: [
            ("rgb:ffff/ffff/ffff", nil, CellColor.standard, 28), ("rgb:0000/0000/0000", nil, .standard, 41),
            (nil, nil, .palette(232), 41), ("rgb:8080/8080/8080", nil, .palette(231), 28),
            // What the environment says is believed, and the terminal is not asked.
            ("rgb:0000/0000/0000", "0;15", .standard, 28),
        ] as [(String?, String?, CellColor, Int)])
    func ground(answer: String?, announced: String?, behind: CellColor, heartRate: Int) async throws {
        let bedside = try await ProgramInTerminal.start(
            ["--simulate=steady", "--connect", "all"],
            environment: announced.map { ["COLORFGBG": $0] } ?? [:], ground: answer)
        try await bedside.waitForSteadyValues()
        // On a busy computer the answer comes late.
        try await bedside.waitUntil("the colours are those for the ground") { screen in
            let grounds = Set(screen.cells.flatMap { $0 }.filter { $0.text == " " }.map(\.background))
            return grounds.contains(behind) && (behind == .standard || !grounds.contains(.standard))
                && screen.cells(of: "HEART RATE").allSatisfy {
                    $0.foreground == .palette(heartRate) && $0.background == behind
                }
        }
        #expect(await bedside.hasWritten("\u{1B}]11;?") == (announced == nil))
        #expect(try await bedside.quit() == .exited(0))
        #expect(await bedside.damageToTerminal.isEmpty)
    }

    @Test("finds the ground of the set-up's page chosen in the same way")
    func groundOfSetup() async throws {
        for (answer, behind) in [("rgb:ffff/ffff/ffff", CellColor.standard), (nil, .palette(232))] as [(String?, _)] {
            let setup = try await ProgramInTerminal.start(["setup"], ground: answer)
            try await setup.waitUntil("the first step stands on that ground") { screen in
                let cells = screen.cells(of: "1/9  This computer")
                return !cells.isEmpty && cells.allSatisfy { $0.background == behind }
            }
            await setup.send(signal: SIGTERM)
            #expect(try await setup.waitForExit() == .exited(0))
        }
    }
}
