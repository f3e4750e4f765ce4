import Vitals

extension ConnectionMachine {
    /// What the user, or the policy, wants of the sensor.
    enum Wish: Hashable, Sendable {
        case notWanted
        /// It must be connected.
        case wanted
        /// The user has ended the connection; the policy must not restore it.
        case refused
    }

    /// What BlueZ knows of the peripheral.
    enum Presence: Hashable, Sendable {
        case unknown
        case known
        case linked
        /// Linked, and the services are resolved.
        case resolved

        /// Whether BlueZ reports a link.
        var isLinked: Bool {
            switch self {
            case .unknown, .known: false
            case .linked, .resolved: true
            }
        }

        /// The presence once BlueZ knows the peripheral.
        var known: Presence { self == .unknown ? .known : self }

        /// The presence with a link.
        var linked: Presence { isLinked ? self : .linked }

        /// The presence without a link.
        var unlinked: Presence { isLinked ? .known : self }
    }

    /// A link in use.
    struct Link: Hashable, Sendable {
        /// Whether this program made it.
        var isOurs: Bool
        /// Whether the computer has slept since the link was made.
        var hasSlept = false
    }

    /// The phase of the connection.
    enum Phase: Hashable, Sendable {
        /// No link in use, and no operation in progress.
        case idle
        /// Waiting for a turn to connect.
        case queued
        /// `Connect` with this number is in progress; the link may exist already.
        case connecting(attempt: Int)
        /// `Connect` has succeeded, or there is a link; waiting for the services, possibly after a change.
        case resolving(Link, afterChange: Bool)
        /// The services are changing; waiting until that is over.
        case settling(Link)
        /// The services are resolved; subscribing.
        case subscribing(Link, afterChange: Bool)
        /// Streaming; possibly after a second subscription because of silence.
        case ready(Link, since: Moment, isRearmed: Bool)
        /// Another program's link, which is left alone.
        case foreign
        /// A failed attempt is being cleaned up with `Disconnect`.
        case cleaningUp(after: ConnectFailure, isOurs: Bool)
        /// The user's `Disconnect` is under way.
        case disconnecting(isOurs: Bool)
        /// Waiting for the next attempt.
        case backingOff(after: ConnectFailure)
        /// Waiting for an advertisement of a sensor that sleeps between its measurements.
        case asleep

        /// Whether this program made the present link, or is making it.
        var ownsLink: Bool {
            switch self {
            case .connecting: true
            case .resolving(let link, _), .settling(let link), .subscribing(let link, _), .ready(let link, _, _):
                link.isOurs
            case .cleaningUp(_, let isOurs), .disconnecting(let isOurs): isOurs
            case .idle, .queued, .foreign, .backingOff, .asleep: false
            }
        }

        /// Whether it has a turn to connect, or waits for one.
        var needsTurn: Bool {
            switch self {
            case .queued, .connecting: true
            case .idle, .resolving, .settling, .subscribing, .ready, .foreign, .cleaningUp, .disconnecting,
                .backingOff, .asleep:
                false
            }
        }
    }

    /// Counts of attempts to connect.
    struct Attempts: Hashable, Sendable {
        /// The attempts since the last stable connection.
        var sinceStable = 0
        /// Consecutive answers that BlueZ is busy with this sensor.
        var busy = 0
        /// Consecutive attempts that the sensor has refused.
        var refused = 0
        /// The number of the latest `Connect`, so that a late answer to an earlier one is recognised.
        var serial = 0
    }
}
