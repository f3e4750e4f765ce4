import Appearance
import CNcurses

// Input after an Esc that ncurses does not decode: Alt with a key, mouse and focus reports, answers of the terminal.
// Read as single keys they would quit the program (Alt-q) or disconnect a sensor.
extension Terminal {
    /// The greatest length of a sequence; no terminal sends a longer one.
    private static let longestSequence = 256

    /// Reads the input that arrived together with an Esc; returns the Esc key if there is none.
    func readAfterEscape() -> Key {
        var next = readCharacter()
        // Alt with an arrow sends an Esc before that of the arrow.
        while next == .character(Key.escapeCharacter) { next = readCharacter() }
        switch next {
        case .none: return .escape
        case .code: return .other
        case .character(let character):
            switch Unicode.Scalar(character) {
            case "[": skipControlSequence()
            case "O": _ = readCharacter()
            case "]", "P", "^", "_", "X": skipControlString()
            // Alt with a key.
            default: break
            }
            return .other
        }
    }

    /// Skips the rest of a mouse report whose beginning ncurses takes for a key: numbers, or three bytes.
    func skipMouseReport() {
        guard case .character(let first) = readCharacter() else { return }
        if 0x30...0x39 ~= first {
            skipControlSequence()
        } else {
            for _ in 0..<2 { _ = readCharacter() }
        }
    }

    /// The progress of a paste: the recognised part of its end mark, and the number of characters read.
    struct Paste {
        static let endMark = Array("\u{1B}[201~".unicodeScalars)
        /// A limit, so that keys work again if a terminal omits the end mark.
        static let longest = 1_000_000
        var matched = 0
        var read = 0
    }

    /// The result of reading pasted text.
    enum Pasted {
        case character(Unicode.Scalar), ended, nothing
    }

    /// Reads pasted text, whose letters are not keys.
    func readPaste() -> Pasted {
        guard var paste else { return .ended }
        while paste.matched < Paste.endMark.count, paste.read < Paste.longest {
            let next = readCharacter()
            guard next != .none else {
                self.paste = paste
                return .nothing
            }
            paste.read += 1
            if next == .character(Paste.endMark[paste.matched].value) {
                paste.matched += 1
                continue
            }
            // An Esc within the text, or a part of the mark, is not text.
            let isText = paste.matched == 0 && next != .character(Key.escapeCharacter)
            paste.matched = next == .character(Key.escapeCharacter) ? 1 : 0
            if isText, case .character(let character) = next, let scalar = Unicode.Scalar(character) {
                self.paste = paste
                return .character(scalar)
            }
        }
        self.paste = nil
        return .ended
    }

    private enum Arrival: Equatable {
        case character(wint_t), code, none
    }

    private func readCharacter() -> Arrival {
        var character: wint_t = 0
        return switch cncurses_read(&character) {
        case OK: .character(character)
        case KEY_CODE_YES: .code
        default: .none
        }
    }

    /// Skips parameters up to the final character (ECMA-48, 5.4), and the three bytes of an old mouse report.
    ///
    /// The mark before pasted text is such a sequence, too.
    private func skipControlSequence() {
        var parameters = ""
        for offset in 0..<Self.longestSequence {
            guard case .character(let character) = readCharacter() else { return }
            guard 0x40...0x7E ~= character else {
                Unicode.Scalar(character).map { parameters.unicodeScalars.append($0) }
                continue
            }
            if character == 0x7E, parameters == "200" { paste = Paste() }
            if offset == 0, character == 0x4D {
                for _ in 0..<3 { _ = readCharacter() }
            }
            return
        }
    }

    /// Skips a string up to its end: BEL, or Esc and a backslash (ECMA-48, 5.6).
    private func skipControlString() {
        for _ in 0..<Self.longestSequence {
            guard case .character(let character) = readCharacter(), character != 0x07 else { return }
            if character == Key.escapeCharacter {
                _ = readCharacter()
                return
            }
        }
    }
}
