import Glibc
import Synchronization

/// A socket at which a message bus should answer, and that hangs.
public final class HangingBus: Sendable {
    /// How far it goes.
    public enum Behaviour: String, CaseIterable, Sendable {
        /// It lets everybody in and never says a word.
        case silent
        /// It accepts who we are, and says nothing after that.
        case halfHandShake
        /// It accepts no connection: its queue is full.
        case fullQueue
    }

    /// Its D-Bus address.
    public let address: String

    private let path: String
    private let listening: Int32
    private let waiting: [Int32]
    private let accepted = Mutex<[Int32]>([])

    /// Begins to listen at a path that must not exist.
    public init(_ behaviour: Behaviour, path: String) throws {
        self.path = path
        address = "unix:path=\(path)"
        let listening = Self.socket()
        self.listening = listening
        let status = Self.withAddress(path) { bind(listening, $0, $1) }
        guard listening >= 0, status == 0, listen(listening, behaviour == .fullQueue ? 0 : 64) == 0 else {
            throw TestSupportError("a socket at \(path)", errno)
        }
        guard behaviour == .fullQueue else {
            waiting = []
            if behaviour == .halfHandShake { acceptEverybody() }
            return
        }
        // One more than the queue of none holds finds no room.
        var waiting: [Int32] = []
        while waiting.count < 8 {
            let client = Self.socket(Int32(SOCK_NONBLOCK.rawValue))
            waiting.append(client)
            if Self.withAddress(path, { connect(client, $0, $1) }) != 0 { break }
        }
        self.waiting = waiting
    }

    deinit {
        // The thread that accepts ends with the socket.
        shutdown(listening, Int32(SHUT_RDWR))
        close(listening)
        for client in waiting + accepted.withLock({ $0 }) { close(client) }
        unlink(path)
    }

    /// Agrees to everybody's first words, on a thread of its own.
    private func acceptEverybody() {
        let server = Unmanaged.passRetained(
            Server(listening: listening) { [weak self] client in
                self?.accepted.withLock { $0.append(client) }
            })
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Server>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, server.toOpaque())
        pthread_detach(thread)
    }

    private static func socket(_ flags: Int32 = 0) -> Int32 {
        Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | flags, 0)
    }

    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// Accepts clients and answers their first words.
private final class Server: Sendable {
    private let listening: Int32
    private let keep: @Sendable (Int32) -> Void

    init(listening: Int32, keep: @escaping @Sendable (Int32) -> Void) {
        (self.listening, self.keep) = (listening, keep)
    }

    func run() {
        while true {
            let client = accept(listening, nil, nil)
            if client < 0 { return }
            keep(client)
            let answer = "OK 1234deadbeef1234deadbeef12345678\r\n"
            // It comes before the question is read, which the protocol does not mind.
            _ = write(client, answer, answer.utf8.count)
        }
    }
}
