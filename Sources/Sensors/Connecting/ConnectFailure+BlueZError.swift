import BlueZ

extension ConnectFailure {
    /// What a failure of BlueZ means for the next attempt; `nil` when it is none, since there is a link already.
    init?(_ error: BlueZError) {
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
        // Insufficient authentication, authorisation, key size and encryption (Core Specification, Vol 3 Part F,
        // 3.4.1.1).
        case .attribute(code: 0x05), .attribute(code: 0x08), .attribute(code: 0x0C), .attribute(code: 0x0F):
            self = .notAuthorised
        case .attribute, .alreadyExists, .notPermitted, .notSupported, .invalidArguments, .nothingToStop,
            .unexpectedAnswer, .failed:
            self = .other
        }
    }
}
