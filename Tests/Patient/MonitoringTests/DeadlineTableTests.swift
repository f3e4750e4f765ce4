import TestSupport
import Testing
import Vitals

@testable import Monitoring

@Suite("The table of deadlines")
struct DeadlineTableTests {
    @Test("names the earliest of many, whatever the order of changes")
    func earliest() {
        var random = SeededGenerator(seed: 7)
        var table = DeadlineTable()
        var model: [MonotonicTime?] = []
        for _ in 0..<5000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0 where model.count < 40:
                table.appendRow()
                model.append(nil)
            case 1 where model.count > 5:
                let row = Int.random(in: model.indices, using: &random)
                table.removeRow(row)
                model.remove(at: row)
            case _ where !model.isEmpty:
                let row = Int.random(in: model.indices, using: &random)
                let time = MonotonicTime(nanoseconds: .random(in: 0..<1000, using: &random))
                let deadline = Bool.random(using: &random) ? time : nil
                table.set(deadline, row: row)
                model[row] = deadline
            default: break
            }
            let expected = model.compactMap { $0 }.min()
            #expect(table.earliest?.time == expected)
            if let row = table.earliest?.row { #expect(model[row] == expected) }
        }
    }
}
