import EventLoops

/// An event loop that runs on a thread of its own until this object ends.
public final class RunningLoop: Sendable {
    /// The loop.
    public let loop = EventLoop()

    /// Starts the loop's thread.
    public init() {
        loop.startThread(named: "test loop")
    }

    deinit {
        loop.stop()
    }

    /// Runs a closure on the loop's thread.
    public func run<Result: Sendable, Failure: Error>(
        _ body: @Sendable (isolated LoopActor) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await body(LoopActor(loop: loop))
    }
}

/// An actor without state that runs on a loop.
public actor LoopActor {
    /// The loop.
    public nonisolated let loop: EventLoop

    /// Runs this actor on its loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Makes an actor of a loop.
    public init(loop: EventLoop) {
        self.loop = loop
    }
}
