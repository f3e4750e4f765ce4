import CSystem
import EventLoops
import Glibc

/// The server socket of a running monitor, on one of its event loops.
///
/// Only processes of the same user and of root are answered. The socket has mode 0600 and is in a folder that only the
/// user can enter. An existing socket file is replaced atomically, because a killed monitor may have left it; a lock
/// elsewhere decides who may listen.
///
/// It belongs to the loop's thread.
public final class LineSocketServer {
    public private(set) var path: String
    public var connections: [LineSocketConnection] { Array(table.values) }

    private let loop: EventLoop
    private let limits: LineSocketLimits
    private let handler: LineSocketConnection.LineHandler
    private var descriptor: Int32
    private var identity: SocketFile
    private var watch: DescriptorWatch?
    private var timer: LoopTimer?
    private var table: [ObjectIdentifier: LineSocketConnection] = [:]

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - path: The path; a missing folder is created with mode 0700.
    ///   - loop: The loop; the caller must be on its thread, or it must not run yet.
    ///   - limits: The limits of each connection.
    ///   - handler: Called with each line of each connection; it may keep the connection and send lines later.
    /// - Throws: ``LineSocketError``: `.pathTooLong`, `.noFolder`, `.cannotListen`.
    public init(
        path: String, loop: EventLoop, limits: LineSocketLimits = LineSocketLimits(),
        _ handler: @escaping LineSocketConnection.LineHandler
    ) throws(LineSocketError) {
        (self.path, self.loop, self.limits, self.handler) = (path, loop, limits, handler)
        (descriptor, identity) = try SocketFile.listen(at: path)
        watch = loop.watch(descriptor, for: .readable) { [weak self] _ in self?.accept() }
    }

    deinit {
        close()
    }

    /// Ends every connection and removes the socket, unless another one has replaced it.
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

    /// Whether the socket's file still exists, so that others can connect.
    public var hasItsName: Bool { identity.isThere }

    /// Listens again, at the same or another path, because the socket's file is gone; connections continue.
    ///
    /// - Throws: ``LineSocketError``: `.pathTooLong`, `.noFolder`, `.cannotListen`; the server is unchanged then.
    public func listenAgain(at path: String) throws(LineSocketError) {
        guard let watch else { return }
        let (descriptor, identity) = try SocketFile.listen(at: path)
        loop.unwatch(watch)
        self.identity.remove()
        Glibc.close(self.descriptor)
        (self.path, self.descriptor, self.identity) = (path, descriptor, identity)
        self.watch = loop.watch(descriptor, for: .readable) { [weak self] _ in self?.accept() }
    }

    /// Marks a connection as lasting; the others give way to new ones.
    ///
    /// - Parameter reserve: How many places must remain for other lasting connections.
    /// - Returns: Whether there is a place; without one, send a refusal and end the connection.
    public func keep(_ connection: LineSocketConnection, reserve: Int = 0) -> Bool {
        if connection.isKept { return true }
        guard table.values.count(where: \.isKept) + reserve < limits.connections else { return false }
        connection.isKept = true
        return true
    }

    /// Accepts one connection; the next one is reported in the loop's next turn.
    private func accept() {
        let accepted = csystem_accept(descriptor)
        guard accepted >= 0 else {
            // The connection stays in the queue and would wake the loop again at once.
            if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { rest() }
            return
        }
        guard SocketCalls.isTrusted(accepted, acceptsRoot: true) else {
            Glibc.close(accepted)
            return
        }
        makeRoom()
        let connection = LineSocketConnection(taking: accepted, on: loop, limits: limits, handler: handler)
        connection.limitTime(limits.timeout)
        connection.onRemoval = { [weak self] in self?.table[ObjectIdentifier($0)] = nil }
        table[ObjectIdentifier(connection)] = connection
    }

    /// Closes the connection that has been silent for the longest time if all places are taken.
    ///
    /// There is always one to close, because there are fewer lasting connections than places.
    private func makeRoom() {
        guard table.count >= limits.connections + limits.passing else { return }
        table.values.filter { !$0.isKept }.min { $0.lastReceived < $1.lastReceived }?.end()
    }

    /// Stops accepting for a moment, until a descriptor may be free again.
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
