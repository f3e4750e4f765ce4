import Monitoring
import Testing

@testable import Dashboard

@Suite("The newest lines of the alarm log under the sensors")
struct RecentLogViewTests {
    private func text(_ ward: Ward) -> String {
        let grid = ward.drawn(200, 60)
        return (0..<60).map { grid.text(row: $0) }.joined(separator: "\n")
    }

    @Test("are shown where they fit, and only of the present patient")
    func patients() {
        var ward = Ward.high()
        #expect(text(ward).contains("LATEST ALARMS"))
        ward.answer(.newPatient)
        #expect(!text(ward).contains("LATEST ALARMS"))
        ward.now = ward.now.advanced(by: .seconds(1))
        ward.answer(.resetLimits)
        ward.hold([.oxygenSaturation: 8300], seconds: 20)
        ward.answer(.acknowledgeAll)
        #expect(text(ward).contains("LATEST ALARMS"))
        #expect(!text(ward).contains("HR 152") && !text(ward).contains("new patient"))
    }

    @Test("are not there on a small screen")
    func small() {
        let grid = Ward.high().drawn(80, 24)
        #expect(!(0..<24).contains { grid.text(row: $0).contains("LATEST ALARMS") })
    }
}
