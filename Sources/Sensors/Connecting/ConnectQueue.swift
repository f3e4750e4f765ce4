/// Whose turn it is to connect: one at a time, sensors that the user has asked for before others, else in order.
///
/// Quirk connects-in-parallel: on many controllers they end as `InProgress` and aborted links.
/// One queue serves one adapter.
struct ConnectQueue<Member: Hashable & Sendable>: Sendable {
    /// Who connects now.
    private(set) var current: Member?
    /// Those who go before the others.
    private var preferred: [Member] = []
    private var waiting: [Member] = []

    /// Whether nobody connects or waits.
    var isEmpty: Bool { current == nil && count == 0 }

    /// How many wait.
    var count: Int { preferred.count + waiting.count }

    /// Puts somebody at the end of those of the same preference, unless it is in the queue already; answers whose turn
    /// begins, if any.
    mutating func request(_ member: Member, isPreferred: Bool = false) -> Member? {
        guard current != member, !preferred.contains(member), !waiting.contains(member) else { return nil }
        if isPreferred { preferred.append(member) } else { waiting.append(member) }
        return beginNext()
    }

    /// Lets somebody who waits go before the others from now on.
    mutating func prefer(_ member: Member) {
        guard let place = waiting.firstIndex(of: member) else { return }
        preferred.append(waiting.remove(at: place))
    }

    /// Takes somebody out of the queue; answers whose turn begins, if any.
    mutating func release(_ member: Member) -> Member? {
        preferred.removeAll { $0 == member }
        waiting.removeAll { $0 == member }
        if current == member { current = nil }
        return beginNext()
    }

    private mutating func beginNext() -> Member? {
        guard current == nil, !isEmpty else { return nil }
        current = preferred.isEmpty ? waiting.removeFirst() : preferred.removeFirst()
        return current
    }
}
