import EventLoops
import Monitoring
import SaturatingArithmetic
import Vitals

/// Reads what was recorded, for a screen that looks back.
///
/// It runs on a loop, and so a thread, of its own: neither the screen nor the recorder waits while a disk is searched.
/// Each reading is of one moment and by a connection of its own, which is no part of what is written meanwhile.
public actor PastReader {
    /// Runs this actor on its loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let path: String
    private let loop: EventLoop

    /// What was recorded of a stretch of time.
    public struct Past: Hashable, Sendable {
        /// The values.
        public var series: [RecordedSeries] = []
        /// What became of alarms about then, the oldest first.
        public var alarms: [AlarmLogEntry] = []
        /// From when on anything is known of this patient, in milliseconds since 1970 (UTC); `nil` when nothing is.
        public var since: Int64?
    }

    /// How long before a stretch an alarm may have begun that goes on in it, in milliseconds.
    private static let longestAlarm: Int64 = 86_400_000

    /// Creates a reader that has not touched the store yet.
    ///
    /// - Parameters:
    ///   - path: The store.
    ///   - loop: The loop on whose thread everything happens; it is the caller's to start and stop.
    public init(path: String, loop: EventLoop) {
        self.path = path
        self.loop = loop
    }

    /// What the trends of a monitor that starts begin with (``StoredHistory``), and from when on there is
    /// more.
    ///
    /// - Throws: ``StoreError``.
    public func beginning(at now: Moment) throws(StoreError) -> Past {
        guard let history = try StoredHistory.open(path) else { return Past() }
        let since = try history.patientSince()
        return Past(series: try history.series(until: now.wallMilliseconds, since: since ?? .min), since: since)
    }

    /// What was recorded between two moments.
    ///
    /// - Parameters:
    ///   - from: The first moment.
    ///   - to: The moment at which it ends.
    ///   - finest: How finely it can be used (``StoredHistory/series(in:finest:)``).
    ///   - patientSince: What was recorded earlier is about somebody else, whether the store knows so already or not.
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
    /// Processes what was found, on the reader's thread, because that takes time, too.
    public func make<Made: Sendable>(_ body: @Sendable () -> Made) -> Made { body() }
}

extension StoredHistory {
    /// From when on what is kept is about the present patient, in milliseconds since 1970 (UTC); `nil` for nothing.
    ///
    /// - Throws: ``StoreError``.
    func patientSince() throws(StoreError) -> Int64? {
        guard let oldest = try oldest() else { return nil }
        return max(oldest, try newestPatientChange() ?? oldest)
    }
}
