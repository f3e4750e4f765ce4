import Testing

@testable import MQTT

@Suite("Messages that wait for a broker")
struct OutgoingQueueTests {
    @Test("The newest message of a topic replaces the one that waits, at the end of the queue")
    func replacement() {
        var queue = OutgoingQueue()
        queue.append(MQTTMessage("a", [1]))
        queue.append(MQTTMessage("b", [2]))
        queue.append(MQTTMessage("a", [3]))
        #expect(queue.next(acknowledgeable: true)?.payload == [2])
        #expect(queue.next(acknowledgeable: true)?.payload == [3])
        #expect(queue.next(acknowledgeable: true) == nil)
    }

    @Test("A full queue drops the oldest message that may be lost, before any that must arrive")
    func bound() {
        var queue = OutgoingQueue()
        queue.append(MQTTMessage("alarm", [], .atLeastOnce))
        for number in 0..<1000 { queue.append(MQTTMessage("vital/\(number)", [])) }
        #expect(queue.count == OutgoingQueue.bounds.messages)
        #expect(queue.dropped == 1001 - OutgoingQueue.bounds.messages)
        #expect(queue.next(acknowledgeable: true)?.topic == "alarm")
        #expect(queue.next(acknowledgeable: true)?.topic == "vital/\(1000 - OutgoingQueue.bounds.messages + 1)")
    }

    @Test("Its payloads are bounded, too")
    func bytes() {
        var queue = OutgoingQueue()
        for number in 0..<8 {
            queue.append(MQTTMessage("\(number)", [UInt8](repeating: 0, count: 1 << 19), .atLeastOnce))
        }
        #expect(queue.count == 4)
        #expect(queue.next(acknowledgeable: true)?.topic == "4")
    }

    @Test("What must be acknowledged waits while enough is unacknowledged, and what need not does not wait for it")
    func window() {
        var queue = OutgoingQueue()
        queue.append(MQTTMessage("alarm", [], .atLeastOnce))
        queue.append(MQTTMessage("vital", []))
        #expect(queue.next(acknowledgeable: false)?.topic == "vital")
        #expect(queue.next(acknowledgeable: false) == nil)
        #expect(!queue.isEmpty)
    }
}
