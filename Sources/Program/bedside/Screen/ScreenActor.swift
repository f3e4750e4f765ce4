import EventLoops

/// The actor of the screen, on the main thread's loop, where the sensors are received, too.
///
/// A slow terminal delays only the screen, because its output never blocks (`OutputLine`).
@globalActor
actor ScreenActor {
    static let shared = ScreenActor()

    /// The loop that the main thread runs.
    static let loop = EventLoop()

    nonisolated var unownedExecutor: UnownedSerialExecutor { Self.loop.asUnownedSerialExecutor() }

    /// Runs a closure synchronously from a handler of ``loop``.
    nonisolated static func assumeIsolated<Result>(_ body: @ScreenActor () -> Result) -> Result {
        loop.checkIsolated()
        let call: @ScreenActor (@ScreenActor () -> Result) -> Result = call
        // Quirk assume-isolated: Swift offers it for the main actor only; the check above is the same.
        // Quirk path-length: a cast of the closure itself would need `withoutActuallyEscaping`.
        return unsafeBitCast(call, to: ((@ScreenActor () -> Result) -> Result).self)(body)
    }

    /// Runs a closure on this actor.
    @ScreenActor
    private static func call<Result>(_ body: @ScreenActor () -> Result) -> Result { body() }
}
