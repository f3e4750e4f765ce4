import Appearance
import TestSupport
import Testing
import Vitals

@testable import Dashboard

@Suite("The greeting of the first start")
struct WelcomeViewTests {
    private func text(_ ward: Ward, _ columns: Int = 80, _ rows: Int = 24) -> String {
        let grid = ward.drawn(columns, rows)
        return (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
    }

    @Test("says what Bedside is not, how to begin, and the keys as they are bound")
    func text() {
        var ward = Ward.welcome()
        ward.screen.keys[.pauseAudio] = [.function(9)]
        let text = text(ward)
        #expect(text.contains("not a medical device"))
        #expect(text.contains("most straps wake up only when worn"))
        #expect(text.contains("[F9] pause the sound"))
    }

    @Test("each key that it names does what it says while it is shown, and closes it; so does any other")
    func keysWork() {
        func pressed(_ key: Key) -> (ScreenWish?, Ward) {
            var ward = Ward.welcome()
            ward.find(Ward.strap, signal: -60)
            let wish = ward.press(key)
            return (wish, ward)
        }
        #expect(pressed(.enter).0 == .sensor(.connect(address: Ward.strap.address)))
        #expect(pressed(.character("a")).0 == .patient(.acknowledgeAll))
        #expect(pressed(.character("p")).0 == .patient(.pauseAudio(nil)))
        #expect(pressed(.character("q")).0 == .quit)
        #expect(pressed(.character("l")).1.screen.pages.current == .limits)
        #expect(pressed(.character(",")).1.screen.pages.current == .settings)
        #expect(pressed(.character("?")).1.screen.pages.help != nil)
        for key: Key in [.enter, .character("a"), .character("l"), .escape, .character("E"), .down] {
            #expect(!text(pressed(key).1).contains("WELCOME"))
        }
        // A key that only closes it is not said to do nothing.
        #expect(pressed(.escape).1.screen.dialogs.message == nil)
    }

    @Test("where several sensors of the bed are there, Enter connects them all, and none of another bed's")
    func connectsAll() {
        var ward = Ward.welcome()
        let farStrap = SensorIdentity(address: "C0:52:49:00:00:42", name: "Polar H10 next door", kind: .heartRateStrap)
        for (sensor, signal) in [(Ward.strap, -60), (farStrap, -85), (Ward.oximeter, -70), (Ward.core, -55)] {
            ward.find(sensor, signal: signal)
        }
        ward.screen.prepare(for: ward.state, size: (100, 30), at: ward.now)
        #expect(text(ward, 100, 30).contains("Enter connects"))
        #expect(!text(ward, 100, 30).contains("next door, "))
        guard case .connect(let addresses) = ward.press(.enter) else {
            Issue.record("Enter connects nothing")
            return
        }
        #expect(Set(addresses) == Set([Ward.strap, Ward.oximeter, Ward.core].map(\.address)))
        #expect(!ward.screen.dialogs.showsWelcome)
    }

    @Test("a key that it does not name closes it and does nothing else")
    func otherKeys() {
        for key in Set(KeyBinding.table.flatMap(\.keys)) {
            guard let command = KeyMap.usual.command(for: key, on: nil), !WelcomeView.names(command) else { continue }
            var ward = Ward.welcome()
            ward.find(Ward.strap, signal: -60)
            ward.connect(Ward.strap)
            var expected = ward
            expected.screen.dialogs.showsWelcome = false
            expected.screen.prepare(for: ward.state, size: (80, 24), at: ward.now)
            #expect(ward.press(key) == nil, "\(key)")
            ward.screen.prepare(for: ward.state, size: (80, 24), at: ward.now)
            #expect(text(ward) == text(expected), "\(key)")
            #expect(ward.screen.dialogs.message == nil && ward.screen.dialogs.inputLine == nil)
        }
    }

    @Test("the keys of alarms close it and do what they do everywhere")
    func alarmKeys() {
        var ward = Ward.welcomeWithAlarm()
        #expect(ward.press(.character("a")) == .patient(.acknowledgeAll))
        #expect(!text(ward).contains("WELCOME"))
    }

    @Test(
        "beside live numbers it is in the lower part, and covers neither them nor alarms nor keys", .computing,
        arguments: [0, 2])
    func besideNumbers(alarmCount: Int) throws {
        var ward = alarmCount == 0 ? Ward.live(seconds: 20) : Ward.several()
        ward.screen.pages = Pages()
        for (columns, rows) in [(80, 24), (100, 30), (120, 40), (200, 60)] {
            ward.screen.dialogs.showsWelcome = true
            #expect(text(ward, columns, rows).contains("not a medical device"), "\(columns) × \(rows)")
        }
        for columns in RandomCases.share(4, of: stride(from: 10, through: 200, by: 5)) {
            for rows in stride(from: 3, through: 60, by: 3) {
                ward.screen.dialogs.showsWelcome = true
                ward.screen.prepare(for: ward.state, size: (columns, rows), at: ward.now)
                let (layout, card) = (ward.screen.layout, ward.drawn(columns, rows))
                ward.screen.dialogs.showsWelcome = false
                let bare = ward.drawn(columns, rows)
                let isMinimal = layout.sizeClass == .minimal
                // The vitals make room for the list to which the card refers, and for the card.
                for row in 0..<rows where isMinimal || row < layout.body.row || row == layout.keyBar.row {
                    let isSame = card.text(row: row) == bare.text(row: row)
                    #expect(isSame || row == layout.keyBar.row, "\(columns) × \(rows): \(card.text(row: row))")
                }
                let words = ["WELCOME", "medical device", "Any key closes"]
                for row in 0..<rows where isMinimal || row < layout.sensors.row || row == layout.keyBar.row {
                    let text = card.text(row: row)
                    #expect(!words.contains { text.contains($0) }, "\(columns) × \(rows): \(text)")
                }
            }
        }
    }

    @Test("the list to which it refers stays below it where there is room")
    func list() {
        var ward = Ward.welcome()
        for (sensor, signal) in [(Ward.strap, -60), (Ward.oximeter, -61), (Ward.core, -62)] {
            ward.find(sensor, signal: signal)
        }
        for (columns, rows) in [(80, 24), (100, 30), (120, 40), (200, 60)] {
            let shown = text(ward, columns, rows)
            #expect(shown.contains("WELCOME") && shown.contains("SENSORS 3"), "\(columns) × \(rows)")
            for name in ["Polar H10", "e-Oximeter", "CORE 1A2B"] {
                #expect(shown.contains(name), "\(columns) × \(rows)")
            }
        }
    }

    @Test("gives way to a question that a signal brings")
    func question() {
        var ward = Ward.live(seconds: 2)
        ward.screen.dialogs.showsWelcome = true
        #expect(ward.screen.stopWanted(in: ward.state) == nil)
        #expect(text(ward).contains("A stopped Bedside measures nothing"))
        #expect(!text(ward).contains("Any key closes this."))
    }

    @Test("never covers an alarm line, at any size")
    func neverCovers() {
        let ward = Ward.welcomeWithAlarm()
        for columns in stride(from: 24, through: 120, by: 4) {
            for rows in stride(from: 4, through: 50, by: 3) {
                #expect(text(ward, columns, rows).contains("BLUETOOTH NOT RUNN"), "\(columns) × \(rows)")
            }
        }
    }
}
