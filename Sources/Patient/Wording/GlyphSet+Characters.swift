import Base

extension GlyphSet {
    /// Picks the character for braille, for blocks or for ASCII.
    private func pick<T>(_ braille: T, _ blocks: T, _ ascii: T) -> T {
        switch self {
        case .braille: braille
        case .blocks: blocks
        case .ascii: ascii
        }
    }

    // MARK: Marks

    /// Before heart rate and pulse.
    package var heart: String { pick("♥", "♥", "*") }
    /// Alternates with the heart at every value, so that it beats.
    package var hollowHeart: String { pick("♡", "•", "+") }
    /// A streaming sensor; a scanning adapter.
    package var full: String { pick("●", "●", "*") }
    /// A sensor on its way to streaming.
    package var half: String { pick("◐", "◘", "~") }
    /// A sensor that is nearby but not connected.
    package var empty: String { pick("○", "○", "o") }
    /// A sensor with a problem.
    package var trouble: String { "!" }
    /// Before the selected row.
    package var pointer: String { pick("▶", "►", ">") }
    /// Before an action to take.
    package var arrow: String { pick("→", "→", "->") }
    /// Before a vital in the list of sensors whose large number comes from that sensor.
    package var feeds: String { pick("↑", "↑", "^") }
    /// Before an alarm, once for each level of priority.
    package var alarm: String { pick("▲", "▲", "!") }
    /// Before something that is silenced, suspended or switched off.
    package var crossed: String { pick("⊘", "Ø", "x") }
    /// Before an acknowledged alarm.
    package var tick: String { pick("✓", "√", "v") }
    /// At the left and at the right of what is outlined.
    package var sides: (left: String, right: String) { pick(("▌", "▐"), ("▌", "▐"), ("[", "]")) }
    /// Before an action of a user.
    package var person: String { pick("•", "•", "-") }

    /// A signal strength as four bars, lit up to the level (0 to 4); always four columns wide.
    package func signalBars(_ level: Int) -> String {
        // The highest bar leaves a gap to the row above.
        let bars = pick("▁▃▅▇", "░▒▓█", "||||")
        return String(bars.prefix(level)) + String(repeating: pick("·", ".", "."), count: 4 - level)
    }

    // MARK: Signs

    /// Between two facts.
    package var dot: String { pick(" · ", " · ", " - ") }
    /// A degree sign, where there is one.
    package var degree: String { pick("°", "°", "") }
    /// A minus sign.
    package var minus: String { pick("−", "-", "-") }
    package var atLeast: String { pick("≥", "≥", ">=") }
    package var atMost: String { pick("≤", "≤", "<=") }
    /// For what was cut off.
    package var ellipsis: String { pick("…", "…", "..") }
    /// Between the ends of a range.
    package var dash: String { pick("–", "-", "-") }
    package var oxygenSaturation: String { pick("SpO₂", "SpO2", "SpO2") }
    /// The keys that move the selection.
    package var upDown: String { pick("↑↓", "↑↓", "Up/Dn") }
    /// The keys that move to the left and to the right.
    package var leftRight: String { pick("←→", "←→", "Left/Right") }
    package var left: String { pick("←", "←", "Left") }

    /// A text with unsupported signs replaced: "SpO₂" becomes "SpO2" where there is no "₂".
    package func fit(_ text: String) -> String {
        guard self != .braille else { return text }
        var result = ""
        for character in text {
            switch character {
            case "₂": result += "2"
            case "≥": result += atLeast
            case "≤": result += atMost
            case "°": result += degree
            case "±" where self == .ascii: result += "+-"
            case "µ" where self == .ascii: result += "u"
            default: result.append(character)
            }
        }
        return result
    }

    // MARK: Lines

    /// The characters of the frame.
    package var frame: Frame {
        pick(
            Frame(horizontal: "─", vertical: "│", corners: ["╭", "╮", "╰", "╯"]),
            Frame(horizontal: "─", vertical: "│", corners: ["┌", "┐", "└", "┘"]),
            Frame(horizontal: "-", vertical: "|", corners: ["+", "+", "+", "+"]))
    }

    /// The mark above the time of an alarm in a trend.
    package var alarmShade: Unicode.Scalar { pick("▔", "▀", "^") }

    /// The mark of a time on the axis of the trends.
    package var tickMark: Unicode.Scalar { pick("╵", "┴", "'") }

    /// A manual value in a trend.
    package var manualMark: Unicode.Scalar { pick("◆", "■", "@") }

    /// The mark behind a graph where the values of another sensor begin.
    package var sourceMark: Unicode.Scalar { pick("┊", "│", "!") }

    /// The part of a scroll bar that represents the visible rows.
    package var scrollThumb: Unicode.Scalar { pick("┃", "█", "#") }

    /// The mark of a time in which nothing was received.
    package var gapMark: Unicode.Scalar { pick("░", "░", "~") }

    /// Where a wave is higher, or lower, than its strip.
    package var clipMarks: (above: Unicode.Scalar, below: Unicode.Scalar) {
        pick(("▲", "▼"), ("▲", "▼"), ("^", "v"))
    }

    /// The mark of a limit in a trend.
    package var limitMark: Unicode.Scalar { pick("╌", "-", "=") }

    /// Line characters for a frame.
    package struct Frame {
        /// A rule.
        package var horizontal: Unicode.Scalar
        /// A border.
        package var vertical: Unicode.Scalar
        /// Top left, top right, bottom left, bottom right.
        package var corners: [Unicode.Scalar]
    }
}

/// A text in ASCII, with replacements for other characters.
package func asciiText(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in GlyphSet.ascii.fit(text).unicodeScalars {
        scalars.append(scalar.isASCII ? scalar : scalar.asciiStandIn)
    }
    return String(scalars)
}
