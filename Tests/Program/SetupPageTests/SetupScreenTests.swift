import Appearance
import Configuration
import Dashboard
import Doctor
import SetupPage
import TestSupport
import Testing
import Vitals

/// The page, by its keys and its pictures.
@Suite("The page of the first evening")
struct SetupScreenTests {
    private static let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Strap", kind: .heartRateStrap)

    private func screen(_ file: String = "", isTrial: Bool = false) throws -> SetupScreen {
        var screen = SetupScreen(
            try SetupState(ConfigurationDocument(file)), path: "~/bedside.toml",
            commands: [.login: ["systemctl --user enable --now bedside"], .boot: ["loginctl enable-linger"]],
            isTrial: isTrial)
        screen.found([])
        screen.heard([SetupScreen.HeardSensor(Self.strap, strength: -60, isTaken: false)], trouble: nil)
        return screen
    }

    private func text(_ screen: SetupScreen, _ columns: Int = 80, _ rows: Int = 24) -> String {
        let grid = drawSetup(screen, size: (columns, rows))
        return (0..<grid.rows).map { grid.text(row: $0) }.joined(separator: "\n")
    }

    /// Presses keys: characters, and ↓ ↑ → for arrows, ⏎ for Enter, ⇥ for Tab, ⌫ for Backspace.
    private func press(_ keys: String, _ screen: inout SetupScreen) -> [SetupScreen.Wish] {
        keys.unicodeScalars.compactMap { scalar in
            let key: Key =
                switch scalar {
                case "↓": .down
                case "↑": .up
                case "→": .right
                case "⏎": .enter
                case "⇥": .tab
                case "⌫": .backspace
                default: .character(scalar)
                }
            return screen.keyPressed(key)
        }
    }

