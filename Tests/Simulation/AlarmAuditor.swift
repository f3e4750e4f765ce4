/// Checks the alarms of each frame: those that must be there, those that must not, and what they say.
final class AlarmAuditor {
    private let night: Night
    private let model: AlarmModel
    private let technical: TechnicalAlarmModel
    private let text: AlarmTextAuditor
    private var start = 0.0

    init(_ night: Night) {
        self.night = night
        model = AlarmModel(night)
        technical = TechnicalAlarmModel(night: night)
        text = AlarmTextAuditor(night: night)
    }

    /// The program starts.
    func begin(at time: Double) {
        model.begin(at: time)
        start = time
    }

    /// Somebody types.
    func follow(key octets: ArraySlice<UInt8>, at time: Double) {
        if octets.contains(UInt8(ascii: "a")) { model.answer(at: time) }
    }

    /// What is wrong with the alarms of a frame.
    func wrong(_ frame: ShownFrame, count: (String) -> Void) -> [String] {
        let (alarms, time) = (frame.alarms, frame.time)
        var wrong = model.wrong(alarms, values: frame.isStale ? [:] : values(frame), at: time, count: count)
        wrong += technical.wrong(alarms, at: time, start: start, count: count)
        wrong += technical.wrongWords(frame, start: start, count: count)
        for alarm in alarms.named {
            let number = alarm.title?.kind.flatMap { frame.numbers[$0] }
            wrong += text.wrong(alarm, panel: number, isStale: frame.isStale, at: time, count: count)
        }
        return wrong
    }

    /// The numbers of the panels as the sensors have sent them; those of further sensors are none for an alarm, nor those that may
    /// be theirs.
    private func values(_ frame: ShownFrame) -> [SensorTruth.Kind: Double] {
        var values: [SensorTruth.Kind: Double] = [:]
        for truth in night.truths where truth.model == .usual {
            guard let number = frame.numbers[truth.kind] else { continue }
            let mayBeOther = night.truths.contains {
                $0.model != .usual && $0.kind == truth.kind
                    && $0.isTrue(number, from: frame.time - $0.longestAge, to: frame.time)
            }
            if mayBeOther { continue }
            let step = truth.steps.last {
                $0.start <= frame.time && $0.end >= frame.time - truth.kind.longestAge && $0.isShown(as: number)
            }
            values[truth.kind] = step.flatMap { Double($0.value) }
        }
        return values
    }
}
