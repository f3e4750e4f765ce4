/// A condition that did not come true in the time given.
public struct ConditionNotMet: Error, CustomStringConvertible {
    /// What was waited for.
    public let description: String
}

/// Waits until a condition holds, looking again every few milliseconds.
///
/// Where tests that compute leave this one no thread, time passes without a look; so it gives up only after both the
/// time and a number of looks that takes two seconds on an idle computer, or after four times that time where a look takes
/// long itself. Each look is on the caller's executor, so the condition may use what belongs to that.
///
/// - Parameters:
///   - what: What is waited for, for the failure's text.
///   - limit: How long at most; generous, because a passing test never waits for it.
///   - condition: The condition.
/// - Throws: ``ConditionNotMet``, or what the condition throws.
public func awaitCondition(
    _ what: String, within limit: Duration = .seconds(120), isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async throws {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: limit)
    let last = end.advanced(by: limit * 3)
    var looks = 0
    while try await !look(condition) {
        looks += 1
        if clock.now >= end, looks >= 1000 || clock.now >= last {
            throw ConditionNotMet(description: "not within \(limit): \(what)")
        }
        try await Task.sleep(for: .milliseconds(2))
    }
}

/// Calls a condition on the caller's executor.
///
/// Swift 6.3 goes back to that executor before a call of a function, but not before one of a closure that was passed in:
/// after the pause, the condition itself would be called on a thread of the pool.
@inline(never)
private func look(_ condition: () async throws -> Bool) async throws -> Bool {
    try await condition()
}
