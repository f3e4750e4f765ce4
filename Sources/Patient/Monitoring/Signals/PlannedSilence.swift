import Base
import Vitals

/// A silence until a planned time, while another screen confirms every few seconds that it sounds instead.
///
/// A user asks for it, and nothing is silent before a listener has confirmed. It ends by itself at its time, and at once
/// when no confirmation is fresh. A confirmation proves what was so when its challenge was sent, not when it arrived: a
/// slow or repeated one is worth less, or nothing. All times are those of the monotonic clock, so no change of the wall
/// clock prolongs it; and it is not remembered, so it does not outlast the program.
public struct PlannedSilence: Codable, Hashable, Sendable {
    /// How long a confirmation counts after its challenge; also how long a listener may take to answer at the beginning.
    public static let freshness = Duration.seconds(10)
    /// The permitted lengths.
    public static let lengths = Duration.seconds(60)...Duration.seconds(8 * 3600)
    /// The greatest number of listeners; the messages of others are ignored.
    static let mostListeners = 4
    /// The greatest length of a listener's name, in characters.
    public static let nameLimit = 32

    /// Another screen that sounds the alarms.
    struct Listener: Codable, Hashable, Sendable {
        /// Identifies the screen, as long as it runs.
        var identifier: String
        /// The name for users.
        var name: String
        /// When the newest challenge that it has answered was sent.
        var proven: MonotonicTime
    }

    private enum Phase: Codable, Hashable, Sendable {
        case none
        /// A user wants it until then, and no listener has confirmed yet; with the time of the wish.
        case asked(until: Moment, since: MonotonicTime)
        /// It is silent until then.
        case silent(until: Moment)
    }

    private var phase = Phase.none
    /// The listeners with a fresh confirmation, the first to confirm first.
    private(set) var listeners: [Listener] = []

    init() {}

    /// Whether it was neither asked for nor is in force.
    var isIdle: Bool { phase == .none }

    /// Until when it is silent; `nil` while it is not.
    var silentUntil: Moment? { if case .silent(let until) = phase { until } else { nil } }

    /// Until when it is to be silent once a listener confirms; `nil` unless that is awaited.
    var askedUntil: Moment? { if case .asked(let until, _) = phase { until } else { nil } }

    /// The name of the listener that sounds.
    var listener: String? { silentUntil == nil ? nil : listeners.first?.name }

    /// When ``advance(to:)`` must be called at the latest.
    var deadline: MonotonicTime? {
        switch phase {
        case .none: nil
        case .asked(_, let since): since.advanced(by: Self.freshness)
        case .silent(let until): min(until.monotonic, expiry)
        }
    }

    /// When the last confirmation expires.
    private var expiry: MonotonicTime {
        (listeners.map(\.proven).max() ?? .distantPast).advanced(by: Self.freshness)
    }

    /// Asks for a silence; one that is in force gets the new time.
    mutating func ask(until: Moment, at now: Moment) {
        if case .silent = phase {
            phase = .silent(until: until)
        } else {
            (phase, listeners) = (.asked(until: until, since: now.monotonic), [])
        }
    }

    /// Handles a confirmation.
    ///
    /// - Returns: Whether the silence began with it.
    mutating func confirm(_ identifier: String, name: String, proven: MonotonicTime, at now: Moment) -> Bool {
        guard proven <= now.monotonic, proven.advanced(by: Self.freshness) > now.monotonic else { return false }
        // An answer to a challenge from before the wish may be about an earlier silence.
        if case .asked(_, let since) = phase, proven < since { return false }
        guard !isIdle else { return false }
        // The screen must not name one that is gone.
        listeners.removeAll { $0.proven.advanced(by: Self.freshness) <= now.monotonic }
        if let place = listeners.firstIndex(where: { $0.identifier == identifier }) {
            listeners[place].proven = max(listeners[place].proven, proven)
        } else if listeners.count < Self.mostListeners {
            let name = sanitized(name, limit: Self.nameLimit)
            listeners.append(
                Listener(identifier: identifier, name: name.isEmpty ? "another screen" : name, proven: proven))
        }
        guard case .asked(let until, _) = phase, !listeners.isEmpty else { return false }
        phase = .silent(until: until)
        return true
    }

    /// A listener reports that it does not sound any more.
    ///
    /// - Returns: Why the silence ended; `nil` if another listener sounds, or there was none.
    mutating func withdraw(_ identifier: String) -> SilenceEnd? {
        guard let place = listeners.firstIndex(where: { $0.identifier == identifier }) else { return nil }
        let listener = listeners.remove(at: place)
        return listeners.isEmpty ? end(.withdrawn(listener.name)) : nil
    }

