import EventLoop
import Monitoring
import UserFiles
import Vitals

/// Writes what happens into the store, in the background and in batches, whatever becomes of the store.
///
/// It runs on a loop, and so a thread, of its own: a slow disk holds nobody up. What is given to its inbox is on the disk
/// a second later at the latest. When the store cannot be written, that is told once as a ``StorageState``, what is to be
/// written waits in memory up to a limit, and it is tried again until it succeeds.
public actor Recorder {
    /// Runs this actor on its loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// From the first item of a batch to its transaction: most of the promised second, which leaves the disk the rest.
    private static let batchDelay = Duration.milliseconds(700)
    /// From one look at the store's size, age and room to the next, and from one step of pruning to the next.
    private static let (careDelay, pruneDelay) = (Duration.seconds(60), Duration.seconds(1))

    private let loop: EventLoop
    private let place: Place
    private let retryDelay: Duration
    private let onState: @Sendable (StorageState) -> Void
    private let inbox: RecorderInbox
    private var store: Store?
    private var run: Int64?
    private var start: Moment?
    private var waiting = WaitingItems()
    private var timer: LoopTimer?
    private var careTimer: LoopTimer?
    private var state = StorageState.working
    /// What is to be said of the store while it can be written: that there is little room, perhaps.
    private var workingState = StorageState.working
    private var isClosed = false
    /// That this program writes the store, for others to know; `nil` when that cannot be told.
    private var use: FileUse?

    private struct Store {
        var database: SQLiteDatabase
        var readings: ReadingStore
        var alarms: AlarmStore
        var manual: ManualStore
    }

    /// Makes a recorder that has not touched the store yet.
    ///
    /// - Parameters:
    ///   - place: Where the store is.
    ///   - inbox: Where what is to be written comes from.
    ///   - loop: The loop on whose thread everything happens; it is the caller's to start and stop.
    ///   - retryDelay: How long to wait after a failure.
    ///   - onState: Called on the loop's thread whenever it changes whether the store can be written.
    public init(
        _ place: Place, inbox: RecorderInbox, loop: EventLoop, retryDelay: Duration = .seconds(5),
        onState: @escaping @Sendable (StorageState) -> Void
    ) {
        self.place = place
        self.inbox = inbox
        self.loop = loop
        self.retryDelay = retryDelay
        self.onState = onState
    }

    /// Opens the store, begins a run and reads the newest part of the log.
    ///
    /// When that fails, recording goes on in memory and it is tried again; nothing here throws.
    ///
    /// - Parameter now: When the program started.
    public func open(at now: Moment) -> Opening {
        start = now
        var opening = Opening()
        do {
            let damagedStore = try connect()
            opening.trouble = damagedStore.map {
                "The store \(place.path) was damaged; it is kept as \($0), and a new one is begun."
            }
            if let alarms = store?.alarms {
                try closeInterrupted(alarms, now)
                try alarms.forEach(newest: Int64(AlarmLog.limit)) { opening.log.append($0) }
            }
        } catch {
            opening.trouble = "Nothing is recorded for now: \(error.description)."
            failed(error)
        }
        if use?.isFirst == false, opening.trouble == nil {
            opening.trouble = "Another Bedside records into \(place.path), too; what both receive is there twice."
        }
        inbox.open { [weak self, loop] in
            Task(executorPreference: loop) { await self?.wake() }
        }
        planCare(after: Self.pruneDelay)
        return opening
    }

    /// What was typed for the present patient in earlier runs, as far back as the monitor knows it; nothing where that
    /// cannot be read, which is told otherwise.
    ///
    /// - Parameter now: The present.
    public func manualEntries(until now: Moment) -> [ManualEntry] {
        let wall = now.wallMilliseconds
        do throws(StoreFailure) {
            guard let history = try StoredHistory.open(place.path) else { return [] }
            let begin = wall - ManualRecord.reach.components.seconds * 1000
            let patient = try history.newestPatientChange() ?? .min
            return try history.manualEntries(in: begin..<wall + 1).map(\.entry)
                .filter { $0.enteredAt.wallMilliseconds > patient }
        } catch {
            return []
        }
    }

    /// Writes what waits, as far as that succeeds, and closes the store.
    ///
    /// - Returns: How many items could not be written.
    @discardableResult
    public func close() -> Int {
        guard !isClosed else { return 0 }
        flush()
        isClosed = true
        inbox.close()
        for timer in [timer, careTimer] { if let timer { loop.cancel(timer) } }
        (timer, careTimer) = (nil, nil)
        store = nil
        use = nil
        return waiting.count
    }

    // MARK: Batches

    private func wake() {
        if !isClosed { schedule(after: Self.batchDelay) }
    }

    private func schedule(after delay: Duration) {
        guard timer == nil else { return }
        timer = loop.schedule(after: delay) { [weak self] in
            self?.assumeIsolated {
                $0.timer = nil
                $0.flush()
            }
        }
    }

    private func flush() {
        guard !isClosed else { return }
        waiting.append(inbox.take())
        guard !waiting.isEmpty || store == nil else { return }
        do {
            if store == nil { _ = try connect() }
            try writeBatch()
            waiting.removeAll()
            tell(workingState)
        } catch {
            failed(error)
        }
    }

    private func writeBatch() throws(StoreFailure) {
        guard let store, let run, !waiting.isEmpty else { return }
        // A copy, because a transaction that fails must leave no trace in what is remembered of the store either.
        var readings = store.readings
        let waiting = waiting
        try store.database.transaction { () throws(StoreFailure) in
            try readings.begin()
            if let loss = waiting.loss { try readings.appendGap(from: loss.from, to: loss.to, reason: "storage") }
            for item in waiting.items {
                switch item {
                case .reading(let reading): try readings.append(reading)
                case .gap(let gap): try readings.append(gap, reason: gap.reason.rawValue)
                case .notification(let notification): try readings.append(notification)
                case .entry(let entry): try store.alarms.append(entry, run: run)
                case .manual(let entry): try store.manual.append(entry, run: run)
                }
            }
            try readings.end()
        }
        self.store?.readings = readings
    }

    /// Opens the store and begins a run in it, unless this run has begun there already.
    ///
    /// - Returns: Where the damaged store is now that stood there; `nil` when there was none.
    private func connect() throws(StoreFailure) -> String? {
        let opened = try StoreFile.open(place.path, day: place.day)
        guard let start else { return nil }
        let runs = RunTable(database: opened.database)
        let run = try runs.begin(at: start, programVersion: place.programVersion, known: run)
        self.run = run
        store = Store(
            database: opened.database, readings: ReadingStore(opened.database, run: run),
            alarms: AlarmStore(database: opened.database), manual: ManualStore(database: opened.database))
        return opened.damagedStore
    }

    /// Lets the alarms that were going on when an earlier run was killed end in the log: nobody knows how they went on.
    ///
    /// Alarms of another program that still runs are its own.
    private func closeInterrupted(_ alarms: AlarmStore, _ now: Moment) throws(StoreFailure) {
        guard use == nil else { return }
        let begun: FileUse
        do throws(UserFileError) {
            begun = try FileUse(of: place.path)
        } catch {
            // Where nobody knows who else is there, the log stays as it is.
            return
        }
        if begun.isFirst { try alarms.closeInterrupted(at: now) }
        begun.share()
        use = consume begun
    }

    private func failed(_ failure: StoreFailure) {
        // A store that is found damaged while it is written to is set aside when it is opened again.
        if failure.kind != .locked { store = nil }
        tell(failure.kind == .full ? .full : .failed(reason: failure.reason(shortening: place.path)))
        schedule(after: retryDelay)
    }

    private func tell(_ newState: StorageState) {
        guard newState != state else { return }
        state = newState
        onState(newState)
    }

    /// Lets the store that is open now grow no more, as on a full disk; one that is opened later may.
    ///
    /// For tests.
    func stopGrowth() throws(StoreFailure) {
        guard let database = store?.database else { return }
        let pages = try database.integer("PRAGMA page_count") ?? 0
        _ = try database.integer("PRAGMA max_page_count = \(pages)")
    }

    // MARK: Care

    private func planCare(after delay: Duration) {
        careTimer = loop.schedule(after: delay) { [weak self] in
            self?.assumeIsolated { $0.care() }
        }
    }

    /// Removes a little of what is not to be kept, and looks how much room is left.
    private func care() {
        guard !isClosed else { return }
        var isMore = false
        if let database = store?.database, state == workingState {
            do {
                isMore = try database.transaction { () throws(StoreFailure) in
                    try place.retention.prune(database, now: Timestamp.now().wallMilliseconds)
                }
            } catch {
                failed(error)
            }
        }
        lookForRoom()
        planCare(after: isMore ? Self.pruneDelay : Self.careDelay)
    }

    private func lookForRoom() {
        let isWorking = state == workingState
        workingState = StorageState(room: DiskRoom.left(beside: place.path))
        if isWorking { tell(workingState) }
    }
}
