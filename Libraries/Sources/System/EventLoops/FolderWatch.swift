import CSystem
import Glibc

/// Reports when a file appears in or disappears from a folder, and when the folder itself does, without polling.
public final class FolderWatch {
    private let loop: EventLoop
    private let descriptor: Int32
    private let watch: DescriptorWatch

    /// Calls a handler on the loop's thread whenever a file was created in a folder or moved there.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - loop: The loop on whose thread the handler is called.
    ///   - watchesRemovals: Whether the handler is called also when a file was removed or moved away, and when that
    ///     happened to the folder itself, which ends the watch.
    ///   - handler: Called after each change.
    /// - Returns: `nil` when the folder does not exist or the system has no watch left.
    public init?(
        _ path: String, on loop: EventLoop, watchesRemovals: Bool = false, _ handler: @escaping () -> Void
    ) {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        var events = UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_ONLYDIR)
        if watchesRemovals {
            events |= UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
        }
        guard inotify_add_watch(descriptor, path, events) >= 0 else {
            close(descriptor)
            return nil
        }
        self.loop = loop
        self.descriptor = descriptor
        watch = loop.watch(descriptor, for: .readable) { _ in
            // The events are not evaluated, because the handler examines the folder anyway.
            var events = [UInt8](repeating: 0, count: 4096)
            while read(descriptor, &events, events.count) > 0 {}
            handler()
        }
    }

    /// Ends the watch.
    public func stop() {
        loop.unwatch(watch)
        close(descriptor)
    }
}
