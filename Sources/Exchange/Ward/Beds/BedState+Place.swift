import Vitals
import WardMessages

extension BedState {
    /// How little is lost when another bed takes this one's place; the least is the most dispensable.
    struct Dispensability: Comparable {
        /// What stays known of the bed.
        var presence: UnplacedBeds.Presence
        /// When its newest session began, by the bed's clock; only an order.
        var since: Int64

        static func < (left: Dispensability, right: Dispensability) -> Bool {
            (left.rank, left.since) < (right.rank, right.since)
        }

        /// One that was closed was not lost; an announced one may be there, and takes a place when it is heard.
        private var rank: Int {
            switch presence {
            case .closed: 0
            case .lost: 1
            case .announced: 2
            case .heard: 3
            }
        }
    }

    /// How dispensable the bed is; `nil` if it must keep its place, because it is heard, or was heard and is lost.
    var dispensability: Dispensability? {
        guard sessions.heard.isEmpty else { return nil }
        let since = facts?.since ?? announced.values.map(\.since).max() ?? 0
        if isAnnounced { return lastHeard == nil ? Dispensability(presence: .announced, since: since) : nil }
        guard let current, let reason = sessions.end(of: current) else { return nil }
        switch reason {
        case .closed: return Dispensability(presence: .closed, since: since)
        case .lost: return lastHeard == nil ? Dispensability(presence: .lost, since: since) : nil
        }
    }
}
