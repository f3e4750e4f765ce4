import Base
import Glibc
import TestSupport
import Testing
import TextGrid

@testable import Appearance
@testable import Dashboard

/// What is written can be read: the contrast of each pair of colours that a story draws, as WCAG 2 calculates it.
@Suite("Contrast")
struct ContrastTests {
    private typealias Components = (UInt8, UInt8, UInt8)

    /// Every style of text in the stories, with flashing lit and dark.
    private static let styles: Set<Style> = {
        var styles: Set<Style> = []
        for (name, ward) in Ward.stories {
            let sizes = GoldenTests.atEverySize.contains(name) ? GoldenTests.sizes : [(80, 24)]
            for glyphs in GlyphSet.allCases {
                for (columns, rows) in sizes {
                    for cell in ward.drawn(columns, rows, glyphs).cells where isText(cell) {
                        guard cell.style.attributes.contains(.flashing) else {
                            styles.insert(cell.style)
                            continue
                        }
                        for isLit in [true, false] { styles.insert(AlarmLook.phase(cell.style, isLit: isLit)) }
                    }
                }
            }
        }
        return styles
    }()

    /// Rules, borders, the lines of limits and what glows below a trend are no text.
    private static func isText(_ cell: Cell) -> Bool {
        cell.scalar != " "
            && (cell.style.attributes.fade == 0 || !cell.style.attributes.isDisjoint(with: [.flashing, .reverse]))
            && (cell.style.role != .frame || cell.scalar.properties.isAlphabetic)
    }

