import Appearance
import Testing

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

    @Test(
        "any key closes it and does nothing else",
        arguments: [Key.enter, .escape, .character("q"), .character("x"), .down])
    func closes(key: Key) {
        var ward = Ward.welcome()
        #expect(ward.press(key) == nil)
        #expect(!text(ward).contains("WELCOME"))
        #expect(ward.screen.dialogs.inputLine == nil)
    }

    @Test("the keys of alarms close it and do what they do everywhere")
    func alarmKeys() {
        var ward = Ward.welcomeWithAlarm()
        #expect(ward.press(.character("a")) == .acknowledge)
        #expect(!text(ward).contains("WELCOME"))
    }

    @Test("gives way to the first value")
    func givesWay() {
        var ward = Ward.live(seconds: 2)
        ward.screen.dialogs.showsWelcome = true
        #expect(!text(ward).contains("WELCOME"))
        #expect(ward.press(.character("a")) == .acknowledge)
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
