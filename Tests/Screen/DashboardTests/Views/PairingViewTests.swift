import Appearance
import Base
import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Dashboard

/// A ward whose thermometer is being paired.
private func ward(_ pairing: PairingState?) -> Ward {
    var ward = Ward()
    ward.ready()
    ward.find(Ward.core, signal: -58)
    ward.connect(Ward.core)
    if let pairing { ward.apply(.pairing(Ward.core, pairing)) }
    return ward
}

@Suite("Pairing on the screen")
struct PairingViewTests {
    private static let states: [(name: String, state: PairingState)] = [
        ("passkey", .passkey("042137", entered: 2)), ("confirm", .confirmPasskey("042137")),
        ("wanted", .passkeyWanted), ("pin-code", .pinCode("wolf 7")), ("authorize", .authorize),
        ("failed", .failed(reason: "The sensor refused to be paired. Put it into pairing mode, and try again.")),
    ]

    @Test("looks as it was approved, in large and small windows")
    func looks() throws {
        var picture = ""
        for (name, state) in Self.states {
            var ward = ward(state)
            if name == "wanted" { for key in "042" { _ = press(key, &ward) } }
            for (columns, rows) in [(80, 24), (45, 16), (20, 4)] {
                for glyphs in [GlyphSet.braille, .ascii] {
                    let grid = ward.drawn(columns, rows, glyphs)
                    picture += "== \(name) \(columns)x\(rows) \(glyphs.rawValue)\n"
                    picture += (0..<rows).map { grid.text(row: $0) + "\n" }.joined()
                }
            }
        }
        try expectGolden(picture, "pairing.txt")
    }

    private func press(_ key: Character, _ ward: inout Ward) -> ScreenWish? {
        guard let scalar = key.unicodeScalars.first else { return nil }
        return ward.screen.keyPressed(.character(scalar), in: ward.state, at: ward.now)
    }

    private func press(_ key: Key, _ ward: inout Ward) -> ScreenWish? {
        ward.screen.keyPressed(key, in: ward.state, at: ward.now)
    }

    private static let address = Ward.core.address

    @Test("a sensor that wants to be paired says so in its row, and B asks for it")
    func needed() {
        var ward = ward(.needed(reason: "The sensor does not answer."))
        let grid = ward.drawn(80, 24)
        #expect((0..<24).contains { grid.text(row: $0).contains("wants to be paired: B") })
        #expect(press("B", &ward) == nil)
        #expect(press("y", &ward) == .sensor(.pair(address: Self.address)))
    }

    private static let warning =
        "Only one app can have this transmitter. Paired with this computer, it sends nothing more to the phone's app."

    /// What a screen shows, as one line.
    private static func text(_ ward: inout Ward, _ columns: Int, _ rows: Int) -> String {
        let grid = ward.drawn(columns, rows)
        let lines = (0..<rows).map { grid.text(row: $0).filter { !"│┃".contains($0) } }
        return lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    }

    @Test("why it wants that is whole on its page and in the question, and in its row as far as there is room")
    func why() {
        var ward = ward(.needed(reason: Self.warning))
        #expect(!Self.text(&ward, 120, 40).contains("Only one app"))
        #expect(Self.text(&ward, 240, 60).contains("wants to be paired: B · Only one app can have this transmitter"))
        _ = press("B", &ward)
        for (columns, rows) in [(80, 24), (120, 40)] {
            #expect(Self.text(&ward, columns, rows).contains(Self.warning))
        }
        _ = press("n", &ward)
        _ = press("i", &ward)
        for (columns, rows) in [(60, 24), (80, 24), (120, 40)] {
            #expect(Self.text(&ward, columns, rows).contains("Pairing \(Self.warning)"), "\(columns) columns")
        }
    }

    @Test("what pairing with a transmitter takes away is on its page before it is connected")
    func beforehand() {
        var ward = Ward()
        ward.ready()
        ward.find(SensorIdentity(address: "C0:52:49:00:00:46", name: "Dexcom56", kind: .continuousGlucose), signal: -58)
        _ = press("i", &ward)
        #expect(Self.text(&ward, 80, 24).contains("Pairing A transmitter may serve one app only"))
    }

