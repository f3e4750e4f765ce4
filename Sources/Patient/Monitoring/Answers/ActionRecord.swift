import Base
import Vitals

/// An answer to alarms, a change of their rules, the end of such an answer, or a user's end of a link; for the log.
public struct ActionRecord: Codable, Hashable, Sendable {
    public var moment: Moment
    public var actor: Actor
    public var kind: Kind

    public init(moment: Moment, actor: Actor, kind: Kind) {
        self.moment = moment
        self.actor = actor
        self.kind = kind
    }

    /// Who acted; the raw value is the name in the log.
    public enum Actor: String, Codable, Hashable, Sendable {
        case user
        /// The program: a time was over, the time of day changed, an alarm ended a pause.
        case program
    }

    /// The kind of action.
    public enum Kind: Codable, Hashable, Sendable {
        /// These alarms were acknowledged.
        case acknowledged([Alarm.ID])
        /// The user declared this alarm, of this kind, over.
        case cleared(Alarm.ID, SnoozeKey)
        /// A user of the ward's screen answered this alarm; with a text for users: "Anna at ward-2 is going".
        case answeredFromWard(Alarm.ID, String)
        /// The sound was paused until then.
        case audioPaused(until: Moment)
        /// The audio pause ended; because of this alarm, if any.
        case audioPauseEnded(by: Alarm.ID?)
        /// A planned silence began, or was given another end, while the screen with this name sounds.
        case silenceBegan(until: Moment, by: String)
        /// A planned silence ended, or did not begin.
        case silenceEnded(SilenceEnd)
        /// A kind of alarm was silenced until then.
        case snoozed(SnoozeKey, until: Moment)
        /// A kind of alarm is heard again.
        case snoozeEnded(SnoozeKey)
        /// A sensor's alarms are held for care until then.
        case carePaused(SensorIdentity, until: Moment)
        /// A sensor's alarms are no longer held.
        case carePauseEnded(SensorIdentity)
        /// A limit, or another rule for a vital, was changed.
        case limitChanged(Vital, from: LimitSetting, to: LimitSetting)
        /// A change of a limit was refused.
        case limitRefused(LimitError)
        /// The limits of the settings apply again.
        case limitsReset
        /// Another entry of the schedule came into force; `nil` for none.
        case scheduleChanged(String?)
        /// A setting was changed on the screen: its name, and its value as in a file.
        case settingChanged(String, String)
        /// A neutrophil count was entered, or retracted.
        case neutrophilsEntered(NeutrophilCount?)
        /// An entry was typed.
        indirect case entered(RecordEntry)
        /// An entry was retracted.
        indirect case retracted(RecordEntry)
        /// A measurement that a sensor had handed over was confirmed.
        indirect case confirmed(RecordEntry)
        /// A sensor was disconnected.
        case disconnected(SensorIdentity)
        /// A measurement of another person than the chosen one was left out.
        case otherUser(SensorIdentity, user: Int, chosen: Int)
        /// A device transfers measurements of several persons, and the user has not said which one is the patient.
        case severalUsers(SensorIdentity, Int, Int)
        /// The user said which person of a device is the patient.
        case userChosen(SensorIdentity, Int)
        /// A sensor was disconnected and forgotten.
        case forgotten(SensorIdentity)
        /// A pairing with a sensor was started, which ends its link.
        case pairingStarted(SensorIdentity)
        /// A thermometer was told how often to measure, in seconds; 0 for on request only.
        case intervalRequested(SensorIdentity, seconds: Int)
        /// Another adapter was chosen, which ends all links.
        case adapterChosen(String)
        /// Another patient: trends, pauses, changed limits and physiological alarms were forgotten.
        case newPatient
        /// The program restarted: earlier pauses and snoozes no longer apply.
        case restarted
        /// The program restarted, and earlier changes on the screen still apply.
        case resumed(MonitorMemory)
    }
}

