/// An event loop with its thread; both end with this object.
public final class LoopThread: Sendable {
    public let loop = EventLoop()

    /// Starts the thread.
    ///
    /// - Parameter name: The name in debuggers, at most 15 bytes.
    public init(named name: String) {
        loop.startThread(named: name)
    }

    deinit {
        loop.stop()
    }
}
