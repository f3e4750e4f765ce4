import Appearance
import TestSupport
import Testing

@testable import Dashboard

@Suite("The line of keys")
struct KeyLineTests {
    private func lastLine(_ ward: Ward, _ columns: Int, _ rows: Int = 24) -> String {
        ward.drawn(columns, rows).text(row: rows - 1)
    }

    @Test("at 80 columns names what makes the program worth using: connect or disconnect, enter, days, past, far, help")
    func useful() {
        let line = lastLine(Ward.live(), 80)
        let wanted = ["Enter sensors", "d disconnect", "e enter", "D days", "← past", "z far", "? help", "q quit"]
        for key in wanted { #expect(line.contains(key), "\(key) is not in \(line)") }
    }

    /// The distance view has no line of keys.
    private static let pages = ScreenState.Page.all.filter { $0.type.context != .distance }

    @Test("has what answers an alarm first, on every page, while one is unanswered", arguments: pages)
    func acknowledgeFirst(page: ScreenState.Page) {
        var ward = Ward.high()
        ward.screen.pages.show(page)
        for columns in [60, 80, 120, 200] {
            let line = lastLine(ward, columns)
            let keys = line.split(separator: " ").filter { !$0.allSatisfy { "╰─╯│".contains($0) } }
            #expect(keys.first == "a", "\(columns): \(line)")
        }
    }

    @Test("has the way back at the same place on every page")
    func backAtOnePlace() {
        for columns in [60, 80, 120, 200] {
            let places = Self.pages.map { page in
                var ward = Ward.live()
                ward.screen.pages.show(page)
                let line = lastLine(ward, columns)
                return line.range(of: "Esc back").map { line.distance(from: $0.upperBound, to: line.endIndex) }
            }
            #expect(Set(places.compactMap(\.self)).count == 1, "\(columns): \(places)")
            #expect(!places.contains(nil), "\(columns): \(places)")
        }
    }
}
