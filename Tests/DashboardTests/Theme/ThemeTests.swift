import Testing

@testable import Dashboard

@Suite("Theme")
struct ThemeTests {
    private static let alarmRoles: Set<Style.Role> = [.alarmHigh, .alarmMedium, .alarmLow]

    @Test("red, yellow and cyan are kept for alarms", arguments: [Theme.standard, Theme.light])
    func reserved(theme: Theme) {
        for role in Style.Role.allCases where !Self.alarmRoles.contains(role) {
            let colors = [theme[role].text, theme[role].filled?.ground].compactMap { $0 }
            for color in colors {
                #expect(![1, 3, 6].contains(color.basic), "\(role)")
                #expect(![1, 3, 6, 9, 11, 14].contains(color.bright), "\(role)")
            }
        }
    }

    @Test("alarms and the mark of simulated data fill their ground", arguments: [Theme.standard, Theme.light])
    func fills(theme: Theme) {
        for role in Self.alarmRoles.union([.simulated]) {
            #expect(theme[role].filled != nil, "\(role)")
        }
    }

    @Test("a terminal without colours gets none", arguments: [0, 2])
    func none(colorCount: Int) {
        #expect(Theme.Color(41, bright: 10, basic: 2).index(colorCount: colorCount) == nil)
    }

    @Test(
        "a terminal gets the richest palette that it has",
        arguments: [(8, 2), (16, 10), (88, 10), (256, 41), (1 << 24, 2)])
    func palettes(colorCount: Int, index: Int16) {
        #expect(Theme.Color(41, bright: 10, basic: 2).index(colorCount: colorCount) == index)
    }
}
