import EventLoops
import Foundation
import Glibc
import LineSocket
import TestSupport
import Testing

@Suite("The socket of a running monitor", .timeLimit(.minutes(10)))
struct LineSocketTests {
    let folder: ScratchFolder
    let path: String

    init() throws {
        folder = try ScratchFolder()
        path = "\(folder.path)/run/monitor.sock"
    }

    @Test("answers each line, in order, however the lines are cut")
    func lines() async throws {
        let desk = try await Desk(path)
        let client = try LineSocketClient(path: path)
        try client.send(bytes("a\nbb\nc"))
        try client.send(bytes("cc\n"))
        for expected in ["a!", "bb!", "ccc!"] { #expect(try client.readLine(within: .seconds(60)) == bytes(expected)) }
        await desk.close()
    }

    @Test("answers more lines than it takes in one turn, though their asker reads late")
    func manyLines() async throws {
        let desk = try await Desk(path)
        let client = try LineSocketClient(path: path)
        let numbers = (0..<5000).map(String.init)
        try client.send(bytes(numbers.joined(separator: "\n") + "\n"), within: .seconds(60))
        for number in numbers { try #require(try client.readLine(within: .seconds(60)) == bytes(number + "!")) }
        await desk.close()
    }

    /// Another user, who listens in the place of the monitor, and lets everybody in.
    private static let stranger = """
        import os, socket, sys
        listener = socket.socket(socket.AF_UNIX)
        os.setuid(65534)
        listener.bind(sys.argv[1])
        os.chmod(sys.argv[1], 0o777)
        listener.listen()
        for line in sys.stdin:
            print("listening", flush=True)
        """

    @Test("is refused where another user listens", .enabled(if: geteuid() == 0 && PythonScript.isHere()))
    func stranger() throws {
        let script = "\(folder.path)/stranger.py"
        try Self.stranger.write(toFile: script, atomically: true, encoding: .utf8)
        try #require(chmod(folder.path, 0o777) == 0)
        let path = "\(folder.path)/monitor.sock"
        let stranger = try PythonScript(script, [path])
        #expect(try stranger.answer(to: "ready") == "listening")
        #expect(throws: LineSocketError.stranger(path: path)) { try LineSocketClient(path: path) }
    }

    @Test("is private, and so is its folder, even if that was open before")
    func modes() async throws {
        mkdir("\(folder.path)/run", 0o755)
        let desk = try await Desk(path)
        #expect(mode(path) == 0o600)
        #expect(mode("\(folder.path)/run") == 0o700)
        await desk.close()
        #expect(access(path, F_OK) != 0)
        #expect(try folder.names() == ["run"])
    }

    @Test("takes the place of one that a killed monitor left, and of any file")
    func stale() async throws {
        let first = try await Desk(path)
        let second = try await Desk(path)
        // The first one's end must not take the second one's name away.
        await first.close()
        let client = try LineSocketClient(path: path)
        try client.send(bytes("still there\n"))
        #expect(try client.readLine(within: .seconds(60)) == bytes("still there!"))
        await second.close()
        _ = try folder.write("", to: "run/monitor.sock")
        let third = try await Desk(path)
        _ = try LineSocketClient(path: path)
        await third.close()
    }

    @Test("distinguishes a missing socket from one without a listener")
    func noServer() throws {
        #expect(throws: LineSocketError.noListener(path: path)) { try LineSocketClient(path: path) }
        mkdir("\(folder.path)/run", 0o700)
        let left = try boundSocket(path)
        close(left)
        #expect(throws: LineSocketError.noListener(path: path)) { try LineSocketClient(path: path) }
    }

    @Test("says which path is too long, and how long one may be")
    func longPath() async throws {
        let long = "\(folder.path)/\(String(repeating: "x", count: 108))"
        let error = await #expect(throws: LineSocketError.self) { try await Desk(long) }
        #expect(error == .pathTooLong(path: long + "~", limit: 107) || error == .pathTooLong(path: long, limit: 107))
        #expect(throws: LineSocketError.pathTooLong(path: long, limit: 107)) { try LineSocketClient(path: long) }
    }

    @Test("disconnects a client that sends an endless line, and continues with the others")
    func endlessLine() async throws {
        let desk = try await Desk(path, LineSocketLimits(longestLine: 1000))
        let other = try LineSocketClient(path: path)
        let client = try LineSocketClient(path: path)
        #expect(throws: LineSocketError.closed) {
            try client.send([UInt8](repeating: 65, count: 100_000))
            _ = try client.readLine(within: .seconds(60))
        }
        try other.send(bytes("x\n"))
        #expect(try other.readLine(within: .seconds(60)) == bytes("x!"))
        await desk.close()
    }

    @Test("disconnects a client that does not read, and reports it to the owner")
    func unread() async throws {
        let desk = try await Desk(path, LineSocketLimits(unread: 100_000))
        let client = try LineSocketClient(path: path)
        try client.send(bytes("x\n"))
        #expect(try client.readLine(within: .seconds(60)) == bytes("x!"))
        try await awaitCondition("the reader that sleeps to be dropped") {
            await desk.pushToAll(String(repeating: "y", count: 10_000))
            return await desk.closedCount == 1
        }
        #expect(await desk.connectionCount == 0)
        await desk.close()
    }

    @Test("keeps no more connections than it may, and answers one more all the same")
    func crowd() async throws {
        let desk = try await Desk(path, LineSocketLimits(connections: 2, passing: 2))
        let kept = [try LineSocketClient(path: path), try LineSocketClient(path: path)]
        for client in kept {
            try client.send(bytes("keep\n"))
            #expect(try client.readLine(within: .seconds(60)) == bytes("kept!"))
        }
        let third = try LineSocketClient(path: path)
        try third.send(bytes("keep\n"))
        #expect(try third.readLine(within: .seconds(60)) == bytes("no place!"))
        for _ in 0..<10 {
            let passing = try LineSocketClient(path: path)
            try passing.send(bytes("x\n"))
            #expect(try passing.readLine(within: .seconds(60)) == bytes("x!"))
        }
        for client in kept {
            try client.send(bytes("y\n"))
            #expect(try client.readLine(within: .seconds(60)) == bytes("y!"))
        }
        await desk.close()
    }

    @Test("disconnects the client that has been silent longest, so that silent ones do not block others")
    func silentCrowd() async throws {
        let desk = try await Desk(path, LineSocketLimits(connections: 2, passing: 2, timeout: .seconds(600)))
        var silent: [LineSocketClient] = []
        for _ in 0..<12 {
            silent.append(try LineSocketClient(path: path))
            let asking = try LineSocketClient(path: path)
            try asking.send(bytes("x\n"))
            #expect(try asking.readLine(within: .seconds(60)) == bytes("x!"))
        }
        #expect(throws: LineSocketError.closed) { try silent[0].readLine(within: .seconds(60)) }
        #expect(await desk.connectionCount <= 4)
        await desk.close()
    }

    @Test("listens elsewhere, or here again, without losing anybody")
    func elsewhere() async throws {
        let desk = try await Desk(path)
        let client = try LineSocketClient(path: path)
        try client.send(bytes("a\n"))
        #expect(try client.readLine(within: .seconds(60)) == bytes("a!"))
        unlink(path)
        #expect(await !desk.hasItsName)
        for place in [path, "\(folder.path)/other/x.sock"] {
            try await desk.listenAgain(at: place)
            #expect(await desk.hasItsName)
            let other = try LineSocketClient(path: place)
            #expect(other.process == getpid())
            try other.send(bytes("b\n"))
            #expect(try other.readLine(within: .seconds(60)) == bytes("b!"))
        }
        #expect(access(path, F_OK) != 0)
        try client.send(bytes("c\n"))
        #expect(try client.readLine(within: .seconds(60)) == bytes("c!"))
        await desk.close()
    }

    @Test("ends who says nothing, but not who has asked once")
    func silence() async throws {
        let desk = try await Desk(path, LineSocketLimits(timeout: .milliseconds(100)))
        var asking = try LineSocketClient(path: path)
        // On a busy computer even a question may come too late, and who asked it begins anew.
        while (try? asking.send(bytes("x\n"))) == nil || (try? asking.readLine(within: .seconds(60))) != bytes("x!") {
            asking = try LineSocketClient(path: path)
        }
        let silent = try LineSocketClient(path: path)
        #expect(throws: LineSocketError.closed) { try silent.readLine(within: .seconds(60)) }
        try asking.send(bytes("y\n"))
        #expect(try asking.readLine(within: .seconds(60)) == bytes("y!"))
        await desk.close()
    }

    @Test("sends the rest of what it has to say before it ends a connection")
    func finish() async throws {
        let desk = try await Desk(path, LineSocketLimits(unread: 10_000_000, ending: .seconds(600)))
        let client = try LineSocketClient(path: path)
        try client.send(bytes("bye\n"))
        let line = try client.readLine(within: .seconds(60))
        #expect(line.count == 2_000_000)
        #expect(throws: LineSocketError.closed) { try client.readLine(within: .seconds(60)) }
        await desk.close()
    }

    @Test("a client waits no longer than its limit")
    func timeout() async throws {
        mkdir("\(folder.path)/run", 0o700)
        let listening = try boundSocket(path)
        listen(listening, 1)
        let client = try LineSocketClient(path: path)
        try client.send(bytes("x\n"))
        #expect(throws: LineSocketError.tooSlow) { try client.readLine(within: .milliseconds(20)) }
        // No server accepts, so the queue becomes full, and then connecting has its limit, too.
        var waiting: [LineSocketClient] = []
        #expect(throws: LineSocketError.tooSlow) {
            while waiting.count < 1000 {
                waiting.append(try LineSocketClient(path: path, within: .milliseconds(20)))
            }
        }
        close(listening)
    }

    @Test("can be followed on an event loop, and the end is reported")
    func attached() async throws {
        let desk = try await Desk(path)
        let running = RunningLoop()
        let seen = Recorder<String>()
        let reader = Reader(running.loop)
        try await reader.follow(path, seen)
        try await awaitCondition("the answers") { seen.elements == ["early!", "late!"] }
        await desk.close()
        try await awaitCondition("the end") { seen.elements.last == "closed" }
    }
}
