import Base
import Testing

@testable import Configuration

@Suite("A configuration document")
struct ConfigurationDocumentTests {
    static let file = """
        # Bed 12, by the window
          [ screen ]   # how it looks

        units="celsius"	# tab before this
          bed   =   'a # b'   # a comment
        # high is for adults
        [limits.spo2]
        low = 90
        severe_low = "off"
        """

    @Test("reads every value with its position")
    func entries() throws {
        let document = try ConfigurationDocument(Self.file)
        #expect(document.value(of: "units", in: "screen") == .text("celsius"))
        #expect(document.value(of: "bed", in: "screen") == .text("a # b"))
        #expect(document.value(of: "low", in: "limits.spo2") == .number(ExactDecimal(significand: 90)))
        #expect(document.value(of: "severe_low", in: "limits.spo2") == .text("off"))
        #expect(document.value(of: "low", in: "screen") == nil)
        let bed = try #require(document.entries.first { $0.key == "bed" })
        #expect(bed.keyPosition == TextPosition(line: 5, column: 3))
        #expect(bed.valuePosition == TextPosition(line: 5, column: 13))
    }

    @Test("reads texts with their escapes")
    func escapes() throws {
        let document = try ConfigurationDocument(#"text = "a\"b\\c\n\t\u00e9\U0001F493""#)
        #expect(document.value(of: "text", in: "") == .text("a\"b\\c\n\té\u{1F493}"))
    }

    @Test("gives a key another value and touches nothing else")
    func setPresent() throws {
        var document = try ConfigurationDocument(Self.file)
        document.set("bed", in: "screen", to: .text("13"))
        document.set("low", in: "limits.spo2", to: .number(ExactDecimal(significand: 88)))
        #expect(document.text == Self.file.replacing("'a # b'", with: "\"13\"").replacing("= 90", with: "= 88"))
        // Once more, with the columns that the first change has moved.
        document.set("bed", in: "screen", to: .text("a long label"))
        #expect(document.value(of: "bed", in: "screen") == .text("a long label"))
        #expect(try ConfigurationDocument(document.text) == document)
    }

    @Test("adds a key where it belongs, with its comment")
    func setAbsent() throws {
        let order = [("screen", ["units", "color", "bed"]), ("limits.spo2", ["severe_low", "low", "high"])]
        var document = try ConfigurationDocument(Self.file)
        document.set("color", in: "screen", to: .text("never"), comment: ["No colour."], order: order)
        document.set("high", in: "limits.spo2", to: .text("off"), comment: ["High."], order: order)
        #expect(
            document.text
                == Self.file.replacing(
                    "# tab before this\n", with: "# tab before this\n# No colour.\ncolor = \"never\"\n"
                ).replacing("low = 90\n", with: "low = 90\n# High.\nhigh = \"off\"\n"))
    }

    @Test("a key before its sibling does not come between that and its comment")
    func setBeforeSibling() throws {
        var document = try ConfigurationDocument("[a]\n# about two\ntwo = 2\n")
        document.set("one", in: "a", to: .boolean(true), order: [("a", ["one", "two"])])
        #expect(document.text == "[a]\none = true\n# about two\ntwo = 2\n")
    }

    @Test("adds a section before the next one that is known, above that one's comment")
    func setInNewSection() throws {
        var document = try ConfigurationDocument("# mine\n\n[a]\nx = 1\n\n# about c\n[c]\ny = 2\n")
        document.set("z", in: "b", to: .boolean(false), comment: ["Z."], order: [("a", []), ("b", []), ("c", [])])
        #expect(document.text == "# mine\n\n[a]\nx = 1\n\n[b]\n# Z.\nz = false\n\n# about c\n[c]\ny = 2\n")
        document.set("w", in: "d", to: .boolean(true), order: [("c", []), ("d", [])])
        #expect(document.text.hasSuffix("[c]\ny = 2\n\n[d]\nw = true\n"))
    }

    @Test("a first key makes the file")
    func setInNothing() {
        var document = ConfigurationDocument()
        document.set("units", in: "screen", to: .text("fahrenheit"), comment: ["Units."])
        #expect(document.text == "[screen]\n# Units.\nunits = \"fahrenheit\"\n")
    }

    @Test("keeps the file's line ends, drops a byte order mark, and ends the last line before it adds one")
    func lineEnds() throws {
        var document = try ConfigurationDocument("\u{FEFF}[a]\r\nx = 1")
        document.set("x", in: "a", to: .boolean(true))
        document.set("y", in: "a", to: .boolean(false))
        #expect(document.text.unicodeScalars.elementsEqual("[a]\r\nx = true\r\ny = false\r\n".unicodeScalars))
    }

    @Test("adds a key with the dots, or in the braces, in which its section is written")
    func setElsewhere() throws {
        let seven = ConfigurationValue.number(ExactDecimal(significand: 7))
        var dotted = try ConfigurationDocument("[limits]\nspo2.low = 90 # his\nother = 1\n")
        dotted.set("high", in: "limits.spo2", to: seven, comment: ["High."])
        #expect(dotted.text == "[limits]\nspo2.low = 90 # his\n# High.\nspo2.high = 7\nother = 1\n")
        var inline = try ConfigurationDocument("limits = { spo2 = { low = 90 }, \"heart rate\" = {} }\n")
        inline.set("high", in: "limits.spo2", to: seven)
        inline.set("low", in: "limits.\"heart rate\"", to: seven)
        #expect(inline.text == "limits = { spo2 = { low = 90, high = 7 }, \"heart rate\" = { low = 7 } }\n")
        var implied = try ConfigurationDocument("[a.b.c]\nx = 1\n")
        implied.set("y", in: "a.b", to: seven)
        #expect(implied.text == "[a.b.c]\nx = 1\n\n[a.b]\ny = 7\n")
        var blocked = try ConfigurationDocument("[[a]]\nx = 1\n")
        blocked.set("y", in: "a.b", to: seven)
        #expect(blocked.text == "[[a]]\nx = 1\n")
    }

    @Test("a list with comments between its values gets another one, and the comments stand above it")
    func commentsInList() throws {
        var document = try ConfigurationDocument(
            "[keys]\nquit = [ # how to leave\n  \"q\", # usual\n  \"#\",\n] # end\nhelp = \"?\"\n")
        document.set("quit", in: "keys", to: .texts(["Q"]))
        #expect(document.text == "[keys]\n# how to leave\n# usual\nquit = [\"Q\"] # end\nhelp = \"?\"\n")
    }

    @Test("bytes that are not UTF-8 are reported with line, column and offset")
    func notUTF8() {
        let mistakes = #expect(throws: ConfigurationErrors.self) {
            try ConfigurationDocument(bytes: Array("é = 1\nab".utf8) + [0xC3, 0x28])
        }
        #expect(
            mistakes?.list == [
                ConfigurationError(
                    TextPosition(line: 2, column: 3), "the byte C3 at offset 9 is not UTF-8; save the file as UTF-8")
            ])
    }

    @Test("a file that is too long is refused before it is read")
    func tooLong() {
        let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: ConfigurationDocument.sizeLimit + 1)
        #expect(throws: ConfigurationErrors.self) { try ConfigurationDocument(bytes: bytes) }
    }
}
