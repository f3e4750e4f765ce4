/// Whose turn it is to connect: one at a time, first come, first served.
///
/// Quirk connects-in-parallel: on many controllers they end as `InProgress` and aborted links.
/// One queue serves one adapter.
struct ConnectQueue<Member: Hashable & Sendable>: Sendable {
    /// Who connects now.
    private(set) var current: Member?
    private var waiting: [Member] = []

    /// Whether nobody connects or waits.
    var isEmpty: Bool { current == nil && waiting.isEmpty }

    /// Puts somebody at the end of the queue, unless it is in it already; answers whose turn begins, if any.
    mutating func request(_ member: Member) -> Member? {
        guard current != member, !waiting.contains(member) else { return nil }
        waiting.append(member)
        return beginNext()
    }

    /// Takes somebody out of the queue; answers whose turn begins, if any.
    mutating func release(_ member: Member) -> Member? {
        waiting.removeAll { $0 == member }
        if current == member { current = nil }
        return beginNext()
    }

    private mutating func beginNext() -> Member? {
        guard current == nil, !waiting.isEmpty else { return nil }
        current = waiting.removeFirst()
        return current
    }
}
