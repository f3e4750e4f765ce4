extension EventLoop {
    /// Makes a handler of an actor of this loop callable, synchronously, from the loop's own handlers.
    ///
    /// A call does the same as the actor's `assumeIsolated`, which asks the concurrency runtime for the current executor
    /// and allocates memory for its closure; both cost more than everything else between a message and its handler. So
    /// make it once, for all calls.
    ///
    /// - Parameter body: What to run, isolated to an actor whose executor is this loop.
    /// - Returns: The same to be called on the loop's thread; the program traps on another one.
    public func handler<Isolation: Actor, Element: ~Copyable, Result>(
        _ body: @escaping @Sendable (isolated Isolation, borrowing Element) -> Result
    ) -> @Sendable (Isolation, borrowing Element) -> Result {
        // Isolation is a matter of the type only, as in the standard library's own `assumeIsolated`.
        let unchecked = unsafeBitCast(body, to: (@Sendable (Isolation, borrowing Element) -> Result).self)
        return { actor, element in
            self.checkIsolated()
            // Whether the actor is of this loop. `assertIsolated` would ask in a release build, too, for each value.
            #if DEBUG
            actor.preconditionIsolated()
            #endif
            return unchecked(actor, element)
        }
    }
}
