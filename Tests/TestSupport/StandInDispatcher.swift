import Glibc
import Synchronization

/// A socket that speaks as speech-dispatcher does, on a thread for each client, and records what it gets.
public final class StandInDispatcher: Sendable {
    private struct State {
        var lines: [String] = []
        var clients: [Int32] = []
        var connections = 0
    }

    private let path: String
    private let listening: Int32
    private let replies: Int
    private let reply: String?
    private let state = Mutex(State())

    /// The lines of all clients, without their ends.
    public var received: [String] { state.withLock { $0.lines } }
    /// How many clients there have been.
    public var connectionCount: Int { state.withLock { $0.connections } }

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - path: Where.
    ///   - replies: After how many replies to a client it hangs.
    ///   - reply: What it replies instead of what the protocol says.
    public init(path: String, replies: Int = .max, reply: String? = nil) throws {
        unlink(path)
        (self.path, self.replies, self.reply) = (path, replies, reply)
        listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let listening = listening
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listening, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0, listen(listening, 8) == 0 else { throw TestSupportError("a socket at \(path)", errno) }
        Self.onThread { [weak self] in
            while true {
                let client = accept(listening, nil, nil)
                guard client >= 0, let self else {
                    if client >= 0 { close(client) }
                    // Here, so that no other socket gets the number while this thread may use it.
                    close(listening)
                    return
                }
                self.state.withLock {
                    $0.clients.append(client)
                    $0.connections += 1
                }
                Self.onThread { [weak self] in self?.serve(client) }
            }
        }
    }

    /// Ends, and with it all connections.
    public func end() {
        unlink(path)
        shutdown(listening, Int32(SHUT_RDWR))
        state.withLock { for client in $0.clients { shutdown(client, Int32(SHUT_RDWR)) } }
    }

    deinit { end() }

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

    private static func onThread(_ body: @escaping @Sendable () -> Void) {
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
}
