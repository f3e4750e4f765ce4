import Glibc
import Synchronization

/// A socket that speaks as speech-dispatcher does, on a thread for each client, and records what it gets.
public final class StandInDispatcher: Sendable {
    private let server: Server

    /// The lines of all clients, without their ends.
    public var received: [String] { server.state.withLock { $0.lines } }
    /// How many clients there have been.
    public var connectionCount: Int { server.state.withLock { $0.connections } }

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - path: Where.
    ///   - replies: After how many replies to a client it hangs.
    ///   - reply: What it replies instead of what the protocol says.
    public init(path: String, replies: Int = .max, reply: String? = nil) throws {
        server = try Server(path: path, replies: replies, reply: reply)
        runOnThread { [server] in server.accept() }
    }

    deinit { end() }

    /// Ends, and with it all connections.
    public func end() { server.end() }
}

/// What the threads share; a descriptor is closed and forgotten at once, so that nobody uses its number for another.
private final class Server: Sendable {
    struct State {
        var lines: [String] = []
        /// The socket that listens; -1 when it is closed.
        var listening: Int32 = -1
        var clients: [Int32] = []
        var connections = 0
    }

    let state = Mutex(State())
    private let path: String
    private let replies: Int
    private let reply: String?

    init(path: String, replies: Int, reply: String?) throws {
        unlink(path)
        (self.path, self.replies, self.reply) = (path, replies, reply)
        let listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listening, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0, listen(listening, 8) == 0 else { throw TestSupportError("a socket at \(path)", errno) }
        state.withLock { $0.listening = listening }
    }

    func end() {
        state.withLock { state in
            if state.listening >= 0 {
                unlink(path)
                shutdown(state.listening, Int32(SHUT_RDWR))
            }
            for client in state.clients { shutdown(client, Int32(SHUT_RDWR)) }
        }
    }

    /// Accepts clients until it ends.
    func accept() {
        let listening = state.withLock { $0.listening }
        while true {
            let client = Glibc.accept(listening, nil, nil)
            if client < 0 { break }
            state.withLock {
                $0.clients.append(client)
                $0.connections += 1
            }
            runOnThread { self.serve(client) }
        }
        state.withLock { state in
            state.listening = -1
            close(listening)
        }
    }

    private func serve(_ client: Int32) {
        defer {
            state.withLock { state in
                state.clients.removeAll { $0 == client }
                close(client)
            }
        }
        var (bytes, replied, isText) = ([UInt8](), 0, false)
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(client, &buffer, buffer.count, 0)
            if count <= 0 { return }
            bytes += buffer[..<count]
            while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: bytes[..<end].filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
                bytes.removeSubrange(...end)
                state.withLock { $0.lines.append(line) }
                var answer: String?
                if isText {
                    if line == "." {
                        isText = false
                        answer = "225-21\r\n225 OK MESSAGE QUEUED\r\n"
                    }
                } else if line == "SPEAK" {
                    isText = true
                    answer = "230 OK RECEIVING DATA\r\n"
                } else {
                    answer = line == "CANCEL self" ? "213 OK CANCELED\r\n" : "208 OK SET\r\n"
                }
                guard let answer, replied < replies else { continue }
                replied += 1
                let text = reply ?? answer
                _ = send(client, text, text.utf8.count, Int32(MSG_NOSIGNAL))
            }
        }
    }
}

/// Runs a closure on a thread of its own, which may wait for as long as it likes.
private func runOnThread(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Body(body))
    pthread_create(
        &thread, nil,
        { argument in
            if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
            return nil
        }, box.toOpaque())
    pthread_detach(thread)
}

private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
