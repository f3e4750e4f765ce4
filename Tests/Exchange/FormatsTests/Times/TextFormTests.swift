import Testing

@testable import Formats

@Suite("The form of a text")
struct TextFormTests {
    private let form = TextForm("([0-9]+)(:([0-9]{2}))?|never")

    @Test("gives the groups of a text that has it, the whole first, and none for a group that took no part")
    func groups() {
        #expect(form.groups(of: "7:30") == ["7:30", "7", ":30", "30"])
        #expect(form.groups(of: "12") == ["12", "12", nil, nil])
        #expect(form.groups(of: "never") == ["never", nil, nil, nil])
    }

    @Test(
        "is that of the whole text",
        arguments: ["", "7:3", " 7:30", "7:30 ", "7:30\n", "7:30\0", "\0", "٧:٣٠", "nevermore"])
    func whole(text: String) {
        #expect(form.groups(of: text) == nil)
    }

    @Test("counts in octets, so that a group behind characters of many of them is the right one")
    func octets() {
        #expect(TextForm("(.*)°C (.*)").groups(of: "37.2 °C “warm”") == ["37.2 °C “warm”", "37.2 ", "“warm”"])
    }
}
