/// A key that is more than the character it types, as `xterm` sends it.
enum Key: String, Sendable {
    case enter = "\r"
    case escape = "\u{1B}"
    case tab = "\t"
    case backspace = "\u{7F}"
    case controlC = "\u{03}"
    case controlL = "\u{0C}"
    case controlZ = "\u{1A}"
    // ncurses switches the cursor keys to application mode.
    case up = "\u{1B}OA"
    case down = "\u{1B}OB"
    case right = "\u{1B}OC"
    case left = "\u{1B}OD"
    case home = "\u{1B}OH"
    case end = "\u{1B}OF"
    case pageUp = "\u{1B}[5~"
    case pageDown = "\u{1B}[6~"
}
