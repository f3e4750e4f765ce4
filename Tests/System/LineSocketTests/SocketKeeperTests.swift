import EventLoops
import Glibc
import TestSupport
import Testing

@testable import LineSocket

@Suite("The socket of a server whose session ends", .timeLimit(.minutes(10)))
struct SocketKeeperTests {
    private let running = RunningLoop()
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    /// A server with its keeper, on a test's loop.
    private final class Host {
        private(set) var server: LineSocketServer?
        private var keeper: SocketKeeper?
        var places: [String] = []
        var warnings: [LineSocketError] = []

        init(_ path: String, or other: String, on loop: EventLoop) throws {
            let server = try LineSocketServer(path: path, loop: loop) { [unowned self] connection, line in
                // Else a connection ends after a time, whatever becomes of the socket.
                if line == [UInt8(ascii: "k")] { _ = self.server?.keep(connection) }
                connection.send(line + [UInt8(ascii: "\n")])
            }
            self.server = server
            keeper = SocketKeeper(
                server, paths: [path, other], on: loop, moved: { [unowned self] in places.append($0) },
                complain: { [unowned self] in warnings.append($0) })
        }

        func end() {
            keeper?.stop()
            server?.close()
        }
    }

    private func answers(at path: String) -> Bool {
        guard let client = try? LineSocketClient(path: path, within: .zero) else { return false }
        return (try? client.send([UInt8(ascii: "x"), UInt8(ascii: "\n")])) != nil
    }

    @Test("is recreated when it or its folder is removed; connections continue")
    func again() async throws {
        let (run, other) = ("\(folder.path)/run", "\(folder.path)/state/run/m.sock")
        let path = "\(run)/m.sock"
        try await running.run { actor in
            let host = try Host(path, or: other, on: actor.loop)
            let client = try LineSocketClient(path: path)
            var lines = 0
            let connection = client.attach(to: actor.loop) { _, _ in lines += 1 }
            connection.send([UInt8(ascii: "k"), UInt8(ascii: "\n")])
            try await awaitCondition("the connection is kept") { lines == 1 }
            unlink(path)
            try await awaitCondition("it is there again") { answers(at: path) }
            unlink(path)
            rmdir(run)
            try await awaitCondition("it is there again, with its folder") { answers(at: path) }
            connection.send([UInt8(ascii: "y"), UInt8(ascii: "\n")])
            try await awaitCondition("the connected client is answered") { lines == 2 }
            #expect(host.places.isEmpty && host.warnings.isEmpty)
            connection.close()
            host.end()
        }
    }

    @Test("moves where the folder cannot be recreated, and reports its new path")
    func elsewhere() async throws {
        let (run, other) = ("\(folder.path)/session/run", "\(folder.path)/state/run/m.sock")
        let path = "\(run)/m.sock"
        try await running.run { actor in
            let host = try Host(path, or: other, on: actor.loop)
            unlink(path)
            rmdir(run)
            rmdir("\(folder.path)/session")
            // A file instead of the parent folder prevents its creation, even by root.
            _ = try folder.write("", to: "session")
            try await awaitCondition("it is elsewhere") { answers(at: other) }
            #expect(host.places == [other])
            host.end()
        }
        #expect(access(other, F_OK) != 0)
    }

    @Test("is left to another server that has taken its name")
    func taken() async throws {
        let path = "\(folder.path)/run/m.sock"
        try await running.run { actor in
            let first = try Host(path, or: "\(folder.path)/other.sock", on: actor.loop)
            let second = try Host(path, or: "\(folder.path)/other.sock", on: actor.loop)
            // Long enough for the first one to have looked.
            var turns = 0
            try await awaitCondition("it had the time to take it back") {
                turns += 1
                return turns > 200
            }
            #expect(first.server?.hasItsName == false)
            #expect(second.server?.hasItsName == true)
            #expect(answers(at: path))
            first.end()
            second.end()
        }
    }
}
