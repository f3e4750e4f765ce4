import Appearance
import Base
import Monitoring
import Testing
import TextGrid
import Vitals
import Wording

@testable import Dashboard

@Suite("The mouse")
struct MouseTests {
    private func place(of text: String, on grid: Grid) -> (column: Int, row: Int)? {
        for row in 0..<grid.rows {
            let line = grid.text(row: row)
            guard let range = line.firstRange(of: text) else { continue }
            return (columnWidth(of: String(line[..<range.lowerBound])), row)
        }
        return nil
    }

    @discardableResult
    private func click(_ text: String, _ ward: inout Ward) throws -> ScreenWish? {
        let grid = ward.drawn(100, 30)
        let (column, row) = try #require(place(of: text, on: grid))
        return ward.screen.mouse(.click(column: column, row: row), on: grid, in: ward.state, at: ward.now)
    }

    @Test("a click selects a row and does no more, however often")
    func selects() throws {
        var ward = Ward.live(seconds: 2)
        ward.screen.pages.show(.sensors)
        for _ in 0..<3 {
            #expect(try click("e-Oximeter    ", &ward) == nil)
            #expect(ward.screen.selectedSensor(in: ward.state)?.identity == Ward.oximeter)
        }
    }

    @Test("the wheel selects the next row, or the one before")
    func wheel() {
        var ward = Ward.live(seconds: 2)
        let grid = ward.drawn(100, 30)
        ward.press(.home)
        let order = ward.screen.listedSensors(in: ward.state)
        _ = ward.screen.mouse(.wheelDown, on: grid, in: ward.state, at: ward.now)
        #expect(ward.screen.selectedSensor(in: ward.state)?.identity == order[1].identity)
        _ = ward.screen.mouse(.wheelUp, on: grid, in: ward.state, at: ward.now)
        #expect(ward.screen.selectedSensor(in: ward.state)?.identity == order[0].identity)
    }

    @Test("a click on an item of the key bar presses its key, as it is bound")
    func keyBar() throws {
        var ward = Ward.fever()
        ward.screen.keys[.toggleHelp] = [.function(1)]
        try click("help", &ward)
        #expect(ward.screen.pages.help != nil)
        var alarm = Ward.fever()
        let grid = alarm.drawn(120, 30)
        let spot = try #require(grid.spots.first { $0.target as? Target == .key(.character("a")) }?.area)
        let click = MouseAction.click(column: spot.column, row: spot.row)
        #expect(alarm.screen.mouse(click, on: grid, in: alarm.state, at: alarm.now) == .patient(.acknowledgeAll))
    }

    @Test("a click answers a question, and nothing else works while one is asked")
    func question() throws {
        var ward = Ward.quitAsked()
        #expect(try click("e-Oximeter", &ward) == nil)
        #expect(ward.screen.dialogs.inputLine != nil && ward.screen.pages.current == nil)
        #expect(try click("n no", &ward) == nil)
        #expect(ward.screen.dialogs.inputLine == nil)
    }

    @Test("settings, limits and alarms are selected by a click")
    func pages() throws {
        var settings = Ward.settingsPage()
        try click("Flat line", &settings)
        #expect(settings.screen.settings.selected?.key == "flat_line")
        var alarms = Ward.several()
        alarms.press(.character("A"))
        let grid = alarms.drawn(100, 30)
        let second = try #require(grid.spots.first { $0.target as? Target == .alarm(1) }?.area)
        _ = alarms.screen.mouse(
            .click(column: second.column, row: second.row), on: grid, in: alarms.state, at: alarms.now)
        #expect(alarms.screen.pages[AlarmsPage.self].cursor.selected == AlarmItem.all(in: alarms.state)[1].id)
    }

    @Test("a click anywhere at any size of any story does no harm", arguments: Ward.stories.map(\.name))
    func anywhere(name: String) throws {
        let story = try #require(Ward.stories.first { $0.name == name }?.ward)
        for (columns, rows) in [(20, 4), (30, 6), (60, 16), (100, 30)] {
            let grid = story.drawn(columns, rows)
            for row in 0..<rows {
                for column in stride(from: row % 3, to: columns, by: 3) {
                    var ward = story
                    let wish = ward.screen.mouse(
                        .click(column: column, row: row), on: grid, in: ward.state, at: ward.now)
                    if case .monitor(.sensor(.disconnect)) = wish {
                        #expect(grid.target(column: column, row: row) == .key(.character("d")))
                    }
                }
            }
        }
    }
}
