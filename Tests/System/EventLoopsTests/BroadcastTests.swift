import TestSupport
import Testing

@testable import EventLoops

@Suite("A broadcast", .timeLimit(.minutes(10)))
struct BroadcastTests {
    @Test("every reader gets every element from when it began")
    func readers() async {
        let broadcast = Broadcast<Int>()
        let first = broadcast.subscribe()
        broadcast.send(1)
        let second = broadcast.subscribe(startingWith: [100])
        broadcast.send(2)
        broadcast.finish()
        #expect(await first.reduce(into: []) { $0.append($1) } == [1, 2])
        #expect(await second.reduce(into: []) { $0.append($1) } == [100, 2])
    }

    @Test("a reader with a limit keeps the newest elements, and counts those that it dropped")
    func limited() async {
        let broadcast = Broadcast<Int>()
        let (limited, other) = (broadcast.subscribe(keeping: 3), broadcast.subscribe())
        for number in 1...5000 { broadcast.send(number) }
        #expect(limited.droppedCount == 4997)
        var elements = limited.makeAsyncIterator()
        #expect(await elements.next() == 4998)
        broadcast.send(5001)
        broadcast.finish()
        #expect(await elements.next() == 4999)
        #expect(await elements.next() == 5000)
        #expect(await elements.next() == 5001)
        #expect(await elements.next() == nil)
        #expect(limited.droppedCount == 4997)
        #expect(other.droppedCount == 0)
        #expect(await other.reduce(0) { count, _ in count + 1 } == 5001)
    }

    @Test("a reader that begins after the end gets what it starts with, and ends")
    func late() async {
        let broadcast = Broadcast<Int>()
        broadcast.finish()
        broadcast.send(1)
        #expect(await broadcast.subscribe(startingWith: [5]).reduce(0, +) == 5)
    }

    @Test("a reader that waits is given the next element")
    func waiting() async throws {
        let broadcast = Broadcast<Int>()
        let sequence = broadcast.subscribe()
        let task = Task { await sequence.first { _ in true } }
        broadcast.send(1)
        #expect(await task.value == 1)
    }

    @Test("a reader that is gone is forgotten")
    func forgotten() {
        let broadcast = Broadcast<Int>()
        do { _ = broadcast.subscribe() }
        #expect(broadcast.readerCount == 0)
    }

    @Test("a cancelled reader ends and the others continue")
    func cancelled() async {
        let broadcast = Broadcast<Int>()
        let sequence = broadcast.subscribe()
        let other = broadcast.subscribe()
        let task = Task { await sequence.reduce(0, +) }
        task.cancel()
        #expect(await task.value == 0)
        broadcast.send(3)
        broadcast.finish()
        #expect(await other.reduce(0, +) == 3)
    }

    @Test("a reader on the sender's loop is resumed on the loop's thread")
    func sameLoop() async throws {
        let running = RunningLoop()
        let broadcast = Broadcast<Int>()
        let sequence = broadcast.subscribe()
        let reader = Task {
            await running.run { isolation in
                var sum = 0
                var isAlwaysOnLoop = true
                var iterator = sequence.makeAsyncIterator()
                while let element = await iterator.next(isolation: isolation) {
                    sum += element
                    if !isolation.loop.isOnLoop { isAlwaysOnLoop = false }
                }
                return (sum, isAlwaysOnLoop)
            }
        }
        await running.run { _ in for element in 1...100 { broadcast.send(element) } }
        broadcast.finish()
        let (sum, isAlwaysOnLoop) = await reader.value
        #expect(sum == 5050)
        #expect(isAlwaysOnLoop)
    }

    @Test("senders on several threads lose nothing and double nothing")
    func manySenders() async {
        let broadcast = Broadcast<Int>()
        let sequence = broadcast.subscribe()
        let reader = Task { await sequence.reduce(into: Set<Int>()) { $0.insert($1) } }
        await withTaskGroup(of: Void.self) { group in
            for sender in 0..<8 {
                group.addTask { for number in 0..<1000 { broadcast.send(sender * 1000 + number) } }
            }
        }
        broadcast.finish()
        #expect(await reader.value.count == 8000)
    }
}

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
