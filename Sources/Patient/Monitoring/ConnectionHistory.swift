import Vitals

/// The newest events of the connections to one sensor.
public struct ConnectionHistory: Codable, Hashable, Sendable {
    /// The greatest number of entries that are kept.
    public static let limit = 50

    /// The events, the oldest first.
    public private(set) var entries: [Entry] = []

    /// An event of the connection.
    public struct Entry: Codable, Hashable, Sendable {
        public let kind: Kind
        /// When it first happened.
        public let since: Moment
        /// When it last happened.
        public fileprivate(set) var moment: Moment
        /// The number of repetitions without another event in between.
        public fileprivate(set) var count = 1
    }

    /// The kinds of events.
    public enum Kind: Codable, Hashable, Sendable {
        /// It was connected and subscribed to.
        case connected
        /// Another program connected it.
        case connectedByOthers
        /// The connection ended, and why.
        case ended(ConnectionState.DisconnectReason)
        /// An attempt failed, with the reason.
        case failed(ConnectionState.DisconnectReason)
    }

    /// Records that the connection entered another phase, or that another attempt failed.
    mutating func record(_ connection: ConnectionState, after before: ConnectionState?, at now: Moment) {
        let wasLinked = before?.phase == .ready || before?.phase == .connected
        let reason = connection.reason ?? .unknown
        switch connection.phase {
        case .ready: add(.connected, at: now)
        case .connected where connection.isForeign: add(.connectedByOthers, at: now)
        case .connecting, .connected: break
        case .disconnected, .waiting:
            if wasLinked {
                add(.ended(reason), at: now)
            } else if before?.phase == .connecting, reason != .user {
                add(.failed(reason), at: now)
            }
        }
    }

    private mutating func add(_ kind: Kind, at now: Moment) {
        if let last = entries.indices.last, entries[last].kind == kind {
            entries[last].moment = now
            entries[last].count += 1
            return
        }
        entries.append(Entry(kind: kind, since: now, moment: now))
        entries.removeFirst(max(0, entries.count - Self.limit))
    }
}

/// The number of lost links, in all and within the last hour.
struct DropCount: Codable, Hashable, Sendable {
    /// The greatest number of drops within an hour that are counted.
    static let limit = 999
    private static let hour = Duration.seconds(3600)

    /// The total.
    private(set) var total = 0
    /// The times of the newest losses, the oldest first.
    private var times: [MonotonicTime] = []

    /// Counts a loss.
    mutating func add(at now: Moment) {
        total += 1
        times.removeAll { now.monotonic.since($0) > Self.hour }
        times.append(now.monotonic)
        times.removeFirst(max(0, times.count - Self.limit))
    }

    /// Removes the newest loss if it is younger than a duration.
    mutating func takeBack(youngerThan age: Duration, at now: Moment) {
        guard let last = times.last, now.monotonic.since(last) < age else { return }
        times.removeLast()
        total -= 1
    }

    /// The number within the hour before a moment.
    func withinHour(before now: Moment) -> Int {
        times.count { now.monotonic.since($0) <= Self.hour }
    }
}
