import CSystem
import EventLoop
import Glibc

/// The socket at which a running monitor is asked, on an event loop of the monitor's: it has no thread of its own.
///
/// Only processes of the same user, and root's, are answered. The socket has mode 0600 and is in a folder that only the
/// user can enter. That a file is there says nothing: whoever may listen (a lock decides that, elsewhere) takes its
/// place, so one that a killed monitor left is replaced, and without a moment at which there is none.
///
/// It belongs to the loop's thread.
public final class MonitorSocketServer {
    /// Where it is.
    public let path: String
    /// Everybody who is connected.
    public var connections: [MonitorSocketConnection] { Array(table.values) }

    private let loop: EventLoop
    private let limits: MonitorSocketLimits
    private let handler: MonitorSocketConnection.LineHandler
    private let descriptor: Int32
    private let identity: SocketFile
    private var watch: DescriptorWatch?
    private var timer: LoopTimer?
    private var table: [ObjectIdentifier: MonitorSocketConnection] = [:]

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - path: Where; the folder is made if it is missing, with mode 0700.
    ///   - loop: Where everything happens; the caller must be on its thread, or it must not run yet.
    ///   - limits: What is put up with.
    ///   - handler: Called with each line of each connection; it may keep the connection and send lines later.
    /// - Throws: ``MonitorSocketError``: `.pathTooLong`, `.noFolder`, `.cannotListen`.
    public init(
        path: String, loop: EventLoop, limits: MonitorSocketLimits = MonitorSocketLimits(),
        _ handler: @escaping MonitorSocketConnection.LineHandler
    ) throws(MonitorSocketError) {
        (self.path, self.loop, self.limits, self.handler) = (path, loop, limits, handler)
        (descriptor, identity) = try SocketFile.listen(at: path)
        watch = loop.watch(descriptor, for: .readable) { [weak self] _ in self?.accept() }
    }

    deinit {
        close()
    }

    /// Ends every connection and removes the socket, unless another one has taken its place.
    public func close() {
        guard let watch else { return }
        loop.unwatch(watch)
        self.watch = nil
        if let timer { loop.cancel(timer) }
        identity.remove()
        Glibc.close(descriptor)
        let ending = table.values
        table = [:]
        for connection in ending { connection.end() }
    }

    /// Takes one connection; the next one is reported in the loop's next turn.
    private func accept() {
        let accepted = csystem_accept(descriptor)
        guard accepted >= 0 else {
            // The connection stays in the queue and would wake the loop again at once.
            if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { rest() }
            return
        }
        guard SocketCalls.isTrusted(accepted) else {
            Glibc.close(accepted)
            return
        }
        let connection = MonitorSocketConnection(taking: accepted, on: loop, limits: limits, handler: handler)
        guard table.count < limits.connections else {
            connection.send(Array("{\"v\":1,\"error\":\"too many connections\"}\n".utf8))
            return connection.close()
        }
        connection.limitTime(limits.patience)
        connection.onRemoval = { [weak self] in self?.table[ObjectIdentifier($0)] = nil }
        table[ObjectIdentifier(connection)] = connection
    }

    /// Accepts nobody for a moment, until something may be free again.
    private func rest() {
        guard let watch else { return }
        loop.setInterest([], of: watch)
        timer = loop.schedule(after: .milliseconds(500)) { [weak self] in
            guard let self, let watch = self.watch else { return }
            timer = nil
            loop.setInterest(.readable, of: watch)
        }
    }
}
