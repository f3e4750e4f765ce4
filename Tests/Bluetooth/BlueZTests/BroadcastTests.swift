import EventLoops
import Synchronization
import TestSupport
import Testing

@testable import BlueZ

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
