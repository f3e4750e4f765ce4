extension EventLoop {
    /// Runs a closure isolated to an actor of this loop, synchronously, from a handler of the loop.
    ///
    /// It does the same as the actor's `assumeIsolated`, which asks the concurrency runtime for the current executor;
    /// that costs more than everything else between a message and its handler.
    ///
    /// - Parameters:
    ///   - actor: An actor whose executor is this loop; the program traps on another thread than the loop's.
    ///   - body: What to run.
    @inlinable
    public func assumeIsolated<Isolation: Actor, Result, Failure: Error>(
        to actor: Isolation, _ body: (isolated Isolation) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        checkIsolated()
        // Whether the actor is of this loop. `assertIsolated` would ask in a release build, too, a dozen times for a value.
        #if DEBUG
        actor.preconditionIsolated()
        #endif
        typealias Body = (isolated Isolation) throws(Failure) -> Result
        let call: (isolated Isolation, Body) throws(Failure) -> Result = Self.call
        // Isolation is a matter of the type only, as in the standard library's own `assumeIsolated`.
        // Quirk path-length: a cast of the closure itself would need `withoutActuallyEscaping`.
        return try unsafeBitCast(call, to: ((Isolation, Body) throws(Failure) -> Result).self)(actor, body)
    }

    /// Runs a closure isolated to an actor.
    @inlinable
    static func call<Isolation: Actor, Result, Failure: Error>(
        _ actor: isolated Isolation, _ body: (isolated Isolation) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(actor)
    }
}
