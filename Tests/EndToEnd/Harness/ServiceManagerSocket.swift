import EventLoops
import Foundation
import Testing

/// A stand-in for systemd: a socket for the datagrams of sd_notify(3).
actor ServiceManagerSocket {
    nonisolated var unownedExecutor: UnownedSerialExecutor { Harness.loop.asUnownedSerialExecutor() }

    /// Where it is, as in `NOTIFY_SOCKET`.
    nonisolated let path: String

    /// The socket's folder, which lives as long as it.
    private let folder: TemporaryFolder
    private let descriptor: Int32
    private var watch: DescriptorWatch?
    /// What came, one element for each datagram.
    private(set) var messages: [String] = []
    private var waits = Waits<[String]>(on: Harness.loop)

    /// Makes a socket in a folder of its own.
    static func open() async throws -> ServiceManagerSocket {
        let socket = try ServiceManagerSocket(in: try TemporaryFolder())
        await socket.begin()
        return socket
    }

    private init(in folder: TemporaryFolder) throws {
        self.folder = folder
        path = folder.path + "/notify"
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
        }
        guard isBound else { throw HarnessError("cannot bind \(path): \(String(cString: strerror(errno)))") }
    }

    isolated deinit {
        if let watch { Harness.loop.unwatch(watch) }
        close(descriptor)
    }

    private func begin() {
        watch = Harness.loop.watch(descriptor, for: .readable) { [weak self] _ in
            self?.assumeIsolated { $0.receive() }
        }
    }

    private func receive() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { return }
        messages.append(String(decoding: buffer[..<count], as: UTF8.self))
        waits.settle(messages)
    }

    /// Waits until what has come is as it should be.
    func waitUntil(
        _ description: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ condition: @escaping @Sendable ([String]) -> Bool
    ) async throws {
        if condition(messages) { return }
        let met = await withCheckedContinuation { continuation in
            waits.add(limit: Harness.timeout, condition: condition, continuation: continuation) { [weak self] wait in
                self?.assumeIsolated { $0.waits.giveUp(wait) }
            }
        }
        guard met != nil else {
            throw HarnessError("waited in vain until \(description); there were \(messages)", at: sourceLocation)
        }
    }
}
