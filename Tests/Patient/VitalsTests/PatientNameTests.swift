import Testing
import Vitals

@Suite("The name of a patient")
struct PatientNameTests {
    @Test(
        "is what is safe as the name of a folder",
        arguments: ["bed-12", "A", "Müller", "O'Brien", "2 left", "看護", "a.b_c"])
    func accepted(text: String) {
        #expect(PatientName(text)?.text == text)
    }

    @Test(
        "is refused, and not changed, when it is anything else",
        arguments: [
            "", ".", "..", "a/b", "../a", "/", ".hidden", "-rf", " a", "a ", "a.", "a\nb", "a\u{0}b", "a\u{1B}[31m",
            "a\u{202E}b",
            "a\u{200B}b", "a:b", "a\\b", "☃", String(repeating: "x", count: 49), String(repeating: "é", count: 25),
        ])
    func refused(text: String) {
        #expect(PatientName(text) == nil)
    }
}
