import Monitoring
import Vitals

/// How it stands with a monitor that is looked at from elsewhere: whether what it told can still be believed.
///
/// A pure value: lines and time come in, and what follows from them comes out. Freshness is judged by the viewer's own
/// time, so a monitor that is stopped, and says nothing, is noticed all the same.
public struct LinkViewer: Sendable {
    /// For how long a monitor may say nothing; it gives a sign of life each second.
    public static let timeout = Duration.seconds(3)
    /// How often a monitor that has gone is looked for.
    public static let retryInterval = Duration.seconds(1)

    /// The most characters of a sentence for the user.
    private static let longestNotice = 400

    /// What follows from a line, or from time.
    public enum News: Hashable, Sendable {
        /// Everything is as this says.
        case snapshot(MonitorSnapshot)
        /// This is to be folded into the state.
        case input(MonitorInput)
        /// The user is to be told.
        case notice(String)
        /// The monitor is not to be relied on any more; a clause says why: "has ended".
        case lost(String)
        /// What there is of a connection is to be given up, and a new one is to be made.
        case connect
        /// It makes no sense to go on; a sentence says why.
        case refused(String)
    }

    /// Who monitors, or did; `nil` before anybody has said so.
    public private(set) var monitor: MonitorHello?
    /// Why the monitor is not to be relied on, and since when; `nil` while it is.
    public private(set) var trouble: (reason: String, since: Moment)?

    private var isLive = false
    /// Whether there is a connection, so that silence means something.
    private var isConnected = false
    /// Why the monitor does not want this viewer.
    private var refusedBecause: String?
    private var due: Moment

    /// Makes a viewer that wants a connection at once.
    public init(at now: Moment) {
        due = now.advanced(by: Self.timeout)
    }

    /// When time alone changes something.
    public var deadline: Moment { due }

    /// The connection was made, and `attach` was sent.
    public mutating func connected(at now: Moment) {
        isConnected = true
        refusedBecause = nil
        due = now.advanced(by: Self.timeout)
    }

    /// There is no connection, or none any more; `reason` is a clause: "has ended".
    public mutating func disconnected(_ reason: String = "has ended", at now: Moment) -> [News] {
        due = now.advanced(by: Self.retryInterval)
        isConnected = false
        return lose(refusedBecause ?? reason, at: now)
    }

    /// A line came.
    public mutating func received(_ line: [UInt8], at now: Moment) -> [News] {
        due = now.advanced(by: Self.timeout)
        guard let told = try? LinkCoder.value(MonitorLine.self, line), told.isCoherent else {
            return [.refused("What the monitor says cannot be understood. Start the same version of Bedside as it is.")]
        }
        switch told {
        case .hello(let hello):
            monitor = hello
            guard hello.form == LinkForm.current else { return [refusal(hello)] }
            return []
        case .snapshot(let snapshot):
            isLive = true
            trouble = nil
            return [.snapshot(snapshot)]
        case .input(let input): return isLive ? [.input(input)] : []
        case .alive: return []
        case .notice(let sentence): return [.notice(sanitized(sentence, limit: Self.longestNotice))]
        case .refused(let reason):
            refusedBecause = sanitized(reason, limit: 80)
            return []
        }
    }

    /// Time has passed.
    ///
    /// - Parameters:
    ///   - now: The present moment.
    ///   - silence: What a monitor does that says nothing, as a clause.
    public mutating func timePassed(at now: Moment, silence: String = "does not answer") -> [News] {
        guard now >= due else { return [] }
        due = now.advanced(by: isLive || trouble == nil ? Self.timeout : Self.retryInterval)
        // Where there was no connection, why was told when it could not be made.
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
