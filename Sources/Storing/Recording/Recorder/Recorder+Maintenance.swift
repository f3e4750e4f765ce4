import EventLoops
import Monitoring
import Vitals

// The maintenance that keeps a store within its limits.
extension Recorder {
    /// The intervals of maintenance, and of the steps of pruning.
    private static let (maintenanceDelay, pruneDelay) = (Duration.seconds(60), Duration.seconds(1))

    /// Plans the first maintenance soon after the store was opened.
    func planMaintenance() {
        planMaintenance(after: firstMaintenance)
    }

    private func planMaintenance(after delay: Duration) {
        maintenanceTimer = loop.schedule(after: delay) { [weak self] in
            self?.assumeIsolated { $0.runMaintenance() }
        }
    }

    /// Prunes a little, and checks the free space.
    private func runMaintenance() {
        guard !isClosed else { return }
        var isMore = false
        reporter.onDisk {
            do throws(StoreError) {
                isMore = try runStoreMaintenance(at: now())
            } catch {
                failed(error)
            }
            lookForRoom()
        }
        planMaintenance(after: isMore ? Self.pruneDelay : Self.maintenanceDelay)
    }

    /// Prunes the store, and condenses what is over.
    ///
    /// - Returns: Whether there is more to remove.
    func runStoreMaintenance(at moment: Moment) throws(StoreError) -> Bool {
        guard store != nil, reporter.reported == workingState else { return false }
        try verifyStore()
        let wall = moment.wallMilliseconds
        var lead: Int64?
        let isMore = try settle(at: moment) { (database) throws(StoreError) in
            let isFull = try !QuarterTable.fill(database)
            let isMore = try place.retention.prune(database, now: wall) || !isFull
            lead = try place.retention.waitingLead(database, now: wall)
            return isMore
        }
        if let lead, !hasReportedLead {
            let hours = lead / 3_600_000
            let length = hours < 48 ? "\(hours) h" : "\(hours / 24) days"
            onNotice(
                "The clock is \(length) ahead of what was recorded before. What is too old by it is erased only when Bedside"
                    + " has recorded for a day with a clock that says so.")
        }
        hasReportedLead = lead != nil
        try removeOutlivedNightFiles()
        return isMore ?? false
    }

    /// Checks the free space of the disk, and for damaged stores beside the store.
    func lookForRoom() {
        let isWorking = reporter.reported == workingState
        workingState = StorageState(
            room: DiskRoom.left(beside: place.path), log: DiskRoom.sizeOfLog(of: place.path),
            damaged: StoreFile.damagedStores(beside: place.path))
        if isWorking { reporter.report(workingState) }
    }
}
