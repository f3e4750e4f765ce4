import EventLoops
import Foundation
import Glibc

/// A connection to the socket that drives a world: one command a line, one answer a line.
actor ControlConnection {
    nonisolated var unownedExecutor: UnownedSerialExecutor { Harness.loop.asUnownedSerialExecutor() }

    private let descriptor: Int32
    private var watch: DescriptorWatch?
    private var bytes: [UInt8] = []
    /// Who waits for an answer, in the order of the commands.
    private var waiting: [CheckedContinuation<String?, Never>] = []

    /// Connects to a socket.
    static func open(_ path: String) async throws -> ControlConnection {
        let connection = try ControlConnection(path)
        await connection.start()
        return connection
    }

    private init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let descriptor = descriptor
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw HarnessError("no answer at \(path): \(reason)")
        }
    }

    isolated deinit {
        end()
        close(descriptor)
    }

    private func start() {
        watch = Harness.loop.watch(descriptor, for: .readable) { [weak self] _ in
            self?.assumeIsolated { $0.read() }
        }
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { return end() }
        bytes += buffer[..<count]
        while let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: bytes[..<newline], as: UTF8.self)
            bytes.removeFirst(newline + 1)
            if !waiting.isEmpty { waiting.removeFirst().resume(returning: line) }
        }
    }

    private func end() {
        if let watch { Harness.loop.unwatch(watch) }
        watch = nil
        for continuation in waiting { continuation.resume(returning: nil) }
        waiting = []
    }

    /// Has a command carried out.
    ///
    /// - Returns: The answer.
    /// - Throws: ``HarnessError`` when there is none, or when it answers with an error.
    func perform(_ command: String) async throws -> String {
        let line = Array((command + "\n").utf8)
        guard watch != nil, send(descriptor, line, line.count, Int32(MSG_NOSIGNAL)) == line.count else {
            throw HarnessError("“\(command)” cannot be sent: the world's control socket is closed")
        }
        guard let answer = await withCheckedContinuation({ waiting.append($0) }) else {
            throw HarnessError("“\(command)” was not answered: the world has ended")
        }
        if answer.hasPrefix("error") { throw HarnessError("“\(command)”: \(answer)") }
        return answer
    }
}
