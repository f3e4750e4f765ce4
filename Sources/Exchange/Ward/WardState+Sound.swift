import Monitoring
import Vitals
import WardMessages

extension WardState {
    /// The alarms that sound at the ward's screen: unanswered ones of beds that are heard, unless their kind is snoozed
    /// at the bed, and the ward's own.
    public var soundCauses: [RemoteAlarmSound.Cause] {
        var causes = ownAlarms.filter { !$0.isAcknowledged }.map { alarm in
            RemoteAlarmSound.Cause(
                episode: "\(alarm.kind.rawValue) \(alarm.bed.map { "\($0.site)/\($0.bed)" } ?? "")",
                priority: alarm.kind.priority)
        }
        forEachLiveBed { bed in
            for alarm in bed.alarms where alarm.sounds {
                let session = bed.current?.text ?? ""
                causes.append(
                    RemoteAlarmSound.Cause(
                        episode: "\(bed.bed.site)/\(bed.bed.bed) \(session) \(alarm.id)", priority: alarm.priority))
            }
        }
        return causes
    }

    /// The worst alarm at a bed that sounds here; `nil` if the ward's own are at least as bad, or there is none.
    public var worstSoundingAlarm: WardAlarm? {
        let alarms = beds.filter(\.link.isLive).flatMap { $0.alarms.filter(\.sounds) }
        guard let worst = alarms.min(by: { $0.isWorse(than: $1) }) else { return nil }
        let own = ownAlarms.filter { !$0.isAcknowledged }.map(\.kind.priority).max()
        return own.map { $0 >= worst.priority } ?? false ? nil : worst
    }
}

extension WardAlarm {
    fileprivate var sounds: Bool { report.wantsAttention && !isSnoozed }
}

// Planned silences of beds, during which this screen sounds for them.
extension WardState {
    /// Whether a bed wants to be silent while this screen sounds, so that the sound here must be proven.
    public var isAskedToSound: Bool {
        var isAsked = false
        forEachLiveBed { if $0.challenge != nil { isAsked = true } }
        return isAsked
    }

    /// The beds for which this screen sounds, in the order of their names.
    public var soundedBeds: [BedState] { beds.filter { $0.isSounded(at: now) } }

    /// Sets whether alarms are certain to sound at this screen; if they are not any more, silent beds are told at once.
    ///
    /// - Returns: The messages to the beds.
    public mutating func setSounding(_ isSounding: Bool, at moment: Moment) -> [WardEffect] {
        let effects = advance(to: moment)
        let wasSounding = self.isSounding
        self.isSounding = isSounding
        if wasSounding == isSounding { return effects }
        return effects + (isSounding ? startListening() : stopListening())
    }

    /// A report to a bed that this screen sounds, or does not any more.
    mutating func report(to bed: WardBed, _ session: WardToken, challenge: WardToken?) -> WardEffect {
        let listener = WardListener(session: session, screen: name, name: settings.computer, challenge: challenge)
        return .publish(WardTopic(bed, .command(.listen, request: nextRequest())), .listen(listener))
    }
}

extension BedState {
    /// Whether the bed's newest digest is that of the alarms here.
    var agrees: Bool { birthSequence >= 0 && mismatchSince == nil }

    /// Whether the bed is silent while this screen sounds for it.
    public func isSounded(at now: Moment) -> Bool {
        guard case .silent = sound, link.isLive, let listenedAt else { return false }
        return now.since(listenedAt) < PlannedSilence.freshness
    }
}
