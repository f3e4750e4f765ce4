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
    /// The beds to show, in their order.
    public func shownBeds(_ state: WardState) -> [BedState] {
        let wanted = filter.lowercased()
        let beds = state.beds.filter { bed in
            wanted.isEmpty || state.label(of: bed.bed).lowercased().holds(wanted)
                || bed.patient?.lowercased().holds(wanted) == true
                || bed.alarms.contains { $0.text.lowercased().holds(wanted) }
        }
        guard order == .worst else { return beds }
        // Beds of equal rank are in the order of their names.
        let places = beds.enumerated().map { (rank: BedRank($0.element, state), place: $0.offset) }
        return places.sorted { $0 < $1 }.map { beds[$0.place] }
    }

    /// The selected bed, or the first one.
    public func selectedBed(_ state: WardState) -> WardBed? {
        selectedBed(among: shownBeds(state))
    }

    /// The selected bed among those shown, or the first one.
    func selectedBed(among beds: [BedState]) -> WardBed? {
        beds.first { $0.bed == selection }?.bed ?? beds.first?.bed
    }
}

/// The urgency of a bed; smaller is more urgent.
struct BedRank: Comparable {
    private let order: Int

    /// Ranks unanswered alarms by priority and by harm, then answered ones, then unmonitored beds, then calm ones.
    init(_ bed: BedState, _ state: WardState) {
        let own = state.ownAlarms.first { $0.bed == bed.bed }
        let alarms = bed.link.isLive ? bed.alarms : []
        let open = [
            alarms.first { $0.wantsAttention }.map(Self.place),
            own.flatMap { $0.isAcknowledged ? nil : Self.place($0) },
        ]
        let any = [alarms.first.map(Self.place), own.map(Self.place)]
        if let open = open.compactMap({ $0 }).min() {
            order = open
        } else if let any = any.compactMap({ $0 }).min() {
            order = 100 + any
        } else {
            order = bed.link.isLive ? 300 : 200
        }
    }

    private static func place(_ alarm: WardAlarm) -> Int { place(alarm.priority, alarm.urgency) }

    private static func place(_ alarm: WardOwnAlarm) -> Int { place(alarm.kind.priority, AlarmKind.leastUrgency) }

    private static func place(_ priority: AlarmPriority, _ urgency: Int) -> Int {
        (priority == .high ? 0 : priority == .medium ? 10 : 20) + urgency
    }

    static func < (left: BedRank, right: BedRank) -> Bool { left.order < right.order }
}
