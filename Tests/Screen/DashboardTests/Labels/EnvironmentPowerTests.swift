import Testing
import Vitals

@testable import Dashboard

@Suite("An adapter that is off, deaf or one of several")
struct EnvironmentPowerTests {
    private func text(_ ward: Ward) -> String {
        let grid = ward.drawn(100, 30)
        return (0..<30).map { grid.text(row: $0) }.joined(separator: "\n")
    }

    @Test("is switched on by the key that the trouble names, once that was confirmed")
    func power() {
        var ward = Ward()
        ward.ready()
        ward.apply(.adapter(AdapterStatus(identifier: "hci0", address: nil, power: .off, isScanning: false)))
        ward.screen.keys[.powerAdapter] = [.function(8)]
        #expect(text(ward).contains("press F8 to switch it on, or: bluetoothctl power on"))
        #expect(ward.press(.function(8)) == nil)
        #expect(text(ward).contains("Switch the Bluetooth adapter hci0 on?"))
        #expect(ward.press(.character("y")) == .sensor(.setPowered(true)))
    }

    @Test(
        "says what to do where no key can switch it on, and that it is on",
        arguments: [AdapterStatus.Power.ready, .blocked])
    func notOff(power: AdapterStatus.Power) {
        var ward = Ward()
        ward.ready()
        ward.apply(.adapter(AdapterStatus(identifier: "hci0", address: nil, power: power, isScanning: true)))
        #expect(ward.press(.character("O")) == nil)
        #expect(ward.screen.dialogs.inputLine == nil)
        #expect(ward.screen.dialogs.message?.contains(power == .ready ? "is on" : "rfkill unblock bluetooth") == true)
    }

    @Test("is said to hear nothing, with the remedy, and which of several it is")
    func deaf() {
        let text = text(Ward.hearsNothing())
        #expect(text.contains("hci1 ● hears nothing, 2 adapters"))
        #expect(text.contains("has heard nothing at all for a while"))
        #expect(text.contains("sudo systemctl restart bluetooth"))
    }

    @Test("the computer's sleep is shown with start and end")
    func slept() {
        #expect(text(Ward.computerSlept()).contains("the computer slept for 25 min · 13:50 to 14:15"))
    }

    @Test("an unread configuration is shown on every screen")
    func configuration() {
        var ward = Ward.live(seconds: 2)
        ward.screen.session.ignoresConfiguration = true
        #expect(text(ward).contains("CONFIGURATION NOT READ"))
    }
}
