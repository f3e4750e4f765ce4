import Vitals

// After a stall of the loop, values that waited are not present ones.
extension SensorSupervisor {
    /// After a shorter stall, the age of the values is information enough.
    static let shortestStall = Duration.seconds(2)

    /// Detects a stall of the loop until now, and reports the gap before anything else happens.
    public func checkForStall() {
        loop.checkForStall()
    }

    /// Handles a stall: the process was stopped, or could not keep up, so values have waited.
    ///
    /// The daemon's answer to a call now follows everything that it sent before, so it ends the backlog.
    func stalled(nanoseconds: Int64, at now: Moment) {
        let from = now.advanced(by: .nanoseconds(-nanoseconds))
        report(.gap(Gap(from: from, to: now, reason: .program)), at: now)
        let number = backlog.open(from: from, to: now)
        for session in Array(sessions.values) { send(.stalled, to: session, at: now) }
        Task(executorPreference: loop) {
            await self.central.handleBacklog(within: .seconds(5))
            await self.endBacklog(number: number)
        }
    }

    /// Reports the held readings; later readings are present ones.
    ///
    /// - Parameter number: The stall that the backlog must not be younger than; `nil` for any.
    func endBacklog(number: Int? = nil) {
        let now = Moment.now()
        for reading in backlog.close(number: number) { report(.reading(reading), at: max(now, reading.moment)) }
    }
}
