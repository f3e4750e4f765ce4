import Vitals

/// Why an attempt to connect failed, in the kinds that decide what to do next.
enum ConnectFailure: CaseIterable, Hashable, Sendable {
    /// The link could not be established, or fell at once: weak radio, busy air.
    case abortedLink
    /// No answer within our own time, or BlueZ gave up: the sensor is most likely not there.
    case notReached
    /// The link came up, but no services, or none could be subscribed to.
    case noServices
    /// BlueZ is busy with an earlier connect or disconnect of this sensor, perhaps another program's.
    case busy
    /// The end of the former link is not yet complete in the controller.
    case settling
    /// The adapter is off, or not yet up.
    case adapterNotReady
    /// BlueZ does not know the peripheral (any more).
    case unknownPeripheral
    /// The sensor or BlueZ's bond refuses us: authentication or key trouble.
    case notAuthorised
    /// bluetoothd or the bus went away while we waited.
    case connectionToDaemonLost
    /// Anything else.
    case other

    /// The reason that is reported.
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

    /// Whether hearing the sensor on the air is a reason to try again before the time is up.
    ///
    /// Only where its absence was the trouble; else the back-off is there to give radio and daemon a rest.
    var endsWhenHeard: Bool { self == .notReached }
}
