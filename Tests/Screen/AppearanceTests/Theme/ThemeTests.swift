import TestSupport
import Testing

@testable import Appearance

@Suite("Theme")
struct ThemeTests {
    private static let alarmRoles: [Style.Role] = [.alarmHigh, .alarmMedium, .alarmLow]
    private static let names = Theme.builtIn.map(\.name)

    private func theme(_ name: String) throws -> Theme {
        try #require(Theme.builtIn.first { $0.name == name }?.theme)
    }

    @Test("has no fault", arguments: names)
    func sound(name: String) throws {
        #expect(try theme(name).fault == nil)
    }

    @Test("keeps red, yellow and cyan for alarms where colours are few", arguments: names)
    func reserved(name: String) throws {
        let theme = try theme(name)
        for role in Style.Role.allCases where !role.isAlarm {
            for color in [theme[role].text, theme[role].filled?.ground].compactMap({ $0 }) {
                #expect(![1, 3, 6].contains(color.basic), "\(role)")
                #expect(![1, 3, 6, 9, 11, 14].contains(color.bright), "\(role)")
            }
        }
    }

    /// The visible part of a look: two are equal only when nothing distinguishes them.
    private func seen(_ look: Theme.Look, _ depth: ColorDepth) -> [Int] {
        [look.text?.number(at: depth) ?? -1, look.ground?.number(at: depth) ?? -1, Int(look.attributes.rawValue)]
    }

    @Test("lets priorities differ from each other and from what is no alarm, at every depth", arguments: names)
    func priorities(name: String) throws {
        let theme = try theme(name)
        for depth in ColorDepth.allCases {
            let normal = Set(
                [Style.plain, Style(.plain, .reverse), .faint].map { seen(theme.look(of: $0, at: depth), depth) })
            for attributes in [Style.Attributes.bold, [.bold, .reverse]] {
                let looks = Self.alarmRoles.map { seen(theme.look(of: Style($0, attributes), at: depth), depth) }
                #expect(Set(looks).count == looks.count, "\(depth), \(attributes)")
                #expect(normal.isDisjoint(with: looks), "\(depth), \(attributes)")
            }
        }
    }

    @Test("has text that can be read on what alarms fill their lines with", arguments: names)
    func contrast(name: String) throws {
        let theme = try theme(name)
        for role in Self.alarmRoles + [.simulated] {
            let fill = try #require(theme[role].filled)
            #expect(fill.text.contrast(to: fill.ground) >= (name == "high-contrast" ? 7 : 4.5), "\(role)")
        }
    }

    @Test("has text that can be read on the background that it is for", arguments: names)
    func textContrast(name: String) throws {
        let theme = try theme(name)
        let ground = theme.ground ?? Theme.Color(name == "light" ? 231 : 16, bright: 0, basic: 0)
        for role in Style.Role.allCases where role != .frame {
            guard let text = theme[role].text else { continue }
            #expect(text.contrast(to: ground) >= (name == "high-contrast" ? 7 : 3), "\(role)")
        }
    }

