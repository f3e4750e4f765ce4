import Base
import Monitoring
import Vitals
import Waves

/// The state of a view's connection to its monitor, and whether the monitor's data are still valid.
///
/// A pure value: lines and time go in, and consequences come out. Freshness is evaluated by the viewer's own clock, so
/// a stopped monitor is detected.
public struct LinkViewer: Sendable {
    /// How long a monitor may be silent; it sends a heartbeat every second.
    public static let timeout = Duration.seconds(3)
    /// The interval between attempts to reconnect.
    public static let retryInterval = Duration.seconds(1)

    /// The greatest length of a sentence for the user, in characters.
    private static let longestNotice = 400

    /// A consequence of a line or of passing time.
    public enum News: Hashable, Sendable {
        /// Replace the state by this one.
        indirect case snapshot(MonitorSnapshot)
        /// Apply this input to the state.
        case input(MonitorInput)
        /// Waves came.
        case waves([WaveUpdate])
        /// Show this sentence to the user.
        case notice(String)
        /// The monitor is lost; with a clause for the reason: "has ended".
        case lost(String)
        /// Close any connection and make a new one.
        case connect
        /// The monitor cannot be viewed; with a sentence for the reason.
        case refused(String)
    }

    /// The present or last monitor; `nil` before its first line.
    public private(set) var monitor: MonitorHello?
    /// Why and since when the monitor is lost; `nil` if it is not.
    public private(set) var trouble: (reason: String, since: Moment)?

    private var isLive = false
    /// Whether there is a connection, so that silence means a fault.
    private var isConnected = false
    /// Why the monitor refused this viewer.
    private var refusedBecause: String?
    private var due: Moment

    /// Creates a viewer that wants a connection at once.
    public init(at now: Moment) {
        due = now.advanced(by: Self.timeout)
    }

    /// When `timePassed` must be called next.
    public var deadline: Moment { due }

    /// Records that the connection was made and `attach` was sent.
    public mutating func connected(at now: Moment) {
        isConnected = true
        refusedBecause = nil
        due = now.advanced(by: Self.timeout)
    }

    /// The connection failed or ended; `reason` is a clause: "has ended".
    public mutating func disconnected(_ reason: String = "has ended", at now: Moment) -> [News] {
        due = now.advanced(by: Self.retryInterval)
        isConnected = false
        return lose(refusedBecause ?? reason, at: now)
    }

    /// Handles a line.
    public mutating func received(_ line: [UInt8], at now: Moment) -> [News] {
        due = now.advanced(by: Self.timeout)
        guard let sent = try? LinkCoder.value(MonitorLine.self, line), sent.isCoherent else {
            return [.refused("The monitor sent an unknown message. Start the same version of Bedside as the monitor.")]
        }
        switch sent {
        case .hello(let hello):
            monitor = hello
            guard hello.form == LinkForm.current else { return [refusal(hello)] }
            return []
        case .snapshot(let snapshot):
            isLive = true
            trouble = nil
            return [.snapshot(snapshot)]
        case .input(let input): return isLive ? [.input(input)] : []
        case .waves(let updates): return isLive ? [.waves(updates)] : []
        case .alive: return []
        case .notice(let sentence): return [.notice(sanitized(sentence, limit: Self.longestNotice))]
        case .refused(let reason):
            refusedBecause = sanitized(reason, limit: 80)
            return []
        }
    }

    /// Handles the passing of time.
    ///
    /// - Parameters:
    ///   - now: The present moment.
    ///   - silence: A clause that describes a silent monitor.
    public mutating func timePassed(at now: Moment, silence: String = "does not answer") -> [News] {
        guard now >= due else { return [] }
        due = now.advanced(by: isLive || trouble == nil ? Self.timeout : Self.retryInterval)
        // Without a connection, the reason was reported when it failed.
        return (isConnected ? lose(silence, at: now) : []) + [.connect]
    }

    private mutating func lose(_ reason: String, at now: Moment) -> [News] {
        let isNew = isLive || trouble?.reason != reason
        isLive = false
        trouble = (reason, trouble?.since ?? now)
        return isNew ? [.lost(reason)] : []
    }

    private func refusal(_ hello: MonitorHello) -> News {
        .refused(
            """
            The monitor, \(hello.name), is Bedside \(sanitized(hello.version, limit: 16)) in another form than this \
            one and is not guessed at. Start this program anew, or the monitor, so that both are the same.
            """)
    }
}
