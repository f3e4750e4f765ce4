import TestSupport
import Testing

@testable import Recording

@Suite("What waits for the recorder")
struct RecorderInboxTests {
    private let inbox = RecorderInbox()
    private let wakes = TestSupport.Recorder<Int>()

    private func append(_ number: Int) { inbox.append(.rate(number, at: .at(number))) }

    @Test("wakes it once, and not again while it looks for more by itself")
    func once() {
        inbox.open { [wakes] _ in wakes.record(1) }
        for number in 1...3 { append(number) }
        #expect(wakes.count == 1)
        #expect(inbox.drain().items.count == 3)
        append(4)
        #expect(wakes.count == 1)
        #expect(!inbox.goToSleep(), "something waits")
        #expect(inbox.drain().items.count == 1)
        #expect(inbox.goToSleep())
        append(5)
        append(6)
        #expect(wakes.count == 2)
    }

    @Test("wakes it when it opens the inbox, if something has come before")
    func before() {
        append(1)
        #expect(wakes.count == 0)
        inbox.open { [wakes] _ in wakes.record(1) }
        #expect(wakes.count == 1)
    }

    @Test("wakes it for a decision even while it is awake, because the program may be killed in the next moment")
    func urgent() {
        let urgencies = TestSupport.Recorder<Bool>()
        inbox.open { urgencies.record($0) }
        append(1)
        append(2)
        inbox.append(.forgotten(address: "C0:52:49:00:00:02"), at: .at(3))
        #expect(urgencies.elements == [false, true])
        #expect(inbox.drain().items.count == 3)
    }
}
