import TestSupport
import Testing

@testable import Appearance

@Suite("A theme on a ground")
struct ThemeGroundTests {
    @Test("for a ground that nobody has said is the dark one, else the one that suits the ground")
    func suited() {
        let cases: [(Int?, String)] = [
            (nil, "dark"), (0, "dark"), (0x002B36, "dark"), (0x505050, "dark"), (0x808080, "light"),
            (0xFDF6E3, "light"),
            (0xFFFFFF, "light"), (0x0000FF, "dark"), (0x00FF00, "light"),
        ]
        for (rgb, name) in cases {
            #expect(Theme.suited(to: rgb.map { Theme.Color(rgb: $0, bright: 0, basic: 0) }).name == name)
        }
    }

    @Test("that keeps the terminal's never paints one, and follows what the terminal says")
    func terminal() throws {
        for rgb in [nil, 0, 0xFFFFFF, 0x002B36, 0x808080, 0xD70000] {
            let ground = rgb.map { Theme.Color(rgb: $0, bright: 0, basic: 0) }
            let theme = try #require(Theme.named("terminal", on: ground))
            #expect(theme.isOnLight == (ground?.isLight ?? false))
            for depth in ColorDepth.allCases where depth > .none {
                let fitted = theme.fitted(to: ground, at: depth)
                for role in Style.Role.allCases {
                    for attributes: Style.Attributes in [[], .bold, .dim, .fade(2)] {
                        #expect(fitted.look(of: Style(role, attributes), at: depth).ground == nil, "\(role), \(depth)")
                    }
                }
                let usual = try #require(Theme.named("auto", on: ground)).fitted(to: ground, at: depth)
                if usual.ground == nil { #expect(usual[.heartRate] == fitted[.heartRate]) }
            }
        }
        #expect(Theme.named("none", on: nil) == nil)
        #expect(Theme.names.allSatisfy { Theme.named($0, on: nil) != nil })
    }

    @Test("has the own colours of its user where it paints its ground, too, and no fault that it had not before")
    func ownColors() throws {
        let place = try #require(ThemePlace.all.first { $0.name == "heart_rate" })
        let color = try #require(Theme.Color("#5fd787"))
        for (name, theme) in Theme.builtIn.map({ ($0.name, $0.theme) }) {
            let painted = theme.withOwnGround
            #expect(painted.fault == nil, "\(name)")
            #expect(painted.isOnLight == (name == "light"))
            #expect(painted.with([place: color])[.heartRate].text?.rgb == color.rgb)
            #expect(painted.withOwnGround == painted)
        }
    }

    @Test(
        "of contrast as WCAG 2 defines it",
        arguments: [
            (0x000000, 0xFFFFFF, 21.0), (0x777777, 0xFFFFFF, 4.478), (0xFF0000, 0xFFFFFF, 3.998),
            (0xFFD700, 0xFFFFFF, 1.40),
            (0xCD00CD, 0xFFFFFF, 4.690), (0x101010, 0x000000, 1.104),
        ])
    func contrast(one: Int, other: Int, expected: Double) {
        let colors = [one, other].map { Theme.Color(rgb: $0, bright: 0, basic: 0) }
        #expect(abs(colors[0].contrast(to: colors[1]) - expected) < 0.01)
    }
}
