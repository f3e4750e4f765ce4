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
