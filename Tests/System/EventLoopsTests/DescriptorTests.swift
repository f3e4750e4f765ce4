import EventLoops
import Glibc
import TestSupport
import Testing

@Suite("Descriptors of an event loop", .timeLimit(.minutes(10)))
struct DescriptorTests {
    let running = RunningLoop()
    let seen = Recorder<String>()

    @Test("are reported when there is something to read, and only then")
    func readable() async throws {
        let pipe = try Pipe()
        await running.run { [seen] actor in
            let loop = actor.loop
            _ = loop.watch(pipe.readEnd, for: .readable) { readiness in
                seen.record("\(readiness == .readable) \(pipe.readByte())")
            }
        }
        #expect(seen.count == 0)
        pipe.writeByte(65)
        try await awaitCondition("the first byte") { seen.count == 1 }
        pipe.writeByte(66)
        try await awaitCondition("the second byte") { seen.count == 2 }
        #expect(seen.elements == ["true 65", "true 66"])
    }

    @Test("are reported when they can be written, until the interest is put to sleep in the handler")
    func writable() async throws {
        let pipe = try Pipe()
        await running.run { [seen] actor in
            let loop = actor.loop
            let box = WatchBox()
            box.watch = loop.watch(pipe.writeEnd, for: .writable) { readiness in
                seen.record("\(readiness)")
                if let watch = box.watch { loop.setInterest([], of: watch) }
            }
        }
        try await awaitCondition("the report") { seen.count >= 1 }
        await running.run { _ in }
        await running.run { _ in }
        #expect(seen.elements == ["\(Readiness.writable)"])
    }

    @Test("wake up again when their interest does")
    func interestAgain() async throws {
        let pipe = try Pipe()
        pipe.writeByte(1)
        let watch = await running.run { [seen] actor in
            actor.loop.watch(pipe.readEnd, for: []) { _ in seen.record("\(pipe.readByte())") }
        }
        await running.run { _ in }
        #expect(seen.count == 0)
        await running.run { $0.loop.setInterest(.readable, of: watch) }
        try await awaitCondition("the byte") { seen.count == 1 }
    }

    @Test("that one handler ends are not reported any more, though they were ready at the same time")
    func unwatchInHandler() async throws {
        let first = try Pipe()
        let second = try Pipe()
        first.writeByte(1)
        second.writeByte(2)
        await running.run { [seen] actor in
            let loop = actor.loop
            let boxes = (WatchBox(), WatchBox())
            func endBoth(_ name: String) {
                seen.record(name)
                if let watch = boxes.0.watch { loop.unwatch(watch) }
                if let watch = boxes.1.watch { loop.unwatch(watch) }
            }
            boxes.0.watch = loop.watch(first.readEnd, for: .readable) { _ in endBoth("first") }
            boxes.1.watch = loop.watch(second.readEnd, for: .readable) { _ in endBoth("second") }
        }
        try await awaitCondition("one report") { seen.count >= 1 }
        await running.run { _ in }
        #expect(seen.elements == ["first"])
    }

    @Test("may be watched from within a handler")
    func watchInHandler() async throws {
        let first = try Pipe()
        let second = try Pipe()
        first.writeByte(1)
        second.writeByte(2)
        await running.run { [seen] actor in
            let loop = actor.loop
            _ = loop.watch(first.readEnd, for: .readable) { _ in
                seen.record("first \(first.readByte())")
                _ = loop.watch(second.readEnd, for: .readable) { _ in seen.record("second \(second.readByte())") }
            }
        }
        try await awaitCondition("both reports") { seen.count == 2 }
        #expect(seen.elements == ["first 1", "second 2"])
    }

    @Test("report that the other side hung up")
    func hangUp() async throws {
        let pipe = try Pipe()
        await running.run { [seen] actor in
            let loop = actor.loop
            let box = WatchBox()
            box.watch = loop.watch(pipe.readEnd, for: .readable) { readiness in
                seen.record("\(readiness.contains(.hangUp))")
                if let watch = box.watch { loop.unwatch(watch) }
            }
        }
        pipe.closeWriteEnd()
        try await awaitCondition("the report") { seen.count >= 1 }
        #expect(seen.elements == ["true"])
    }

    @Test("that are not open are reported as failed")
    func notOpen() async throws {
        await running.run { [seen] actor in
            let loop = actor.loop
            let box = WatchBox()
            box.watch = loop.watch(1_000_000, for: .readable) { readiness in
                seen.record("\(readiness == .failed)")
                if let watch = box.watch { loop.unwatch(watch) }
            }
        }
        try await awaitCondition("the report") { seen.count >= 1 }
        #expect(seen.elements == ["true"])
    }

    @Test("let go of their handlers when they are not watched any more, whose end may end more watches")
    func unwatchEndsHandler() async throws {
        let pipe = try Pipe()
        await running.run { [seen] actor in
            let loop = actor.loop
            let watch: DescriptorWatch
            do {
                let guardian = Guardian {
                    seen.record("ended")
                    loop.unwatch(loop.watch(pipe.writeEnd, for: []) { _ in })
                }
                watch = loop.watch(pipe.readEnd, for: .readable) { _ in withExtendedLifetime(guardian) {} }
            }
            #expect(seen.count == 0)
            loop.unwatch(watch)
        }
        #expect(seen.elements == ["ended"])
    }
}

/// A watch that becomes known after the handler that ends it has been made.
private final class WatchBox {
    var watch: DescriptorWatch?
}

/// A pipe, closed with this object.
private final class Pipe: Sendable {
    let readEnd: Int32
    let writeEnd: Int32
    private let isWriteEndClosed = Recorder<Bool>()

    init() throws {
        (readEnd, writeEnd) = try connectedDescriptors()
    }

    deinit {
        close(readEnd)
        if isWriteEndClosed.count == 0 { close(writeEnd) }
    }

    func writeByte(_ byte: UInt8) {
        var byte = byte
        _ = write(writeEnd, &byte, 1)
    }

    func readByte() -> UInt8 {
        var byte: UInt8 = 0
        return read(readEnd, &byte, 1) == 1 ? byte : 0
    }

    func closeWriteEnd() {
        isWriteEndClosed.record(true)
        close(writeEnd)
    }
}
