/// A condition that did not come true in the time given.
public struct ConditionNotMet: Error, CustomStringConvertible {
    /// What was waited for.
    public let description: String
}

/// Waits until a condition holds, looking again every few milliseconds.
///
/// - Parameters:
///   - what: What is waited for, for the failure's text.
///   - limit: How long at most; generous, because a passing test never waits for it.
///   - condition: The condition.
/// - Throws: ``ConditionNotMet``, or what the condition throws.
public func awaitCondition(
    _ what: String, within limit: Duration = .seconds(20), isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async throws {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: limit)
    while try await !condition() {
        if clock.now >= end { throw ConditionNotMet(description: "not within \(limit): \(what)") }
        try await Task.sleep(for: .milliseconds(2))
    }
}
