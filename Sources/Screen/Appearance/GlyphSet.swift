/// The characters that a terminal can show.
public enum GlyphSet: String, CaseIterable, Hashable, Sendable {
    /// Everything, braille patterns included: terminal emulators with a UTF-8 locale.
    case braille
    /// Block elements, no braille: the Linux console and poor fonts.
    case blocks
    /// Only ASCII: other locales and terminals.
    case ascii
}
