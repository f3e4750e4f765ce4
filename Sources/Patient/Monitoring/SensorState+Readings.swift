import Vitals

extension SensorState {
    /// A possible change of a vital's standing.
    struct Change {
        var place: Int
        var vital: Vital
        var before: Standing
        var after: Standing
    }

    /// Handles a reading.
    ///
    /// - Returns: `nil` if a newer reading came first, so that it changes nothing.
    mutating func receive(
        _ reading: Reading, outcome: Reading.Outcome, at moment: Moment, now: Moment, limits: FreshnessLimits
    ) -> Change? {
        heard(at: moment)
        lastReading = max(lastReading ?? moment, moment)
        let place = place(of: reading.vital, limits: limits)
        if let newest = vitals.span[place].lastReading, moment < newest { return nil }
        let before = vitals.span[place].standing
        vitals[place].receive(reading, from: identity, outcome: outcome, at: moment, limits: limits)
        if mustRefresh(afterReadingAt: moment, now: now) {
            vitals[place].refresh(now: now, link: link, sensor: identity, limits: limits)
        }
        findDeadline(limits: limits)
        return Change(place: place, vital: reading.vital, before: before, after: vitals.span[place].standing)
    }

    /// Handles a late reading.
    ///
    /// - Returns: The vital's index.
    mutating func receiveLate(
        _ reading: Reading, _ interval: LateInterval, outcome: Reading.Outcome, limits: FreshnessLimits
    ) -> Int {
        let place = place(of: reading.vital, limits: limits)
        vitals[place].receiveLate(reading, interval, outcome: outcome, limits: limits)
        // The sensor is not silent while it sends stored values.
        listenAnew(at: reading.moment, limits: limits)
        return place
    }

    /// Counts silence only from this moment on.
    mutating func listenAnew(at moment: Moment, limits: FreshnessLimits) {
        for place in vitals.indices { vitals[place].listens(from: moment) }
        findDeadline(limits: limits)
    }

    /// Updates every vital for the time and the state of the link.
    ///
    /// - Returns: Only real changes.
    mutating func refresh(now: Moment, limits: FreshnessLimits) -> [Change] {
        var changes: [Change] = []
        for place in vitals.indices {
            let before = vitals.span[place].standing
            vitals[place].refresh(now: now, link: link, sensor: identity, limits: limits)
            let after = vitals.span[place].standing
            guard before != after else { continue }
            changes.append(Change(place: place, vital: vitals.span[place].vital, before: before, after: after))
        }
        findDeadline(limits: limits)
        return changes
    }

    mutating func findDeadline(limits: FreshnessLimits) {
        var earliest = weakUntil
        for place in vitals.indices {
            guard let change = vitals.span[place].nextChange(link: link, limits: limits) else { continue }
            earliest = min(earliest ?? change, change)
        }
        deadline = earliest
    }

    /// Whether a present reading proves the link before it is reported.
    var isProvedByReading: Bool {
        guard !isLinkUp, let phase = connection?.phase else { return false }
        return phase == .connected || phase == .ready
    }

    /// Whether a reading may not be current: it is old, or the sensor is not connected.
    private func mustRefresh(afterReadingAt moment: Moment, now: Moment) -> Bool {
        switch link {
        case .up, .unknown: moment != now
        case .lost, .notWanted: true
        }
    }

    func vital(at place: Int) -> Vital { vitals.span[place].vital }

    /// The index of a vital in `vitals`; `nil` if the sensor never reported it.
    func place(of vital: Vital) -> Int? {
        let vitals = vitals.span
        for place in vitals.indices where vitals[place].vital == vital { return place }
        return nil
    }

    /// Records how often it measures the body temperature.
    mutating func announce(_ announced: AnnouncedInterval, limits: FreshnessLimits) {
        announcedInterval = announced
        guard let place = place(of: .bodyTemperature) else { return }
        vitals[place].announce(announced, limits: limits)
        findDeadline(limits: limits)
    }

    /// The index of a vital in `vitals`, added if the sensor never reported it.
    mutating func place(of vital: Vital, limits: FreshnessLimits) -> Int {
        if let place = place(of: vital) { return place }
        vitals.append(SensorVital(vital: vital, limits: limits))
        if vital == .bodyTemperature, let announcedInterval {
            vitals[vitals.count - 1].announce(announcedInterval, limits: limits)
        }
        return vitals.count - 1
    }

    /// The sensor's rank for a vital; `nil` if it never reported it.
    func rank(of vital: Vital) -> Standing.Rank? {
        place(of: vital).map { vitals[$0].standing.rank }
    }
}
