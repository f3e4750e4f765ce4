import Appearance
import Monitoring
import Testing

@testable import Dashboard

@Suite("The page of settings")
struct SettingsPageTests {
    private func ward(_ steps: Int) -> Ward {
        var ward = Ward.live(seconds: 2)
        ward.screen.settings.items = Ward.items
        ward.press(.character(","))
        for _ in 0..<steps { ward.press(.down) }
        return ward
    }

    @Test("Enter goes to the next word of a choice; Left and Right step")
    func steps() {
        var choice = ward(0)
        #expect(choice.press(.enter) == .changeSetting("screen.theme", .step(1)))
        #expect(choice.press(.left) == .changeSetting("screen.theme", .step(-1)))
        var number = ward(3)
        #expect(number.press(.right) == .changeSetting("limits.spo2.low", .step(1)))
        #expect(number.press(.character("R")) == .changeSetting("limits.spo2.low", .usual))
    }

    @Test("what has no steps is typed, and the page says so")
    func typed() {
        var ward = ward(2)
        #expect(ward.press(.right) == nil)
        #expect(ward.drawn(80, 24).text(row: 23).contains("This is typed: press Enter."))
        #expect(ward.press(.enter) == nil)
        ward.press(.eraseLine)
        for scalar in "hci1".unicodeScalars { ward.press(.character(scalar)) }
        #expect(ward.press(.enter) == .changeSetting("sensors.adapter", .text("hci1")))
    }

    @Test("the line stays until the value is taken, and says above why it was not")
    func refused() {
        var ward = Ward.settingRefused()
        let grid = ward.drawn(80, 24)
        #expect(grid.text(row: 22).contains("expected a number from 1 to 99"))
        #expect(grid.text(row: 23).contains("Low: 910"))
        ward.screen.settingsChanged(Ward.items)
        #expect(ward.screen.dialogs.inputLine == nil)
        #expect(ward.screen.dialogs.explanation == nil)
    }

    @Test("s keeps what was changed; without a change it says so")
    func keeps() {
        var changed = ward(0)
        #expect(changed.press(.character("s")) == .keepSettings)
        changed.screen.settings.items = []
        #expect(changed.press(.character("s")) == nil)
        #expect(changed.screen.dialogs.message == "Nothing was changed that is not kept.")
    }

    @Test("a filter lists what has a text in name or explanation, and the selection stays among it")
    func filters() {
        var ward = ward(5)
        ward.press(.character("/"))
        for scalar in "flat".unicodeScalars { ward.press(.character(scalar)) }
        ward.press(.enter)
        #expect(ward.screen.settings.selected?.key == "flat_line")
        #expect(ward.screen.settings.listed.count == 1)
        ward.press(.character("/"))
        ward.press(.escape)
        #expect(ward.screen.settings.listed.count == Ward.items.count)
    }

    @Test("alarms can be answered on it, and no key of another page works")
    func alarms() {
        var ward = ward(0)
        #expect(ward.press(.character("a")) == .patient(.acknowledgeAll))
        #expect(ward.press(.character("x")) == nil)
        #expect(ward.screen.dialogs.inputLine == nil)
        ward.press(.escape)
        #expect(ward.screen.pages.current == nil)
    }

    @Test("the page works before the settings are known")
    func empty() {
        var ward = Ward.live(seconds: 2)
        ward.press(.character(","))
        for key in [Key.down, .enter, .left, .right, .character("s"), .character("R")] {
            #expect(ward.press(key) == nil)
        }
        #expect((0..<24).contains { ward.drawn(80, 24).text(row: $0).contains("There are no settings here.") })
    }
}
