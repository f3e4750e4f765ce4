import TestSupport
import Testing

@testable import Appearance

/// What each role of each theme becomes at each depth of colour.
///
/// The golden screens name the role of every cell in every view and size class (`-kinds.txt`); together with this table
/// they say how every view looks in every theme.
@Suite("Golden themes")
struct ThemeGoldenTests {
    @Test("every role of every theme looks as approved at every depth, plain, reversed and on the second fill")
    func looksAsApproved() throws {
        var picture = ""
        let painted = Theme.builtIn.filter { $0.theme.ground == nil }.map {
            ("\($0.name) on a ground of its own", $0.theme.withOwnGround)
        }
        for (name, theme) in Theme.builtIn.map({ ($0.name, $0.theme) }) + painted {
            let titles: [(String, Style.Attributes)] = [
                ("plain", []), ("reversed", .reverse), ("second fill", [.reverse, .second]),
                ("field", [.reverse, .field]), ("field, second fill", [.reverse, .field, .second]),
            ]
            for (title, attributes) in titles {
                picture += "== \(name), \(title)\n"
                picture += row(["role"] + ColorDepth.allCases.map { "\($0)" })
                for role in Style.Role.allCases
                where attributes.fade == 0 || role == .alarmHigh
                    || role == .alarmMedium && attributes == [.reverse, .field]
                {
                    let looks = ColorDepth.allCases.map { depth in
                        text(theme.look(of: Style(role, attributes), at: depth), depth)
                    }
                    picture += row(["\(role)"] + looks)
                }
            }
        }
        try expectGolden(picture, "themes.txt")
    }

    private func row(_ cells: [String]) -> String {
        let padded = cells.map { $0 + String(repeating: " ", count: max(0, 26 - $0.count)) }.joined(separator: " ")
        return String(padded.reversed().drop { $0 == " " }.reversed()) + "\n"
    }

    /// A look: "203 on 16 bold"; a dot for the terminal's own colour.
    private func text(_ look: Theme.Look, _ depth: ColorDepth) -> String {
        let names: [(Style.Attributes, String)] = [
            (.bold, "bold"), (.dim, "dim"), (.underline, "underline"), (.reverse, "reverse"),
        ]
        let attributes = names.filter { look.attributes.contains($0.0) }.map(\.1)
        let text = look.text.map { number($0, depth) } ?? "."
        let ground = look.ground.map { "on \(number($0, depth))" }
        return ([text] + [ground].compactMap(\.self) + attributes).joined(separator: " ")
    }

    private func number(_ color: Theme.Color, _ depth: ColorDepth) -> String {
        depth == .direct ? color.text : color.number(at: depth).map(String.init) ?? "."
    }
}
