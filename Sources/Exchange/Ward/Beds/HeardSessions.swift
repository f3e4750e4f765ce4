import Vitals
import WardMessages

/// Which sessions of a bed are heard, and which have ended.
struct HeardSessions: Hashable, Sendable {
    /// A session from which messages came.
    struct Heard: Hashable, Sendable {
        let session: WardToken
        /// When its first message came.
        let first: MonotonicTime
        /// When its newest message was sent, as far as that is known, or came.
        var last: MonotonicTime
        /// The greatest number of its messages.
        var newest: Int64
    }

    /// The numbers of sessions that are remembered; the oldest are forgotten.
    private static let mostHeard = 8
    private static let mostEnded = 32

    private(set) var heard: [Heard] = []
    private(set) var ended: [(session: WardToken, reason: WardSession.Reason)] = []

    static func == (left: HeardSessions, right: HeardSessions) -> Bool {
        left.heard == right.heard && left.ended.map(\.session) == right.ended.map(\.session)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(heard) }

    func hasEnded(_ session: WardToken) -> Bool { ended.contains { $0.session == session } }

    /// Why a session ended; `nil` while it has not.
    func end(of session: WardToken) -> WardSession.Reason? { ended.first { $0.session == session }?.reason }

    /// Records a message of a session; one that came before, or is older than another one, is no sign of life.
    ///
    /// - Parameters:
    ///   - stamp: Which message of which session.
    ///   - time: When it was sent, as far as that is known, otherwise when it came.
    /// - Returns: Whether it is a sign of life.
    mutating func hear(_ stamp: WardStamp, at time: MonotonicTime) -> Bool {
        if let place = heard.firstIndex(where: { $0.session == stamp.session }) {
            guard stamp.sequence > heard[place].newest else { return false }
            heard[place].newest = stamp.sequence
            heard[place].last = max(heard[place].last, time)
        } else {
            heard.append(Heard(session: stamp.session, first: time, last: time, newest: stamp.sequence))
            if heard.count > Self.mostHeard {
                // A flood of sessions must not push out the one that was heard last.
                heard.remove(at: heard.indices.min { heard[$0].last < heard[$1].last } ?? 0)
            }
        }
        return true
    }

    mutating func end(_ session: WardToken, _ reason: WardSession.Reason) {
        heard.removeAll { $0.session == session }
        guard !hasEnded(session) else { return }
        ended.append((session, reason))
        if ended.count > Self.mostEnded { ended.removeFirst() }
    }

    /// Forgets when anything was heard: after the broker was lost, silence says nothing.
    mutating func forget() {
        for place in heard.indices { heard[place].last = .distantPast }
    }

    /// The sessions that were heard within a time, the one that began first coming first.
    func alive(at now: MonotonicTime, within timeout: Int64) -> [Heard] {
        heard.filter { now.nanoseconds(since: $0.last) < timeout }.sorted { $0.first < $1.first }
    }

    /// When the next of them becomes silent.
    func nextSilence(at now: MonotonicTime, within timeout: Int64) -> MonotonicTime? {
        alive(at: now, within: timeout).map { $0.last.advanced(byNanoseconds: timeout) }.min()
    }
}