    @Test("arrows and Enter are enough for all of it")
    func walk() throws {
        var screen = try screen()
        #expect(press("⇥", &screen) == [])
        #expect(text(screen).contains("[ ] Strap"))
        // The strap gets a name, the bed a label; the unit changes.
        _ = press("⏎Ada⏎", &screen)
        #expect(text(screen).contains("[x] Ada"))
        _ = press("⏎", &screen)
        _ = press("⏎Bed 12⏎↓⏎", &screen)
        _ = press("→⇥", &screen)
        // Under chemotherapy, and one number of the doctor's.
        _ = press("↓↓⏎", &screen)
        _ = press("↓⏎⌫⌫48⏎⇥", &screen)
        #expect(press("↓↓↓⏎↓⏎", &screen) == [.playTone, .ringBell])
        _ = press("⇥↓⏎", &screen)
        let review = text(screen, 100, 60)
        for line in [
            "[screen]", "bed = \"Bed 12\"", "units = \"fahrenheit\"", "[limits.heart_rate]", "low = 48",
            "[limits.pulse_rate]", "connect Ada (C0:52:49:00:00:02)", "loginctl enable-linger",
        ] { #expect(review.contains(line), "\(line) in\n\(review)") }
        #expect(press("⏎", &screen) == [.write])
        let settings = screen.state.settings
        #expect(settings.screen.bed == "Bed 12" && settings.screen.units == .fahrenheit)
        #expect(settings.monitor.limits.heartRate.low.value == VitalValue(whole: 48))
        #expect(settings.monitor.limits.pulseRate.low.value == VitalValue(whole: 48))
        #expect(screen.state.newSensors.map(\.label) == ["Ada"])
    }

    @Test("says in yellow that nothing was heard yet, from the step about alarms until a tone was played")
    func sound() throws {
        var screen = try screen()
        for step in SetupStep.allCases {
            let isWarned = text(screen).contains("NO SOUND HEARD YET")
            #expect(isWarned == (step.rawValue >= SetupStep.alarms.rawValue), "\(step)")
            var heard = screen
            heard.hasSounded = true
            #expect(!text(heard).contains("NO SOUND"))
            _ = press("s", &screen)
        }
    }

    @Test("one key chooses all sensors that are heard; at the first start q leads to the screen")
    func first() throws {
        var screen = SetupScreen(
            try SetupState(ConfigurationDocument("")), path: "~/bedside.toml", commands: [:], isFirstStart: true)
        screen.found([])
        screen.heard([SetupScreen.HeardSensor(Self.strap, strength: -60, isTaken: false)], trouble: nil)
        #expect(text(screen).contains("not a medical device") && text(screen).contains("to the screen"))
        #expect(press("q", &screen) == [.quit])
        _ = press("⇥a", &screen)
        #expect(text(screen).contains("[x] Strap"))
    }

    @Test("a value that is not allowed says why, and stays to be corrected")
    func refused() throws {
        var screen = try screen()
        _ = press("ssssss", &screen)
        _ = press("↓", &screen)
        #expect(screen.state.step == .alarms)
        _ = press("b", &screen)
        // Low above high.
        _ = press("↓⏎⌫⌫130⏎", &screen)
        #expect(text(screen).contains("must be below") || text(screen).contains("must be above"))
        _ = press("⌫⌫⌫55⏎⇥", &screen)
        #expect(screen.state.settings.monitor.limits.heartRate.low.value == VitalValue(whole: 55))
    }

    @Test("what is taken back stands there again, and is not in the file unless it is taken once more")
    func back() throws {
        var screen = try screen()
        _ = press("ss⏎Bed 12⏎⇥→⇥", &screen)
        #expect(screen.state.step == .profile && screen.state.values.count == 2)
        _ = press("bb", &screen)
        #expect(screen.state.step == .patient && screen.state.values.isEmpty)
        #expect(text(screen).contains("Bed 12"))
        // Nor is what was half answered lost by looking back.
        _ = press("⏎Bed 13⇥b⇥", &screen)
        #expect(text(screen).contains("Bed 13"))
        _ = press("⏎Bed 12⇥", &screen)
        var skipped = screen
        _ = press("ss", &skipped)
        #expect(skipped.state.values.isEmpty)
        _ = press("⇥⇥", &screen)
        #expect(screen.state.settings.screen.bed == "Bed 12" && screen.state.settings.screen.units == .fahrenheit)
    }

    @Test("a trial goes the whole way labelled, shows what would be written, and ends without it")
    func trial() throws {
        var screen = try screen(isTrial: true)
        var facts = Facts()
        facts.bluetooth.bus = .absent(reason: "none")
        screen.found(Report(facts).checks)
        #expect(text(screen).contains("SIMULATED") && text(screen).contains("This trial needs none of it"))
        #expect(press("s⏎Ada⏎⏎sssss⏎", &screen) == [])
        let review = text(screen, 100, 60)
        for words in ["nothing will be", "connect Ada", "systemctl --user enable --now bedside", "SIMULATED"] {
            #expect(review.contains(words), "\(words) in\n\(review)")
        }
        #expect(!review.contains("Write it"))
        #expect(press("⏎", &screen) == [.quit])
    }

    @Test("it asks before it leaves answers unwritten, and only then")
    func quit() throws {
        var screen = try screen()
        #expect(press("q", &screen) == [.quit])
        screen = try self.screen()
        _ = press("s⏎Ada⏎", &screen)
        #expect(press("qn", &screen) == [])
        #expect(press("qy", &screen) == [.quit])
    }

    @Test("a child's step says that the numbers are not a child's")
    func child() throws {
        var screen = try screen()
        _ = press("ssss↓", &screen)
        #expect(text(screen).contains("no limits for children"))
        _ = press("⏎", &screen)
        #expect(text(screen, 120, 40).contains("NOT a child's"))
        #expect(screen.state.values.isEmpty)
    }

    @Test("a problem shows the command that helps, and hostile names nothing but letters")
    func hostile() throws {
        var facts = Facts()
        facts.bluetooth.bus = .yes
        facts.bluetooth.daemon = .absent(reason: "")
        var screen = try screen()
        screen.found(Report(facts).checks)
        #expect(text(screen).contains("sudo systemctl"))
        let name = SensorIdentity(address: "C0:52:49:00:00:09", name: "\u{1B}]0;x\u{7}\u{202E}evil", kind: .oximeter)
        screen.heard([SetupScreen.HeardSensor(name, strength: nil, isTaken: true)], trouble: nil)
        _ = press("s", &screen)
        let shown = text(screen)
        #expect(shown.contains("evil"))
        #expect(
            shown.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7F && $0 != "\u{202E}" })
    }

    @Test(
        "random keys at random sizes keep the selected row and the answers, and only the last step writes", .computing)
    func random() throws {
        var random = SeededGenerator(seed: 5)
        let keys: [Key] = [
            .up, .down, .left, .right, .enter, .tab, .escape, .backspace, .pageDown, .home, .end, .character("s"),
            .character("b"), .character("q"), .character("1"), .character(" "), .pasted("\n"), .other,
        ]
        var screen = try screen()
        for _ in 0..<RandomCases.count("BEDSIDE_KEYS", usually: 300) {
            let step = screen.state.step
            let wish = screen.keyPressed(keys[Int.random(in: 0..<keys.count, using: &random)])
            if wish == .write { #expect(step == .review && !screen.state.changesNothing) }
            let size = (Int.random(in: 0...130, using: &random), Int.random(in: 0...45, using: &random))
            let grid = drawSetup(screen, size: size)
            #expect(grid.columns == size.0 && grid.rows == size.1)
            if size.0 >= 20, size.1 >= 4 { #expect(grid.cursor != nil, "\(size) \(screen.state.step)") }
            #expect(screen.state.settings.contradiction == nil)
        }
    }
}
