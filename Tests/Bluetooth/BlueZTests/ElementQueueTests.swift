import TestSupport
import Testing

@testable import BlueZ

@Suite("The queue of a reader")
struct ElementQueueTests {
    private func drain(_ queue: inout ElementQueue<Int>) -> [Int] {
        var elements: [Int] = []
        while let element = queue.popFirst() { elements.append(element) }
        return elements
    }

    @Test("elements come in their order, the first ones first")
    func order() {
        var queue = ElementQueue([1, 2])
        queue.append(3, supersessionKey: nil)
        #expect(drain(&queue) == [1, 2, 3])
        #expect(queue.popFirst() == nil)
    }

    @Test("a newer element of a key drops the older one and waits at its own place")
    func supersession() {
        var queue = ElementQueue<Int>([])
        queue.append(1, supersessionKey: 7)
        queue.append(2, supersessionKey: nil)
        queue.append(3, supersessionKey: 8)
        queue.append(4, supersessionKey: 7)
        #expect(drain(&queue) == [2, 3, 4])
    }

    @Test("an element that was taken is not superseded")
    func takenBefore() {
        var queue = ElementQueue<Int>([])
        queue.append(1, supersessionKey: 7)
        queue.append(2, supersessionKey: nil)
        #expect(queue.popFirst() == 1)
        queue.append(3, supersessionKey: 7)
        #expect(drain(&queue) == [2, 3])
        queue.append(4, supersessionKey: nil)
        queue.append(5, supersessionKey: 7)
        #expect(drain(&queue) == [4, 5])
    }

    @Test("nothing without a key is ever dropped, and of each key the newest stays, in any mixture")
    func mixture() {
        var queue = ElementQueue<Int>([])
        var model: [(element: Int, key: UInt64?)] = []
        var random = SeededGenerator(seed: 3)
        for element in 0..<30_000 {
            if Int.random(in: 0..<10, using: &random) < 4 {
                #expect(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst().element))
                continue
            }
            let key: UInt64? = Bool.random(using: &random) ? UInt64.random(in: 0..<20, using: &random) : nil
            queue.append(element, supersessionKey: key)
            if let key { model.removeAll { $0.key == key } }
            model.append((element, key))
            #expect(queue.isEmpty == model.isEmpty)
            guard element.isMultiple(of: 1000) else { continue }
            #expect(drain(&queue) == model.map(\.element))
            model = []
            #expect(queue.isEmpty)
        }
        #expect(drain(&queue) == model.map(\.element))
    }

    @Test("superseded elements do not pile up for a reader that never reads")
    func bounded() {
        var queue = ElementQueue<Int>([])
        for element in 0..<100_000 { queue.append(element, supersessionKey: UInt64(element % 3)) }
        #expect(queue.capacityInUse < 200)
        #expect(drain(&queue) == [99_997, 99_998, 99_999])
    }
}
