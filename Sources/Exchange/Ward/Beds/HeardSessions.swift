import Vitals
import WardMessages

/// The heard sessions of a bed, and those that have ended.
struct HeardSessions: Hashable, Sendable {
    /// A session with messages.
    struct Heard: Hashable, Sendable {
        let session: WardToken
        /// When its first message came.
        let first: MonotonicTime
        /// When its newest message was sent, if known, or else when it arrived.
        var last: MonotonicTime
        /// The greatest number of its messages.
        var newest: Int64
    }

    /// The limits of remembered sessions; the oldest are forgotten.
    private static let mostHeard = 8
    private static let mostEnded = 32

    private(set) var heard: [Heard] = []
    private(set) var ended: [(session: WardToken, reason: WardSession.Reason)] = []

    static func == (left: HeardSessions, right: HeardSessions) -> Bool {
        left.heard == right.heard && left.ended.map(\.session) == right.ended.map(\.session)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(heard) }

    func hasEnded(_ session: WardToken) -> Bool { ended.contains { $0.session == session } }

    /// Why a session ended; `nil` if it has not.
    func end(of session: WardToken) -> WardSession.Reason? { ended.first { $0.session == session }?.reason }

    /// Records a message of a session; a repeated one, or one older than another, is no sign of life.
    ///
    /// - Parameters:
    ///   - stamp: The session and number of the message.
    ///   - time: When it was sent, if known, or else when it arrived.
    /// - Returns: Whether it is a sign of life.
    mutating func hear(_ stamp: WardStamp, at time: MonotonicTime) -> Bool {
        if let place = heard.firstIndex(where: { $0.session == stamp.session }) {
            guard stamp.sequence > heard[place].newest else { return false }
            heard[place].newest = stamp.sequence
            heard[place].last = max(heard[place].last, time)
        } else {
            heard.append(Heard(session: stamp.session, first: time, last: time, newest: stamp.sequence))
            if heard.count > Self.mostHeard {
                // A flood of sessions must not displace the one that was heard last.
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

    /// Forgets when sessions were heard: after the broker was lost, silence means nothing.
    mutating func forget() {
        for place in heard.indices { heard[place].last = .distantPast }
    }

    /// The sessions heard within a time, in the order in which they began.
    func alive(at now: MonotonicTime, within timeout: Int64) -> [Heard] {
        heard.filter { now.nanoseconds(since: $0.last) < timeout }.sorted { $0.first < $1.first }
    }

    /// When the next of them becomes silent.
    func nextSilence(at now: MonotonicTime, within timeout: Int64) -> MonotonicTime? {
        alive(at: now, within: timeout).map { $0.last.advanced(byNanoseconds: timeout) }.min()
    }
}
