import Appearance
import Monitoring
import Testing

@testable import Configuration

@Suite("Settings that are changed on the screen")
struct SettingsStoreTests {
    private static let file = "# mine\n[screen]\ntheme = \"light\"   # by day\n\n[limits.spo2]\nlow = 88\n"

    private func desk() throws -> (desk: SettingsStore, document: ConfigurationDocument) {
        let document = try ConfigurationDocument(Self.file)
        var settings = try Settings(document)
        settings.screen.units = .fahrenheit
        return (SettingsStore(settings, document: document), document)
    }

    private func item(_ desk: SettingsStore, _ name: String) throws -> SettingItem {
        try #require(desk.items.first { $0.name == name })
    }

    @Test("every setting is there, with its value and where that comes from")
    func items() throws {
        var desk = try desk().desk
        #expect(desk.items.map(\.name) == SettingTable.settings.map(\.name))
        #expect(try item(desk, "screen.theme").source == .file)
        #expect(try item(desk, "screen.units").source == .option)
        #expect(try item(desk, "screen.units").value == "fahrenheit")
        #expect(try item(desk, "fever.threshold").source == .usual)
        try desk.change("fever.threshold", .text("38.5"))
        #expect(try item(desk, "fever.threshold").source == .changed)
        #expect(try item(desk, "fever.threshold").value == "38.5")
    }

    @Test(
        "the value of every setting, typed as it is shown, is that value again",
        arguments: SettingTable.settings.map(\.name))
    func typedAsShown(name: String) throws {
        var desk = try desk().desk
        let before = desk.settings
        try desk.change(name, .text(try item(desk, name).value))
        #expect(desk.settings == before)
        try desk.change(name, .usual)
        #expect(
            SettingTable.setting(named: name)?.value(in: desk.settings)
                == SettingTable.setting(named: name)?.defaultValue)
    }

    @Test(
        "a line begins with the text itself, to which more can be typed", arguments: SettingTable.settings.map(\.name))
    func textsGrow(name: String) throws {
        let setting = try #require(SettingTable.setting(named: name))
        for start in ["", "3", "(4)", "/usr/bin/true", "Ärzte", "-", "'s Heer", "[A] 3", "true", "7 B", "#1", "1.5"] {
            var desk = SettingsStore(Settings())
            // Only what takes any text is meant here.
            guard case .text = setting.defaultValue, setting.choices.isEmpty,
                (try? desk.change(name, .text(start))) != nil,
                setting.value(in: desk.settings) == .text(start)
            else { continue }
            let shown = try item(desk, name).value
            #expect(shown == start)
            guard (try? desk.change(name, .text("\(shown)B"))) != nil else { continue }
            #expect(setting.value(in: desk.settings) == .text("\(start)B"))
        }
        guard case .list([]) = setting.defaultValue else { return }
        var desk = SettingsStore(Settings())
        #expect(try item(desk, name).value.isEmpty)
        guard (try? desk.change(name, .text("Polar"))) != nil else { return }
        #expect(setting.value(in: desk.settings) == .texts(["Polar"]))
        #expect(try item(desk, name).value == "Polar")
        try desk.change(name, .text(""))
        #expect(setting.value(in: desk.settings) == .list([]))
    }

    @Test("quotes that are typed are either around the whole text or no quotes")
    func quotes() throws {
        var desk = SettingsStore(Settings())
        let setting = try #require(SettingTable.setting(named: "screen.bed"))
        for typed in ["\"\"Bed 3", "\"A\" 3", "\"A\"B"] {
            #expect(throws: ConfigurationError.self, "\(typed)") { try desk.change("screen.bed", .text(typed)) }
            #expect(setting.value(in: desk.settings) == setting.defaultValue)
        }
        try desk.change("screen.bed", .text("\"Bed 3\""))
        #expect(setting.value(in: desk.settings) == .text("Bed 3"))
        #expect(throws: ConfigurationError.self) { try desk.change("sensors.connect", .text("[\"A\"]B")) }
    }

    @Test(
        "what steps steps up and down, and never out of what is allowed", arguments: SettingTable.settings.map(\.name))
    func steps(name: String) throws {
        var desk = SettingsStore(Settings())
        guard try item(desk, name).hasSteps else { return }
        for count in [1, -1, 3, -3, 100, -100] {
            // A contradiction with another setting is refused; then nothing has changed.
            let before = desk
            do throws(ConfigurationError) {
                _ = try desk.change(name, .step(count))
            } catch {
                #expect(desk == before)
            }
            #expect(desk.settings.contradiction == nil)
        }
    }

    @Test(
        "a wrong value, a contradiction, a conflict of keys and a colour that hides alarms change nothing",
        arguments: [
            ("limits.spo2.low", "200", "expected a percentage"), ("limits.spo2.low", "49", "expected a percentage"),
            ("limits.spo2.severe_low", "95", "must not be"), ("keys.filter", "a", "belongs to acknowledge"),
            ("theme.alarm_low_ground", "#ffd700", "could not be distinguished from"),
            ("nonsense", "1", "there is no setting"),
        ])
    func refused(name: String, value: String, reason: String) throws {
        var desk = try desk().desk
        let before = desk
        let mistake = #expect(throws: ConfigurationError.self) { try desk.change(name, .text(value)) }
        #expect(mistake?.reason.contains(reason) == true, "\(mistake?.reason ?? "")")
        #expect(desk == before)
    }

    @Test("keeping writes what was changed here and nothing else, with every comment")
    func keeps() throws {
        var (desk, document) = try desk()
        try desk.change("limits.spo2.low", .step(1))
        try desk.change("screen.theme", .text("color-blind"))
        #expect(desk.changedNames == ["screen.theme", "limits.spo2.low"])
        document.apply(changesFrom: desk.kept, to: desk.settings)
        #expect(
            document.text == Self.file.replacing("\"light\"", with: "\"color-blind\"").replacing("= 88", with: "= 89"))
        desk.hasKept()
        #expect(desk.changedNames.isEmpty)
        #expect(try item(desk, "screen.theme").source == .file)
    }

    @Test("a limit that was kept by itself is kept here, too")
    func keptElsewhere() throws {
        var desk = try desk().desk
        try desk.change("fever.threshold", .text("38.5"))
        var other = desk.kept
        try #require(SettingTable.setting(named: "limits.spo2.low")).set("92", in: &other)
        desk.hasKept(other)
        #expect(try item(desk, "limits.spo2.low").value == "92")
        #expect(desk.changedNames == ["fever.threshold"])
    }

    @Test("the settings that hold from the next start on are settings")
    func nextStart() {
        let whole = ["recording", "ward", "send"]
        let later = SettingTable.settings.filter { !$0.isAtOnce && !whole.contains($0.section) }.map(\.name)
        #expect(
            later == [
                "screen.title", "screen.welcome", "patient.name", "sensors.transmitter", "sensors.new_glucose_sensor",
                "sensors.fetch_nights",
                "sensors.forward_heart_rate", "sensors.respiration_estimate", "sensors.adapter", "sensors.connect",
            ])
        #expect(SettingTable.settings.allSatisfy { !whole.contains($0.section) || !$0.isAtOnce })
    }
}
