import Vitals

/// Whether an oximeter sees too little of the pulse to be sure of its saturation, by its own perfusion index.
///
/// It says nothing about the patient: a cold finger is enough. The numbers of two makers cannot be compared, so it is a
/// doubt about the value beside it and has no limits. One value at or above ``weak`` restarts the time; once it has lasted
/// for ``delay``, only a value of ``recovered`` ends it.
///
/// Source: makers of hospital oximeters warn below 0.3 % to 0.5 %.
public struct PulseStrength: Codable, Hashable, Sendable {
    /// Below this perfusion index the pulse is weak.
    public static let weak = VitalValue(hundredths: 30)
    /// From this perfusion index on, a pulse that was weak no longer is.
    public static let recovered = VitalValue(hundredths: 40)
    /// How long it must be weak before that is said.
    public static let delay = Duration.seconds(10)

    /// Since when it has been weak; `nil` while it is not.
    private(set) var weakSince: MonotonicTime?
    /// Whether it has been weak for as long as it takes to say so.
    private(set) var isWeak = false

    /// Records a perfusion index.
    mutating func record(_ value: VitalValue, at time: MonotonicTime) {
        guard value < (isWeak ? Self.recovered : Self.weak) else { return interrupted() }
        let since = weakSince ?? time
        weakSince = since
        if time.since(since) >= Self.delay { isWeak = true }
    }

    /// Forgets the values before: nothing is known about the time in between.
    mutating func interrupted() { self = PulseStrength() }
}

extension MonitorState {
    /// Whether a saturation is doubtful because the same oximeter sees a weak pulse now.
    ///
    /// - Parameter vital: Any; other vitals do not depend on the perfusion index.
    public func hasWeakPulse(_ vital: Vital) -> Bool {
        guard vital.companions.contains(.perfusionIndex), case .measured(let sample) = self[vital].condition,
            let sensor = sensor(address: sample.sensor.address), let place = sensor.place(of: .perfusionIndex)
        else { return false }
        let perfusion = sensor.vitals[place]
        return perfusion.standing.hasValue && perfusion.pulse.isWeak
    }

    /// Records an oximeter's newest perfusion index, and evaluates the alarm about a weak pulse.
    mutating func recordPulse(row: Int, place: Int) -> [Effect] {
        guard let sample = table.list.span[row].sample(at: place), sample.quality.countsInFigures else { return [] }
        table[row].vitals[place].pulse.record(sample.value, at: sample.moment.monotonic)
        return evaluatePulse(row: row)
    }

    /// Forgets the pulse of an oximeter that gives no perfusion index any longer.
    mutating func interruptPulse(row: Int, place: Int) -> [Effect] {
        table[row].vitals[place].pulse.interrupted()
        return evaluatePulse(row: row)
    }

    /// Evaluates how long an oximeter has seen a weak pulse, where the settings want an alarm about it.
    mutating func evaluatePulse(row: Int) -> [Effect] {
        guard let place = table[row].place(of: .perfusionIndex) else { return [] }
        let key = AlarmKey(.sensor(table[row].ordinal), vital: .perfusionIndex, kind: .weakPulse)
        let delay = settings.technical.weakPulseDelay
        let perfusion = table[row].vitals[place]
        let isMet = delay != nil && perfusion.pulse.weakSince != nil
        guard isMet || board.contains(key) else { return [] }
        return board.evaluate(
            key, isMet ? .met : .unmet,
            evidence: AlarmEvidence(
                sensor: table[row].identity, priority: .low, vital: .perfusionIndex,
                value: perfusion.lastSample?.value, measuredAt: perfusion.lastSample?.moment, limit: PulseStrength.weak,
                duration: delay),
            delay: delay ?? .zero, now: now)
    }
}
