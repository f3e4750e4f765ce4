import Appearance
import Monitoring
import Vitals

@testable import Dashboard

// Stories about settings, the first start, and Bluetooth that is off.
extension Ward {
    static let lookStories: [(name: String, ward: Ward)] = [
        ("settings-page", settingsPage()), ("setting-refused", settingRefused()), ("welcome", welcome()),
        ("welcome-alarm", welcomeWithAlarm()), ("welcome-live", welcomeLive()), ("adapter-off", adapterOff()),
        ("hears-nothing", hearsNothing()), ("quit-asked", quitAsked()), ("computer-slept", computerSlept()),
    ]

    static func item(
        _ section: String, _ key: String, _ value: String, usual: String, _ source: SettingItem.Source = .usual,
        isChoice: Bool = false, hasSteps: Bool = true
    ) -> SettingItem {
        SettingItem(
            section: section, key: key, heading: heading(section), title: title(key),
            explanation: "What \(key) does, in a sentence that says for whom and when.",
            expectation: isChoice ? "\"dark\" or \"light\"" : "a number from 1 to 99", value: value,
            shownValue: shown[value] ?? value, usual: shown[usual] ?? usual, source: source, isChoice: isChoice,
            hasSteps: hasSteps, isAtOnce: section != "sensors")
    }

    private static let shown = ["\"\"": "none", "true": "on", "false": "off", "91": "91 %", "90": "90 %"]

    private static func heading(_ section: String) -> String {
        section == "limits.spo2" ? "Limits: SpO₂" : section.prefix(1).uppercased() + section.dropFirst()
    }

    private static func title(_ key: String) -> String {
        let words = key.replacing("_", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    static let items = [
        item("screen", "theme", "light", usual: "dark", .file, isChoice: true),
        item("screen", "bed", "\"\"", usual: "\"\""),
        item("sensors", "adapter", "auto", usual: "auto", hasSteps: false),
        item("limits.spo2", "low", "91", usual: "90", .changed), item("limits.spo2", "flat_line", "off", usual: "off"),
        item("night", "enabled", "true", usual: "false", .option, isChoice: true),
    ]

    static func settingsPage() -> Ward {
        var ward = medium()
        ward.screen.settings.items = items
        ward.press(.character(","))
        ward.press(.down)
        ward.press(.down)
        ward.press(.down)
        return ward
    }

    static func settingRefused() -> Ward {
        var ward = settingsPage()
        ward.press(.enter)
        ward.press(.end)
        ward.press(.character("0"))
        ward.press(.enter)
        ward.screen.settingRefused("expected a number from 1 to 99, found the number 910")
        return ward
    }

    static func welcome() -> Ward {
        var ward = empty()
        ward.screen.dialogs.showsWelcome = true
        return ward
    }

    static func welcomeWithAlarm() -> Ward {
        var ward = noDaemon()
        ward.screen.dialogs.showsWelcome = true
        return ward
    }

    static func welcomeLive() -> Ward {
        var ward = simulated(live())
        ward.screen.dialogs.showsWelcome = true
        return ward
    }

    static func adapterOff() -> Ward {
        var ward = Ward()
        ward.ready()
        ward.apply(.adapter(AdapterStatus(identifier: "hci0", address: nil, power: .off, isScanning: false)))
        ward.press(.character("O"))
        return ward
    }

    static func hearsNothing() -> Ward {
        var ward = Ward()
        ward.ready()
        let deaf = AdapterStatus(
            identifier: "hci1", address: nil, power: .ready, isScanning: true, hearsNothing: true)
        let other = AdapterStatus(identifier: "hci0", address: nil, power: .off, isScanning: false)
        ward.apply(.adapter(deaf))
        ward.apply(.adapters([other, deaf]))
        return ward
    }

    static func quitAsked() -> Ward {
        var ward = live(seconds: 5)
        ward.screen.settings.items = items
        ward.press(.character("q"))
        return ward
    }

    static func computerSlept() -> Ward {
        var ward = live(seconds: 5)
        let from = ward.now
        ward.now = ward.now.advanced(by: .seconds(1500))
        ward.apply(.gap(Gap(from: from, to: ward.now, reason: .asleep)))
        ward.stream(seconds: 5)
        return ward
    }
}
