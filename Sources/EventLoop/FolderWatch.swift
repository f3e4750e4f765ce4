import CSystem
import Glibc

/// Tells when a file appears in a folder, without looking there again and again.
public final class FolderWatch {
    private let loop: EventLoop
    private let descriptor: Int32
    private let watch: DescriptorWatch

    /// Calls a handler on the loop's thread whenever a file was made in a folder or moved there.
    ///
    /// - Returns: `nil` when the folder is not there or the system has no watch left.
    public init?(_ path: String, on loop: EventLoop, _ handler: @escaping () -> Void) {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        let events = UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_ONLYDIR)
        guard inotify_add_watch(descriptor, path, events) >= 0 else {
            close(descriptor)
            return nil
        }
        self.loop = loop
        self.descriptor = descriptor
        watch = loop.watch(descriptor, for: .readable) { _ in
            // What happened does not matter: whoever waits looks there anyway.
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
