import Vitals

extension ConnectionMachine {
    /// What the user, or the policy, wants of the sensor.
    enum Wish: Hashable, Sendable {
        /// It is not wanted.
        case notWanted
        /// It must be connected.
        case wanted
        /// The user has ended the connection; the policy must not make it again by itself.
        case refused
    }

    /// What the peripheral is to BlueZ.
    enum Presence: Hashable, Sendable {
        case unknown
        case known
        case linked
        /// Linked, and the services are resolved.
        case resolved

        /// Whether BlueZ says that there is a link.
        var isLinked: Bool {
            switch self {
            case .unknown, .known: false
            case .linked, .resolved: true
            }
        }

        /// The presence once BlueZ knows the peripheral.
        var known: Presence { self == .unknown ? .known : self }

        /// The presence once there is a link.
        var linked: Presence { isLinked ? self : .linked }

        /// The presence once there is no link.
        var unlinked: Presence { isLinked ? .known : self }
    }

    /// A link that we use.
    struct Link: Hashable, Sendable {
        /// Whether we have made it.
        var isOurs: Bool
        /// Whether the computer has slept since it is up.
        var hasSlept = false
    }

    /// How far the connection is.
    enum Phase: Hashable, Sendable {
        /// No link that we use, and nothing under way.
        case idle
        /// Waiting for our turn to connect.
        case queued
        /// `Connect` with this number is under way, and the link may be up already.
        case connecting(attempt: Int)
        /// `Connect` has succeeded, or the link is up; waiting for the services, which may be on their way after a change.
        case resolving(Link, afterChange: Bool)
        /// The services have changed; waiting until that is over.
        case settling(Link)
        /// The services are there; subscribing.
        case subscribing(Link, afterChange: Bool)
        /// Streaming; perhaps after another subscription because nothing came.
        case ready(Link, since: Moment, isRearmed: Bool)
        /// Somebody else's link, which we leave alone.
        case foreign
        /// A failed attempt is being cleaned up with `Disconnect`.
        case cleaningUp(after: ConnectFailure, isOurs: Bool)
        /// The user's `Disconnect` is under way.
        case disconnecting(isOurs: Bool)
        /// Waiting for the next attempt.
        case backingOff(after: ConnectFailure)
        /// Waiting until a sensor that is asleep between its measurements shows itself.
        case asleep

        /// Whether the present link, or the one under way, is of our making.
        var ownsLink: Bool {
            switch self {
            case .connecting: true
            case .resolving(let link, _), .settling(let link), .subscribing(let link, _), .ready(let link, _, _):
                link.isOurs
            case .cleaningUp(_, let isOurs), .disconnecting(let isOurs): isOurs
            case .idle, .queued, .foreign, .backingOff, .asleep: false
            }
        }

        /// Whether it has our turn to connect, or waits for it.
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
        /// Since the last stable connection.
        var sinceStable = 0
        /// Answers in a row that BlueZ is busy with this sensor.
        var busy = 0
        /// Attempts in a row that the sensor has refused.
        var refused = 0
        /// The number of the latest `Connect`, so that a late answer to an earlier one is recognised.
        var serial = 0
    }
}
