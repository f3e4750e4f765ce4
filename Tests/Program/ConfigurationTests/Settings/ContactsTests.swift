import Monitoring
import Testing

@testable import Configuration

@Suite("Contacts in the configuration")
struct ContactsTests {
    private func settings(_ text: String) throws(ConfigurationErrors) -> Settings {
        try Settings(ConfigurationDocument(bytes: Array(text.utf8)))
    }

    @Test("are read in the order of their numbers, with two to four texts")
    func read() throws {
        let settings = try settings(
            """
            [contacts]
            contact_3 = ["Ada", "+49 1"]
            contact_1 = ["Ward 7", "nurse on duty", "+49 351 1234", "day and night"]
            contact_2 = ["Bob", "", "110", ""]
            """)
        #expect(
            settings.monitorSettings.contacts == [
                Contact(name: "Ward 7", role: "nurse on duty", number: "+49 351 1234", hours: "day and night"),
                Contact(name: "Bob", number: "110"), Contact(name: "Ada", number: "+49 1"),
            ])
        for number in 1...3 {
            let setting = try #require(SettingTable.setting(named: "contacts.contact_\(number)"))
            var copy = Settings()
            try setting.read(setting.value(in: settings), into: &copy)
            #expect(setting.value(in: copy) == setting.value(in: settings))
        }
    }

    @Test("are none by default, and an empty list is none")
    func empty() throws {
        #expect(Settings().monitorSettings.contacts.isEmpty)
        #expect(try settings("[contacts]\ncontact_1 = []\n") == Settings())
    }

    @Test(
        "without a name or a number, or with a text too many, are refused",
        arguments: [
            #"["Ada"]"#, #"["", "nurse", "110", ""]"#, #"["Ada", "nurse", "", ""]"#, #"["a", "b", "c", "d", "e"]"#, "7",
            #"["Ada", "\#(String(repeating: "1", count: 41))"]"#,
        ])
    func refused(_ list: String) {
        #expect(throws: ConfigurationErrors.self) { try settings("[contacts]\ncontact_1 = \(list)\n") }
    }

    @Test("are changed on the page of settings, and kept by it")
    func typed() throws {
        var settings = Settings()
        let setting = try #require(SettingTable.setting(named: "contacts.contact_1"))
        try setting.set(#"["Ward 7", "+49 351 1234"]"#, in: &settings)
        #expect(settings.monitorSettings.contacts.map(\.shortText) == ["Ward 7 +49 351 1234"])
        try setting.set("[]", in: &settings)
        #expect(settings == Settings())
    }
}
