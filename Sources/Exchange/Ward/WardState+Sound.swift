import Monitoring
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
