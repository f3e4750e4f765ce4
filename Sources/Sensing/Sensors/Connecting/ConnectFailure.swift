import Base
import BlueZ
import Vitals

/// Why an attempt to connect failed; each kind has its own next step.
enum ConnectFailure: CaseIterable, Hashable, Sendable {
    /// The link could not be established, or was lost at once: weak radio, busy air.
    case abortedLink
    /// No answer within this program's limit, or BlueZ gave up: the sensor is probably not in range.
    case notReached
    /// The link was established, but there are no services, or no subscription succeeded.
    case noServices
    /// BlueZ is busy with an earlier connect or disconnect of this sensor, perhaps another program's.
    case busy
    /// The controller has not completed the end of the former link.
    case settling
    /// The adapter is off, or not ready yet.
    case adapterNotReady
    /// BlueZ does not know the peripheral, or has forgotten it.
    case unknownPeripheral
    /// The sensor or BlueZ's bond refuses us: authentication or key trouble.
    case notAuthorised
    /// bluetoothd or the bus was lost during the attempt.
    case connectionToDaemonLost
    /// Anything else.
    case other

    /// The reason to report.
    var reason: ConnectionState.DisconnectReason {
        switch self {
        case .abortedLink, .busy, .notAuthorised: .refused
        case .notReached, .noServices: .timeout
        case .settling, .other: .unknown
        case .adapterNotReady: .adapter
        case .unknownPeripheral: .removed
        case .connectionToDaemonLost: .daemon
        }
    }

    /// Whether an advertisement of the sensor is a reason to try again before the delay is over.
    ///
    /// Only if the sensor was out of range; otherwise the delay gives the radio and the daemon a rest.
    var endsWhenHeard: Bool { self == .notReached }
}

extension ConnectFailure {
    /// The meaning of a BlueZ failure for the next attempt; `nil` when there is a link already.
    init?(_ error: BlueZError) {
        if error.wantsPairing {
            self = .notAuthorised
            return
        }
        switch error.kind {
        case .alreadyConnected: return nil
        case .connectionAborted, .connectionRefused, .cancelled, .notConnected: self = .abortedLink
        case .timedOut: self = .notReached
        case .inProgress: self = .busy
        case .inputOutput: self = .settling
        case .notReady, .busy, .noAdapter: self = .adapterNotReady
        case .unknownObject: self = .unknownPeripheral
        case .notAuthorized, .authenticationFailed, .accessDenied: self = .notAuthorised
        case .daemonGone, .busLost: self = .connectionToDaemonLost
        case .attribute, .alreadyExists, .notPermitted, .notSupported, .invalidArguments, .nothingToStop,
            .unexpectedAnswer, .failed:
            self = .other
        }
    }
}

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
