import EventLoops
import UserFiles

/// Recreates a server's socket when its file was removed: the system removes the session's folder at the last logout,
/// while the server continues.
///
/// It belongs to the server's loop, and sleeps until something happens in the socket's folder.
public final class SocketKeeper {
    private let server: LineSocketServer
    private let paths: [String]
    private let loop: EventLoop
    private let moved: (String) -> Void
    private let complain: (LineSocketError) -> Void
    private var watch: FolderWatch?
    private var timer: LoopTimer?
    private var hasComplained = false

    /// A program that removes a socket's folder also removes the parents of the folder at that time.
    private static let pause = Duration.milliseconds(200)
    /// The interval of attempts while no place is available.
    private static let retryInterval = Duration.seconds(10)

    /// Begins to watch.
    ///
    /// - Parameters:
    ///   - server: The owner of the socket.
    ///   - paths: The possible paths of the socket, the best first.
    ///   - moved: Called with the new path when the socket has moved.
    ///   - complain: Called, once, when no path is available.
    public init(
        _ server: LineSocketServer, paths: [String], on loop: EventLoop, moved: @escaping (String) -> Void,
        complain: @escaping (LineSocketError) -> Void
    ) {
        (self.server, self.paths, self.loop, self.moved, self.complain) = (server, paths, loop, moved, complain)
        watchFolder()
    }

    deinit {
        stop()
    }

    /// Ends the watch.
    public func stop() {
        watch?.stop()
        watch = nil
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    private func watchFolder() {
        watch?.stop()
        watch = FolderWatch(splitPath(server.path).folder, on: loop, watchesRemovals: true) { [weak self] in
            self?.folderChanged()
        }
        // Detects what was removed before the watch existed; if the system has no watch left, polls.
        if watch == nil { plan(after: Self.retryInterval) } else { folderChanged() }
    }

    private func folderChanged() {
        if timer == nil, !server.hasItsName { plan(after: Self.pause) }
    }

    private func plan(after pause: Duration) {
        if let timer { loop.cancel(timer) }
        timer = loop.schedule(after: pause) { [weak self] in self?.restore() }
    }

    private func restore() {
        timer = nil
        if server.hasItsName {
            if watch == nil { watchFolder() }
            return
        }
        var failure: LineSocketError?
        for path in paths {
            // Another program uses the name and keeps it.
            if (try? LineSocketClient(path: path, within: .zero)) != nil { return }
            do throws(LineSocketError) {
                let former = server.path
                try server.listenAgain(at: path)
                hasComplained = false
                if path != former { moved(path) }
                return watchFolder()
            } catch {
                failure = failure ?? error
            }
        }
        if let failure, !hasComplained {
            hasComplained = true
            complain(failure)
        }
        plan(after: Self.retryInterval)
    }
}
