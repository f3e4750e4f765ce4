import CSystem
import EventLoops
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
    public private(set) var path: String
    /// Everybody who is connected.
    public var connections: [MonitorSocketConnection] { Array(table.values) }

    private let loop: EventLoop
    private let limits: MonitorSocketLimits
    private let handler: MonitorSocketConnection.LineHandler
    private var descriptor: Int32
    private var identity: SocketFile
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

    /// Whether the socket still has its name, so that others can find it.
    public var hasItsName: Bool { identity.isThere }

    /// Listens anew, here or elsewhere, because nobody can find the socket any more; connections go on.
    ///
    /// - Throws: ``MonitorSocketError``: `.pathTooLong`, `.noFolder`, `.cannotListen`; then nothing has changed.
    public func listenAgain(at path: String) throws(MonitorSocketError) {
        guard let watch else { return }
        let (descriptor, identity) = try SocketFile.listen(at: path)
        loop.unwatch(watch)
        self.identity.remove()
        Glibc.close(self.descriptor)
        (self.path, self.descriptor, self.identity) = (path, descriptor, identity)
        self.watch = loop.watch(descriptor, for: .readable) { [weak self] _ in self?.accept() }
    }

    /// Keeps a connection's place for as long as both sides want; others give way to a new one.
    ///
    /// - Parameter reserve: How many places must be left for other kinds of connections.
    /// - Returns: Whether there is a place; without one the connection should be told so and ended.
    public func keep(_ connection: MonitorSocketConnection, reserve: Int = 0) -> Bool {
        if connection.isKept { return true }
        guard table.values.count(where: \.isKept) + reserve < limits.connections else { return false }
        connection.isKept = true
        return true
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
        makeRoom()
        let connection = MonitorSocketConnection(taking: accepted, on: loop, limits: limits, handler: handler)
        connection.limitTime(limits.timeout)
        connection.onRemoval = { [weak self] in self?.table[ObjectIdentifier($0)] = nil }
        table[ObjectIdentifier(connection)] = connection
    }

    /// Lets the connection go that has said nothing for the longest time, unless there is room for one more.
    ///
    /// There is always one, because fewer are kept than there are places.
    private func makeRoom() {
        guard table.count >= limits.connections + limits.passing else { return }
        table.values.filter { !$0.isKept }.min { $0.lastHeard < $1.lastHeard }?.end()
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
