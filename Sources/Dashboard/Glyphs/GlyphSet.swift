/// The characters that a terminal can show.
public enum GlyphSet: String, CaseIterable, Hashable, Sendable {
    /// Everything, braille patterns included: terminal emulators with a UTF-8 locale.
    case braille
    /// Block elements, no braille: the Linux console and poor fonts.
    case blocks
    /// Only ASCII: other locales and terminals.
    case ascii

    /// Picks one of three: for braille, for blocks, for ASCII.
    private func pick<T>(_ braille: T, _ blocks: T, _ ascii: T) -> T {
        switch self {
        case .braille: braille
        case .blocks: blocks
        case .ascii: ascii
        }
    }

    // MARK: Marks

    /// In front of heart rate and pulse.
    var heart: String { pick("♥", "♥", "*") }
    /// A sensor that streams; an adapter that scans.
    var full: String { pick("●", "●", "*") }
    /// A sensor on its way to streaming.
    var half: String { pick("◐", "◘", "~") }
    /// A sensor that is only nearby.
    var empty: String { pick("○", "○", "o") }
    /// A sensor that does not give what it should.
    var trouble: String { "!" }
    /// In front of the selected row.
    var pointer: String { pick("▶", "►", ">") }
    /// In front of what to do.
    var arrow: String { pick("→", "→", "->") }
    /// In front of an alarm, as often as its priority is high.
    var alarm: String { pick("▲", "▲", "!") }

    /// A signal strength as four bars, of which as many as the level (0 to 4) are drawn; always four columns wide.
    func signalBars(_ level: Int) -> String {
        let bars = pick(["▂", "▄", "▆", "█"], ["░", "▒", "▓", "█"], ["|", "|", "|", "|"])
        let none = pick("·", ".", ".")
        return bars.enumerated().map { $0.offset < level ? $0.element : none }.joined()
    }

    // MARK: Signs

    /// Between two facts.
    var dot: String { pick(" · ", " · ", " - ") }
    /// A degree sign, where there is one.
    var degree: String { pick("°", "°", "") }
    /// A minus sign.
    var minus: String { pick("−", "-", "-") }
    /// At least.
    var atLeast: String { pick("≥", "≥", ">=") }
    /// At most.
    var atMost: String { pick("≤", "≤", "<=") }
    /// For what was cut off.
    var ellipsis: String { pick("…", "…", "..") }
    /// Between the ends of a range.
    var dash: String { pick("–", "-", "-") }
    /// Oxygen saturation.
    var oxygenSaturation: String { pick("SpO₂", "SpO2", "SpO2") }
    /// The keys that move the selection.
    var upDown: String { pick("↑↓", "↑↓", "Up/Dn") }

    // MARK: Lines

    /// The characters of the frame.
    var frame: Frame {
        pick(
            Frame(horizontal: "─", vertical: "│", corners: ["╭", "╮", "╰", "╯"], left: "├", right: "┤"),
            Frame(horizontal: "─", vertical: "│", corners: ["┌", "┐", "└", "┘"], left: "├", right: "┤"),
            Frame(horizontal: "-", vertical: "|", corners: ["+", "+", "+", "+"], left: "+", right: "+"))
    }

    /// The mark of a limit in a trend.
    var limitMark: Unicode.Scalar { pick("┄", "-", ".") }

    /// Line characters for a frame.
    struct Frame {
        /// A rule.
        var horizontal: Unicode.Scalar
        /// A border.
        var vertical: Unicode.Scalar
        /// Top left, top right, bottom left, bottom right.
        var corners: [Unicode.Scalar]
        /// Where a rule meets the left border.
        var left: Unicode.Scalar
        /// Where a rule meets the right border.
        var right: Unicode.Scalar
    }
}
