import Foundation
import Glibc
import TestSupport
import Testing

/// `bedside setup`, as a family and as an administrator use it.
@Suite("The first evening", .startsPrograms)
struct SetupTests {
    /// An account with a service manager that notes what it is asked to do.
    private struct Account {
        let folder: TemporaryFolder
        var path: String { folder.path }
        var file: String { path + "/config/bedside/bedside.toml" }
        var unit: String { path + "/config/systemd/user/bedside.service" }
        var store: String { path + "/data/bedside/simulated/store.sqlite" }

        init() throws {
            folder = try TemporaryFolder()
            try FileManager.default.createDirectory(atPath: path + "/bin", withIntermediateDirectories: true)
            for name in ["systemctl", "loginctl"] {
                try FileManager.default.createSymbolicLink(
                    atPath: path + "/bin/\(name)", withDestinationPath: Peer.path("service-manager"))
            }
        }

        var environment: [String: String] {
            [
                "XDG_CONFIG_HOME": path + "/config", "XDG_DATA_HOME": path + "/data",
                "XDG_STATE_HOME": path + "/state", "PATH": "\(path)/bin:/usr/local/bin:/usr/bin:/bin",
            ]
        }

        /// All files of the account but those that it begins with.
        var files: [String] {
            (FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []).filter { name in
                var isFolder = ObjCBool(false)
                _ = FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder)
                return !isFolder.boolValue && !name.hasPrefix("bin/") && name != "broken" && name != "answers.toml"
            }
        }

        func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

