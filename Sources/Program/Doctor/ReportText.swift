import Base
import Formats
import JSON
import Vitals

extension Report {
    /// The style of a printed report.
    public struct Style: Hashable, Sendable {
        /// Whether symbols other than ASCII can be shown.
        public var hasSymbols: Bool
        /// Whether colours can be shown.
        public var hasColors: Bool
        /// The width of a line in characters.
        public var width: Int

        public init(hasSymbols: Bool, hasColors: Bool, width: Int) {
            self.hasSymbols = hasSymbols
            self.hasColors = hasColors
            self.width = width
        }
    }

    /// The report as text: a symbol and a word for each verdict, the finding, and the remedy.
    public func text(_ style: Style) -> String {
        let nameWidth = (checks.map(\.name.count).max() ?? 0) + 2
        let indent = Self.verdictWidth + nameWidth
        var text = ""
        for check in checks {
            let mark = style.hasSymbols ? check.verdict.symbol : check.verdict.plainSymbol
            let word = Self.padded("\(mark) \(check.verdict.word)", Self.verdictWidth)
            text += style.hasColors ? "\u{1B}[\(check.verdict.color)m\(word)\u{1B}[0m" : word
            text += Self.padded(check.name, nameWidth)
            text += Self.wrapped(check.finding, indent: indent, style) + "\n"
            if let sample = check.sample { text += String(repeating: " ", count: indent) + sample + "\n" }
            if let remedy = check.remedy {
                let arrow = style.hasSymbols ? "→ " : "-> "
                text += String(repeating: " ", count: indent)
                text += Self.wrapped(arrow + remedy, indent: indent, style) + "\n"
            }
        }
        return text + "\n" + Self.wrapped(conclusion, indent: 0, style) + "\n"
    }

    private static let verdictWidth = 11

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// Wraps at spaces; later lines are indented.
    ///
    /// A word that is too long is not broken, so that it can be copied.
    private static func wrapped(_ text: String, indent: Int, _ style: Style) -> String {
        let width = max(20, style.width - indent)
        var lines: [String] = []
        for word in (style.hasSymbols ? text : text.exchanging("×", for: "x")).split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
    }
}

extension Check.Verdict {
    /// The word shown.
    var word: String { self == .skipped ? "-" : rawValue }

    fileprivate var symbol: String {
        switch self {
        case .skipped: "·"
        case .ok: "✓"
        case .advice: "▲"
        case .trouble: "✗"
        }
    }

    fileprivate var plainSymbol: String {
        switch self {
        case .skipped: "."
        case .ok: "+"
        case .advice: "!"
        case .trouble: "X"
        }
    }

    /// The number of the colour in the terminal's "select graphic rendition": green, yellow, red, dim.
    fileprivate var color: Int {
        switch self {
        case .skipped: 2
        case .ok: 32
        case .advice: 33
        case .trouble: 31
        }
    }
}

/// The report of `bedside doctor --json`: one object, whose version changes with every incompatible change.
public enum DoctorJSON {
    /// The version of the format.
    public static let version = 1

    /// The report as one line.
    public static func text(_ report: Report, _ facts: Facts) -> String {
        var json = JSONWriter()
        json.beginObject()
        json.key("v")
        json.integer(version)
        json.key("bedside")
        json.string(Product.version)
        json.key("verdict")
        json.string(report.verdict == .skipped ? "ok" : report.verdict.rawValue)
        json.key("kernel")
        json.string(facts.bluetooth.kernel)
        json.key("bluetoothd")
        if let version = facts.bluetooth.version { json.string(version) } else { json.null() }
        json.key("simulated")
        json.bool(facts.bluetooth.isSimulated)
        json.key("checks")
        json.beginArray()
        for check in report.checks {
            json.beginObject()
            json.key("name")
            json.string(check.name.exchanging(" ", for: "_"))
            json.key("verdict")
            json.string(check.verdict.rawValue)
            json.key("finding")
            json.string(check.finding)
            if let remedy = check.remedy {
                json.key("remedy")
                json.string(remedy)
            }
            json.endObject()
        }
        json.endArray()
        json.endObject()
        json.newline()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
