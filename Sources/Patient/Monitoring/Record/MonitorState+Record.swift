import Base
import Vitals

// Manual entries are spot values, evaluated at once and one by one.
extension MonitorState {
    /// Handles an entry that a sensor transfers; a repeated one changes nothing.
    mutating func receive(_ entry: RecordEntry) -> [Effect] {
        let (found, made) = row(for: entry.sensor, as: .streaming)
        guard found != nil else { return made + reportDropped(entry.sensor) }
        guard !patientRecord.entries.contains(where: { $0.isRepeat(of: entry) }),
            !entriesOfOthers.contains(where: { $0.isRepeat(of: entry) }),
            !deviceUsers.waiting.contains(where: { $0.isRepeat(of: entry) })
        else { return made }
        cuff = nil
        var entry = entry
        if settings.confirmsMeasurements, !entry.isHistory, entry.facts.confirmation == nil {
            entry.facts.confirmation = .awaited
        }
        let verdict = userVerdict(on: entry)
        if case .other(let chosen) = verdict {
            rememberOfOther(entry)
            return made + leaveOut(entry, chosen: chosen)
        }
        if entry.isFromMemory, isOfOther(entry.taken) {
            rememberOfOther(entry)
            return made + [.entry(entry)]
        }
        // Several may arrive in one notification, or at the same moment as a typed one.
        while (patientRecord.entries + deviceUsers.waiting).contains(where: { $0.id == entry.id }) {
            entry.enteredAt.monotonicNanoseconds += 1
        }
        if case .unknown(let other) = verdict { return made + hold(entry, besides: other) }
        return made + enter(entry)
    }

    /// Remembers what is another person's, so that nothing is said or stored of it when it comes again.
    private mutating func rememberOfOther(_ entry: RecordEntry) {
        entriesOfOthers.append(entry)
        if entriesOfOthers.count > Self.othersLimit { entriesOfOthers.removeFirst() }
    }

    /// Whether a measurement is from before this patient's record, and so belongs to the previous patient.
    ///
    /// A user who types an entry assigns it to a patient; a sensor with a memory does not.
    func isOfOther(_ moment: Moment) -> Bool { patientSince.map { moment.wallMilliseconds < $0 } ?? false }

    /// The number of remembered entries of other patients.
    private static let othersLimit = 256

    /// Adds an entry, which may correct another one.
    mutating func enter(_ entry: RecordEntry) -> [Effect] {
        guard patientRecord.insert(entry) else { return [] }
        countUser(of: entry)
        var effects: [Effect] = []
        // First the corrected entry is retracted, so that both do not raise the same alarm.
        if let correction = entry.correction {
            effects += retract(correction.corrected, reason: correction.reason)
        }
        effects += [.entry(entry)]
        if case .neutrophils(let count) = entry.content {
            // The same count entered again is still an action for the log.
            effects += report(.neutrophilsEntered(count))
        } else if entry.source == .typed {
            effects += report(.entered(entry))
        }
        // A file may contain an entry that was a mistake there.
        if !entry.isRetracted, let count = entry.neutrophilCount { effects += weighFevers(byEntered: count) }
        if entry.kind == .lab { findNewestLab() }
        return effects + followCalibrations(after: entry) + followLabReminder() + evaluateManual(entry)
    }

    /// Retracts an entry: its effects end, and the entry before it applies again.
    mutating func retract(_ id: RecordEntry.ID, reason: String = "") -> [Effect] {
        guard let entry = patientRecord.retract(id, reason: reason, at: now) else { return [] }
        var effects: [Effect] = [.entry(entry)]
        effects += report(.retracted(entry)) + followCalibrations(after: entry)
        effects += retractCalibrations(with: entry, reason: reason)
        if let count = entry.neutrophilCount, neutrophils == count {
            effects += weighFevers(by: patientRecord.newestNeutrophils ?? settings.fever.neutrophils)
        }
        if entry.kind == .lab { findNewestLab() }
        return effects + followLabReminder() + evaluateManual(entry, isMistake: true)
    }

    /// Confirms measurements that sensors have handed over: their marks go, and those of their alarms.
    mutating func confirm(_ ids: [RecordEntry.ID]) -> [Effect] {
        var effects: [Effect] = []
        for id in ids {
            guard let entry = patientRecord.confirm(id, at: now) else { continue }
            effects += [.entry(entry)] + report(.confirmed(entry)) + evaluateManual(entry)
        }
        return effects
    }

    /// Weights fevers by an entered count, unless a newer blood sample is known.
    private mutating func weighFevers(byEntered count: NeutrophilCount) -> [Effect] {
        if let newest = patientRecord.newestNeutrophils, newest.sampledAt > count.sampledAt { return [] }
        return weighFevers(by: count)
    }

    /// Restores entries of earlier runs: they are shown with their age, and those still valid are evaluated again.
    ///
    /// - Parameters:
    ///   - earlier: The patient's entries, in any order.
    ///   - moment: The present, by both clocks; entries after it by the wall clock (which may have been set back) are
    ///     omitted.
    /// - Returns: The effects.
    public mutating func restore(_ earlier: [RecordEntry], at moment: Moment) -> [Effect] {
        let effects = advance(to: moment)
        for entry in earlier {
            let age = now.wallMilliseconds.subtractingSaturated(entry.taken.wallMilliseconds)
            let isNear = age < PatientRecord.reach(of: entry.kind).components.seconds * 1000
            guard age >= 0, isNear || entry.isUnconfirmed else { continue }
            _ = patientRecord.insert(onPresentClock(entry))
            countUser(of: entry)
        }
        findNewestLab()
        let known = calibrations
        // A fever resumed after a restart is evaluated by all known values.
        if !board.contains(AlarmKey(.manual, kind: .feverSingle)) {
            let oldest = Vital.bodyTemperature.traits.validity
            patientRecord.declareFeverOver(at: now.advanced(by: Duration.zero - oldest))
        }
        return effects + (known.isEmpty ? [] : [.calibrations(known)]) + followLabReminder() + evaluateManualLimits()
            + evaluateManualFever() + settle()
    }

