import Appearance
import TestSupport
import Testing
import Vitals

@testable import Dashboard

@Suite("Simulated numbers")
struct SimulatedMarkTests {
    @Test("are on no screen without SIM, however small it is, on any page", .computing)
    func everySize() {
        for page in [ScreenState.Page?.none, .distance, .alarms] {
            for hasPatient in [false, true] {
                for story in [Ward.live(seconds: 5), Ward.fever(), Ward.stale()] {
                    var ward = Ward.simulated(story)
                    ward.screen.dialogs.message = nil
                    ward.screen.pages.show(page)
                    if hasPatient { ward.screen.session.patient = PatientName("ada") }
                    for columns in 1...40 {
                        for rows in 1...14 {
                            let grid = ward.drawn(columns, rows, .ascii)
                            let text = (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
                            // A digit is that of a number, or of the clock.
                            let hasNumber = text.contains { $0.isNumber }
                            #expect(
                                !hasNumber || text.contains("SIM"),
                                "\(columns) × \(rows), \(page.map { "\($0)" } ?? "main")\n\(text)")
                        }
                    }
                }
            }
        }
    }
}
