import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Recording

@Suite("What waits for the recorder")
struct RecorderInboxTests {
    private let inbox = RecorderInbox()
    private let wakes = TestSupport.Recorder<Int>()

    private func append(_ number: Int) { inbox.append(.rate(number, at: .at(number))) }

    @Test("calls it once for what waits, and again after that was taken, with the number of items that it took")
    func once() {
        let reasons = TestSupport.Recorder<RecorderInbox.Reason>()
        inbox.open { reasons.record($0) }
        for number in 1...3 { append(number) }
        #expect(reasons.elements == [.first(lastCount: 0)])
        #expect(inbox.drain().items.count == 3)
        append(4)
        append(5)
        #expect(reasons.elements == [.first(lastCount: 0), .first(lastCount: 3)])
        #expect(inbox.drain().items.count == 2)
    }

    @Test("calls it when it opens the inbox, if something has come before")
    func before() {
        append(1)
        #expect(wakes.count == 0)
        inbox.open { [wakes] _ in wakes.record(1) }
        #expect(wakes.count == 1)
    }

    @Test("calls it for a decision even if it was called already, because the program may be killed in the next moment")
    func urgent() {
        let reasons = TestSupport.Recorder<RecorderInbox.Reason>()
        inbox.open { reasons.record($0) }
        append(1)
        append(2)
        inbox.append(.forgotten(address: "C0:52:49:00:00:02"), at: .at(3))
        #expect(reasons.elements == [.first(lastCount: 0), .urgent])
        #expect(inbox.drain().items.count == 3)
    }

    @Test("calls it for the first alarm and for each entry, neither of which waits for the end of a batch")
    func soon() {
        let reasons = TestSupport.Recorder<RecorderInbox.Reason>()
        inbox.open { reasons.record($0) }
        append(1)
        for second in 2...9 { inbox.append(AlarmLogEntry.fever(at: second)) }
        inbox.append(RecordEntry(.note("asleep"), enteredAt: .at(10)))
        #expect(reasons.elements == [.first(lastCount: 0), .soon, .urgent])
        #expect(inbox.drain().mustBeSynced)
        append(11)
        #expect(!inbox.drain().mustBeSynced)
        inbox.append(AlarmLogEntry.fever(at: 12))
        #expect(reasons.elements.dropFirst(3) == [.first(lastCount: 10), .soon])
    }

    @Test("calls it once more when many wait, so that a flood does not wait for the second to end")
    func many() {
        let reasons = TestSupport.Recorder<RecorderInbox.Reason>()
        inbox.open { reasons.record($0) }
        for number in 0..<2 * RecorderInbox.many { append(number) }
        #expect(reasons.elements == [.first(lastCount: 0), .many])
        #expect(inbox.drain().items.count == 2 * RecorderInbox.many)
        for number in 0..<RecorderInbox.many - 1 { append(number) }
        #expect(reasons.elements.dropFirst(2) == [.first(lastCount: 2 * RecorderInbox.many)])
        append(0)
        #expect(reasons.elements.last == .many)
    }
}