    /// An entry of an earlier run, with the time of its measurement by the present monotonic clock, which has restarted
    /// with the computer.
    func onPresentClock(_ entry: RecordEntry) -> RecordEntry {
        var entry = entry
        let age = now.wallMilliseconds.subtractingSaturated(entry.taken.wallMilliseconds)
        entry.taken.monotonicNanoseconds = now.monotonicNanoseconds.subtractingSaturated(
            age.multipliedSaturated(by: 1_000_000))
        return entry
    }

    private mutating func evaluateManual(_ entry: RecordEntry, isMistake: Bool = false) -> [Effect] {
        var effects = evaluateManualLimits(isMistake: isMistake)
        if entry.kind == .bodyTemperature { effects += evaluateManualFever(isMistake: isMistake) }
        return effects
    }

    /// Evaluates the newest value of each vital by the limits: without a delay, because no second value will confirm
    /// it, and until the next one is within them or it expires.
    mutating func evaluateManualLimits(isMistake: Bool = false) -> [Effect] {
        guard !patientRecord.entries.isEmpty else { return [] }
        var effects: [Effect] = []
        for vital in MonitorSettings.Limits.vitals {
            guard let bounds = limitBook.bounds[vital.index] else { continue }
            let sample = patientRecord.newest(vital)
            let left = sample.map { timeLeft(since: $0.moment, vital) } ?? .zero
            let beyond = patientRecord.newestBeyondRange(vital)
            for kind in [LimitKind.severeLow, .severeHigh, .low, .high] {
                let limit = bounds.limits[kind]
                if let beyond, let side = beyond.absence?.beyondRange, kind.alarmKind.isLimit(of: side),
                    limit.value != nil, timeLeft(since: beyond.taken, vital) > .zero
                {
                    effects += evaluateManual(
                        AlarmKey(.manual, vital: vital, kind: kind.alarmKind), .met,
                        AlarmEvidence(
                            sensor: beyond.sensor, priority: limit.priority, vital: vital, measuredAt: beyond.taken,
                            limit: limit.value, boundaries: boundaries(of: vital), reason: beyond.absence,
                            isUnconfirmed: beyond.isUnconfirmed),
                        minimumDuration: timeLeft(since: beyond.taken, vital), isMistake: isMistake)
                    continue
                }
                let isMet =
                    left > .zero
                    && sample.map { bounds.verdict(kind, $0.value.hundredths) == .met && $0.site != .skin }
                        ?? false
                effects += evaluateManual(
                    AlarmKey(.manual, vital: vital, kind: kind.alarmKind),
                    isMet ? .met : .unmet,
                    AlarmEvidence(
                        sensor: sample?.sensor ?? .manual, priority: limit.priority, vital: vital, site: sample?.site,
                        value: sample?.value, measuredAt: sample?.moment, limit: limit.value,
                        boundaries: boundaries(of: vital), isUnconfirmed: sample?.isUnconfirmed ?? false),
                    minimumDuration: isMet ? left : nil, isMistake: isMistake)
            }
        }
        return effects
    }

    /// Evaluates the typed temperatures by the fever rule, in the order of measurement: a late entry counts at its
    /// time, and a retracted one not at all.
    mutating func evaluateManualFever(isMistake: Bool = false) -> [Effect] {
        var rule = FeverRule()
        var verdict: FeverVerdict?
        var newest: Sample?
        for sample in patientRecord.samples(of: .bodyTemperature) {
            if let start = patientRecord.feverStart, sample.moment <= start { continue }
            verdict = rule.evaluate(sample, settings: settings.fever)
            newest = sample
        }
        return evaluateManual(
            AlarmKey(.manual, kind: .feverSingle), verdict?.single ?? .unmet,
            AlarmEvidence(
                sensor: newest?.sensor ?? .manual, priority: feverRisk.priority, vital: .bodyTemperature,
                site: newest?.site,
                value: newest?.value, measuredAt: newest?.moment, limit: verdict?.singleLimit,
                boundaries: boundaries(of: .bodyTemperature), feverRisk: feverRisk,
                feverRule: settings.fever.rule, isUnconfirmed: newest?.isUnconfirmed ?? false),
            isMistake: isMistake)
    }

    /// Evaluates the manual entries of a vital.
    ///
    /// - Parameter isMistake: Whether an entry was retracted: an alarm raised by a mistake does not latch.
    private mutating func evaluateManual(
        _ key: AlarmKey, _ verdict: AlarmVerdict, _ evidence: AlarmEvidence, minimumDuration: Duration? = nil,
        isMistake: Bool
    ) -> [Effect] {
        if isMistake, verdict == .unmet, let alarm = board.alarms.first(where: { $0.key == key }) {
            return board.clear(alarm.id, now)?.effects ?? []
        }
        return board.evaluate(key, verdict, evidence: evidence, minimumDuration: minimumDuration, now: now)
    }

    /// How long a value is still valid.
    private func timeLeft(since moment: Moment, _ vital: Vital) -> Duration {
        vital.traits.validity - now.since(moment)
    }
}
