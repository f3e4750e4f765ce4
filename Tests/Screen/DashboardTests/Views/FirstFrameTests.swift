import Monitoring
import Testing
import Vitals

@testable import Dashboard

@Suite("The first frame")
struct FirstFrameTests {
    @Test(
        "in which a value beyond a limit without delay is shown is the one in which its alarm is",
        arguments: [(15_200, "152", "HR SEVERELY HIGH"), (12_500, "125", "HR HIGH"), (3900, "39", "HR SEVERELY LOW")])
    func alarmWithValue(rate: Int, digits: String, title: String) {
        var ward = Ward.live(seconds: 10)
        let before = ward.drawn(100, 30)
        #expect(!before.text(row: 1).contains(title))
        // One event, and one frame after it.
        ward.now = ward.now.advanced(by: .seconds(1))
        ward.measure(Ward.strap, .heartRate, rate)
        let alarm = ward.drawn(100, 30).text(row: 1)
        #expect(alarm.contains(title) && alarm.contains(digits))
    }
}
