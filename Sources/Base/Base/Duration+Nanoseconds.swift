extension Duration {
    /// The duration in nanoseconds, or the nearest number of them that 64 bits hold.
    @inlinable
    public var nanoseconds: Int64 {
        // First, because the components of a very long duration would trap.
        if self >= .nanoseconds(Int64.max) { return .max }
        if self <= .nanoseconds(Int64.min) { return .min }
        let (seconds, attoseconds) = components
        return (seconds &* 1_000_000_000).addingSaturated(attoseconds / 1_000_000_000)
    }
}
