/// A loop on a thread of its own, both of which end when nobody refers to this object any more.
public final class LoopThread: Sendable {
    /// The loop.
    public let loop = EventLoop()

    /// Starts the thread.
    ///
    /// - Parameter name: What debuggers call it; at most 15 bytes are kept.
    public init(named name: String) {
        loop.startThread(named: name)
    }

    deinit {
        loop.stop()
    }
}
