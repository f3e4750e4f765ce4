import EventLoops
import Monitoring
import Nights
import Base
import Vitals

/// Reads recorded data for scrolling back.
///
/// It runs on a separate thread, so neither the screen nor the recorder waits for the disk. Each query sees one
/// snapshot through its own connection.
public actor PastReader {
    /// Runs this actor on its loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let path: String
    private let loop: EventLoop

    /// The recorded data of a period.
    public struct Past: Hashable, Sendable {
        /// The values.
        public var series: [RecordedSeries] = []
        /// The alarm log of the period, the oldest entry first.
        public var alarms: [AlarmLogEntry] = []
        /// The start of this patient's record, in milliseconds since 1970 (UTC); `nil` without one.
        public var since: Int64?
    }

    /// How long before a period an alarm that continues in it may have begun, in milliseconds.
    private static let longestAlarm: Int64 = 86_400_000

    /// Creates a reader; the store is opened at the first query.
    ///
    /// - Parameters:
    ///   - path: The store.
    ///   - loop: The loop that runs this actor; the caller starts and stops it.
    public init(path: String, loop: EventLoop) {
        self.path = path
        self.loop = loop
    }

    /// The initial trends of a starting monitor (``StoredHistory``), and the start of the record.
    ///
    /// - Throws: ``StoreError``.
    public func beginning(at now: Moment) throws(StoreError) -> Past {
        guard let history = try StoredHistory.open(path) else { return Past() }
        let since = try history.patientSince()
        return Past(series: try history.series(until: now.wallMilliseconds, since: since ?? .min), since: since)
    }

    /// The recorded data between two moments.
    ///
    /// - Parameters:
    ///   - from: The first moment.
    ///   - to: The moment at which it ends.
    ///   - finest: The finest useful resolution (``StoredHistory/series(in:finest:)``).
    ///   - patientSince: Earlier data belong to another patient, even if the store does not record that yet.
    /// - Throws: ``StoreError``.
    public func past(
        from: Moment, to: Moment, finest: Duration, patientSince: Moment? = nil
    ) throws(StoreError) -> Past {
        guard let history = try StoredHistory.open(path) else { return Past() }
        let since = [try history.patientSince(), patientSince?.wallMilliseconds].compactMap(\.self).max()
        var past = Past(since: since)
        let start = max(from.wallMilliseconds, since ?? .min)
        guard start <= to.wallMilliseconds else { return past }
        past.series = try history.series(in: start..<max(start, to.wallMilliseconds.addingSaturated(1)), finest: finest)
        let alarmStart = max(start.subtractingSaturated(Self.longestAlarm), since ?? .min)
        try AlarmStore(database: history.database).forEach(since: alarmStart) { past.alarms.append($0) }
        return past
    }
}

extension PastReader {
    /// The record and the fevers of some days, without the figures of the vitals; empty days without a store.
    ///
    /// - Parameters:
    ///   - days: The days, the oldest first.
    ///   - patientSince: Earlier data belong to another patient, even if the store does not record that yet.
    /// - Throws: ``StoreError``.
    public func overview(
        of days: [Range<Int64>], patientSince: Moment? = nil
    ) throws(StoreError) -> PatientOverview {
        guard let history = try StoredHistory.open(path) else {
            return PatientOverview(days: days.map { PatientOverview.Day($0) })
        }
        let present = try present(in: history, patientSince)
        return try history.overview(of: days, in: present.range, patient: present.number)
    }

    /// The figures of the vitals of a day.
    ///
    /// - Parameters:
    ///   - day: The day.
    ///   - now: The present wall time.
    ///   - entries: The record; entries of other days are ignored.
    ///   - patientSince: Earlier data belong to another patient.
    ///   - isOutside: Evaluates values.
    /// - Throws: ``StoreError``.
    public func figures(
        of day: Range<Int64>, now: Moment, entries: [RecordedEntry], patientSince: Moment? = nil,
        isOutside: @Sendable (Vital, VitalValue, Int64) -> Bool?
    ) throws(StoreError) -> PatientOverview.Day {
        guard let history = try StoredHistory.open(path) else { return PatientOverview.Day(day) }
        return try history.figures(
            of: day, now: now.wallMilliseconds, entries: entries,
            in: try present(in: history, patientSince).range, isOutside: isOutside)
    }

    /// A night that was looked for.
    public struct FoundNight: Sendable {
        /// `nil` where there is none.
        public var night: PatientNight?
        /// Whether there may be an earlier, or a later, one.
        public var hasEarlier = false, hasLater = false
    }

    /// The nearest night that is long enough.
    ///
    /// - Parameters:
    ///   - nights: Divides times into nights, the oldest first.
    ///   - isBackward: Whether the last one is looked for, or else the first.
    ///   - isWanted: Whether a night, by its beginning, may be it.
    ///   - patientSince: Earlier data belong to another patient.
    /// - Throws: ``StoreError``.
    public func night(
        _ nights: @Sendable ([Range<Int64>]) -> [Range<Int64>], isBackward: Bool, patientSince: Moment? = nil,
        where isWanted: @Sendable (Int64) -> Bool
    ) throws(StoreError) -> FoundNight {
        guard let history = try StoredHistory.open(path) else { return FoundNight() }
        let record = try present(in: history, patientSince).range
        let all = nights(try history.nightTimes(in: record))
        let places = all.indices.filter { isWanted(all[$0].lowerBound) }
        var found = FoundNight()
        for place in isBackward ? places.reversed() : places where found.night == nil {
            try history.forEachPatientNight(of: [all[place]], in: record) { night in
                if night.isLongEnough { found.night = night }
                return true
            }
            (found.hasEarlier, found.hasLater) = (place > 0, place < all.count - 1)
        }
        return found
    }

    /// The present patient's record; a patient that the store does not know yet has no number.
    private func present(
        in history: StoredHistory, _ patientSince: Moment?
    ) throws(StoreError) -> (range: Range<Int64>, number: Int?) {
        let newest = try history.patients().last
        let (since, known) = (patientSince?.wallMilliseconds ?? .min, newest?.since ?? .min)
        return since > known ? (since..<(.max), nil) : (known..<(.max), newest?.number)
    }

    /// Processes results on the reader's thread, because that takes time, too.
    public func make<Made: Sendable>(_ body: @Sendable () -> Made) -> Made { body() }
}

extension StoredHistory {
    /// The start of the present patient's record, in milliseconds since 1970 (UTC); `nil` without one.
    ///
    /// - Throws: ``StoreError``.
    func patientSince() throws(StoreError) -> Int64? {
        guard let oldest = try oldest() else { return nil }
        return max(oldest, try newestPatientChange() ?? oldest)
    }
}
