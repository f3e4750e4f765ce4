import Monitoring
import Testing
import Vitals

@testable import Dashboard

@Suite("What may hide a fever, on the screen")
struct AntipyreticLabelsTests {
    private func text(_ ward: Ward) -> String {
        let grid = ward.drawn(200, 60)
        return (0..<60).map { grid.text(row: $0) }.joined(separator: "\n")
    }

    @Test("stands beside the temperature and on the line of a fever, with its age, for eight hours")
    func shown() {
        var ward = Ward.empty()
        ward.enter("m", "paracetamol 500 mg -2h")
        ward.enter("t", "37.2 mouth")
        ward.obey(.escape)
        #expect(text(ward).contains("paracetamol 2 h ago"))
        ward.enter("t", "38.6 mouth")
        ward.obey(.escape)
        let alarm = text(ward).split(separator: "\n").first { $0.contains("FEVER 38.6") }
        #expect(alarm?.contains("paracetamol 2 h ago") == true)
        ward.pass(6 * 3600)
        #expect(!text(ward).contains("paracetamol 8 h ago"))
    }

    @Test("is drawn again when its age changes")
    func redrawn() {
        var ward = Ward.empty()
        ward.enter("m", "paracetamol 500 mg")
        ward.obey(.escape)
        let next = nextRedraw(state: ward.state, screen: ward.screen, now: ward.now)
        #expect(next <= ward.now.advanced(by: .seconds(60)))
    }
}
