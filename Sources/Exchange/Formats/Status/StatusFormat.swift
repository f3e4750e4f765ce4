import Base
import JSON
import Monitoring
import Status
import Vitals
import Wording

/// The output formats of `bedside status`; the raw value is the argument of `--format`.
public enum StatusFormat: String, CaseIterable, Sendable {
    /// A plain line.
    case plain
    /// One JSON object, as the monitor sends it.
    case json
    /// The text of OpenMetrics, for databases of measurements.
    case openMetrics = "openmetrics"
    /// A line for tmux's status line, with its styles.
    case tmux
    /// One JSON object for a custom module of waybar.
    case waybar
    /// A line for a script module of polybar, with its formatting tags.
    case polybar

    /// Whether it is for a status bar, which shows a missing monitor as a block.
    public var isBar: Bool { self == .tmux || self == .waybar || self == .polybar }

    /// The text of a status summary, without a line feed.
    ///
    /// - Parameters:
    ///   - summary: The monitor's answer; `nil` without a monitor.
    ///   - reason: A short text for a missing summary.
    ///   - remedy: The remedy in that case, as a sentence without a full stop.
    public func text(
        _ summary: StatusSummary?, orElse reason: String, remedy: String = "Start one with: bedside",
        unit: DisplayUnits,
        isASCII: Bool
    ) -> String {
        guard let summary else { return absence(reason, remedy) }
        let line = StatusLine(summary, unit: unit, isASCII: isASCII)
        switch self {
        case .plain: return line.text
        case .json: return String(decoding: StatusEncoder.line(summary, text: line.text).dropLast(), as: UTF8.self)
        case .openMetrics: return OpenMetrics(summary).text
        case .tmux: return line.joined(StatusMarkup.tmux)
        case .polybar: return line.joined(StatusMarkup.polybar)
        case .waybar: return WaybarBlock(summary, line).json
        }
    }

    /// The output for a missing status: in a bar a conspicuous block, so that it does not look normal.
    private func absence(_ reason: String, _ remedy: String) -> String {
        let pieces = StatusMarkup.absence(reason)
        switch self {
        case .plain: return reason
        case .json:
            return WaybarBlock.object([("v", .number(1)), ("event", .text("status")), ("error", .text(reason))])
        case .openMetrics: return OpenMetrics().text
        case .tmux: return pieces.map(StatusMarkup.tmux).joined()
        case .polybar: return pieces.map(StatusMarkup.polybar).joined()
        case .waybar: return WaybarBlock(absence: reason, remedy, pieces).json
        }
    }
}

/// The input of a custom module of waybar (`waybar-custom(5)`, "return-type": "json").
struct WaybarBlock {
    /// The object in one line.
    let json: String

    /// A value of an object.
    enum Value {
        case text(String)
        case number(Int)
        case texts([String])
    }

    /// A status summary: the line, the details in the tooltip, and classes for colours.
    init(_ summary: StatusSummary, _ line: StatusLine) {
        let worst = summary.alarms.first { !$0.isAcknowledged } ?? summary.alarms.first
        let isMissing = summary.trouble != nil || !summary.vitals.contains { $0.state == .measured }
        let word = worst?.priority.rawValue ?? (isMissing ? "missing" : "normal")
        var classes = [word]
        if worst != nil { classes.append(worst?.isAcknowledged == true ? "acknowledged" : "alarm") }
        if summary.isSimulated { classes.append("simulated") }
        var fields: [(String, Value)] = [
            ("text", .text(StatusMarkup.pango(line.text))),
            ("tooltip", .text(StatusMarkup.pango(Self.details(summary, line)))),
            ("class", .texts(classes)), ("alt", .text(word)),
        ]
        let saturation = summary.vitals.first { $0.vital == .oxygenSaturation && $0.state == .measured }
        if let value = saturation?.value {
            fields.append(("percentage", .number(min(max(value.hundredths / 100, 0), 100))))
        }
        json = Self.object(fields)
    }

    /// The block for a missing monitor.
    init(absence reason: String, _ remedy: String, _ pieces: [StatusLine.Piece]) {
        json = Self.object([
            ("text", .text(StatusMarkup.pango(pieces.map(\.text).joined(separator: " ")))),
            ("tooltip", .text(StatusMarkup.pango("\(reason). \(remedy)"))),
            ("class", .texts(["none"])), ("alt", .text("none")),
        ])
    }

