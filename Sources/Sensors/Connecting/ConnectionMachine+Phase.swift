import Vitals

extension ConnectionMachine {
    /// How far the connection is.
    enum Phase: Hashable, Sendable {
        /// No link and nothing under way.
        case idle
        /// Waiting for our turn to connect.
        case queued
        /// `Connect` is under way, and the link may be up already.
        case connecting
        /// The link is up; waiting for the services.
        case resolving
        /// The services are there; subscribing.
        case subscribing
        /// Streaming.
        case ready(since: Moment)
        /// Somebody else's link, which we leave alone.
        case foreign
        /// A failed attempt is being cleaned up with `Disconnect`.
        case cleaningUp(after: ConnectFailure)
        /// The user's `Disconnect` is under way.
        case disconnecting
        /// Waiting for the next attempt.
        case backingOff(after: ConnectFailure)
    }

    /// How long `Connect` may take.
    ///
    /// Quirk connect-waits-for-report: another program's scan can delay it by some 11 s.
    static let connectLimit = Duration.seconds(15)
    /// How long the services may take from the moment that the link is up.
    static let servicesLimit = Duration.seconds(15)
    /// How long `Disconnect` may take.
    ///
    /// Quirk disconnect-takes-2-s: BlueZ waits so long before it ends a link.
    static let disconnectLimit = Duration.seconds(6)
    /// How long a connection must have streamed for its failures to be forgotten.
    static let stableAfter = Duration.seconds(5)
}
