import Appearance
import CNcurses

extension Key {
    /// The character of the Esc key, and the beginning of every longer sequence.
    static let escapeCharacter: wint_t = 0x1B

    /// Creates a key from a character of the terminal.
    init(character: wint_t) {
        switch character {
        case 0x0A, 0x0D: self = .enter
        case Self.escapeCharacter: self = .escape
        case 0x01: self = .home
        case 0x05: self = .end
        case 0x08, 0x7F: self = .backspace
        case 0x15: self = .eraseLine
        case 0x09: self = .tab
        default:
            if let scalar = Unicode.Scalar(character), character >= 0x20 {
                self = .character(scalar)
            } else {
                self = .other
            }
        }
    }

    /// Creates a key from an ncurses key code.
    init(code: CInt) {
        switch code {
        case KEY_UP: self = .up
        case KEY_DOWN: self = .down
        case KEY_LEFT: self = .left
        case KEY_RIGHT: self = .right
        case KEY_PPAGE: self = .pageUp
        case KEY_NPAGE: self = .pageDown
        case KEY_HOME: self = .home
        case KEY_END: self = .end
        case KEY_ENTER: self = .enter
        case KEY_BACKSPACE: self = .backspace
        case KEY_DC: self = .delete
        case (KEY_F0 + 1)...(KEY_F0 + 12): self = .function(Int(code - KEY_F0))
        default: self = .other
        }
    }
}
