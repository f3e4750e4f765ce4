import Monitoring
import Nights
import Vitals

/// An item to write.
enum RecordedItem: Sendable {
    case reading(Reading)
    case alarmLog(AlarmLogEntry)
    case rrIntervals(RRIntervals)
    case gap(Gap)
    case notification(RawNotification)
    case entry(RecordEntry)
    case night(StoredNight, Moment)
    case memory(MemoryChange, Moment)

    /// Whether a power cut must not lose it once it is written.
    ///
    /// Readings come again each second; an alarm, what somebody did, entered or decided does not.
    var mustBeSynced: Bool {
        switch self {
        // A battery level comes again, too.
        case .reading, .rrIntervals, .gap, .notification, .memory(.battery, _): false
        case .alarmLog, .entry, .night, .memory: true
        }
    }

    /// The moment of the event.
    var moment: Moment {
        switch self {
        case .reading(let reading): reading.moment
        case .alarmLog(let entry): entry.moment
        case .rrIntervals(let intervals): intervals.moment
        case .gap(let gap): gap.to
        case .notification(let notification): notification.moment
        case .entry(let entry): entry.retractedAt ?? entry.enteredAt
        case .night(_, let moment), .memory(_, let moment): moment
        }
    }
}

/// The items that wait to be written, in their order, up to a limit.
struct WaitingItems: Sendable {
    /// The greatest number of waiting items; newer ones replace the oldest.
    static let limit = 100_000

    private(set) var items: [RecordedItem] = []
    /// The segments of waves, which have a limit of their own.
    private(set) var waves = WaitingWaves()
    /// Whether some must be on the disk when they are written.
    private(set) var mustBeSynced = false
    /// The dropped items, until they are reported.
    private(set) var loss: Loss?

    /// Dropped items.
    struct Loss: Hashable, Sendable {
        /// The number of items.
        var count: Int
        /// The wall time of the first and of the last.
        var from, to: Int64
    }

    /// The number of waiting and dropped items, without waves.
    var count: Int { items.count + (loss?.count ?? 0) }

    /// Whether nothing is to be written.
    var isEmpty: Bool { items.isEmpty && loss == nil && waves.isEmpty }

    /// Adds an item.
    mutating func append(_ item: RecordedItem) {
        if item.mustBeSynced { mustBeSynced = true }
        items.append(item)
        // Many at once, because moving the rest is expensive.
        if items.count > Self.limit { giveUp(Self.limit / 10) }
    }

    /// Adds a segment of a wave.
    mutating func append(_ wave: WaveRow) { waves.append(wave) }

    /// Appends later items.
    mutating func append(_ later: WaitingItems) {
        if let loss = later.loss { lose(loss) }
        if later.mustBeSynced { mustBeSynced = true }
        for wave in later.waves.rows { waves.append(wave) }
        if items.isEmpty { items = later.items } else { items += later.items }
        if items.count > Self.limit { giveUp(items.count - Self.limit) }
    }

    private mutating func giveUp(_ count: Int) {
        lose(
            Loss(
                count: count, from: items[0].moment.wallMilliseconds, to: items[count - 1].moment.wallMilliseconds))
        items.removeFirst(count)
    }

    private mutating func lose(_ more: Loss) {
        loss = Loss(count: (loss?.count ?? 0) + more.count, from: loss?.from ?? more.from, to: more.to)
    }

    /// Removes all items.
    mutating func removeAll() {
        self = WaitingItems()
    }
}
