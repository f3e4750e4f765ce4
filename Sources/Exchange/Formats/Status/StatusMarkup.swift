import Base
import Monitoring
import Status
import Vitals

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
