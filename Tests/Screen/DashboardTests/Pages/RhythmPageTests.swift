import Appearance
import TestSupport
import Testing

@testable import Dashboard

@Suite("The page of RR intervals")
struct RhythmPageTests {
    @Test("has a key in the bar of a sensor's page only while there are intervals, and that key closes it again")
    func key() {
        var ward = Ward.live(seconds: 10)
        ward.press(.character("i"))
        func bar(_ ward: Ward) -> String {
            let grid = ward.drawn(200, 60)
            return grid.text(row: grid.rows - 1)
        }
        #expect(!bar(ward).contains("H rhythm"))
        ward.beat(seconds: 20)
        #expect(bar(ward).contains("H rhythm"))
        ward.press(.escape)
        // Another sensor is selected: the page is about the one that sends intervals.
        ward.screen.list.selection = Ward.core.address
        ward.press(.character("H"))
        #expect(ward.screen.pages.current == .rhythm)
        #expect(ward.screen.list.selection == Ward.strap.address)
        ward.press(.character("H"))
        #expect(ward.screen.pages.current == nil)
    }
}
