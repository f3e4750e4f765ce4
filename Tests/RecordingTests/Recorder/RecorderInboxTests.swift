import TestSupport
import Testing

@testable import Recording

@Suite("What waits for the recorder")
struct RecorderInboxTests {
    private let inbox = RecorderInbox()
    private let wakes = TestSupport.Recorder<Int>()

    private func append(_ number: Int) { inbox.append(.rate(number, at: .at(number))) }

    @Test("calls it once for what waits, and again after that was taken, with the number of items that it took")
    func once() {
        let counts = TestSupport.Recorder<Int>()
        inbox.open { counts.record($1) }
        for number in 1...3 { append(number) }
        #expect(counts.elements == [0])
        #expect(inbox.drain().items.count == 3)
        append(4)
        append(5)
        #expect(counts.elements == [0, 3])
        #expect(inbox.drain().items.count == 2)
    }

    @Test("calls it when it opens the inbox, if something has come before")
    func before() {
        append(1)
        #expect(wakes.count == 0)
        inbox.open { [wakes] _, _ in wakes.record(1) }
        #expect(wakes.count == 1)
    }

    @Test("calls it for a decision even if it was called already, because the program may be killed in the next moment")
    func urgent() {
        let urgencies = TestSupport.Recorder<Bool>()
        inbox.open { isUrgent, _ in urgencies.record(isUrgent) }
        append(1)
        append(2)
        inbox.append(.forgotten(address: "C0:52:49:00:00:02"), at: .at(3))
        #expect(urgencies.elements == [false, true])
        #expect(inbox.drain().items.count == 3)
    }
}
