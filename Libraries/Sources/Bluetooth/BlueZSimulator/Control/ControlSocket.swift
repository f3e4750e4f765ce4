import CSystem
import EventLoops
import Glibc

/// The socket through which other programs control the simulator: one command per line, one answer per line.
///
/// Unlike the object on the bus it stays when the bus ends. Use it on the loop's thread only.
final class ControlSocket {
    private weak var simulator: Simulator?
    private let loop: EventLoop
    private let path: String
    private let descriptor: Int32
    private var watch: DescriptorWatch?
    private var clients: [ObjectIdentifier: ControlClient] = [:]

    /// Listens at an unused path.
    init(path: String, of simulator: Simulator) throws(PrivateBusError) {
        self.simulator = simulator
        self.path = path
        loop = simulator.loop
        descriptor = try Self.listen(at: path)
        watch = loop.watch(descriptor, for: .readable) { [weak self] _ in self?.accept() }
    }

    deinit {
        close()
    }

    /// Ends every client's connection and removes the socket.
    func close() {
        guard let watch else { return }
        loop.unwatch(watch)
        self.watch = nil
        clients = [:]
        Glibc.close(descriptor)
        unlink(path)
    }

    private func accept() {
        let accepted = Glibc.accept(descriptor, nil, nil)
        guard accepted >= 0 else { return }
        _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
        guard let simulator else {
            Glibc.close(accepted)
            return
        }
        let client = ControlClient(descriptor: accepted, of: simulator) { [weak self] client in
            self?.clients[ObjectIdentifier(client)] = nil
        }
        clients[ObjectIdentifier(client)] = client
    }

    private static func listen(at path: String) throws(PrivateBusError) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .cannotStart(reason: String(cString: strerror(errno))) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // `TemporaryDirectory` keeps the name short enough.
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
        }
        guard isBound, Glibc.listen(descriptor, 16) == 0 else {
            let reason = String(cString: strerror(errno))
            Glibc.close(descriptor)
            throw .cannotStart(reason: "\(path): \(reason)")
        }
        return descriptor
    }
}

/// A client of the socket; its commands are carried out in order.
///
/// Use it on the loop's thread only.
private final class ControlClient: @unchecked Sendable {
    // `@unchecked Sendable`: only passed through tasks of the simulator's loop, and used on the loop's thread.

    /// The longest line that is read, in bytes; a longer one ends the connection.
    private static let longestLine = 65_536

    private let simulator: Simulator
    private let descriptor: Int32
    private let ended: (ControlClient) -> Void
    private var watch: DescriptorWatch?
    private var bytes: [UInt8] = []
    private var isBusy = false

    init(descriptor: Int32, of simulator: Simulator, ended: @escaping (ControlClient) -> Void) {
        self.descriptor = descriptor
        self.simulator = simulator
        self.ended = ended
        watch = simulator.loop.watch(descriptor, for: .readable) { [weak self] _ in self?.read() }
    }

    deinit {
        if let watch { simulator.loop.unwatch(watch) }
        Glibc.close(descriptor)
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0, bytes.count + count <= Self.longestLine else { return end() }
        bytes += buffer[..<count]
        performNext()
    }

    private func performNext() {
        guard !isBusy, let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return }
        let line = String(decoding: bytes[..<newline], as: UTF8.self)
        bytes.removeFirst(newline + 1)
        isBusy = true
        Task(executorPreference: simulator.loop) { await self.perform(line) }
    }

    private func perform(_ line: String) async {
        let answer = await simulator.perform(command: line)
        await simulator.onLoop { self.answer(answer) }
    }

    private func answer(_ text: String) {
        isBusy = false
        let answer = Array((text + "\n").utf8)
        // A client that does not read its answers is disconnected.
        let count = send(descriptor, answer, answer.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        if count == answer.count { performNext() } else { end() }
    }

    private func end() {
        if let watch { simulator.loop.unwatch(watch) }
        watch = nil
        ended(self)
    }
}

extension Simulator {
    /// Runs a closure on the loop's thread.
    fileprivate func onLoop(_ body: @Sendable () -> Void) { body() }
}