        func start(_ world: World, columns: Int = 80, rows: Int = 24) async throws -> ProgramInTerminal {
            try await ProgramInTerminal.start(
                ["setup"], on: world, environment: environment, columns: columns, rows: rows)
        }
    }

    @Test(
        "a family names a sensor and the bed, and the next start connects it under its name; a second run has nothing to do"
    )
    func family() async throws {
        let (world, account) = (try await World.simulated("steady"), try Account())
        let setup = try await account.start(world)
        try await setup.waitFor("1/9  This computer")
        try await setup.waitUntil("it was looked at, and the data are labelled") {
            !$0.shows("Looking at") && $0.shows("SIMULATED")
        }
        await setup.press(.tab)
        // With all three the rows stay where they are. Each key is pressed once: one more would leave the sensors.
        try await setup.waitUntil("all sensors are heard") { $0.lines.count { $0.contains("[ ]") } == 3 }
        let rows = await setup.screen.lines.filter { $0.contains("[ ]") }
        let row = try #require(rows.firstIndex { $0.contains(Steady.strap) })
        // What is selected stays selected while rows come: it was the last one where nothing had been heard yet.
        for _ in rows { await setup.press(.up) }
        for _ in 0..<row { await setup.press(.down) }
        try await setup.waitUntil("the strap is selected") {
            $0.lines.contains { $0.contains("▶") && $0.contains(Steady.strap) }
        }
        await setup.type("\rAda's strap\r")
        try await setup.waitFor("[x] Ada's strap")
        await setup.press(.tab)
        try await setup.waitFor("3/9")
        await setup.type("\rBed 12\r\t")
        try await setup.waitFor("4/9")
        await setup.press(.right)
        await setup.press(.tab)
        try await setup.waitFor("5/9")
        await setup.type("\r\t\t")
        try await setup.waitFor("8/9")
        #expect(account.files == [])
        await setup.type("\r")
        try await setup.waitFor("9/9")
        try await setup.waitFor("bed = \"Bed 12\"")
        #expect(account.files == [])
        await setup.type("\r")
        #expect(try await setup.waitForExit() == .exited(0))
        let text = try account.text(account.file)
        #expect(text.contains("units = \"fahrenheit\"") && text.contains("# A label that is shown beside the title"))
        #expect(
            try account.text(account.path + "/calls")
                == "systemctl --user daemon-reload\nsystemctl --user enable --now bedside\n")
        #expect(try account.text(account.unit).contains(" record --sound\n"))

        // What was remembered holds at the next start.
        let bedside = try await ProgramInTerminal.start(
            on: world, environment: account.environment)
        try await bedside.waitUntil("the strap is connected under its name") {
            $0.row(of: "Ada's strap", says: "connected") && $0.shows("Bed 12")
        }
        #expect(try await bedside.quit() == .exited(0))

        let again = try await account.start(world, columns: 40, rows: 20)
        try await again.waitFor("1/9")
        await again.press(.tab)
        try await again.waitFor("[x] Ada's strap")
        await again.press(.tab)
        try await again.waitFor("Bed 12")
        await again.type("sssssss")
        try await again.waitFor("Nothing changes.")
        await again.type("\r")
        #expect(try await again.waitForExit() == .exited(0))
        #expect(try account.text(account.file) == text)
    }

    @Test(
        "begins by itself where nothing is configured: three sensors, the bed and a tone that is heard in twenty keys, and the screen"
    )
    func firstStart() async throws {
        let (world, account, card) = (try await World.simulated("steady"), try Account(), try SoundCard())
        let environment = account.environment.merging(card.environment) { $1 }
        let bedside = try await ProgramInTerminal.start(
            on: world, environment: environment, isFirstStart: true)
        var count = 0
        func press(_ keys: Key...) async {
            for key in keys { await bedside.press(key) }
            count += keys.count
        }
        func type(_ text: String) async {
            await bedside.type(text)
            count += text.count
        }
        try await bedside.waitUntil("it was looked at, and says what is begun") {
            $0.shows("1/9") && !$0.shows("Looking at") && $0.shows("first start")
                && $0.shows("not a medical device")
        }
        await press(.tab)
        try await bedside.waitUntil("all sensors are heard") { $0.lines.count { $0.contains("[ ]") } == 3 }
        await type("a")
        try await bedside.waitUntil("all are chosen") { $0.lines.count { $0.contains("[x]") } == 3 }
        await press(.tab)
        try await bedside.waitFor("3/9")
        await type("\r12\r\t")
        try await bedside.waitFor("4/9")
        await type("s")
        try await bedside.waitFor("5/9")
        await type("\r")
        try await bedside.waitFor("6/9")
        await press(.tab)
        try await bedside.waitFor("7/9")
        #expect(await bedside.screen.shows("NO SOUND HEARD YET"))
        await press(.down, .down, .down)
        await type("\r")
        try await bedside.waitUntil("a tone was played, and nothing is yellow") {
            $0.shows("Did you hear it?") && !$0.shows("NO SOUND HEARD YET")
        }
        #expect(card.isHeard)
        await press(.tab)
        try await bedside.waitFor("8/9")
        await type("s")
        try await bedside.waitFor("9/9")
        await type("\r")
        try await bedside.waitUntil("three sensors measure on the screen of the bed") {
            $0.shows("BEDSIDE  12") && !$0.shows("SETUP") && !$0.shows("WELCOME")
        }
        try await bedside.waitForSteadyValues()
        #expect(count <= 20, "\(count) keys")
        print("The first evening took \(count) keys")
        #expect(try account.text(account.file).contains("bed = \"12\""))
        #expect(try await bedside.quit() == .exited(0))

        let second = try await ProgramInTerminal.start(on: world, environment: environment, isFirstStart: true)
        try await second.waitUntil("the screen is there at once") { $0.shows("36.8") && !$0.shows("SETUP") }
        #expect(try await second.quit() == .exited(0))
    }

    @Test("is left by one key for the screen, and by Ctrl-C for good; both write no settings")
    func firstStartLeft() async throws {
        let (world, account) = (try await World.simulated("steady"), try Account())
        func start() async throws -> ProgramInTerminal {
            let bedside = try await ProgramInTerminal.start(
                on: world, environment: account.environment, isFirstStart: true)
            try await bedside.waitFor("1/9")
            return bedside
        }
        let interrupted = try await start()
        await interrupted.press(.controlC)
        #expect(try await interrupted.waitForExit() == .exited(0))
        #expect(await interrupted.damageToTerminal == [])
        #expect(account.files == [])
        let left = try await start()
        await left.type("q")
        try await left.waitFor("WELCOME")
        #expect(try await left.quit() == .exited(0))
        #expect(!account.files.contains { $0.hasSuffix("bedside.toml") })
    }

    @Test("a trial needs no sensor and no bus, is labelled, and leaves no file behind")
    func trial() async throws {
        let account = try Account()
        let setup = try await ProgramInTerminal.start(
            ["setup", "--simulate=steady"], environment: account.environment)
        try await setup.waitUntil("it was looked at, and is labelled") {
            !$0.shows("Looking at") && $0.shows("SIMULATED")
        }
        await setup.press(.tab)
        try await setup.waitUntil("all sensors are heard") { $0.lines.count { $0.contains("[ ]") } == 3 }
        for _ in 0..<3 { await setup.press(.up) }
        await setup.type(" \t\rBed 12\r\tssss\r")
        try await setup.waitUntil("it shows what it would write") {
            $0.shows("9/9") && $0.shows("nothing will be") && $0.shows("connect ") && $0.shows("bed = \"Bed 12\"")
                && $0.shows("SIMULATED")
        }
        await setup.type("\r")
        #expect(try await setup.waitForExit() == .exited(0))
        #expect(account.files == [])

        let answers = try account.folder.write("[setup]\nstart = \"login\"\n", to: "answers.toml")
        let printed = try await ProgramWithPipes.run(
            ["setup", "--simulate", "--answers", answers], environment: account.environment)
        #expect(printed.status == .exited(0) && printed.output.contains("Nothing was written (--simulate)"))
        let unknown = try await ProgramWithPipes.run(["setup", "--simulate=nothing", "--answers", answers])
        #expect(unknown.status == .exited(66), "\(unknown.errorOutput)")
        #expect(account.files == [])
    }

    @Test("Ctrl-C in any step, and a terminal that is closed, leave nothing changed", arguments: [0, 1, 3, 8])
    func interrupted(steps: Int) async throws {
        let (world, account) = (try await World.simulated("steady"), try Account())
        let setup = try await account.start(world)
        try await setup.waitFor("1/9")
        if steps >= 3 { await setup.type("ss\rBed 12\r\t") }
        await setup.type(String(repeating: "s", count: steps >= 3 ? steps - 3 : steps))
        try await setup.waitFor("\(steps + 1)/9")
        if steps == 1 {
            await setup.hangUp()
            #expect(try await setup.waitForExit() == .exited(129))
        } else {
            await setup.press(.controlC)
            #expect(try await setup.waitForExit() == .exited(0))
            #expect(await setup.damageToTerminal == [])
        }
        #expect(account.files == [])
        #expect(try await world.connectedSensors() == 0)
    }

    @Test(
        "an administrator's answers do the same without a screen; what was there stays, and a wrong answer writes nothing"
    )
    func answers() async throws {
        let (world, account) = (try await World.simulated("steady"), try Account())
        func run(_ text: String, _ more: String...) async throws -> ProgramWithPipes.Outcome {
            let answers = try account.folder.write(text, to: "answers.toml")
            return try await ProgramWithPipes.run(
                ["setup", "--answers", answers] + more, on: world, environment: account.environment)
        }
        let text = """
            [setup]
            profile = "chemotherapy"
            start = "boot"
            sensors = [{ address = "C0:52:49:00:00:02", label = "Ada" }]

            [screen]
            bed = "Bed 12"

            """
        for (broken, sentence) in [
            (text.replacing("boot", with: "boots"), "answers.toml:3:9: start: expected one of"),
            (text + "units = \"kelvin\"\n", "answers.toml:8:9: units: "),
            (text + "[limits.spo2]\nlow = 80\n", "answers.toml:9:7: low: "),
        ] {
            let outcome = try await run(broken)
            #expect(outcome.status == .exited(65))
            #expect(outcome.errorOutput.contains(sentence), "\(outcome.errorOutput)")
            #expect(outcome.output.isEmpty && account.files == [])
        }
        let shown = try await run(text, "--dry-run")
        #expect(shown.status == .exited(0) && account.files == [])
        #expect(shown.output.contains("loginctl enable-linger") && shown.output.contains("connect Ada"))

        try FileManager.default.createDirectory(
            atPath: account.path + "/config/bedside", withIntermediateDirectories: true)
        let old = "# ours\n[screen]\nbed = \"Bed 3\"   # by the window\n"
        _ = try account.folder.write(old, to: "config/bedside/bedside.toml")
        let done = try await run(text)
        #expect(done.status == .exited(0), "\(done.errorOutput)")
        #expect(try account.text(account.file).hasPrefix(old.replacing("Bed 3", with: "Bed 12")))
        #expect(try account.text(account.path + "/calls").hasSuffix("loginctl enable-linger\n"))
        #expect(
            try await SQLiteTool.rows("SELECT address, label, wanted FROM remembered_sensor", in: account.store)
                == [["C0:52:49:00:00:02", "Ada", "1"]])

        // A command that fails is named, and the settings are written all the same.
        _ = try account.folder.write("", to: "broken")
        let failed = try await run(text.replacing("Bed 12", with: "Bed 14"))
        #expect(failed.status == .exited(71))
        #expect(failed.errorOutput.contains("try it yourself: systemctl --user daemon-reload"))
        #expect(try account.text(account.file).contains("bed = \"Bed 14\""))
    }

    @Test("without a terminal it says how else")
    func noTerminal() async throws {
        let outcome = try await ProgramWithPipes.run(["setup"])
        #expect(outcome.status == .exited(64) && outcome.errorOutput.contains("--answers FILE"))
        let missing = try await ProgramWithPipes.run(["setup", "--answers", "/nonexistent"])
        #expect(missing.status == .exited(66) && missing.errorOutput.contains("There is no file /nonexistent"))
    }
}