    private func luminance(_ color: Components) -> Double {
        func linear(_ component: UInt8) -> Double {
            let value = Double(component) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(color.0) + 0.7152 * linear(color.1) + 0.0722 * linear(color.2)
    }

    private func contrast(_ one: Components, _ other: Components) -> Double {
        let (one, other) = (luminance(one), luminance(other))
        return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    /// Text and ground as a terminal of 8 or 16 colours shows them: bold is brighter; on the Linux console, whose first
    /// eight colours include the terminal's own, reversed and ordinary text, too.
    private func shown(_ look: Theme.Look, _ depth: ColorDepth, _ place: String, isLight: Bool)
        -> (Components, Components)
    {
        let isConsole = place == "console"
        let palette = isConsole ? Theme.Color.console : Theme.Color.first
        let (black, white) = (0, 15)
        let own = (text: isLight ? black : 7, ground: isLight ? white : black)
        var (text, ground) = (look.text?.number(at: depth) ?? own.text, look.ground?.number(at: depth) ?? own.ground)
        if look.attributes.contains(.reverse) { (text, ground) = (ground, text) }
        if look.attributes.contains(.bold), text < 8, isConsole || look.text != nil { text += 8 }
        return (palette[text], palette[ground])
    }

    private func shown(_ look: Theme.Look, _ depth: ColorDepth, isLight: Bool) -> (Components, Components) {
        func components(_ color: Theme.Color?, or own: UInt8) -> Components {
            guard let color else { return (own, own, own) }
            let shown = depth == .palette ? Theme.Color(color.palette, bright: 0, basic: 0) : color
            return (shown.red, shown.green, shown.blue)
        }
        let pair = (
            components(look.text, or: isLight ? 0 : 229), components(look.ground, or: isLight ? 255 : 0)
        )
        return look.attributes.contains(.reverse) ? (pair.1, pair.0) : pair
    }

    @Test(
        "every pair has at least 4.5 on the palettes of xterm and the Linux console",
        arguments: Theme.builtIn.map(\.name))
    func pairs(name: String) throws {
        let theme = try #require(Theme.builtIn.first { $0.name == name }?.theme)
        let isLight = name == "light"
        #expect(Self.styles.count > 30)
        for style in Self.styles {
            for depth in [ColorDepth.basic, .bright] {
                for place in ["xterm", "console"] {
                    let (text, ground) = shown(theme.look(of: style, at: depth), depth, place, isLight: isLight)
                    #expect(contrast(text, ground) >= 4.5, "\(style), \(depth), \(place)")
                }
            }
            for depth in [ColorDepth.palette, .direct] {
                let (text, ground) = shown(theme.look(of: style, at: depth), depth, isLight: isLight)
                #expect(contrast(text, ground) >= 4.5, "\(style), \(depth)")
            }
        }
    }

    /// The roles of trends.
    private static let trends: [Style.Role] = [
        .heartRate, .oxygenSaturation, .temperature, .glucose, .alarmHigh, .alarmMedium, .alarmLow,
    ]

    @Test(
        "the line of a trend has at least 4.5 on white, on black and on the theme's ground, where it is for them",
        arguments: Theme.builtIn.map(\.name))
    func lines(name: String) throws {
        let theme = try #require(Theme.builtIn.first { $0.name == name }?.theme)
        for ground in [0x000000, 0xFFFFFF, nil] {
            let terminal = ground.map { Theme.Color(rgb: $0, bright: 0, basic: 0) }
            for depth in [ColorDepth.palette, .direct] {
                let fitted = theme.fitted(to: terminal, at: depth)
                for role in Self.trends {
                    let look = fitted.look(of: Style(role), at: depth)
                    guard let (text, behind) = seen(look, depth, "xterm", on: terminal ?? Theme.darkGround) else {
                        #expect(theme.ground == nil && fitted[.plain].text == nil, "\(role)")
                        continue
                    }
                    #expect(contrast(text, behind) >= 4.5, "\(role), \(depth), \(ground ?? -1)")
                }
            }
        }
    }

    @Test("what glows below a trend is fainter with each step, and can be seen", arguments: Theme.builtIn.map(\.name))
    func glow(name: String) throws {
        let theme = try #require(Theme.builtIn.first { $0.name == name }?.theme).withOwnGround
        for role in Self.trends {
            for depth in [ColorDepth.palette, .direct] {
                let contrasts = try (0...3).map { step in
                    let look = theme.look(of: Style(role, .fade(step)), at: depth)
                    let (text, ground) = try #require(seen(look, depth, "xterm", on: Theme.darkGround))
                    return contrast(text, ground)
                }
                for (one, next) in zip(contrasts, contrasts.dropFirst()) {
                    #expect(one > next && next >= 1.15, "\(role), \(depth), \(contrasts)")
                }
            }
            // Where the terminal's own ground is seen, it is that into which colours fade.
            let solarized = Theme.Color(rgb: 0x002B36, bright: 0, basic: 0)
            let fitted = Theme.dark.fitted(to: solarized, at: .direct)
            let faintest = try #require(fitted.look(of: Style(role, .fade(3)), at: .direct).text)
            #expect(faintest.distance(to: solarized) < faintest.distance(to: Theme.darkGround), "\(role)")
            for depth in [ColorDepth.none, .basic, .bright] {
                let thinnings = (0...3).map { theme.look(of: Style(role, .fade($0)), at: depth).thinning }
                #expect(thinnings == [0, 1, 2, 3], "\(role), \(depth)")
            }
        }
    }

    /// The grounds of well-known colour schemes, an alarm's own colours, and random ones; `nil` where none is known.
    private static let grounds: [Int?] = {
        var generator = SeededGenerator(seed: RandomCases.firstSeed)
        let known: [Int?] = [
            nil, 0, 0xFFFFFF, 0x002B36, 0xFDF6E3, 0x2E3440, 0x282A36, 0x300A24, 0xEEEEEC, 0x808080, 0xD70000, 0xFFD700,
        ]
        return known + (0..<40).map { _ in Int.random(in: 0...0xFFFFFF, using: &generator) }
    }()

    /// The colours of a look on a ground of the terminal's, of which `nil` is its own text.
    private func seen(
        _ look: Theme.Look, _ depth: ColorDepth, _ place: String, on ground: Theme.Color
    ) -> (Components, Components)? {
        guard let text = look.text else { return nil }
        func components(_ color: Theme.Color, isBold: Bool) -> Components {
            guard depth <= .bright, let number = color.number(at: depth) else {
                let shown = depth == .palette ? Theme.Color(color.palette, bright: 0, basic: 0) : color
                return (shown.red, shown.green, shown.blue)
            }
            return (place == "console" ? Theme.Color.console : Theme.Color.first)[
                number + (isBold && number < 8 ? 8 : 0)]
        }
        let own = (ground.red, ground.green, ground.blue)
        return (
            components(text, isBold: look.attributes.contains(.bold)),
            look.ground.map { components($0, isBold: false) } ?? own
        )
    }

    @Test(
        "on whatever ground a terminal says, or none, text has 4.5, what may be overlooked and graphics 3, frames 2",
        arguments: Theme.builtIn.map(\.name))
    func anyGround(name: String) throws {
        let theme = try #require(Theme.builtIn.first { $0.name == name }?.theme)
        var painted = 0
        for rgb in Self.grounds {
            let ground = rgb.map { Theme.Color(rgb: $0, bright: 0, basic: 0) }
            for depth in ColorDepth.allCases where depth > .none {
                let fitted = theme.fitted(to: ground, at: depth)
                if fitted.ground != nil { painted += 1 }
                #expect(ground != nil || fitted.ground != nil)
                for style in Self.styles.union([.plain, .faint, .selected, Style(.frame)]) {
                    let look = fitted.look(of: style, at: depth)
                    // No cell is left to the terminal where the theme paints.
                    #expect(fitted.ground == nil || look.text != nil && look.ground != nil, "\(style), \(depth)")
                    let isGraphic = style.attributes.contains(.dim) || style.role == .faint
                    let least = style.role == .frame ? 2 : isGraphic ? 3 : 4.5
                    // Frames on the terminal's own ground are no text, and it may have any colour.
                    guard style.role != .frame || fitted.ground != nil else { continue }
                    for place in ["xterm", "console"] {
                        guard let (text, behind) = seen(look, depth, place, on: ground ?? Theme.darkGround) else {
                            continue
                        }
                        #expect(
                            contrast(text, behind) >= least,
                            "\(style), \(depth), \(place), \(rgb.map { String($0, radix: 16) } ?? "unknown")")
                    }
                }
            }
        }
        #expect(painted >= ColorDepth.allCases.count - 1)
    }

    @Test(
        "a theme paints no ground where it can be read, and always where it cannot",
        arguments: [
            ("dark", 0x000000, true), ("dark", 0x002B36, true), ("dark", 0x282A36, true), ("dark", 0xFFFFFF, false),
            ("dark", 0x808080, false), ("dark", 0xD70000, false), ("light", 0xFFFFFF, true), ("light", 0x000000, false),
            ("light", 0x606060, false), ("color-blind", 0x000000, true), ("color-blind", 0xFFFFFF, false),
            ("high-contrast", 0x000000, false),
        ])
    func painting(name: String, rgb: Int, isTerminals: Bool) throws {
        let theme = try #require(Theme.builtIn.first { $0.name == name }?.theme)
        let ground = Theme.Color(rgb: rgb, bright: 0, basic: 0)
        for depth in [ColorDepth.palette, .direct] {
            #expect((theme.fitted(to: ground, at: depth).ground == nil) == isTerminals, "\(depth)")
            #expect(theme.fitted(to: nil, at: depth).ground != nil)
        }
        #expect(theme.fitted(to: nil, at: .none).look(of: .plain, at: .none) == theme.look(of: .plain, at: .none))
    }

    @Test("no look has an attribute that a terminal turns into a contrast of its own", arguments: ColorDepth.allCases)
    func noDimming(depth: ColorDepth) {
        guard depth > .none else { return }
        for (_, theme) in Theme.builtIn {
            for style in Self.styles { #expect(!theme.look(of: style, at: depth).attributes.contains(.dim)) }
        }
    }

    @Test("finds what cannot be read: bold black on cyan, which is grey there, and yellow on white")
    func findsFaults() {
        let look = Theme.Look(
            text: Theme.Color(16, bright: 0, basic: 0), ground: Theme.Color(44, bright: 6, basic: 6), attributes: .bold)
        for place in ["xterm", "console"] {
            let (text, ground) = shown(look, .basic, place, isLight: false)
            #expect((2...2.7).contains(contrast(text, ground)))
        }
        #expect(contrast((255, 255, 0), (255, 255, 255)) < 1.1)
        #expect((20.9...21).contains(contrast((0, 0, 0), (255, 255, 255))))
    }
}
