import Monitoring
import Testing

@testable import Configuration

@Suite("Contacts in the configuration")
struct ContactsTests {
    private func settings(_ list: String) throws(ConfigurationErrors) -> Settings {
        try Settings(ConfigurationDocument(bytes: Array("[contacts]\npeople = \(list)\n".utf8)))
    }

    @Test("are read in their order, with two to four parts, and written as they were")
    func read() throws {
        let ward = #""Ward 7, nurse on duty, +49 351 1234, day and night""#
        let settings = try settings(#"[\#(ward), "Bob,, 110", "Ada , +49 1", "C, , 2, nights"]"#)
        #expect(
            settings.monitorSettings.contacts == [
                Contact(name: "Ward 7", role: "nurse on duty", number: "+49 351 1234", hours: "day and night"),
                Contact(name: "Bob", number: "110"), Contact(name: "Ada", number: "+49 1"),
                Contact(name: "C", number: "2", hours: "nights"),
            ])
        let setting = try #require(SettingTable.setting(named: "contacts.people"))
        #expect(
            setting.value(in: settings).literal
                == #"[\#(ward), "Bob, 110", "Ada, +49 1", "C, , 2, nights"]"#)
        var copy = Settings()
        try setting.read(setting.value(in: settings), into: &copy)
        #expect(copy == settings)
    }

    @Test("are none by default, and an empty list is none")
    func empty() throws {
        #expect(Settings().monitorSettings.contacts.isEmpty)
        #expect(try settings("[]") == Settings())
    }

    @Test(
        "without a name or a number, with a part or a contact too many, or with too long a part, are refused",
        arguments: [
            #"["Ada"]"#, #"[", nurse, 110"]"#, #"["Ada, nurse, , "]"#, #"["a, b, c, d, e"]"#, "7", #"[["Ada", "110"]]"#,
            #"["Ada, \#(String(repeating: "1", count: 41))"]"#,
            "[\((0..<7).map { "\"A\($0), 1\"" }.joined(separator: ", "))]",
        ])
    func refused(_ list: String) {
        #expect(throws: ConfigurationErrors.self) { try settings(list) }
    }

    @Test("are changed on the page of settings, one as plain text, and kept by it")
    func typed() throws {
        var settings = Settings()
        let setting = try #require(SettingTable.setting(named: "contacts.people"))
        try setting.set("Ward 7, +49 351 1234", in: &settings)
        #expect(settings.monitorSettings.contacts.map(\.shortText) == ["Ward 7 +49 351 1234"])
        try setting.set("[]", in: &settings)
        #expect(settings == Settings())
    }
}
