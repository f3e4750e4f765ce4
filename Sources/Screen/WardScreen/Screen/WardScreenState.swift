import Appearance
import Base
import Dashboard
import Monitoring
import Vitals
import Ward
import WardMessages
import Wording

/// What the ward screen shows.
public struct WardScreenState: Hashable, Sendable {
    /// The characters to draw with.
    public var glyphs = GlyphSet.braille
    /// The units of values.
    public var units = DisplayUnits()
    /// The local time's offset from UTC in seconds.
    public var timeZoneOffset = 0
    /// Whether nothing flashes.
    public var isMotionReduced = false
    /// How alarms sound at this screen.
    public var sound = SoundHere(.bellOnly)
    /// The order of the beds.
    public var order = Order.worst
    public var page = Page.beds
    /// Whether the page of a bed shows the last day instead of the last half hour.
    public var showsHistory = false
    /// The last day of the bed whose page is shown.
    public var history: BedHistory?
    /// The selected bed; `nil` for the first one, which may change at any moment.
    public var selection: WardBed?
    /// The bed that frames show as selected, and since when.
    var seen: SeenBed?
    /// Only beds whose name, patient or alarms contain this text are shown.
    public var filter = ""
    /// Whether the filter is being typed.
    public var isTyping = false
    /// The first row of a list of alarms or of the log.
    public var scroll = 0

    public init() {}

    /// A bed that frames have shown as selected.
    struct SeenBed: Hashable, Sendable {
        var bed: WardBed?
        var since: Moment
    }

    /// The order of the beds.
    public enum Order: Hashable, Sendable {
        /// The worst first.
        case worst
        case name
    }

    /// The content below the alarm line.
    public enum Page: Hashable, Sendable {
        case beds
        case bed(WardBed)
        case alarms
        /// The log of events.
        case log
        /// The keys.
        case help
    }
}

extension WardScreenState {
    /// The places of the beds to show in `WardState/beds`, in the order in which they are shown.
    ///
    /// The state of a bed is large: a list of them would be copied.
    public func shownPlaces(_ state: WardState) -> [Int] {
        let wanted = filter.lowercased()
        let places =
            wanted.isEmpty
            ? Array(state.beds.indices)
            : state.beds.indices.filter { place in
                state.label(of: state.beds[place].bed).lowercased().holds(wanted)
                    || state.beds[place].patient?.lowercased().holds(wanted) == true
                    || state.beds[place].alarms.contains { $0.text.lowercased().holds(wanted) }
            }
        guard order == .worst else { return places }
        let own = state.ownAlarmsByBed
        // Beds of equal rank are in the order of their names.
        let ranked = places.map { place in
            (rank: BedRank.of(state.beds[place], own[state.beds[place].bed]), place: place)
        }
        return ranked.sorted { $0 < $1 }.map(\.place)
    }

    /// The selected bed, or the first one.
    public func selectedBed(_ state: WardState) -> WardBed? {
        selectedBed(among: shownPlaces(state), state)
    }

    /// The selected bed among those at these places, or the first one.
    func selectedBed(among places: [Int], _ state: WardState) -> WardBed? {
        (places.first { state.beds[$0].bed == selection } ?? places.first).map { state.beds[$0].bed }
    }
}

/// The urgency of a bed; smaller is more urgent.
struct BedRank: Comparable {
    private let order: Int

    /// Ranks unanswered alarms by priority and by harm, then answered ones, then unmonitored beds, then calm ones.
    ///
    /// A function and no initializer, which would copy the bed.
    static func of(_ bed: BedState, _ own: WardOwnAlarm?) -> BedRank {
        let alarms = bed.link.isLive ? bed.alarms : []
        if alarms.isEmpty, own == nil { return BedRank(order: bed.link.isLive ? 300 : 200) }
        let open = [
            alarms.first { $0.wantsAttention }.map(place),
            own.flatMap { $0.isAcknowledged ? nil : place($0) },
        ]
        if let open = open.compactMap({ $0 }).min() { return BedRank(order: open) }
        let any = [alarms.first.map(place), own.map(place)].compactMap { $0 }.min() ?? 0
        return BedRank(order: 100 + any)
    }

    private static func place(_ alarm: WardAlarm) -> Int { place(alarm.priority, alarm.urgency) }

    private static func place(_ alarm: WardOwnAlarm) -> Int { place(alarm.kind.priority, alarm.kind.urgency) }

    private static func place(_ priority: AlarmPriority, _ urgency: Int) -> Int {
        (priority == .high ? 0 : priority == .medium ? 10 : 20) + urgency
    }

    static func < (left: BedRank, right: BedRank) -> Bool { left.order < right.order }
}
