import Appearance
import Base
import CNcurses
import Glibc
import UserFiles

/// The traits of the terminal from the environment and the locale.
public struct TerminalTraits: Hashable, Sendable {
    /// The terminal's type, from `TERM`; empty when it is not set.
    public var type: String
    /// The character encoding of the locale, such as `UTF-8`.
    public var codeset: String
    /// Whether the user disabled colours (`NO_COLOR`, https://no-color.org).
    public var isColorRefused: Bool
    /// Whether the terminal announces any colour (`COLORTERM`), which its description may lack.
    public var claimsAnyColor: Bool
    /// The colour of the ground that the terminal announces (`COLORFGBG`); few terminals do.
    public var ground: Theme.Color?
    /// The user's limit on colours; `nil` for none.
    public var deepestColor: ColorDepth?

    public init(
        type: String, codeset: String, isColorRefused: Bool, claimsAnyColor: Bool = false,
        ground: Theme.Color? = nil
    ) {
        self.type = type
        self.codeset = codeset
        self.isColorRefused = isColorRefused
        self.claimsAnyColor = claimsAnyColor
        self.ground = ground
    }

    /// Reads the environment and the locale, and sets the process's character type to that locale.
    public static func current() -> TerminalTraits {
        setlocale(LC_CTYPE, "")
        let codeset = nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } ?? ""
        return TerminalTraits(
            type: Environment.value("TERM") ?? "", codeset: codeset,
            isColorRefused: Environment.value("NO_COLOR") != nil,
            claimsAnyColor: ["truecolor", "24bit"].contains(Environment.value("COLORTERM") ?? ""),
            ground: ground(Environment.value("COLORFGBG") ?? ""))
    }

    /// The richest glyph set that the terminal can show.
    public var suitableGlyphs: GlyphSet {
        guard ["UTF-8", "UTF8", "utf-8", "utf8"].contains(codeset) else { return .ascii }
        // The fonts of the Linux console have at most 512 characters, and no braille.
        return type.hasPrefix("linux") ? .blocks : .braille
    }

    /// The ground that `COLORFGBG`, such as `15;0` or `0;default;15`, names by its index among 16 colours.
    static func ground(_ colors: String) -> Theme.Color? {
        guard let index = colors.split(separator: ";").last.flatMap({ Int16($0) }), 0..<16 ~= index else { return nil }
        return Theme.Color(index, bright: index, basic: index % 8)
    }
}

/// The capabilities of a terminal type from the terminfo database; writes nothing to a terminal.
public struct TerminalCapabilities: Hashable, Sendable {
    /// Whether the type is known and can move its cursor, which the screen needs.
    public let isKnown: Bool
    /// The number of colours; 0 for none.
    public let colorCount: Int
    public let hasBell: Bool

    /// Looks up a type, such as `xterm-256color`.
    ///
    /// Do not call it while a ``Terminal`` is shown, because ncurses handles one type at a time.
    public init(type: String) {
        // Quirk initscr-exits: with a place for its error, setupterm does not end the program either.
        guard !type.isEmpty, cncurses_look_up(type) == 0 else {
            (isKnown, colorCount, hasBell) = (false, 0, false)
            return
        }
        isKnown = cncurses_capability("cup") != nil
        colorCount = max(0, Int(tigetnum("colors")))
        hasBell = cncurses_capability("bel") != nil
    }
}

/// Why a terminal cannot be used for the screen.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Standard input or output is not a terminal.
    case notATerminal
    /// `TERM` is not set.
    case noTerminalType
    /// The type in `TERM` is unknown.
    case unknownTerminalType(String)
    /// The terminal cannot move its cursor, so no screen can be drawn on it.
    case noCursorMovement(String)

    /// A sentence for the user, with the remedy.
    public var description: String {
        switch self {
        case .notATerminal:
            "The screen needs a terminal; without one, use: bedside watch, or bedside watch --json"
        case .noTerminalType:
            "TERM is not set, so the terminal's abilities are unknown; try: TERM=xterm-256color bedside"
        case .unknownTerminalType(let name):
            "The terminal type \"\(name)\" is not known here; try: TERM=xterm-256color bedside"
        case .noCursorMovement(let name):
            "A terminal of type \"\(name)\" cannot show the screen; use: bedside watch"
        }
    }
}
