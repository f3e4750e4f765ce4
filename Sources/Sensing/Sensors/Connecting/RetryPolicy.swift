/// The delay before the next attempt to connect: doubles from a first value up to a limit, by kind of failure.
struct RetryPolicy: Hashable, Sendable {
    /// The delay after the first failure.
    var first: Duration
    /// The longest delay.
    var limit: Duration

    /// The policy for a failure.
    static func policy(after failure: ConnectFailure) -> RetryPolicy {
        switch failure {
        // A packet was lost at the wrong moment; the next attempt usually succeeds.
        case .abortedLink: RetryPolicy(first: .milliseconds(250), limit: .seconds(4))
        // The sensor is out of range: leave air time to the scan, which ends the wait when it hears the sensor.
        case .notReached: RetryPolicy(first: .seconds(1), limit: .seconds(30))
        case .noServices: RetryPolicy(first: .seconds(1), limit: .seconds(30))
        case .busy: RetryPolicy(first: .seconds(1), limit: .seconds(15))
        // Quirk connect-after-disconnect: BlueZ reports the end of a link some 50 ms before the controller has ended
        // it.
        case .settling: RetryPolicy(first: .milliseconds(100), limit: .seconds(4))
        case .adapterNotReady, .connectionToDaemonLost: RetryPolicy(first: .seconds(2), limit: .seconds(15))
        case .unknownPeripheral: RetryPolicy(first: .seconds(1), limit: .seconds(15))
        // Only the user can change this.
        case .notAuthorised: RetryPolicy(first: .seconds(10), limit: .seconds(60))
        case .other: RetryPolicy(first: .seconds(1), limit: .seconds(30))
        }
    }

    /// The delay before the next attempt.
    ///
    /// - Parameters:
    ///   - failures: The number of consecutive failures, from 1.
    ///   - random: From 0 up to 1, so that several sensors (and several Bedsides) do not try at the same time.
    func delay(failures: Int, random: Double) -> Duration {
        var delay = first
        var doublings = max(1, failures) - 1
        while doublings > 0, delay < limit {
            delay = delay * 2
            doublings -= 1
        }
        return min(delay, limit) * (0.75 + 0.5 * min(max(random, 0), 1))
    }
}
