/// A key press as a terminal reports it.
public enum Key: Hashable, Sendable {
    /// A key that makes a character.
    case character(Unicode.Scalar)
    /// A character that was pasted: part of a text, never a command.
    case pasted(Unicode.Scalar)
    /// An arrow key.
    case up, down, left, right
    /// A key that moves by more than a step.
    case pageUp, pageDown, home, end
    /// The key that confirms.
    case enter
    /// The key that closes.
    case escape
    /// A key that takes away the character before or after the cursor, or all before it (Ctrl-U).
    case backspace, delete, eraseLine
    /// Any other key.
    case other
}
