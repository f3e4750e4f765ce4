/// A key press as a terminal reports it.
public enum Key: Hashable, Sendable {
    /// A key that makes a character.
    case character(Unicode.Scalar)
    /// An arrow key.
    case up, down, left, right
    /// A key that moves by more than a step.
    case pageUp, pageDown, home, end
    /// The key that confirms.
    case enter
    /// The key that closes.
    case escape
    /// Any other key.
    case other
}