extension ActionRecord {
    /// The kinds of actions without their values; the raw value is the name in the log and in JSON.
    public enum Name: String, CaseIterable, Sendable {
        case acknowledged, cleared
        case answeredFromWard = "answered_from_ward"
        case audioPaused = "audio_paused"
        case audioPauseEnded = "audio_pause_ended"
        case silenceBegan = "silence_began"
        case silenceEnded = "silence_ended"
        case snoozed
        case snoozeEnded = "snooze_ended"
        case carePaused = "care_paused"
        case carePauseEnded = "care_pause_ended"
        case limitChanged = "limit_changed"
        case limitRefused = "limit_refused"
        case limitsReset = "limits_reset"
        case scheduleChanged = "schedule_changed"
        case settingChanged = "setting_changed"
        case neutrophilsEntered = "neutrophils_entered"
        case entered
        case retracted = "entry_retracted"
        case confirmed = "entry_confirmed"
        case disconnected, forgotten
        case otherUser = "other_user"
        case severalUsers = "several_users"
        case userChosen = "user_chosen"
        case pairingStarted = "pairing_started"
        case intervalRequested = "interval_requested"
        case adapterChosen = "adapter_chosen"
        case newPatient = "new_patient"
        case restarted, resumed

        /// The sentence that is sent to a ward instead of the action's own; `nil` if the action's own may be sent.
        ///
        /// A sentence may be sent if it contains only fixed words, limits and the name of a sensor, which readings
        /// contain, too; not if it can contain typed text.
        public var sentenceForOthers: String? {
            switch self {
            case .acknowledged, .cleared, .audioPaused, .audioPauseEnded, .snoozed, .snoozeEnded, .carePaused,
                .carePauseEnded, .limitChanged, .limitRefused, .limitsReset, .disconnected, .forgotten,
                .otherUser, .severalUsers, .userChosen, .pairingStarted, .intervalRequested, .newPatient, .restarted:
                nil
            case .answeredFromWard: "an alarm answered from the ward"
            case .silenceBegan: "silent as planned, while another screen sounds"
            case .silenceEnded: "sounds again after a planned silence"
            case .scheduleChanged: "another entry of the schedule is in force"
            case .settingChanged: "a setting changed"
            case .neutrophilsEntered: "a neutrophil count entered, or taken back"
            case .entered: "entered by hand"
            case .retracted: "an entry taken back as a mistake"
            case .confirmed: "a measurement confirmed"
            case .adapterChosen: "another adapter chosen"
            case .resumed: "still in force what was before the restart"
            }
        }
    }
}

extension ActionRecord.Kind {
    /// Its name in the log and in JSON.
    public var word: String { name.rawValue }

    /// The kind without its values.
    public var name: ActionRecord.Name {
        switch self {
        case .acknowledged: .acknowledged
        case .cleared: .cleared
        case .answeredFromWard: .answeredFromWard
        case .audioPaused: .audioPaused
        case .audioPauseEnded: .audioPauseEnded
        case .silenceBegan: .silenceBegan
        case .silenceEnded: .silenceEnded
        case .snoozed: .snoozed
        case .snoozeEnded: .snoozeEnded
        case .carePaused: .carePaused
        case .carePauseEnded: .carePauseEnded
        case .limitChanged: .limitChanged
        case .limitRefused: .limitRefused
        case .limitsReset: .limitsReset
        case .scheduleChanged: .scheduleChanged
        case .settingChanged: .settingChanged
        case .neutrophilsEntered: .neutrophilsEntered
        case .entered: .entered
        case .retracted: .retracted
        case .confirmed: .confirmed
        case .disconnected: .disconnected
        case .forgotten: .forgotten
        case .otherUser: .otherUser
        case .severalUsers: .severalUsers
        case .userChosen: .userChosen
        case .pairingStarted: .pairingStarted
        case .intervalRequested: .intervalRequested
        case .adapterChosen: .adapterChosen
        case .newPatient: .newPatient
        case .restarted: .restarted
        case .resumed: .resumed
        }
    }

