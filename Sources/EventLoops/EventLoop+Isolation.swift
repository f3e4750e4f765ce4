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
    public func assumeIsolated<Isolation: Actor, Result>(
        to actor: Isolation, _ body: (isolated Isolation) throws -> Result
    ) rethrows -> Result {
        checkIsolated()
        actor.assertIsolated()
        return try withoutActuallyEscaping(body) { body in
            // Isolation is a matter of the type only, as in the standard library's own `assumeIsolated`.
            try unsafeBitCast(body, to: ((Isolation) throws -> Result).self)(actor)
        }
    }
}
