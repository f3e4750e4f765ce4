import Recording
import Base
import Vitals

/// A recorded item with its monotonic time.
enum StoredItem {
    case notification(RecordedNotification)
    case reading(RecordedReading)

    /// When it happened, by the recorded clocks.
    var moment: Moment {
        switch self {
        case .notification(let recorded): recorded.notification.moment
        case .reading(let recorded): recorded.reading.moment
        }
    }

    var sensor: SensorIdentity {
        switch self {
        case .notification(let recorded): recorded.sensor
        case .reading(let recorded): recorded.reading.sensor
        }
    }
}

/// The items of one epoch, at most a few thousand in memory.
///
/// Each portion is read with a separate connection: a recording monitor is not blocked, and its write-ahead log does
/// not grow during a replay.
struct StorePages {
    private static let readingsOfPage = 4096
    /// Many times the usual number; more were not written by Bedside and are ignored.
    private static let notificationsOfPage = 16 * readingsOfPage

    /// The greatest look-ahead: the items of two minutes of more sensors than exist.
    private static let aheadLimit = 16 * 1024

    private let path: String
    private let epoch: RecordedEpoch
    private let range: ClosedRange<Int64>
    private var items: [StoredItem] = []
    private var position = 0
    private var last: RecordedReading.Place?
    /// The wall time up to which notifications were read.
    private var unread: Int64
    private var hasReadAll = false

    /// Creates the pages of an epoch.
    ///
    /// - Parameter start: The wall time to begin at.
    init(_ path: String, _ epoch: RecordedEpoch, from start: Int64) {
        self.path = path
        self.epoch = epoch
        range = min(max(start, epoch.range.lowerBound), epoch.range.upperBound)...epoch.range.upperBound
        unread = range.lowerBound
    }

    /// The next item, without removing it.
    mutating func peek() throws(ReplayError) -> StoredItem? { try item(0) }

    /// Removes the next item.
    mutating func drop() {
        position += 1
        guard position > Self.readingsOfPage else { return }
        items.removeFirst(position)
        position = 0
    }

    /// The item at an offset after the next one.
    mutating func item(_ ahead: Int) throws(ReplayError) -> StoredItem? {
        guard ahead < Self.aheadLimit else { return nil }
        while items.count <= position + ahead {
            if hasReadAll { return nil }
            try readPage()
        }
        return items[position + ahead]
    }

    private mutating func readPage() throws(ReplayError) {
        do throws(StoreError) {
            guard let history = try StoredHistory.open(path) else {
                hasReadAll = true
                return
            }
            let (readings, end) = try history.readings(
                ofEpoch: epoch.number, in: range, after: last, limit: Self.readingsOfPage)
            if let last, let end, end <= last {
                throw StoreError(.corrupt, "\(path) is damaged: its readings are in no order")
            }
            last = end
            hasReadAll = end == nil
            // Notifications of the last millisecond may belong to readings of the next page.
            let known = end.map { $0.wallMilliseconds.subtractingSaturated(1) } ?? range.upperBound
            var page = readings.map { StoredItem.reading($0) }
            if unread <= known {
                page += try history.notifications(
                    ofEpoch: epoch.number, in: unread...known, limit: Self.notificationsOfPage
                ).map { .notification($0) }
                unread = known.addingSaturated(1)
            }
            items += page.enumerated().sorted { Self.key($0) < Self.key($1) }.map(\.element)
        } catch {
            throw ReplayError(store: error)
        }
    }

    /// In the order of time; octets come before the readings decoded from them, and the order is stable otherwise.
    private static func key(_ item: (offset: Int, element: StoredItem)) -> (Int64, Int, Int) {
        let isReading = if case .reading = item.element { 1 } else { 0 }
        return (item.element.moment.monotonicNanoseconds, isReading, item.offset)
    }
}

extension ReplayError {
    /// Creates the error for a store that cannot be read.
    init(store failure: StoreError) {
        let kind: Kind =
            switch failure.kind {
            case .corrupt, .otherVersion: .malformed
            case .interrupted: .interrupted
            default: .unreadable
            }
        self.init(kind, "The store cannot be read: \(failure)")
    }
}