    /// Handles the passing of time.
    ///
    /// - Returns: Why the silence, or the wish for it, ended; `nil` if it did not.
    mutating func advance(to now: Moment) -> SilenceEnd? {
        switch phase {
        case .none: return nil
        case .asked(_, let since):
            return since.advanced(by: Self.freshness) <= now.monotonic ? end(.nobody) : nil
        case .silent(let until):
            if until.monotonic <= now.monotonic { return end(.over) }
            let name = listeners.first?.name ?? ""
            listeners.removeAll { $0.proven.advanced(by: Self.freshness) <= now.monotonic }
            return listeners.isEmpty ? end(.lost(name)) : nil
        }
    }

    /// Ends it for a reason.
    ///
    /// - Returns: The reason for the log; `nil` if there was no silence, and the user knows that.
    mutating func end(_ reason: SilenceEnd) -> SilenceEnd? {
        defer { self = PlannedSilence() }
        switch phase {
        case .none: return nil
        case .asked: return reason == .user ? nil : .nobody
        case .silent: return reason
        }
    }
}

/// Why a planned silence ended, or did not begin.
public enum SilenceEnd: Codable, Hashable, Sendable {
    /// Its time was over.
    case over
    /// A user ended it.
    case user
    /// No listener confirmed after it was asked for.
    case nobody
    /// The listener with this name no longer confirmed.
    case lost(String)
    /// The listener with this name reported that it does not sound.
    case withdrawn(String)
    /// The broker of the ward was lost.
    case noBroker
    /// The computer slept, or its clock was changed.
    case interrupted
    /// The viewed monitor was lost.
    case noMonitor

    /// The reason as text; `nil` without a need for one.
    var text: String? {
        switch self {
        case .over: "its time is over"
        case .user: nil
        case .nobody: "no ward screen confirmed that it sounds"
        case .lost(let name): "\(name) no longer confirms that it sounds"
        case .withdrawn(let name): "\(name) does not sound any more"
        case .noBroker: "the ward is not reached"
        case .interrupted: "the computer slept, or its clock was changed"
        case .noMonitor: "the monitor is lost"
        }
    }

    /// Whether it ended before its time, and not by the user.
    var isEarly: Bool { self != .over && self != .user }
}

/// What another screen reports about sounding the alarms of this monitor.
public enum ListenerReport: Codable, Hashable, Sendable {
    /// It sounds them; it has answered a challenge that was sent at this time.
    case sounds(identifier: String, name: String, proven: MonotonicTime)
    /// It does not sound them any more.
    case ended(identifier: String)
}

extension MonitorState {
    /// Whether listeners are to be challenged: a planned silence is in force, or wanted.
    public var needsListener: Bool { !silence.isIdle }

    /// Whether a planned silence is in force: nothing sounds here, and another screen does.
    public var isSilentAsPlanned: Bool { silence.silentUntil != nil }

    /// Asks for a silence of this length, which begins when a listener confirms that it sounds.
    mutating func planSilence(_ length: Duration) -> [Effect] {
        guard environment.wardLink == .connected else { return [] }
        silence.ask(until: now.advanced(by: length.clamped(to: PlannedSilence.lengths)), at: now)
        return silence.silentUntil.map { reportSilence(until: $0, by: .user) } ?? []
    }

    /// Applies what a listener reports.
    ///
    /// - Returns: The effects, including those of the time that passed until then.
    public mutating func apply(_ listener: ListenerReport, at moment: Moment) -> [Effect] {
        var effects = advance(to: moment) + followSilence()
        switch listener {
        case .sounds(let identifier, let name, let proven):
            guard silence.confirm(identifier, name: name, proven: proven, at: now), let until = silence.silentUntil
            else { break }
            // The silence includes the pause.
            effects += endAudioPause() + reportSilence(until: until, by: .user)
        case .ended(let identifier):
            if let end = silence.withdraw(identifier) { effects += silenceEnded(end) }
        }
        return effects + settle()
    }

    /// Ends the silence for a reason, if there is one.
    mutating func endSilence(_ reason: SilenceEnd) -> [Effect] { silence.end(reason).map { silenceEnded($0) } ?? [] }

    /// Ends the silence when its time is over, or no confirmation is fresh.
    mutating func followSilence() -> [Effect] {
        if silence.isIdle { return [] }
        return silence.advance(to: now).map { silenceEnded($0) } ?? []
    }

    /// Ends the silence after a gap in which no time was measured here, or after which its end is at another time of day.
    mutating func followSilence(after gap: Gap) -> [Effect] {
        switch gap.reason {
        case .asleep, .clockSet, .program: endSilence(.interrupted)
        case .daemon, .bus, .busSilent, .daemonSilent, .adapter: []
        }
    }

    private func reportSilence(until: Moment, by actor: ActionRecord.Actor) -> [Effect] {
        report(.silenceBegan(until: until, by: silence.listener ?? ""), by: actor)
    }

    private mutating func silenceEnded(_ end: SilenceEnd) -> [Effect] {
        let effects = report(.silenceEnded(end), by: end == .user ? .user : .program)
        // What is lost must be heard, whatever was paused meanwhile.
        guard end.isEarly, end != .nobody, sound.endPause() else { return effects }
        return effects + report(.audioPauseEnded(by: nil), by: .program)
    }
}
