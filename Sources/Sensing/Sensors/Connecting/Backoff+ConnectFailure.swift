import Base

extension Backoff {
    /// The delays after a failure to connect.
    static func after(_ failure: ConnectFailure) -> Backoff {
        switch failure {
        // A packet was lost at the wrong moment; the next attempt usually succeeds.
        case .abortedLink: Backoff(first: .milliseconds(250), last: .seconds(4))
        // The sensor is out of range: leave air time to the scan, which ends the wait when it hears the sensor.
        case .notReached: Backoff(first: .seconds(1), last: .seconds(30))
        case .noServices: Backoff(first: .seconds(1), last: .seconds(30))
        case .busy: Backoff(first: .seconds(1), last: .seconds(15))
        // Quirk connect-after-disconnect: BlueZ reports the end of a link some 50 ms before the controller has ended
        // it.
        case .settling: Backoff(first: .milliseconds(100), last: .seconds(4))
        case .adapterNotReady, .connectionToDaemonLost: Backoff(first: .seconds(2), last: .seconds(15))
        case .unknownPeripheral: Backoff(first: .seconds(1), last: .seconds(15))
        // Only the user can change this.
        case .notAuthorised: Backoff(first: .seconds(10), last: .seconds(60))
        case .other: Backoff(first: .seconds(1), last: .seconds(30))
        }
    }

    /// The delay before the next attempt.
    ///
    /// - Parameters:
    ///   - failures: The number of consecutive failures, from 1.
    ///   - random: From 0 up to 1, so that several sensors (and several Bedsides) do not try at the same time.
    func delay(afterFailures failures: Int, random: Double) -> Duration {
        delay(afterFailures: failures) * (0.75 + 0.5 * min(max(random, 0), 1))
    }
}