    @Test(
        "names no colour of ordinary text among few colours, where the ground is the terminal's and may be any",
        arguments: names)
    func anyGround(name: String) throws {
        let theme = try theme(name)
        guard theme.ground == nil else { return }
        for depth in [ColorDepth.basic, .bright] {
            for style in [Style.plain, .faint, .strong, Style.plain.dimmed, Style(.temperature), Style(.brand, .bold)] {
                #expect(theme.look(of: style, at: depth).text == nil, "\(style), \(depth)")
            }
            // Nor what is white on black or black on white.
            for role in Style.Role.allCases where !theme.look(of: Style(role), at: depth).attributes.contains(.reverse)
            {
                let number = theme.look(of: Style(role), at: depth).text?.number(at: depth)
                #expect(
                    number != (name == "light" ? 0 : 7) && number != (name == "light" ? 0 : 15), "\(role), \(depth)")
            }
        }
    }

    /// What eyes without one kind of cone make of red, green and blue: Machado, Oliveira and Fernandes 2009, severity 1.
    private static let blindness: [(name: String, matrix: [[Double]])] = [
        (
            "protanopia",
            [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
        ),
        (
            "deuteranopia",
            [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
        ),
        (
            "tritanopia",
            [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
        ),
    ]

    private func seen(_ color: Theme.Color, _ matrix: [[Double]]) -> Theme.Color {
        let linear = [color.red, color.green, color.blue].map { Double($0) / 255 }.map { $0 * $0 }
        let rgb = matrix.map { row in
            let sum = zip(row, linear).reduce(0) { $0 + $1.0 * $1.1 }
            return Int((min(max(sum, 0), 1).squareRoot() * 255).rounded())
        }
        return Theme.Color(rgb: rgb[0] << 16 | rgb[1] << 8 | rgb[2], bright: 0, basic: 0)
    }

    @Test("for colour-blind eyes keeps alarms apart, by colour and by lightness", arguments: blindness.map(\.name))
    func colorBlind(name: String) throws {
        let matrix = try #require(Self.blindness.first { $0.name == name }?.matrix)
        let theme = Theme.colorBlind
        for part in [ThemePlace.Part.plain, .fillGround] {
            let colors = Self.alarmRoles.compactMap { theme[ThemePlace(role: $0, part: part)] }.map { seen($0, matrix) }
            for (index, color) in colors.enumerated() {
                for other in colors[(index + 1)...] {
                    #expect(color.distance(to: other) >= Theme.leastDistance, "\(part)")
                    #expect(color.contrast(to: other) >= 1.3, "\(part)")
                }
            }
        }
    }

    @Test(
        "a terminal gets the richest palette that it has",
        arguments: [(0, nil), (2, nil), (8, 2), (16, 10), (88, 10), (256, 41), (1 << 24, 0x00D75F)])
    func palettes(colorCount: Int, number: Int?) {
        #expect(Theme.Color(41, bright: 10, basic: 2).number(at: ColorDepth(colorCount: colorCount)) == number)
    }
}

@Suite("A theme of one's own")
struct OwnThemeTests {
    private static let alarmRoles: [Style.Role] = [.alarmHigh, .alarmMedium, .alarmLow]

    private func place(_ name: String) throws -> ThemePlace {
        try #require(ThemePlace.all.first { $0.name == name })
    }

    @Test("every place has a name of its own")
    func names() {
        #expect(Set(ThemePlace.all.map(\.name)).count == ThemePlace.all.count)
    }

    @Test("takes the colours that are given and keeps the others")
    func composes() throws {
        let color = try #require(Theme.Color("#5fd787"))
        let theme = Theme.dark.with([try place("heart_rate"): color])
        #expect(theme[.heartRate].text?.rgb == color.rgb)
        #expect(theme[.oxygenSaturation] == Theme.dark[.oxygenSaturation])
        #expect(theme.fault == nil)
    }

    @Test("alarms keep their colours where colours are few")
    func alarmsKeepTheirs() throws {
        let theme = Theme.dark.with([try place("alarm_high_ground"): try #require(Theme.Color("#ff00aa"))])
        #expect(theme[.alarmHigh].filled?.ground.basic == 1)
        #expect(theme[.alarmHigh].filled?.ground.rgb == 0xFF00AA)
    }

    @Test(
        "is refused where an alarm could be missed",
        arguments: [
            (
                ["alarm_low_ground": "#ffd700"],
                "alarms of medium priority could not be distinguished from alarms of low priority"
            ),
            (
                ["alarm_high_ground": "#ffffff"],
                "alarms of high priority could not be read: the text is too like its ground"
            ),
            (["heart_rate": "#ff5f5f"], "heart rate and pulse rate would look like alarms of high priority"),
            (["heart_rate": "#ff0000"], "heart rate and pulse rate would look like alarms of high priority"),
            (["spo2": "#008080"], "oxygen saturation would look like alarms of low priority"),
            (["temperature": "#b89000"], "temperatures would look like alarms of medium priority"),
            (["heart_rate": "#202830"], "heart rate and pulse rate could not be read on a dark screen"),
            (["spo2": "blue"], "oxygen saturation could not be read on a dark screen"),
            (["good": "yellow"], "what works as it should would look like alarms of medium priority"),
            (["ground": "#d70000"], "alarms of high priority could not be distinguished from the ground of the screen"),
            (
                [
                    "ground": "#ffffff", "text": "#eeeeee", "alarm_high": "#a00000", "alarm_medium": "#806000",
                    "alarm_low": "#006080",
                ], "ordinary text could not be read on the ground of the screen"
            ),
            (
                ["ground": "#101828"],
                "a ground needs a colour of ordinary text beside it: the terminal's own may not be seen there"
            ),
            (
                ["ground": "#101828", "text": "#ffffff", "heart_rate": "#303848"],
                "heart rate and pulse rate could not be read on the ground of the screen"
            ),
            (
                ["alarm_medium": "red"],
                "alarms of high priority could not be distinguished from alarms of medium priority"
            ),
        ])
    func refused(colors: [String: String], reason: String) throws {
        var own: [ThemePlace: Theme.Color] = [:]
        for (name, text) in colors {
            let color: Theme.Color = try #require(Theme.Color(text))
            own[try place(name)] = color
        }
        let fault = try #require(Theme.dark.with(own).fault)
        #expect(fault.reason == reason)
        #expect(fault.places.contains { own[$0] != nil })
    }

    @Test("a vital that could not be seen on a light screen is refused in the light theme")
    func refusedOnLight() throws {
        let color = try #require(Theme.Color("#f0f0f0"))
        let fault = try #require(Theme.light.with([try place("temperature"): color]).fault)
        #expect(fault.reason == "temperatures could not be read on a light screen")
        #expect(Theme.dark.with([try place("temperature"): color]).fault == nil)
    }

    @Test(
        "gets a colour that can be read and is no alarm's where colours are few", .computing,
        arguments: Theme.builtIn.map(\.name))
    func readableOfFew(name: String) throws {
        let theme = try #require(Theme.builtIn.first { $0.name == name }?.theme)
        let ground = name == "light" ? 15 : 0
        for rgb in RandomCases.share(4, of: stride(from: 0, through: 0xFFFFFF, by: 0x7777)) {
            let color = try #require(Theme.Color(Theme.Color(rgb: rgb, bright: 0, basic: 0).text))
            let own = try #require(theme.with([try place("heart_rate"): color])[.heartRate].text)
            #expect(Theme.Color.contrast(Int(own.bright), on: ground) >= 4.5, "\(color.text)")
            for role in Self.alarmRoles {
                #expect(own.bright != theme[role].text?.bright && own.basic != theme[role].text?.basic)
            }
        }
    }

    @Test("whatever colours are given, what is not refused keeps alarms apart at every depth", .computing)
    func everyDepth() throws {
        var generator = SeededGenerator(seed: 20_260_301)
        var accepted = 0
        for _ in 0..<3000 {
            var own: [ThemePlace: Theme.Color] = [:]
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let color = Theme.Color(rgb: Int.random(in: 0...0xFFFFFF, using: &generator), bright: 0, basic: 0)
                own[try #require(ThemePlace.all.randomElement(using: &generator))] = Theme.Color(color.text)
            }
            let theme = Theme.dark.with(own)
            guard theme.fault == nil else { continue }
            accepted += 1
            for depth in ColorDepth.allCases {
                let roles: [Style.Role] = [.alarmHigh, .alarmMedium, .alarmLow, .plain]
                let looks = roles.map { role in
                    // Notices and messages are reversed, too, but not bold.
                    let look = theme.look(of: Style(role, role == .plain ? .reverse : [.bold, .reverse]), at: depth)
                    return [
                        look.text?.number(at: depth), look.ground?.number(at: depth), Int(look.attributes.rawValue),
                    ]
                }
                #expect(Set(looks).count == roles.count, "\(own), \(depth)")
            }
        }
        #expect(accepted > 100)
    }

    @Test(
        "a colour is read and written alike",
        arguments: ["#000000", "#ff8700", "#0000ff", "black", "bright_cyan", "white"])
    func colors(text: String) {
        #expect(Theme.Color(text)?.text == text)
    }

    @Test(
        "what is no colour is refused",
        arguments: ["", "#", "#12345", "#1234567", "#ggg000", "#+12345", "orange", "#-12345"])
    func noColors(text: String) {
        #expect(Theme.Color(text) == nil)
    }

    @Test(
        "a colour of one's own is never one of an alarm where colours are few",
        arguments: [0xFF0000, 0xFFFF00, 0x00FFFF, 0xD70000])
    func neverReserved(rgb: Int) throws {
        let color = try #require(Theme.Color(Theme.Color(rgb: rgb, bright: 0, basic: 0).text))
        #expect(![1, 3, 6].contains(color.basic))
        #expect(![1, 3, 6, 9, 11, 14].contains(color.bright))
    }
}
