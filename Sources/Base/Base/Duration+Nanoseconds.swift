extension Duration {
    /// The duration in nanoseconds, clamped to 64 bits.
    @inlinable
    public var nanoseconds: Int64 {
        // Checked first, because the components of a very long duration would trap.
        if self >= .nanoseconds(Int64.max) { return .max }
        if self <= .nanoseconds(Int64.min) { return .min }
        let (seconds, attoseconds) = components
        return (seconds &* 1_000_000_000).addingSaturated(attoseconds / 1_000_000_000)
    }
}