    private static func details(_ summary: StatusSummary, _ line: StatusLine) -> String {
        var lines = [line.text]
        for vital in summary.vitals {
            guard let sensor = vital.sensor else { continue }
            lines.append("\(vital.vital.text): \(sanitized(sensor))")
        }
        for alarm in summary.alarms {
            lines.append("\(alarm.priority.rawValue): \(sanitized(alarm.text, limit: 200))")
        }
        return lines.joined(separator: "\n")
    }

    /// An object with members in their order.
    static func object(_ members: [(String, Value)]) -> String {
        var json = JSONWriter(capacity: 512)
        json.beginObject()
        for (name, value) in members {
            json.key(name)
            switch value {
            case .text(let text): json.string(text)
            case .number(let number): json.integer(number)
            case .texts(let texts):
                json.beginArray()
                for text in texts { json.string(text) }
                json.endArray()
            }
        }
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

/// The markup of status bars; texts are escaped.
///
/// A bar may have any background, so important text has its own: two colours of xterm's palette with a contrast of at
/// least 4.5. Red, yellow and cyan are reserved for alarms, as on the screen, and the text always states the same.
enum StatusMarkup {
    /// Two colours of xterm's palette, by their indices there and as red, green and blue.
    struct Pair {
        var text: (index: Int, rgb: String)
        var ground: (index: Int, rgb: String)
        var isBold = false
    }

    private static let black = (index: 16, rgb: "#000000")
    private static let white = (index: 231, rgb: "#ffffff")

    /// The colours of a piece; `nil` for the bar's own.
    ///
    /// Black text is never bold, because some terminals show bold black as grey.
    static func colors(of tone: StatusLine.Tone) -> Pair? {
        switch tone {
        case .value, .patient: nil
        case .simulated: Pair(text: white, ground: (127, "#af00af"), isBold: true)
        case .missing, .notice: Pair(text: black, ground: (252, "#d0d0d0"))
        case .noMonitor(isMark: false): Pair(text: (160, "#d70000"), ground: white, isBold: true)
        case .noMonitor(isMark: true), .alarm(.high, isCalm: false):
            Pair(text: white, ground: (160, "#d70000"), isBold: true)
        case .alarm(.medium, isCalm: false): Pair(text: black, ground: (220, "#ffd700"))
        case .alarm(.low, isCalm: false): Pair(text: black, ground: (44, "#00d7d7"))
        case .alarm(.high, isCalm: true): Pair(text: (203, "#ff5f5f"), ground: black)
        case .alarm(.medium, isCalm: true): Pair(text: (220, "#ffd700"), ground: black)
        case .alarm(.low, isCalm: true): Pair(text: (44, "#00d7d7"), ground: black)
        }
    }

    /// A missing monitor in a bar: in capitals, red on white between white on red, so that it is more conspicuous than
    /// any alarm, and visible on a bar of any colour.
    static func absence(_ reason: String) -> [StatusLine.Piece] {
        let mark = StatusLine.Piece(text: "!!!", tone: .noMonitor(isMark: true))
        return [mark, StatusLine.Piece(text: reason.uppercased(), tone: .noMonitor(isMark: false)), mark]
    }

    /// A piece in tmux's styles (`tmux(1)`, "STYLES").
    static func tmux(_ piece: StatusLine.Piece) -> String {
        // tmux shows two number signs as one.
        let text = piece.text.exchanging("#", for: "##")
        guard let colors = colors(of: piece.tone) else {
            return piece.tone == .patient ? "#[bold]\(text)#[default]" : text
        }
        let bold = colors.isBold ? ",bold" : ""
        return "#[fg=colour\(colors.text.index),bg=colour\(colors.ground.index)\(bold)] \(text) #[default]"
    }

    /// A piece in polybar's formatting tags.
    ///
    /// Polybar has no escape for its tags, which can even contain commands, so a space is inserted between a percent
    /// sign and a brace.
    static func polybar(_ piece: StatusLine.Piece) -> String {
        let text = piece.text.exchanging("%{", for: "% {")
        guard let colors = colors(of: piece.tone) else {
            return piece.tone == .patient ? "%{+u}\(text)%{-u}" : text
        }
        return "%{F\(colors.text.rgb)}%{B\(colors.ground.rgb)} \(text) %{B-}%{F-}"
    }

    /// A text escaped for Pango.
    static func pango(_ text: String) -> String {
        text.exchanging("&", for: "&amp;").exchanging("<", for: "&lt;").exchanging(">", for: "&gt;")
    }
}
