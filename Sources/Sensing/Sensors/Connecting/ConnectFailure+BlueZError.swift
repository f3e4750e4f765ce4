import BlueZ

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
