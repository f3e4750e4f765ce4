import Testing

@testable import Configuration

@Suite("Configuration files from before they were TOML")
struct OldFormTests {
    private static let file = """
        \u{FEFF}# Bed 12, by the window
          [ screen ]   # how it looks
        units=celsius\t# a word
          bed   =   'a # b'   # a comment
        [limits.spo2]
        low = 090
        severe_low = off # at night
        low_delay = 15s
        [alarms]
        volume = 80
        """

    @Test("are read, and are TOML with the same comments when they are written")
    func upgrade() throws {
        let document = try ConfigurationDocument(Self.file, acceptsOldForm: true)
        #expect(document.isOfOldForm)
        #expect(
            document.text
                == Self.file.replacing("\u{FEFF}", with: "").replacing("=celsius", with: "=\"celsius\"")
                .replacing("090", with: "90").replacing("= off", with: "= \"off\"").replacing("15s", with: "\"15s\""))
        let settings = try Settings(document)
        #expect(settings.screen.units == .celsius)
        #expect(try ConfigurationDocument(document.text).isOfOldForm == false)
        var changed = document
        changed.set("bed", in: "screen", to: .text("13"))
        #expect(changed.isOfOldForm)
    }

    @Test("are refused where a file says that it is TOML, with what helps")
    func strict() {
        let errors = #expect(throws: ConfigurationErrors.self) { try ConfigurationDocument("[a]\nb = off\n") }
        #expect(errors?.text(file: "f") == "f:2:5: 'off' is not a value; put a text into double quotes\n")
    }

    @Test("keep their mistakes, which are reported as such, and words in long texts")
    func mistakes() throws {
        let errors = #expect(throws: ConfigurationErrors.self) {
            try ConfigurationDocument("[screen]\nunits = celsius\nglyphs = c/f\n", acceptsOldForm: true)
        }
        #expect(errors?.text(file: "f") == "f:3:10: 'c/f' is not a value; put a text into double quotes\n")
        let long = try ConfigurationDocument("[a]\nb = \"\"\"\nc = off\n\"\"\"\n", acceptsOldForm: true)
        #expect(!long.isOfOldForm)
        #expect(long.value(of: "b", in: "a") == .text("c = off\n"))
    }
}