    @Test("a question is answered with y or n, and nothing else happens")
    func confirmed() {
        var ward = ward(.confirmPasskey("042137"))
        #expect(press("q", &ward) == nil && press(Key.enter, &ward) == nil)
        #expect(press("a", &ward) == .patient(.acknowledgeAll))
        #expect(press("y", &ward) == .sensor(.answerPairing(address: Self.address, .yes)))
        #expect(press("n", &ward) == .sensor(.answerPairing(address: Self.address, .no)))
        #expect(press(Key.escape, &ward) == .sensor(.cancelPairing(address: Self.address)))
    }

    @Test("six digits are typed, corrected and confirmed; letters are ignored")
    func typed() {
        var ward = ward(.passkeyWanted)
        for key in "04213x9" { #expect(press(key, &ward) == nil) }
        #expect(press(Key.backspace, &ward) == nil && press(Key.enter, &ward) == nil)
        #expect(press("7", &ward) == nil)
        #expect(press(Key.enter, &ward) == .sensor(.answerPairing(address: Self.address, .text("042137"))))
        #expect(ward.screen.dialogs.pairingPrompt == nil)
    }

    @Test("what it came to stays until it is closed, and the same again is shown again")
    func closed() {
        var ward = ward(.succeeded)
        #expect(PairingView(scene: Scene(state: ward.state, screen: ward.screen, now: ward.now)) != nil)
        #expect(press(Key.enter, &ward) == nil)
        #expect(PairingView(scene: Scene(state: ward.state, screen: ward.screen, now: ward.now)) == nil)
        // Until it is answered, the result of the former pairing does not come back.
        #expect(press("B", &ward) == nil)
        #expect(PairingView(scene: Scene(state: ward.state, screen: ward.screen, now: ward.now)) == nil)
        #expect(press("y", &ward) == .sensor(.pair(address: Self.address)))
        #expect(PairingView(scene: Scene(state: ward.state, screen: ward.screen, now: ward.now)) != nil)
    }

    @Test("once it is over, the key that quits closes it")
    func quits() {
        var ward = ward(.failed(reason: "It failed."))
        #expect(press("q", &ward) == nil)
        #expect(PairingView(scene: Scene(state: ward.state, screen: ward.screen, now: ward.now)) == nil)
        #expect(ward.screen.dialogs.inputLine == nil)
    }

    @Test("text from the air cannot do harm")
    func harmless() {
        let ward = ward(.pinCode("\u{1B}[2J\u{202E}x"))
        let grid = ward.drawn(80, 24)
        for row in 0..<24 {
            #expect(!grid.text(row: row).unicodeScalars.contains { $0.value < 32 || $0 == "\u{202E}" })
        }
    }
}

@Suite("Alarms while a pairing takes the screen")
struct PairingAlarmTests {
    private func ward(_ pairing: PairingState) -> Ward {
        var ward = Ward.high()
        ward.apply(.pairing(Ward.core, pairing))
        return ward
    }

    @Test(
        "are acknowledged, silenced and listed",
        arguments: [
            PairingState.passkey("042137", entered: 0), .confirmPasskey("042137"), .passkeyWanted, .authorize, .started,
        ])
    func keys(pairing: PairingState) {
        var ward = ward(pairing)
        #expect(ward.press(.character("a")) == .patient(.acknowledgeAll))
        #expect(ward.press(.character("p")) == .patient(.pauseAudio(nil)))
        #expect(ward.press(.character("A")) == nil)
        let grid = ward.drawn(80, 24)
        #expect((0..<24).contains { grid.text(row: $0).contains("─ ALARMS ─") })
        // Esc closes the page, and not the pairing behind it.
        #expect(ward.press(.escape) == nil)
        #expect(ward.screen.pairedSensor(in: ward.state) != nil)
    }

    @Test("are letters where a code is typed")
    func letters() {
        var ward = ward(.pinCodeWanted)
        #expect(ward.press(.character("a")) == nil)
        #expect(ward.screen.dialogs.pairingPrompt?.text == "a")
    }
}
