import Vitals

// After a stall of the loop, of the bus or of the daemon, values that waited are not present ones.
extension SensorSupervisor {
    /// After a shorter stall, the age of the values is information enough.
    static let shortestStall = Duration.seconds(2)
    /// How long nothing must come before bluetoothd is asked, while a sensor sends: with half a second for the answer,
    /// silence of as long as ``shortestStall`` is noticed.
    static let quietWhileReady = Duration.milliseconds(1500)
    /// The same while sensors are only awaited.
    static let quietWhileWaiting = Duration.seconds(10)

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
        let number = openBacklog(from: from, to: now)
        for session in Array(sessions.values) { send(.stalled, to: session, at: now) }
        Task(executorPreference: loop) {
            await self.central.handleBacklog(within: .seconds(5))
            await self.endBacklog(number: number)
        }
    }

    /// Handles the beginning and the end of a silence of the bus or the daemon, in which values wait.
    ///
    /// - Parameter before: The silence that was known until now.
    func followSilence(after before: GapReason?, at moment: Moment) {
        let silence = radio.silence
        switch (before, silence) {
        case (nil, nil), (_?, _?): break
        case (nil, _?):
            silentSince = lastHeard ?? moment
            _ = openBacklog(from: silentSince ?? moment, to: moment)
        case (let reason?, nil):
            report(.gap(Gap(from: silentSince ?? moment, to: moment, reason: reason)), at: moment)
            for session in Array(sessions.values) { send(.stalled, to: session, at: moment) }
            endBacklog(end: moment)
            silentSince = nil
        }
    }

    /// Holds the readings from now on; what is held of single sensors is handled before.
    private func openBacklog(from: Moment, to: Moment) -> Int {
        for session in Array(sessions.values) { endBurst(of: session) }
        return backlog.open(from: from, to: to)
    }

    /// Reports the held readings; later readings are present ones.
    ///
    /// - Parameters:
    ///   - number: The stall that the backlog must not be younger than; `nil` for any.
    ///   - end: Until when they can have been measured, where that is later than was known.
    func endBacklog(number: Int? = nil, end: Moment? = nil) {
        let now = Moment.now()
        let wasOpen = backlog.isOpen
        for reading in backlog.close(number: number, end: end) {
            report(.reading(reading), at: max(now, reading.moment))
        }
        // What waited in the kernel may come after bluetoothd has answered.
        if wasOpen, !backlog.isOpen { for session in sessions.values { session.bursts.doubt(until: now) } }
    }

    // MARK: Bursts

    /// Waits whether more notifications come at once than a sensor sends, after it was silent for unusually long.
    func awaitMore(of session: SensorSession) {
        guard session.burstTimer == nil else { return }
        let address = session.address
        session.burstTimer = loop.schedule(after: BurstWatch.window) { [weak self] in
            self?.assumeIsolated { supervisor in
                guard let session = supervisor.sessions[address] else { return }
                session.burstTimer = nil
                // What the loop has not read yet belongs to it.
                supervisor.loop.checkForStall()
                supervisor.releaseBurst(of: session)
            }
        }
    }

    /// Handles what is held of a sensor with what is known now.
    func endBurst(of session: SensorSession) {
        releaseBurst(of: session, isLast: true)
    }

    private func releaseBurst(of session: SensorSession, isLast: Bool = false) {
        guard session.bursts.isHolding else { return }
        let now = Moment.now()
        guard let release = session.bursts.release(at: now, isLast: isLast) else { return awaitMore(of: session) }
        if let timer = session.burstTimer { loop.cancel(timer) }
        session.burstTimer = nil
        switch release {
        case .present(let notifications):
            for one in notifications { handle(one.octets, one.reference, from: session, at: one.moment) }
        case .late(let notifications, let since):
            let last = notifications.last?.moment ?? now
            let number = backlog.open(from: since, to: last)
            for one in notifications { handle(one.octets, one.reference, from: session, at: one.moment) }
            // Unless the loop was stopped again, so that more values may have waited.
            for reading in backlog.close(number: number) { report(.reading(reading), at: max(now, reading.moment)) }
        }
    }
}

/// The readings that waited during a stall of the loop, of the bus or of the daemon.
///
/// They are held until the last of them has arrived, because only then their times can be interpolated.
struct Backlog {
    /// When something was received last before the stall.
    let from: Moment
    /// When what waited was read.
    var to: Moment
    /// The readings in the order of their arrival.
    var readings: [Reading] = []

    /// The readings, each with the interval in which it was measured.
    ///
    /// Those of one sensor and vital are spread over the interval in their order, unless the sensor sends their times.
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

/// Collects the readings after a stall, until the last of them has arrived.
struct BacklogKeeper {
    /// `nil` while all readings are present ones.
    private var backlog: Backlog?
    /// Counts the stalls, so that the end of a former one is recognised.
    private var number = 0

    /// Whether incoming readings may have waited.
    var isOpen: Bool { backlog != nil }

    /// Opens the backlog, or extends the one that is open; returns the number that closes it.
    mutating func open(from: Moment, to: Moment) -> Int {
        if backlog == nil { backlog = Backlog(from: from, to: to) }
        backlog?.to = to
        number += 1
        return number
    }

    /// Holds a reading; returns whether a backlog is open.
    mutating func keep(_ reading: Reading) -> Bool {
        backlog?.readings.append(reading)
        return isOpen
    }

    /// Closes the backlog, unless another stall followed the one with this number; returns the held readings.
    ///
    /// - Parameter end: Until when they can have been measured, where that is later than was known.
    mutating func close(number: Int? = nil, end: Moment? = nil) -> [Reading] {
        guard number == nil || number == self.number, var ended = backlog else { return [] }
        backlog = nil
        if let end { ended.to = max(ended.to, end) }
        return ended.lateReadings()
    }
}
