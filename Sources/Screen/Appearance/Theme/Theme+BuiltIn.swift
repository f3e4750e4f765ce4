extension Theme {
    /// The built-in themes with their names.
    public static let builtIn: [(name: String, theme: Theme)] = [
        ("dark", dark), ("light", light), ("high-contrast", highContrast), ("color-blind", colorBlind),
    ]

    // On a terminal with 16 colours or fewer, each pair must be readable on the palettes of xterm and the Linux
    // console: yellow is brown there and unsuitable as a background for black and white, so that it is on blue.
    private static let black = Color(16, bright: 0, basic: 0)
    private static let white = Color(231, bright: 15, basic: 7)
    private static let red = Color(160, bright: 1, basic: 1)
    private static let magenta = Color(127, bright: 5, basic: 5)
    private static let onYellow = Color(16, bright: 0, basic: 3)
    private static let yellow = Color(220, bright: 11, basic: 4)

    /// For dark backgrounds.
    public static let dark = Theme([
        .faint: RoleColors(text: Color(245, bright: 7, basic: 7), substitute: .dim),
        .frame: RoleColors(text: Color(240, bright: 8, basic: 7), substitute: .dim),
        .heartRate: RoleColors(text: Color(rgb: 0x00E676, palette: 41, bright: 10, basic: 2), fades: [35, 29, 22]),
        .oxygenSaturation: RoleColors(
            text: Color(rgb: 0x5AB4FF, palette: 75, bright: 13, basic: 5), fades: [68, 25, 24]),
        .temperature: RoleColors(
            text: Color(rgb: 0xF0F0F0, palette: 255, bright: 15, basic: 7), fades: [247, 242, 238]),
        .glucose: RoleColors(text: Color(150, bright: 10, basic: 2), fades: [107, 65, 239]),
        .key: RoleColors(text: Color(183, bright: 15, basic: 7)),
        .good: RoleColors(text: Color(41, bright: 10, basic: 2)),
        .alarmHigh: RoleColors(
            text: Color(rgb: 0xFF5555, palette: 203, bright: 9, basic: 1), filled: Fill(text: white, ground: red),
            fades: [124, 88, 52]),
        .alarmMedium: RoleColors(
            text: Color(rgb: 0xFFD600, palette: 220, bright: 11, basic: 3),
            filled: Fill(text: onYellow, ground: yellow),
            fades: [136, 94, 58], colorless: .underline),
        .alarmLow: RoleColors(
            text: Color(44, bright: 14, basic: 6), filled: Fill(text: black, ground: Color(44, bright: 6, basic: 6)),
            fades: [37, 30, 23], colorless: [.underline, .dim]),
        .simulated: RoleColors(
            text: Color(176, bright: 13, basic: 5), filled: Fill(text: white, ground: magenta)),
    ])

    /// For light backgrounds.
    ///
    /// Of 16 colours only black, blue, magenta and red are readable there: magenta and blue are the text of alarms of
    /// medium and low priority, and vital signs are black.
    public static let light = Theme(
        [
            .faint: RoleColors(text: Color(241, bright: 0, basic: 0), substitute: .dim),
            .frame: RoleColors(text: Color(248, bright: 8, basic: 0), substitute: .dim),
            .heartRate: RoleColors(text: Color(28, bright: 0, basic: 0), fades: [71, 114, 157]),
            .oxygenSaturation: RoleColors(text: Color(26, bright: 0, basic: 0), fades: [68, 110, 153]),
            .temperature: RoleColors(text: Color(16, bright: 0, basic: 0), fades: [242, 248, 252]),
            .glucose: RoleColors(fades: [242, 248, 252]),
            .key: RoleColors(text: Color(55, bright: 12, basic: 0)),
            .good: RoleColors(text: Color(28, bright: 0, basic: 0)),
            .alarmHigh: RoleColors(text: red, filled: Fill(text: white, ground: red), fades: [167, 174, 224]),
            .alarmMedium: RoleColors(
                text: Color(94, bright: 5, basic: 5), filled: Fill(text: onYellow, ground: yellow),
                fades: [136, 179, 223], colorless: .underline),
            .alarmLow: RoleColors(
                text: Color(23, bright: 4, basic: 4),
                filled: Fill(text: black, ground: Color(44, bright: 14, basic: 6)),
                fades: [66, 109, 152], colorless: [.underline, .dim]),
            .simulated: RoleColors(text: magenta, filled: Fill(text: white, ground: magenta)),
        ], isForLightGround: true)

    /// For weak eyes and bright surroundings: white on black on every terminal, without grey.
    public static let highContrast = Theme(
        [
            .plain: RoleColors(text: white),
            .faint: RoleColors(text: Color(254, bright: 7, basic: 7)),
            .frame: RoleColors(text: Color(250, bright: 7, basic: 7)),
            .heartRate: RoleColors(text: Color(120, bright: 10, basic: 2)),
            .oxygenSaturation: RoleColors(text: Color(153, bright: 13, basic: 5)),
            .glucose: RoleColors(text: Color(193, bright: 10, basic: 2)),
            .key: RoleColors(text: Color(183, bright: 15, basic: 7)),
            .good: RoleColors(text: Color(120, bright: 10, basic: 2)),
            .alarmHigh: RoleColors(
                text: Color(210, bright: 9, basic: 1),
                filled: Fill(text: white, ground: Color(88, bright: 1, basic: 1))),
            .alarmMedium: RoleColors(
                text: Color(226, bright: 11, basic: 3),
                filled: Fill(text: onYellow, ground: Color(226, bright: 11, basic: 4)), colorless: .underline),
            .alarmLow: RoleColors(
                text: Color(51, bright: 14, basic: 6),
                filled: Fill(text: black, ground: Color(51, bright: 14, basic: 6)),
                colorless: [.underline, .dim]),
            .simulated: RoleColors(
                text: Color(219, bright: 13, basic: 5),
                filled: Fill(text: white, ground: Color(90, bright: 5, basic: 5))),
        ], ground: black)

    /// For colour-blind users (red and green, or blue and yellow): the colours of Okabe and Ito, which differ in
    /// lightness, too (https://jfly.uni-koeln.de/color/).
    public static let colorBlind = Theme([
        .faint: RoleColors(text: Color(245, bright: 7, basic: 7), substitute: .dim),
        .frame: RoleColors(text: Color(240, bright: 8, basic: 7), substitute: .dim),
        .heartRate: RoleColors(text: Color(rgb: 0xCC79A7, bright: 13, basic: 5)),
        .oxygenSaturation: RoleColors(text: Color(rgb: 0xBFBFE8, bright: 15, basic: 7)),
        .glucose: RoleColors(text: Color(rgb: 0x009E73, bright: 10, basic: 2)),
        .key: RoleColors(text: Color(rgb: 0xBFBFE8, bright: 15, basic: 7)),
        .good: RoleColors(text: Color(rgb: 0xBFBFE8, bright: 15, basic: 7)),
        .alarmHigh: RoleColors(
            text: Color(rgb: 0xD55E00, bright: 9, basic: 1),
            filled: Fill(text: white, ground: Color(rgb: 0xA03000, bright: 1, basic: 1))),
        .alarmMedium: RoleColors(
            text: Color(rgb: 0xF0E442, bright: 11, basic: 3),
            filled: Fill(text: onYellow, ground: Color(rgb: 0xF0E442, bright: 11, basic: 4)),
            colorless: .underline),
        .alarmLow: RoleColors(
            text: Color(rgb: 0x56B4E9, bright: 14, basic: 6),
            filled: Fill(text: black, ground: Color(rgb: 0x56B4E9, bright: 6, basic: 6)),
            colorless: [.underline, .dim]),
        .simulated: RoleColors(
            text: Color(rgb: 0xCC79A7, bright: 13, basic: 5),
            filled: Fill(text: white, ground: Color(rgb: 0x5F2F7F, bright: 5, basic: 5))),
    ])
}
