import EventLoops
import Glibc
import LineSocket
import TestSupport

/// A server of a test's own that answers each line with itself and an exclamation mark.
actor Desk {
    private let running = RunningLoop()
    private var server: LineSocketServer?
    /// How many connections have ended.
    private(set) var closedCount = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { running.loop.asUnownedSerialExecutor() }

    /// A test that fails lets go of it on a thread of its own.
    isolated deinit {
        server?.close()
    }

    /// Begins to listen.
    init(_ path: String, _ limits: LineSocketLimits = LineSocketLimits()) async throws {
        try listen(path, limits)
    }

    private func listen(_ path: String, _ limits: LineSocketLimits) throws {
        server = try LineSocketServer(path: path, loop: running.loop, limits: limits) { [weak self] in
            self?.answer($0, $1)
        }
    }

    private nonisolated func answer(_ connection: LineSocketConnection, _ line: [UInt8]) {
        connection.closed = { [weak self] _ in self?.assumeIsolated { $0.closedCount += 1 } }
        if line == bytes("bye") {
            connection.send([UInt8](repeating: 65, count: 2_000_000) + bytes("\n"))
            connection.finish()
        } else if line == bytes("keep") {
            nonisolated(unsafe) let asking = connection
            let isKept = assumeIsolated { $0.server?.keep(asking) ?? false }
            connection.send(bytes(isKept ? "kept!\n" : "no place!\n"))
        } else {
            connection.send(line + bytes("!\n"))
        }
    }

    /// Sends everybody a line.
    func pushToAll(_ line: String) {
        for connection in server?.connections ?? [] { connection.send(bytes(line + "\n")) }
    }

    /// Whether others can find the socket.
    var hasItsName: Bool { server?.hasItsName ?? false }

    /// Listens anew.
    func listenAgain(at path: String) throws {
        try server?.listenAgain(at: path)
    }

    /// How many are connected.
    var connectionCount: Int { server?.connections.count ?? 0 }

    /// Ends.
    func close() {
        server?.close()
        server = nil
    }
}

/// Follows a monitor on an event loop.
actor Reader {
    private let loop: EventLoop
    private var connection: LineSocketConnection?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ loop: EventLoop) {
        self.loop = loop
    }

    /// Asks twice, once before and once after the loop takes over.
    func follow(_ path: String, _ seen: Recorder<String>) throws {
        let client = try LineSocketClient(path: path)
        try client.send(bytes("early\n"))
        let connection = client.attach(to: loop) { seen.record(String(decoding: $1, as: UTF8.self)) }
        connection.closed = { _ in seen.record("closed") }
        connection.send(bytes("late\n"))
        self.connection = connection
    }
}

/// The bytes of a text.
func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

/// The permissions of a file.
func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
}

/// A socket that has a name and does not listen.
func boundSocket(_ path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let status = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    guard status == 0 else {
        throw LineSocketError.cannotListen(path: path, reason: String(cString: strerror(errno)))
    }
    return descriptor
}
