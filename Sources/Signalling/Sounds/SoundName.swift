import Monitoring
import Vitals

extension Sound {
    /// The named sounds, in the order of a list.
    ///
    /// Any saturation from 70 to 100 has a pulse tone; the list shows one of each range.
    package static var named: [(name: String, explanation: String)] {
        AlarmPriority.allCases.reversed().flatMap { priority in
            SoundCategory.allCases.reversed().map { category in
                let sound = Sound.alarm(AlarmSound(priority, category))
                return (sound.name, "alarm of \(priority.rawValue) priority about \(category.text)")
            }
        } + [
            (Sound.reminder.name, "reminds of alarms whose sound is paused or off"),
            (Sound.test.name, "a steady tone of one second, to test the loudspeaker"),
            ("pulse-98", "pulse at a saturation of 98 %, and so on from 70 to 100"),
            ("pulse-94", "pulse below 97 %: with a tremolo"),
            ("pulse-85", "pulse below 90 %: with a tremolo and harsh"),
        ]
    }

    /// Its name: "high", "medium-oxygen", "reminder", "pulse-98".
    package var name: String {
        switch self {
        case .alarm(let alarm) where alarm.category == .general: alarm.priority.rawValue
        case .alarm(let alarm): "\(alarm.priority.rawValue)-\(alarm.category.rawValue)"
        case .reminder: "reminder"
        case .test: "test"
        case .pulse(let pulse):
            pulse.saturation.hundredths.isMultiple(of: 100)
                ? "pulse-\(pulse.saturation.hundredths / 100)" : "pulse-\(Double(pulse.saturation.hundredths) / 100)"
        }
    }

    /// Creates the sound with a name; `nil` for an unknown name.
    ///
    /// A category alone has high priority.
    package init?(name: String) {
        if name == "reminder" {
            self = .reminder
        } else if name == "test" {
            self = .test
        } else if let category = SoundCategory(rawValue: name) {
            self = .alarm(AlarmSound(.high, category))
        } else {
            let parts = name.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            if parts[0] == "pulse" {
                guard parts.count == 2, let percent = Double(parts[1]), (0...100).contains(percent) else { return nil }
                self = .pulse(PulseTone(saturation: VitalValue(hundredths: Int((percent * 100).rounded()))))
                return
            }
            let category = parts.count == 1 ? SoundCategory.general : SoundCategory(rawValue: String(parts[1]))
            guard let priority = AlarmPriority(rawValue: String(parts[0])), let category else { return nil }
            self = .alarm(AlarmSound(priority, category))
        }
    }
}

extension SoundCategory {
    /// Its meaning: "oxygen saturation".
    fileprivate var text: String {
        switch self {
        case .cardiac: "heart or pulse rate"
        case .oxygen: "oxygen saturation"
        case .temperature: "temperature"
        case .equipment: "the equipment"
        case .general: "anything else"
        case .infusion, .ventilation: "what the settings choose"
        }
    }
}
