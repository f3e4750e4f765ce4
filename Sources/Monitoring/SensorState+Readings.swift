import Vitals

extension SensorState {
    /// That a vital's standing may have changed, and how.
    struct Change {
        var place: Int
        var vital: Vital
        var before: Standing
        var after: Standing
    }

    /// Takes a reading in.
    ///
    /// - Returns: `nil` when a newer reading has overtaken it, so that it changes nothing.
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

    /// Takes a late reading in.
    ///
    /// - Returns: The vital's place.
    mutating func receiveLate(
        _ reading: Reading, _ interval: LateInterval, outcome: Reading.Outcome, limits: FreshnessLimits
    ) -> Int {
        let place = place(of: reading.vital, limits: limits)
        vitals[place].receiveLate(reading, interval, outcome: outcome, limits: limits)
        // The sensor as a whole is not silent while it sends what it had stored.
        listenAnew(at: reading.moment, limits: limits)
        return place
    }

    /// Lets no silence count that was before this moment.
    mutating func listenAnew(at moment: Moment, limits: FreshnessLimits) {
        for place in vitals.indices { vitals[place].listens(from: moment) }
        findDeadline(limits: limits)
    }

    /// Lets time and the state of the link act on every vital.
    ///
    /// - Returns: Only what has really changed.
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

    /// Whether a reading that comes now means that the link is up, although nobody has said so yet.
    var isProvedByReading: Bool {
        guard !isLinkUp, let phase = connection?.phase else { return false }
        return phase == .connected || phase == .ready
    }

    /// Whether a reading cannot be taken at its word: it is not of now, or the sensor is not connected.
    private func mustRefresh(afterReadingAt moment: Moment, now: Moment) -> Bool {
        switch link {
        case .up, .unknown: moment != now
        case .lost, .notWanted: true
        }
    }

    /// The vital at a place.
    func vital(at place: Int) -> Vital { vitals.span[place].vital }

    /// The place of a vital in `vitals`; `nil` when the sensor never spoke of it.
    func place(of vital: Vital) -> Int? {
        let vitals = vitals.span
        for place in vitals.indices where vitals[place].vital == vital { return place }
        return nil
    }

    /// The place of a vital in `vitals`, made if the sensor never spoke of it.
    mutating func place(of vital: Vital, limits: FreshnessLimits) -> Int {
        if let place = place(of: vital) { return place }
        vitals.append(SensorVital(vital: vital, limits: limits))
        return vitals.count - 1
    }

    /// What the sensor has to offer for a vital; `nil` when it never spoke of it.
    func rank(of vital: Vital) -> Standing.Rank? {
        place(of: vital).map { vitals[$0].standing.rank }
    }
}
