import EventLoops

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

    /// Runs something that must be on the main thread and is: a handler of ``loop``.
    nonisolated static func assumeIsolated<Result>(_ body: @ScreenActor () -> Result) -> Result {
        loop.checkIsolated()
        // Quirk assume-isolated: the language has it for the main actor only; the check above is the same one.
        return withoutActuallyEscaping(body) { body in
            unsafeBitCast(body, to: (() -> Result).self)()
        }
    }
}
