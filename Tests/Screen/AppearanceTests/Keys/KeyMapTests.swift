import Testing

@testable import Appearance

@Suite("Keys of one's own")
struct KeyMapTests {
    @Test("the usual keys contradict nothing")
    func usual() {
        #expect(KeyMap.usual.conflict == nil)
        #expect(KeyMap.usual.bindings.count == KeyBinding.table.count)
    }

    @Test("every command has a name of its own, and its keys have names that are read as they are written")
    func names() {
        #expect(Set(Command.allCases.map(\.name)).count == Command.allCases.count)
        #expect(Command.pauseAudio.name == "pause_audio")
        for binding in KeyBinding.table {
            #expect(binding.name == binding.keys.map(\.name).joined(separator: ", "))
            for key in binding.keys { #expect(Key(name: key.name) == key) }
        }
        for name in Key.names { #expect(Key(name: name)?.name == name) }
    }

    @Test("what is no key is refused", arguments: ["", "ab", "F0", "F13", "F+1", "\u{7}", "\u{301}", "\u{200B}", "  "])
    func noKeys(name: String) {
        #expect(Key(name: name) == nil)
    }

    private func conflict(_ changes: [Command: [Key]]) -> KeyMap.Conflict? {
        var keys = KeyMap()
        for (command, wanted) in changes { keys[command] = wanted }
        return keys.conflict
    }

    @Test("two commands cannot have a key where both could be meant; the one that was changed is to blame")
    func conflicts() {
        let global = conflict([.filter: [.character("a")]])
        #expect(global?.command == .filter)
        #expect(global?.reason == "the key a belongs to acknowledge, too, as usual; give one of the two another key")
        #expect(conflict([.acknowledge: [.character("/")]])?.command == .acknowledge)
        #expect(conflict([.rename: [.character("x")]])?.other == .forget)
        // Where both were changed the later one is to blame, and neither is usual.
        let both = conflict([.rename: [.character("y")], .forget: [.character("y")]])
        #expect(both?.reason.contains("as usual") == false)
    }

    @Test("the same key may do other things on other pages, and two commands may exchange their keys")
    func noConflicts() {
        #expect(conflict([.snooze: [.character("x")]]) == nil)
        #expect(conflict([.acknowledge: [.character("p")], .pauseAudio: [.character("a")]]) == nil)
        #expect(conflict([.rename: []]) == nil)
    }

    @Test("Esc closes and never does anything else, quitting included", arguments: Command.allCases)
    func escape(command: Command) {
        if command == .close {
            #expect(conflict([.close: [.character("J")]])?.command == .close)
            #expect(conflict([.close: [.escape, .character("J")]]) == nil)
        } else {
            #expect(conflict([command: [.escape]])?.command == command)
        }
    }

    @Test(
        "quitting, acknowledging and closing always keep a key",
        arguments: [Command.quit, .acknowledge, .close])
    func indispensable(command: Command) {
        #expect(conflict([command: []])?.command == command)
    }
}
