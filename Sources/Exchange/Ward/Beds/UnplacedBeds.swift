import Base
import Vitals
import WardMessages

/// The beds that were announced or heard, and have no place among those that the ward follows.
///
/// Nothing but their presence is known. The number of remembered beds is bounded: a bed that is heard displaces one that is
/// not, and a lost one displaces one that its user closed.
public struct UnplacedBeds: Hashable, Sendable {
    /// What is known of a bed without a place.
    enum Presence: CaseIterable, Hashable, Sendable {
        /// It sends: its values and alarms exist, and are not shown.
        case heard
        /// It was announced, and there was no time to hear it yet.
        case announced
        /// It is not heard, or the broker has lost it.
        case lost
        /// It was closed by its user.
        case closed
    }

    private struct Entry: Hashable {
        var presence: Presence
        /// When it was last heard, or was announced.
        var time: MonotonicTime
    }

    /// The greatest number of remembered beds.
    static let most = 1024

    private var entries: [WardBed: Entry] = [:]
    /// The beds by what is known of them, in the order of their names.
    private var lists: [Presence: [WardBed]] = [:]
    /// No later than when time alone changes something.
    private(set) var due: MonotonicTime?
    /// Changes whenever a bed comes, goes, or is known otherwise.
    private(set) var version = 0
    /// Whether there are more beds than are remembered.
    public private(set) var isIncomplete = false

    /// The beds that are heard and not shown.
    public var heard: [WardBed] { lists[.heard] ?? [] }
    /// The beds that have been announced, and may be heard soon.
    public var announced: [WardBed] { lists[.announced] ?? [] }
    /// The beds that are not heard.
    public var lost: [WardBed] { lists[.lost] ?? [] }
    /// The beds that were closed by their users.
    public var closed: [WardBed] { lists[.closed] ?? [] }
    /// How many beds are remembered.
    public var count: Int { entries.count }

    /// The links of the beds, as far as a ward can know them.
    var links: [WardBed: BedLink] {
        entries.mapValues { entry in
            switch entry.presence {
            case .heard: .noPlace
            case .announced: .waiting
            case .lost: .noLink
            case .closed: .closed
            }
        }
    }

    /// Remembers what is known of a bed now.
    mutating func record(_ bed: WardBed, _ presence: Presence, at now: MonotonicTime) {
        let before = entries[bed]
        // An announcement says nothing about the present.
        if presence == .announced, let before, before.presence != .closed { return }
        if before == nil, entries.count >= Self.most, !makeRoom(for: presence) {
            isIncomplete = true
            return
        }
        entries[bed] = Entry(presence: presence, time: now)
        if presence != before?.presence { move(bed, from: before?.presence, to: presence) }
        if presence == .heard || presence == .announced { wake(at: now.advanced(byNanoseconds: BedState.timeout)) }
    }

    /// Forgets a bed that has got a place.
    mutating func remove(_ bed: WardBed) {
        guard let entry = entries.removeValue(forKey: bed) else { return }
        move(bed, from: entry.presence, to: nil)
    }

    /// Beds that have not been heard for too long are lost.
    mutating func advance(to now: MonotonicTime) {
        guard let due, now >= due else { return }
        self.due = nil
        for bed in heard + announced {
            guard let entry = entries[bed] else { continue }
            let end = entry.time.advanced(byNanoseconds: BedState.timeout)
            if end > now {
                wake(at: end)
            } else {
                entries[bed]?.presence = .lost
                move(bed, from: entry.presence, to: .lost)
            }
        }
    }

    /// After the broker was lost, silence means nothing.
    mutating func forget(at now: MonotonicTime) {
        for bed in heard + announced {
            guard let presence = entries[bed]?.presence else { continue }
            entries[bed] = Entry(presence: .announced, time: now)
            if presence != .announced { move(bed, from: presence, to: .announced) }
        }
        due = nil
        if !announced.isEmpty { wake(at: now.advanced(byNanoseconds: BedState.timeout)) }
    }

    private mutating func wake(at time: MonotonicTime) { due = min(due ?? time, time) }

    /// Forgets the bed that matters least, if it matters less than another one.
    private mutating func makeRoom(for presence: Presence) -> Bool {
        let order = Presence.allCases
        guard let own = order.firstIndex(of: presence),
            let least = order.last(where: { lists[$0]?.isEmpty == false }), let place = order.firstIndex(of: least),
            place > own, let bed = lists[least]?.last
        else { return false }
        isIncomplete = isIncomplete || least != .closed
        remove(bed)
        return true
    }

    private mutating func move(_ bed: WardBed, from old: Presence?, to new: Presence?) {
        version += 1
        if let old { lists[old]?.removeAll { $0 == bed } }
        if let new {
            let place = lists[new]?.firstIndex { bed < $0 } ?? lists[new]?.endIndex ?? 0
            lists[new, default: []].insert(bed, at: place)
        }
        if entries.count < Self.most / 2 { isIncomplete = false }
    }
}
