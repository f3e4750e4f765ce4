import EventLoops
import Monitoring
import Vitals

// What a recorder does now and then so that its store stays as large as it may be.
extension Recorder {
    /// From one look at the store's size, age and room to the next, and from one step of pruning to the next.
    private static let (maintenanceDelay, pruneDelay) = (Duration.seconds(60), Duration.seconds(1))

    /// Looks at the store for the first time a moment after it was opened.
    func planMaintenance() {
        planMaintenance(after: Self.pruneDelay)
    }

    private func planMaintenance(after delay: Duration) {
        maintenanceTimer = loop.schedule(after: delay) { [weak self] in
            self?.assumeIsolated { $0.runMaintenance() }
        }
    }

    /// Removes a little of what is not to be kept, and looks how much room is left.
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

    /// - Returns: Whether there is more to remove.
    func runStoreMaintenance(at moment: Moment) throws(StoreError) -> Bool {
        guard let store, reporter.reported == workingState else { return false }
        try verifyStore()
        let wall = moment.wallMilliseconds
        var lead: Int64?
        let isMore = try store.database.transaction { () throws(StoreError) in
            try store.readings.recorded(until: moment)
            let isMore = try place.retention.prune(store.database, now: wall)
            lead = try place.retention.waitingLead(store.database, now: wall)
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
        return isMore
    }

    private func lookForRoom() {
        let isWorking = reporter.reported == workingState
        workingState = StorageState(room: DiskRoom.left(beside: place.path), log: DiskRoom.sizeOfLog(of: place.path))
        if isWorking { reporter.report(workingState) }
    }
}
