import Testing

@testable import KnownSensors
@testable import Sensors

@Suite("The queue of those who want to connect")
struct ConnectQueueTests {
    @Test("lets one after another connect, in the order in which they came")
    func order() {
        var queue = ConnectQueue<String>()
        #expect(queue.request("a") == "a")
        #expect(queue.request("b") == nil)
        #expect(queue.request("c") == nil)
        #expect(queue.current == "a")
        #expect(queue.release("a") == "b")
        #expect(queue.release("b") == "c")
        #expect(queue.release("c") == nil)
        #expect(queue.current == nil)
    }

    @Test("prefers some, in the order in which they came, also when preferred later")
    func preferred() {
        var queue = ConnectQueue<String>()
        for member in ["a", "b", "c"] { _ = queue.request(member) }
        #expect(queue.request("x", isPreferred: true) == nil)
        #expect(queue.request("y", isPreferred: true) == nil)
        #expect(queue.request("x", isPreferred: true) == nil)
        queue.prefer("c")
        queue.prefer("a")
        queue.prefer("stranger")
        #expect(queue.count == 4)
        #expect(["a", "x", "y", "c", "b"].map { queue.release($0) } == ["x", "y", "c", "b", nil])
        #expect(queue.isEmpty)
    }

    @Test("lets kinds take turns, so that many of one hold up the first of another by one attempt")
    func kinds() {
        var queue = ConnectQueue<String>()
        for member in ["a", "b", "c", "d"] { _ = queue.request(member, of: .heartRateStrap) }
        #expect(queue.request("o", of: .oximeter) == nil)
        #expect(queue.request("p", of: .oximeter) == nil)
        #expect(queue.request("t", of: .thermometer) == nil)
        #expect(queue.count == 6)
        #expect(
            ["a", "b", "o", "t", "c", "p", "d"].map { queue.release($0) } == ["b", "o", "t", "c", "p", "d", nil])
        #expect(queue.isEmpty)
    }

    @Test("removes a waiting one, and starts none twice")
    func leaving() {
        var queue = ConnectQueue<String>()
        _ = queue.request("a")
        _ = queue.request("b")
        #expect(queue.request("b") == nil)
        #expect(queue.request("a") == nil)
        #expect(queue.release("b") == nil)
        #expect(queue.release("a") == nil)
    }
}
