import Appearance
import TestSupport
import Testing

@testable import Dashboard

@Suite("A line to type in")
struct TextPromptTests {
    private func typed(_ text: String, then keys: [Key] = [], limit: Int = 64) -> TextPrompt {
        var prompt = TextPrompt("Name", limit: limit)
        for scalar in text.unicodeScalars { _ = prompt.keyPressed(.character(scalar)) }
        for key in keys { _ = prompt.keyPressed(key) }
        return prompt
    }

    @Test("takes what is typed at the cursor, which the arrows, Home and End move")
    func editing() {
        #expect(typed("ad", then: [.character("a")]).text == "ada")
        #expect(typed("ad", then: [.left, .character("x")]).text == "axd")
        #expect(typed("ad", then: [.home, .character("x"), .end, .character("y")]).text == "xady")
        #expect(typed("ad", then: [.home, .right, .character("x")]).text == "axd")
    }

    @Test("takes away before the cursor, after it, and all before it")
    func erasing() {
        #expect(typed("ada", then: [.backspace]).text == "ad")
        #expect(typed("ada", then: [.home, .delete]).text == "da")
        #expect(typed("ada", then: [.left, .eraseLine]).text == "a")
        #expect(typed("", then: [.backspace, .delete, .eraseLine, .left, .right]).text == "")
    }

    @Test("treats what is one character to people as one")
    func characters() {
        #expect(typed("e\u{301}", then: [.backspace]).text == "")
        #expect(typed("心é", then: [.left, .backspace]).text == "é")
    }

    @Test("what it begins with is selected: typing replaces it, erasing empties it, moving the cursor keeps it")
    func preselected() {
        func after(_ keys: Key...) -> String {
            var prompt = TextPrompt("Name", text: "Bed 7")
            #expect(prompt.isSelected)
            for key in keys { _ = prompt.keyPressed(key) }
            #expect(!prompt.isSelected)
            return prompt.text
        }
        #expect(after(.character("8"), .character("b")) == "8b")
        #expect(after(.pasted("8")) == "8")
        #expect(after(.backspace) == "")
        #expect(after(.delete, .character("x")) == "x")
        #expect(after(.end, .backspace) == "Bed ")
        #expect(after(.left, .character("x")) == "Bed x7")
        var prompt = TextPrompt("Name", text: "Bed 7")
        #expect(prompt.keyPressed(.enter) == .accepted && prompt.text == "Bed 7")
        #expect(!TextPrompt("Name").isSelected)
    }

    @Test("returns the result of a key")
    func outcomes() {
        var prompt = TextPrompt("Name", text: "a")
        #expect(prompt.keyPressed(.enter) == .accepted)
        #expect(prompt.keyPressed(.escape) == .cancelled)
        // The first one only ends the selection.
        #expect(prompt.keyPressed(.right) == .edited)
        #expect(prompt.keyPressed(.right) == .ignored)
        #expect(prompt.keyPressed(.left) == .edited)
        #expect(prompt.keyPressed(.pageUp) == .ignored)
        #expect(prompt.text == "a")
    }

    @Test("takes pasted text as text: the end of a line in it confirms nothing")
    func pasting() {
        var prompt = TextPrompt("Name")
        for scalar in "a\nb\u{1B}[31m\tc".unicodeScalars { #expect(prompt.keyPressed(.pasted(scalar)) != .accepted) }
        #expect(prompt.text == "a b[31m c")
    }

    @Test("holds nothing that a terminal would not show, and not more than its limit")
    func harmless() {
        #expect(TextPrompt("Name", text: "a\u{202E}b\u{7}\u{FFFD}\u{200B}").text == "ab")
        #expect(typed(String(repeating: "w", count: 100), limit: 10).text.count == 10)
        #expect(TextPrompt("Name", text: "abc", limit: 0).text == "a")
    }

    @Test("shows the part around the cursor, whatever the width")
    func view() {
        #expect(typed("ada").view(columns: 10) == ("ada", 3))
        #expect(typed("abcdef").view(columns: 4) == ("def", 3))
        #expect(typed("体温計").view(columns: 4) == ("計", 2))
        #expect(typed("abcdef", then: [.home]).view(columns: 4) == ("abcdef", 0))
        #expect(typed("abc").view(columns: 0) == ("", 0))
    }

    @Test("keeps text and cursor in bounds under any keys")
    func anyKeys() {
        var random = SeededGenerator(seed: 7)
        let keys: [Key] = [
            .left, .right, .home, .end, .backspace, .delete, .eraseLine, .up, .other, .character("a"),
            .character("心"), .character("\u{301}"), .character("\u{1F1E9}"), .pasted("\n"), .pasted("\u{202E}"),
        ]
        for _ in 0..<200 {
            var prompt = TextPrompt("Name", limit: 12)
            for _ in 0..<60 {
                guard let key = keys.randomElement(using: &random) else { return }
                let before = prompt
                let outcome = prompt.keyPressed(key)
                #expect((outcome == .edited) == (prompt != before))
                #expect(prompt.text.unicodeScalars.count <= 12)
                #expect(prompt.text.unicodeScalars.allSatisfy { $0.printable == $0 })
                for columns in 1...9 { #expect((0..<columns).contains(prompt.view(columns: columns).cursor)) }
            }
        }
    }
}

@Suite("A question")
struct ChoiceTests {
    private let choice = Choice("Forget?", ifYes: .sensor(.forget(address: "A")))

    @Test("is answered by its keys, in either case, and by no other key")
    func answers() {
        #expect(choice.answer(to: .character("y"))?.wish == .sensor(.forget(address: "A")))
        #expect(choice.answer(to: .character("Y"))?.wish == .sensor(.forget(address: "A")))
        #expect(choice.answer(to: .character("n")) != nil)
        #expect(choice.answer(to: .character("n"))?.wish == nil)
        for key: Key in [.enter, .character("q"), .pasted("y"), .other, .up] { #expect(choice.answer(to: key) == nil) }
    }
}
