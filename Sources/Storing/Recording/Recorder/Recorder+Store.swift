import EventLoops
import Monitoring
import UserFiles
import Vitals

// Opens a recorder's store, and leaves one that was moved or replaced.
extension Recorder {
    /// Opens the store, and reads the data of earlier runs.
    func openStore() throws(StoreError) -> Opening {
        var opening = Opening()
        var warnings: [String] = []
        if let damagedStore = try connect() {
            warnings.append(sentence(about: damagedStore))
        } else if let sentence = StoreFile.damagedStoresSentence(beside: place.path) {
            warnings.append(sentence)
        }
        guard let store else { return opening }
        try store.alarms.forEach(newest: Int64(AlarmLog.limit)) { opening.log.append($0) }
        // Alarms of another running program belong to it.
        if use?.isFirst != false { opening.alarms = try store.alarms.outstanding() }
        opening.memory = try store.memory.read()
        if use?.isFirst == false {
            warnings.append("Another Bedside records into \(place.path), too; shared values are stored twice.")
        }
        opening.trouble = warnings.isEmpty ? nil : warnings.joined(separator: " ")
        return opening
    }

    /// A sentence about a store that has just been set aside.
    private func sentence(about damagedStore: String) -> String {
        """
        The store \(place.path) was damaged; it is kept as \(damagedStore), and a new one was created. Sensors and \
        changed limits are not remembered.
        """
    }

    /// Opens the store again after it was left.
    func reconnect() throws(StoreError) {
        if let damagedStore = try connect() { onNotice(sentence(about: damagedStore)) }
    }

    /// The memory of a store that cannot be written, because it is valid nevertheless.
    ///
    /// `nil` if it cannot be read either.
    func readOnlyMemory() -> StoredMemory? {
        guard let database = try? StoreFile.openForReading(place.path) else { return nil }
        return try? MemoryStore(database: database).read()
    }

    /// Opens the store and begins a run in it, unless this run has begun there already.
    ///
    /// - Returns: The new path of a damaged store; `nil` for none.
    func connect() throws(StoreError) -> String? {
        let opened = try StoreFile.open(place.path, day: place.day, isDoubted: isDoubted)
        isDoubted = false
        guard let start else { return nil }
        let isFirstTime = use == nil
        if isFirstTime { beginUse() }
        let runs = RunTable(database: opened.database)
        let isKnown = run != nil
        // Those of other programs that run are theirs.
        if isKnown || use?.isFirst == true {
            try ReadingStore.settleEarlier(in: opened.database, of: use?.isFirst == true ? nil : run)
        }
        let run = try runs.begin(
            at: start, programVersion: place.programVersion, known: run, isAlone: use?.isFirst ?? true)
        let alarms = AlarmStore(database: opened.database)
        // Alarms of another running program belong to it; if other programs are unknown, no alarm is closed.
        if isFirstTime, !isKnown, use?.isFirst == true { try alarms.closeInterrupted() }
        use?.share()
        self.run = run
        store = Store(
            database: opened.database, identity: StoreIdentity(place.path),
            readings: ReadingStore(opened.database, run: run), alarms: alarms,
            entries: EntryStore(database: opened.database), memory: MemoryStore(database: opened.database))
        lookForRoom()
        if let loss {
            self.loss = nil
            onNotice("\(loss) Recording continues in \(place.path).")
        }
        return opened.damagedStore
    }

    /// Announces to other programs that this one writes the store, before it does.
    private func beginUse() {
        do throws(UserFileError) {
            use = try FileUse(of: place.path)
        } catch {
            use = nil
        }
    }

    /// Leaves the store if it was moved or replaced, or belongs to another program.
    ///
    /// Once before each batch is enough: a batch that a lost store took is written again into the next one.
    ///
    /// - Throws: ``StoreError`` if so, or if that cannot be determined.
    func verifyStore() throws(StoreError) {
        guard let database = store?.database else { return }
        do throws(StoreError) {
            try store?.identity.check(database)
        } catch {
            switch error.kind {
            case .corrupt:
                try StoreFile.requireWorkingDisk(of: place.path)
                try leaveDamagedStore(error)
                takeBackLastBatch()
            case .replaced: leaveReplacedStore(error)
            default: break
            }
            throw error
        }
        keepLastBatch()
    }

    private func leaveReplacedStore(_ failure: StoreError) {
        guard let left = store else { return }
        // Checkpoints the log into its own file, wherever that is now.
        let isBrought = Self.bringLog(of: left.database)
        if !isBrought || !left.identity.isInPlace("") { takeBackLastBatch() }
        left.database.leaveLog()
        store = nil
        StoreFile.leaveTails(of: place.path, day: place.day) { left.identity.isInPlace($0) }
        // The use lock must belong to the present files.
        if !left.identity.isInPlace("") { use = nil }
        loss = "While it was written to, \(failure.description)."
    }

    /// Sets aside a store that another program has written into, with its log, which must not be used with the next
    /// one.
    private func leaveDamagedStore(_ failure: StoreError) throws(StoreError) {
        guard let left = store else { return }
        left.database.leaveLog()
        store = nil
        let aside = try StoreFile.setAside(place.path, day: place.day)
        use = nil
        loss = "While it was written to, \(failure.description); it is kept as \(aside)."
    }

    private static func bringLog(of database: SQLiteDatabase) -> Bool {
        // The first column is 1 if another program blocked the checkpoint.
        (try? database.integer("PRAGMA wal_checkpoint(TRUNCATE)")) == 0
    }
}

extension Moment {
    /// Reads both clocks.
    static func read() -> Moment {
        let now = Timestamp.now()
        return Moment(
            monotonicNanoseconds: now.monotonicNanoseconds, wallMilliseconds: now.wallMilliseconds)
    }
}
