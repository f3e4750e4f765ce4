import EventLoop
import Monitoring
import UserFiles
import Vitals

/// Writes what happens into the store, in the background and in batches, whatever becomes of the store.
///
/// It runs on a loop, and so a thread, of its own: a slow disk holds nobody up. What is given to it is on the disk a
/// second later at the latest. When the store cannot be written, that is told once as a ``StorageState``, what is to be
/// written waits in memory up to a limit, and it is tried again until it succeeds.
public actor Recorder {
    /// Runs this actor on its loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// How many entries wait at most while the store cannot be written; the oldest are given up for newer ones.
    static let waitingLimit = 20_000
    private static let batchDelay = Duration.seconds(1)

    private let loop: EventLoop
    private let place: Place
    private let retryDelay: Duration
    private let onState: @Sendable (StorageState) -> Void
    private var store: AlarmStore?
    private var run: Int64?
    private var start: Moment?
    private var waiting: [AlarmLogEntry] = []
    private var lostCount = 0
    private var timer: LoopTimer?
    private var state = StorageState.working
    private var isClosed = false
    /// That this program writes the store, for others to know; `nil` when that cannot be told.
    private var use: FileUse?

    /// Where a store is, and who writes it.
    public struct Place: Hashable, Sendable {
        /// The file.
        public var path: String
        /// Today's date, which becomes part of a damaged store's name: `2026-01-02`.
        public var day: String
        /// The version of the program.
        public var programVersion: String

        /// Describes a place.
        public init(path: String, day: String, programVersion: String) {
            self.path = path
            self.day = day
            self.programVersion = programVersion
        }
    }

    /// What was found when the store was opened.
    public struct Opening: Hashable, Sendable {
        /// The newest entries of earlier runs, the oldest first.
        public var log: [AlarmLogEntry] = []
        /// A sentence for the user about what is wrong with the store; `nil` when nothing is.
        public var trouble: String?
    }

    /// Makes a recorder that has not touched the store yet.
    ///
    /// - Parameters:
    ///   - place: Where the store is.
    ///   - loop: The loop on whose thread everything happens; it is the caller's to start and stop.
    ///   - retryDelay: How long to wait after a failure.
    ///   - onState: Called on the loop's thread whenever it changes whether the store can be written.
    public init(
        _ place: Place, loop: EventLoop, retryDelay: Duration = .seconds(5),
        onState: @escaping @Sendable (StorageState) -> Void
    ) {
        self.place = place
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
            let opened = try connect()
            opening.trouble = opened.damagedStore.map {
                "The store \(place.path) was damaged; it is kept as \($0), and a new one is begun."
            }
            try closeInterrupted(opened.store, now)
            try opened.store.forEach(newest: Int64(AlarmLog.limit)) { opening.log.append($0) }
        } catch {
            opening.trouble = Self.sentence(error.description)
            failed(error)
        }
        return opening
    }

    /// Lets the alarms that were going on when an earlier run was killed end in the log: nobody knows how they went on.
    ///
    /// Alarms of another program that still runs are its own.
    private func closeInterrupted(_ store: AlarmStore, _ now: Moment) throws(StoreFailure) {
        guard use == nil else { return }
        let begun: FileUse
        do throws(UserFileError) {
            begun = try FileUse(of: place.path)
        } catch {
            // Where nobody knows who else is there, the log stays as it is.
            return
        }
        if begun.isFirst { try store.closeInterrupted(at: now) }
        begun.share()
        use = consume begun
    }

    /// Takes entries to be written, within a second.
    public func record(_ entries: [AlarmLogEntry]) {
        guard !isClosed, !entries.isEmpty else { return }
        waiting += entries
        if waiting.count > Self.waitingLimit {
            lostCount += waiting.count - Self.waitingLimit
            waiting.removeFirst(waiting.count - Self.waitingLimit)
        }
        schedule(after: Self.batchDelay)
    }

    /// Writes what waits, as far as that succeeds, and closes the store.
    ///
    /// - Returns: How many entries could not be written.
    @discardableResult
    public func close() -> Int {
        guard !isClosed else { return 0 }
        flush()
        isClosed = true
        if let timer { loop.cancel(timer) }
        timer = nil
        store = nil
        use = nil
        return waiting.count + lostCount
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
        guard !isClosed, !waiting.isEmpty || store == nil else { return }
        do {
            if store == nil { store = try connect().store }
            if let store, let run, !waiting.isEmpty { try store.append(waiting, run: run) }
            waiting.removeAll(keepingCapacity: true)
            tell(.working)
        } catch {
            failed(error)
        }
    }

    private func connect() throws(StoreFailure) -> (store: AlarmStore, damagedStore: String?) {
        let opened = try StoreFile.open(place.path, day: place.day)
        let store = AlarmStore(database: opened.database)
        if let start { run = try store.beginRun(at: start, programVersion: place.programVersion) }
        self.store = store
        return (store, opened.damagedStore)
    }

    private func failed(_ failure: StoreFailure) {
        // A store that is found damaged while it is written to is set aside when it is opened again.
        if failure.kind != .locked { store = nil }
        tell(failure.kind == .full ? .full : .failed(reason: failure.description))
        schedule(after: retryDelay)
    }

    private func tell(_ newState: StorageState) {
        guard newState != state else { return }
        state = newState
        onState(newState)
    }

    private static func sentence(_ phrase: String) -> String {
        "Nothing is recorded for now: \(phrase)."
    }
}
