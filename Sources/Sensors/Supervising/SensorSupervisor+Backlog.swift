import Vitals

/// The readings that waited while the loop stood still.
///
/// They are held until the last of them has come, because only then their places in the interval are known.
struct Backlog {
    /// When the loop gave its last sign of life.
    let from: Moment
    /// When it was alive again.
    var to: Moment
    /// Tells apart what ends it.
    var number = 0
    /// What came, in the order of its arrival.
    var readings: [Reading] = []

    /// The readings, each with the interval in which it was measured.
    ///
    /// Those of one sensor and vital are spread over the interval in their order, unless the sensor itself says when.
    func lateReadings() -> [Reading] {
        struct Source: Hashable {
            var address: String
            var vital: Vital
        }
        func source(_ reading: Reading) -> Source { Source(address: reading.sensor.address, vital: reading.vital) }
        let counts = readings.reduce(into: [Source: Int]()) { $0[source($1), default: 0] += 1 }
        var places: [Source: Int] = [:]
        return readings.map { reading in
            let place = places[source(reading), default: 0]
            places[source(reading)] = place + 1
            var interval = LateInterval(
                waitedFrom: from, to: to, place: place, of: counts[source(reading)] ?? 1)
            if let own = reading.late {
                guard own.estimate >= from, own.estimate <= to else { return reading }
                interval.estimate = own.estimate
            }
            var reading = reading
            reading.late = interval
            return reading
        }
    }
}

// A loop that stood still: what waited meanwhile is not of now.
extension SensorSupervisor {
    /// A process that stood still for less has lost nothing that the age of the values does not say.
    static let shortestStall = Duration.seconds(2)

    /// Finds out whether the loop stood still until now, and tells the gap before anything else happens.
    public func checkForStall() {
        loop.checkForStall()
    }

    /// The process was stopped, or could not keep up: nothing was received, and what has waited is not of now.
    ///
    /// The daemon answers what it is asked now behind everything that it had sent before, so its answer ends the backlog.
    func stalled(nanoseconds: Int64, at now: Moment) {
        let from = now.advanced(by: .nanoseconds(-nanoseconds))
        report(.gap(Gap(from: from, to: now, reason: .program)), at: now)
        var backlog = backlog ?? Backlog(from: from, to: now)
        backlog.to = now
        backlog.number += 1
        self.backlog = backlog
        for session in Array(sessions.values) { send(.stalled, to: session, at: now) }
        let number = backlog.number
        Task(executorPreference: loop) {
            await self.central.handleBacklog(within: .seconds(5))
            await self.endBacklog(number: number)
        }
    }

    private func endBacklog(number: Int) {
        if backlog?.number == number { reportBacklog() }
    }

    /// Tells the readings that waited; what comes from now on is of now.
    func reportBacklog() {
        guard let ended = backlog else { return }
        backlog = nil
        let now = Moment.now()
        for reading in ended.lateReadings() { report(.reading(reading), at: max(now, reading.moment)) }
    }
}