    /// What happened, as a sentence without a full stop.
    public var text: String {
        switch self {
        case .acknowledged(let alarms):
            "\(alarms.count) \(alarms.count == 1 ? "alarm" : "alarms") acknowledged"
        case .cleared(_, let key): "\(key.text) declared over"
        case .answeredFromWard(_, let words): sanitized(words, limit: 160)
        case .audioPaused: "sound paused"
        case .audioPauseEnded(nil): "sound no longer paused"
        case .audioPauseEnded(by: .some): "sound no longer paused, because another alarm began"
        case .silenceBegan(_, let name): "silent as planned, sounded by \(name)"
        case .silenceEnded(.nobody): "not silent: no ward screen confirmed that it sounds"
        case .silenceEnded(let end): "sounds again\(end.text.map { ": \($0)" } ?? "")"
        case .snoozed(let key, _): "\(key.text) \(key.kind == .labDue ? "deferred" : "snoozed")"
        case .snoozeEnded(let key): "\(key.text) no longer \(key.kind == .labDue ? "deferred" : "snoozed")"
        case .carePaused(let sensor, _): "alarms of \(sensor.name) held for care"
        case .carePauseEnded(let sensor): "alarms of \(sensor.name) no longer held"
        case .limitChanged(let vital, let before, let after):
            "\(after.name.title) of \(vital.text) changed from \(before.text(of: vital)) to \(after.text(of: vital))"
        case .limitRefused(let conflict): "limit not changed: \(conflict)"
        case .limitsReset: "changed limits taken back"
        case .scheduleChanged(nil): "no entry of the schedule is in force any more"
        case .scheduleChanged(let name?): "the schedule's entry \"\(name)\" is in force"
        case .settingChanged(let name, let value): "setting \(name) changed to \(value)"
        case .neutrophilsEntered(nil): "neutrophil count taken back"
        case .neutrophilsEntered(let count?): "neutrophil count of \(count.perMicrolitre)/µL entered"
        case .entered(let entry): "entered by hand: \(entry.text)"
        case .retracted(let entry):
            "taken back as a mistake: \(entry.text)\(entry.retractionReason.isEmpty ? "" : " (\(entry.retractionReason))")"
        case .confirmed(let entry): "confirmed: \(entry.text)"
        case .otherUser(let sensor, let user, let chosen):
            "\(sensor.name): a measurement of user \(user) left out, because the patient is user \(chosen)"
        case .severalUsers(let sensor, let first, let second):
            "\(sensor.name) measures users \(min(first, second)) and \(max(first, second)): what it hands over waits "
                + "until it is known which one is the patient; say it on the screen, or as sensors.users = "
                + "[\"\(sensor.name) = \(first)\"]"
        case .userChosen(let sensor, let number): "\(sensor.name): the patient is user \(number)"
        case .disconnected(let sensor): "\(sensor.name) disconnected by hand"
        case .forgotten(let sensor): "\(sensor.name) disconnected and forgotten by hand"
        case .pairingStarted(let sensor): "pairing with \(sensor.name) started by hand"
        case .intervalRequested(let sensor, 0): "\(sensor.name) told by hand to measure on request only"
        case .intervalRequested(let sensor, let seconds):
            "\(sensor.name) told by hand to measure every \(Duration.seconds(seconds).text)"
        case .adapterChosen(let name): "adapter \(name) chosen by hand"
        case .newPatient: "new patient: trends, pauses, changed limits and alarms about the patient forgotten"
        case .restarted: "program restarted: earlier pauses and snoozes no longer apply"
        case .resumed(let memory): "still in force from before the restart: \(memory.text)"
        }
    }
}

extension SnoozeKey {
    /// The alarms in plain text: "SpO₂ low".
    public var text: String {
        vital.map { kind.isNamedByVital ? "\($0.shortText) \(kind.title)" : kind.title } ?? kind.title
    }
}

extension AlarmLimit {
    /// The limit as text: "90 (medium, after 15 s)", "off".
    public func text(of vital: Vital) -> String {
        guard let value else { return "off" }
        let wait = delay > .zero ? ", after \(delay.text)" : ""
        return "\(value.text(of: vital)) (\(priority.rawValue)\(wait))"
    }
}
