import Glibc
import Synchronization

/// A relay of TCP connections to a port of the loopback interface, which can lose them as a network does: what is sent
/// comes to nothing, and nobody is told.
public final class FadingProxy: Sendable {
    /// The port that it listens on.
    public let port: UInt16

    private struct State {
        /// Counts the losses; a connection of an earlier number is dead.
        var generation = 0
        var isLosing = false
        var isTrickling = false
        var trickled = 0
        var descriptors: Set<Int32> = []
        var isOver = false
    }

    private let target: UInt16
    private let listener: Int32
    private let state = Mutex(State())

    /// Starts to relay.
    ///
    /// - Parameter target: The port of the loopback interface to which connections lead.
    public init(to target: UInt16) throws {
        self.target = target
        port = try PrivateBroker.freePort()
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard Self.withLoopback(port, { bind(listener, $0, $1) }) == 0, listen(listener, 16) == 0 else {
            throw TestSupportError("bind", errno)
        }
        Self.startThread { [weak self, listener] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0, let self else { return }
                self.relay(client)
            }
        }
    }

    deinit {
        let descriptors = state.withLock { state in
            state.isOver = true
            return state.descriptors
        }
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        for descriptor in descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    /// Loses all connections and all new ones without a word, until ``recover()``.
    public func fade() {
        state.withLock { state in
            state.generation += 1
            state.isLosing = true
        }
    }

    /// Relays new connections again; those that were lost stay lost.
    public func recover() {
        state.withLock { $0.isLosing = false }
    }

    /// Passes octets on singly, a thousand a second, or as they come again.
    public func setTrickling(_ isTrickling: Bool) {
        state.withLock { $0.isTrickling = isTrickling }
    }

    /// How many octets were passed on singly.
    public var trickled: Int { state.withLock { $0.trickled } }

    private func relay(_ client: Int32) {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let generation = state.withLock { state -> Int? in
            if state.isOver { return nil }
            state.descriptors.formUnion([client, server])
            // One that is made meanwhile is dead from its beginning.
            return state.isLosing ? -1 : state.generation
        }
        for descriptor in [client, server] {
            var yes: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        }
        guard let generation, Self.withLoopback(target, { connect(server, $0, $1) }) == 0 else {
            close(client)
            close(server)
            return
        }
        for (source, sink) in [(client, server), (server, client)] {
            Self.startThread { [weak self] in
                var buffer = [UInt8](repeating: 0, count: 1 << 16)
                while true {
                    let count = recv(source, &buffer, buffer.count, 0)
                    guard let self, self.pass(buffer.prefix(max(0, count)), to: sink, generation) else { return }
                    if count <= 0 { return self.end(source, sink, generation) }
                }
            }
        }
    }

    /// Passes bytes on; what belongs to a lost connection vanishes.
    private func pass(_ bytes: ArraySlice<UInt8>, to sink: Int32, _ generation: Int) -> Bool {
        guard !isLost(generation) else { return true }
        var rest = bytes
        while !rest.isEmpty {
            let isTrickling = state.withLock { $0.isTrickling }
            if isTrickling { usleep(1000) }
            let count = rest.withUnsafeBytes {
                send(sink, $0.baseAddress, isTrickling ? 1 : $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            if isTrickling { state.withLock { $0.trickled += 1 } }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// One side has closed; the other one learns of it only while the connection is not lost.
    private func end(_ source: Int32, _ sink: Int32, _ generation: Int) {
        if !isLost(generation) { shutdown(sink, Int32(SHUT_WR)) }
    }

    private func isLost(_ generation: Int) -> Bool { state.withLock { generation != $0.generation } }

    private static func withLoopback(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static func startThread(_ body: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(ThreadBody(body))
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, box.toOpaque())
        pthread_detach(thread)
    }
}

private final class ThreadBody: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
