import Base
import EventLoops
import Monitoring
import UserFiles
import Vitals

/// Writes events into the store, in the background and in batches, and recovers from errors of the store.
///
/// It runs on a separate thread, so a slow disk blocks nothing else. Items in its inbox are written within a second;
/// those that are not readings at once, and then they are on the disk with all before them. When the store cannot be written, that is reported once as a `StorageState`, items wait in memory up to a
/// limit, and writing is retried until it succeeds.
public actor Recorder {
    /// Runs this actor on its loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let loop: EventLoop
    let place: Place
    let reporter: StorageReporter
    let now: @Sendable () -> Moment
    let onNotice: @Sendable (String) -> Void
    private let retryDelay: Duration
    let firstMaintenance: Duration
    private let inbox: RecorderInbox
    var store: Store?
    var run: Int64?
    var start: Moment?
    private var waiting = WaitingItems()
    private var assembly = WaveAssembly()
    private let receptionLoop: EventLoop
    /// Fires for another attempt after a failure.
    private var retryTimer: LoopTimer?
    var maintenanceTimer: LoopTimer?
    /// The state of the store while it can be written, such as little free space.
    var workingState = StorageState.working
    private(set) var isClosed = false
    /// The items of the last batch, until the store was seen in its place after it.
    private var unproven = WaitingItems()
    /// When a batch was synced last, by the monotonic clock in nanoseconds; `nil` before the first.
    private var synced: Int64?
    /// The lock that announces this program as a writer; `nil` when it is not available.
    var use: FileUse?
    /// A sentence about the previous store, until it is reported.
    var loss: String?
    /// Whether an error suggests that the store is damaged.
    var isDoubted = false
    /// Called with the content of a store that could not be opened at first.
    private let onLateOpening: @Sendable (Opening) -> Void
    /// Whether the store could not be opened yet.
    private var isOpeningLate = false
    /// Whether the untrusted clock was reported.
    var hasReportedLead = false

    struct Store {
        var database: SQLiteDatabase
        var identity: StoreIdentity
        var readings: ReadingStore
        var alarms: AlarmStore
        var entries: EntryStore
        var memory: MemoryStore
    }

    /// Creates a recorder; ``open(at:)`` opens the store.
    ///
    /// - Parameters:
    ///   - place: The place of the store.
    ///   - inbox: The source of items.
    ///   - loop: The loop that runs this actor; the caller starts and stops it.
    ///   - receptionLoop: The loop where most items arrive, whose thread never waits for the disk: it times the batches and
    ///     reports a disk that does not answer; without it that is not reported.
    ///   - retryDelay: How long to wait after a failure.
    ///   - firstMaintenance: How long after the store was opened the first maintenance comes.
    ///   - diskLimit: The time limit of a disk access.
    ///   - now: Reads the clocks; the system's clocks by default.
    ///   - onNotice: Called with a sentence for the user about the store.
    ///   - onLateOpening: Called with the store's content, if it can be opened only after ``open(at:)``.
    ///   - onState: Called on each change of the store's state, on either loop's thread.
    public init(
        _ place: Place, inbox: RecorderInbox, loop: EventLoop, receptionLoop: EventLoop? = nil,
        retryDelay: Duration = .seconds(5), firstMaintenance: Duration = .seconds(1),
        diskLimit: Duration = .seconds(5),
        now: (@Sendable () -> Moment)? = nil, onNotice: @escaping @Sendable (String) -> Void = { _ in },
        onLateOpening: @escaping @Sendable (Opening) -> Void = { _ in },
        onState: @escaping @Sendable (StorageState) -> Void
    ) {
        self.place = place
        self.inbox = inbox
        self.loop = loop
        self.receptionLoop = receptionLoop ?? loop
        self.retryDelay = retryDelay
        self.firstMaintenance = firstMaintenance
        self.now = now ?? { .read() }
        self.onNotice = onNotice
        self.onLateOpening = onLateOpening
        reporter = StorageReporter(on: receptionLoop, limit: diskLimit, onState)
    }

    /// Opens the store, begins a run and reads the newest part of the log.
    ///
    /// On failure, items wait in memory and opening is retried; this method does not throw.
    ///
    /// - Parameter now: When the program started.
    public func open(at now: Moment) -> Opening {
        start = now
        var opening = Opening()
        do throws(StoreError) {
            opening = try reporter.onDisk { () throws(StoreError) in try openStore() }
        } catch {
            opening.trouble = "Nothing is recorded for now: \(error.description)."
            opening.memory = reporter.onDisk { readOnlyMemory() }
            isOpeningLate = true
            failed(error)
        }
        if isClosed { return opening }
        let pacer = BatchPacer(on: receptionLoop) { [weak self, loop] in
            Task(executorPreference: loop) { await self?.write() }
        }
        inbox.open { [weak self, loop] reason in
            switch reason {
            case .first(let lastCount): Task(executorPreference: pacer.loop) { pacer.begin(after: lastCount) }
            case .soon: Task(executorPreference: pacer.loop) { pacer.hasten() }
            case .many: Task(executorPreference: loop) { await self?.write() }
            case .urgent: Task(executorPreference: loop) { await self?.write(isUrgent: true) }
            }
        }
        planMaintenance()
        return opening
    }

    /// The present patient's entries of earlier runs, as far back as the monitor keeps them, and all that nobody has
    /// confirmed yet; empty if they cannot be read, which is reported separately.
    ///
    /// - Parameter now: The present.
    public func recordEntries(until now: Moment) -> [RecordEntry] {
        let wall = now.wallMilliseconds
        do throws(StoreError) {
            return try reporter.onDisk { () throws(StoreError) in
                guard let history = try StoredHistory.open(place.path) else { return [] }
                let begin = wall - PatientRecord.longestReach.components.seconds * 1000
                let patient = try history.patients().last?.number
                let entries = try history.recordEntries(in: begin..<wall + 1, patient: patient).map(\.entry)
                let waiting = try patient.map { patient throws(StoreError) in
                    try history.unconfirmedEntries(of: patient).map(\.recorded.entry)
                }
                return (waiting ?? []).filter { $0.taken.wallMilliseconds < begin } + entries
            }
        } catch {
            return []
        }
    }

    /// What is known of the persons of devices, in the present patient's record; nothing if that cannot be read, which is
    /// reported separately.
    public func deviceUsers() -> DeviceUsers {
        do throws(StoreError) {
            return try reporter.onDisk { () throws(StoreError) in
                guard let history = try StoredHistory.open(place.path), let patient = try history.patients().last else {
                    return DeviceUsers()
                }
                return try history.deviceUsers(of: patient.number)
            }
        } catch {
            return DeviceUsers()
        }
    }

    /// The recorded body temperatures of the present patient; empty if they cannot be read, which is reported separately.
    ///
    /// - Parameters:
    ///   - from: The first wall time, in milliseconds since 1970 (UTC).
    ///   - now: The present.
    public func temperatures(from: Int64, until now: Moment) -> [Reading] {
        do throws(StoreError) {
            return try reporter.onDisk { () throws(StoreError) in
                guard let history = try StoredHistory.open(place.path) else { return [] }
                let begin = max(from, try history.newestPatientChange() ?? .min)
                guard begin <= now.wallMilliseconds else { return [] }
                var temperatures: [Reading] = []
                try history.forEachReading(in: begin..<now.wallMilliseconds + 1, vitals: [.bodyTemperature]) {
                    temperatures.append($0.reading)
                    return true
                }
                return temperatures
            }
        } catch {
            return []
        }
    }

    /// Writes waiting items if possible, and closes the store.
    ///
    /// - Returns: The number of items that could not be written.
    @discardableResult
    public func close() -> Int {
        guard !isClosed else { return 0 }
        synced = nil
        for row in assembly.rows(of: inbox.drainWaves(), at: now()) + assembly.finish() { waiting.append(row) }
        flush()
        // Items may wait after a temporary failure, or because the store was taken away after the last batch.
        let isInPlace = (try? verifyStore()) != nil
        if !isInPlace || store == nil, !waiting.isEmpty { flush() }
        if store?.readings.isSettled == false { reporter.onDisk { _ = try? settle(at: now()) { _ in } } }
        isClosed = true
        inbox.close()
        for timer in [retryTimer, maintenanceTimer] { if let timer { loop.cancel(timer) } }
        (retryTimer, maintenanceTimer) = (nil, nil)
        reporter.onDisk { store = nil }
        use = nil
        return waiting.count
    }

    // MARK: Batches

    /// Writes the waiting items, unless the store has failed and its retry is planned.
    private func write(isUrgent: Bool = false) {
        if retryTimer == nil || isUrgent && store != nil { flush() }
    }

    private func retry(after delay: Duration) {
        guard retryTimer == nil else { return }
        retryTimer = loop.schedule(after: delay) { [weak self] in
            self?.assumeIsolated {
                $0.retryTimer = nil
                $0.flush()
            }
        }
    }

    /// Writes the waiting items now, and opens the store if necessary.
    func flush() {
        guard !isClosed else { return }
        waiting.append(inbox.drain())
        for row in assembly.rows(of: inbox.drainWaves(), at: now()) { waiting.append(row) }
        guard !waiting.isEmpty || store == nil || reporter.reported != workingState else { return }
        do throws(StoreError) {
            try reporter.onDisk { () throws(StoreError) in
                if isOpeningLate { onLateOpening(try openStore()) } else if store == nil { try reconnect() }
                isOpeningLate = false
                try verifyStore()
                try writeBatch()
            }
            (unproven, waiting) = (waiting, WaitingItems())
            reporter.report(workingState)
        } catch {
            failed(error)
        }
    }

    /// The longest time from one synced batch to the next, in nanoseconds.
    ///
    /// With the second that the next batch may take, a power cut loses at most ten seconds of readings.
    private static let syncInterval: Int64 = 9_000_000_000

    /// Whether the next batch must be on the disk when it is written, with all before it.
    private func mustSync(at now: Moment) -> Bool {
        guard !waiting.mustBeSynced, waiting.loss == nil, reporter.reported == workingState, let synced else {
            return true
        }
        return !(0..<Self.syncInterval).contains(now.monotonicNanoseconds.subtractingSaturated(synced))
    }

    private func writeBatch() throws(StoreError) {
        guard let store, let run else { return }
        let now = now()
        guard !waiting.isEmpty else {
            // Only a successful write shows that the store can be written.
            if reporter.reported != workingState { try settle(at: now) { _ in } }
            return
        }
        // A copy, because a failed transaction must not change the cached state either.
        var readings = store.readings
        let waiting = waiting
        let isSynced = mustSync(at: now)
        try store.database.transaction(isSynced: isSynced) { () throws(StoreError) in
            try readings.begin()
            if let loss = waiting.loss { try readings.appendGap(from: loss.from, to: loss.to, reason: "storage") }
            // A segment is complete a second after it began, so most are from before a gap in the same batch.
            for row in waiting.waves.rows { try readings.append(row) }
            for item in waiting.items {
                switch item {
                case .reading(let reading): try readings.append(reading)
                case .rrIntervals(let intervals): try readings.append(intervals)
                case .gap(let gap): try readings.append(gap, reason: gap.reason.rawValue)
                case .notification(let notification): try readings.append(notification)
                case .alarmLog(let entry): try store.alarms.append(entry, run: run)
                case .entry(let entry): try store.entries.append(entry, run: run)
                case .night(let night, let moment):
                    try NightStore(database: store.database).append(night, at: moment, run: run)
                case .memory(.deviceUsers(let change), _):
                    try DeviceUserStore(database: store.database).write(change, run: run)
                case .memory(let change, _): try store.memory.write(change)
                }
            }
            if isSynced || readings.mustSettle { try readings.settle() }
        }
        self.store?.readings = readings
        if isSynced { synced = now.monotonicNanoseconds }
    }

    /// Settles and syncs what was written, and the time up to which this epoch is recorded.
    ///
    /// - Parameter body: What else is written with it.
    @discardableResult
    func settle<Result>(
        at now: Moment, _ body: (SQLiteDatabase) throws(StoreError) -> Result
    ) throws(StoreError) -> Result? {
        guard let store else { return nil }
        var readings = store.readings
        let result = try store.database.transaction { () throws(StoreError) in
            try readings.settle()
            try readings.recorded(until: now)
            return try body(store.database)
        }
        self.store?.readings = readings
        synced = now.monotonicNanoseconds
        return result
    }

    /// Has the items of the last batch written again, because the store that they went into is lost.
    func takeBackLastBatch() {
        unproven.append(waiting)
        (waiting, unproven) = (unproven, WaitingItems())
    }

    /// Drops the items of the last batch, because the store that they went into is in its place.
    func keepLastBatch() { unproven.removeAll() }

    func failed(_ failure: StoreError) {
        // A store that fails as damaged during a write is examined when it is opened again.
        let isDoubted = failure.kind == .corrupt && store != nil
        if isDoubted { self.isDoubted = true }
        if !canContinue(after: failure) { store = nil }
        let reason = isDoubted ? "the store fails and is examined" : failure.reason(shortening: place.path)
        reporter.report(failure.kind == .full ? .full : .failed(reason: reason))
        retry(after: retryDelay)
    }

    /// Whether items wait that could not be written.
    ///
    /// For tests.
    var isWaiting: Bool { !waiting.isEmpty }

    /// Whether the open store can be used again once the cause of a failure is over.
    ///
    /// It knows which of its last writes were not confirmed, and overwrites them. A new connection would take some of
    /// them for written, and their content would be stored twice.
    private func canContinue(after failure: StoreError) -> Bool {
        switch failure.kind {
        case .locked, .full: true
        case .readOnly, .unreachable: store.map { (try? $0.database.fileStart(100)) != nil } ?? false
        case .corrupt, .otherVersion, .replaced, .interrupted, .other: false
        }
    }

    /// Prevents the open store from growing, as on a full disk, or permits it again.
    ///
    /// For tests.
    func setGrowth(_ isPossible: Bool) throws(StoreError) {
        guard let database = store?.database else { return }
        let pages = isPossible ? 1 << 30 : try database.integer("PRAGMA page_count") ?? 0
        _ = try database.integer("PRAGMA max_page_count = \(pages)")
    }
}

extension Recorder {
    /// The path, writer and limits of a store.
    public struct Place: Hashable, Sendable {
        /// The file.
        public var path: String
        /// Today's date, for a damaged store's name: `2026-01-02`.
        public var day: String
        public var programVersion: String
        /// The limits of age and size.
        public var retention: Retention

        public init(path: String, day: String, programVersion: String, retention: Retention = Retention()) {
            self.path = path
            self.day = day
            self.programVersion = programVersion
            self.retention = retention
        }
    }

    /// The content of the store when it was opened.
    public struct Opening: Hashable, Sendable {
        /// The newest entries of earlier runs, the oldest first.
        public var log: [AlarmLogEntry] = []
        /// The outstanding alarms of earlier runs about the patient.
        public var alarms = OutstandingAlarms()
        /// The memory; `nil` if it cannot be read.
        public var memory: StoredMemory?
        /// A sentence for the user about a problem of the store; `nil` for none.
        public var trouble: String?
    }
}
