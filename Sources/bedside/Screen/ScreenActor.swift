import EventLoop

/// The actor of everything that concerns the screen: it runs on the main thread, in a loop of its own.
///
/// The bus has another thread, so a terminal that takes its time (a slow line, a stopped pager) holds up nothing but
/// the picture.
@globalActor
actor ScreenActor {
    static let shared = ScreenActor()

    /// The loop that the main thread runs.
    static let loop = EventLoop()

    nonisolated var unownedExecutor: UnownedSerialExecutor { Self.loop.asUnownedSerialExecutor() }
}
