/// A small model of the alarms about what sensors measure, written from the articles *Alarms* and *Fever rules* and from
/// the usual settings: whether each must be on the screen, must not be there, or may be either.
///
/// It has no states of alarms: it knows what each sensor measures, and which numbers the screen has shown as present.
final class AlarmModel {
    /// A limit of the usual settings.
    struct Limit {
        var title: AlarmTitle
        var kind: SensorTruth.Kind
        /// In the unit of the sensor.
        var value: Double
        var isLow: Bool
        /// How far a value must be back before the alarm can end.
        var hysteresis: Double
        /// How long it must be crossed.
        var delay = 0.0
        var marks = 2
        /// The alarms that cover it on the screen.
        var covering: [AlarmTitle] = []

        /// Whether a value is an alarm.
        func isCrossed(by value: Double) -> Bool { isLow ? value < self.value : value > self.value }

        /// Whether a value is so far back that the alarm ends.
        func isClear(of value: Double) -> Bool {
            // A tenth is not exact in binary.
            isLow ? value > self.value + hysteresis - 0.001 : value < self.value - hysteresis + 0.001
        }
    }

    static let limits = [
        Limit(title: .saturationSeverelyLow, kind: .oximeter, value: 85, isLow: true, hysteresis: 1, marks: 3),
        Limit(
            title: .saturationLow, kind: .oximeter, value: 90, isLow: true, hysteresis: 1, delay: 15,
            covering: [.saturationSeverelyLow]),
        Limit(title: .rateSeverelyHigh, kind: .strap, value: 140, isLow: false, hysteresis: 2, marks: 3),
        Limit(
            title: .rateHigh, kind: .strap, value: 120, isLow: false, hysteresis: 2, covering: [.rateSeverelyHigh]),
        Limit(title: .rateSeverelyLow, kind: .strap, value: 40, isLow: true, hysteresis: 2, marks: 3),
        Limit(title: .rateLow, kind: .strap, value: 50, isLow: true, hysteresis: 2, covering: [.rateSeverelyLow]),
        Limit(
            title: .temperatureHigh, kind: .thermometer, value: 38.0, isLow: false, hysteresis: 0.1, delay: 10,
            covering: [.fever, .sustainedFever]),
        Limit(title: .temperatureLow, kind: .thermometer, value: 35.5, isLow: true, hysteresis: 0.1, delay: 10),
    ]

    /// A temperature that is fever, and one that keeps it.
    private static let fever = (begin: 38.3, keep: 37.8)

    /// How long, in seconds, a number may be on the screen before its alarm is: it is drawn at once.
    private static let drawn = 1.0
    /// How long a fever's number may be on the screen before the fever is: three readings in a row, each no older than the
    /// twelve seconds after which its number is gone.
    private static let confirmed = 36.0
    /// For how long an alarm holds behind its cause (`minimum_hold`), with the second from one value to the next.
    private static let hold = 5.0 + 3
    /// How long a value may take to the screen on a slow bus, with the time for which it stays there without a newer one.
    private static let way = 17.0
    /// The longest time from one frame to the next while something is measured.
    private static let stop = 5.0
    /// What a power cut may take of the log: the article *Alarms* says the last second.
    private static let lostByPowerCut = 2.0
    /// How long the program may take to show the alarms of an earlier run.
    private static let restart = 5.0
    /// For how long no sample of a fever may be warm before it is over: half an hour, and time for doubt.
    private static let feverEnds = 1500.0

    /// What is known of one alarm.
    private struct Watch {
        /// Since when numbers that cross its limit, and no others, have been shown as present.
        var crossedSince: Double?
        /// Since when numbers that are clear of it, and no others, have been.
        var clearSince: Double?
        /// Since when it stands without doubt.
        var standsSince: Double?
        /// Whether it stood without doubt, and nobody has answered.
        var isUnanswered = false
        /// Whether it was on the last frame.
        var wasShown = false
        /// Whether it was acknowledged when it was named last, or may have been since.
        var wasAcknowledged = false

        /// Follows how a frame names it; just after the key was pressed, it may be the one before.
        mutating func follow(_ alarm: ShownAlarm?, hasJustAnswered: Bool) {
            guard let alarm, alarm.isAcknowledged || !hasJustAnswered else { return }
            wasAcknowledged = alarm.isAcknowledged
            if wasAcknowledged { isUnanswered = false }
        }

        /// Follows what a frame shows; `nil` where it shows no number.
        mutating func follow(isCrossed: Bool?, isClear: Bool?, at time: Double) {
            crossedSince = isCrossed == true ? crossedSince ?? time : nil
            clearSince = isClear == true ? clearSince ?? time : nil
        }
    }

    private let night: Night
    private var watches: [AlarmTitle: Watch] = [:]
    private var start = 0.0
    private var lastFrame = 0.0
    /// When somebody pressed the key that acknowledges.
    private var lastAnswer = -1.0

    init(_ night: Night) { self.night = night }

    /// The program starts again after a power cut.
    func begin(at time: Double) {
        if let cut = night.powerCuts.last(where: { $0 < time }) {
            let isRecorded = night.isRecorded(before: cut)
            for title in watches.keys {
                let isKept = isRecorded && (watches[title]?.standsSince ?? .infinity) < cut - Self.lostByPowerCut
                if !isKept {
                    watches[title]?.standsSince = nil
                    watches[title]?.isUnanswered = false
                }
                watches[title]?.crossedSince = nil
                watches[title]?.clearSince = nil
            }
        }
        start = time
    }

    /// Somebody has acknowledged, or may have.
    func answer(at time: Double) {
        lastAnswer = time
        for title in watches.keys {
            // One that is only counted is answered unseen.
            if watches[title]?.standsSince != nil || watches[title]?.isUnanswered == true {
                watches[title]?.wasAcknowledged = true
            }
            watches[title]?.isUnanswered = false
        }
    }

    /// What is wrong with the alarms of a frame.
    ///
    /// - Parameters:
    ///   - values: The numbers that the frame shows as present, in the sensors' units.
    ///   - count: Called with each rule that had something to check.
    func wrong(_ alarms: ShownAlarms, values: [SensorTruth.Kind: Double], at time: Double, count: (String) -> Void)
        -> [String]
    {
        var wrong: [String] = []
        // Nothing is evaluated while the computer sleeps.
        if time - lastFrame > Self.stop {
            for title in watches.keys { watches[title]?.follow(isCrossed: nil, isClear: nil, at: time) }
        }
        lastFrame = time
        for limit in Self.limits {
            var watch = watches[limit.title] ?? Watch()
            watch.follow(
                isCrossed: values[limit.kind].map(limit.isCrossed), isClear: values[limit.kind].map(limit.isClear),
                at: time)
            func isDoubtful(since start: Double) -> Bool {
                measures(limit.kind, from: start, to: time) { !limit.isCrossed(by: $0) }
            }
            if let since = watch.clearSince, time - since > Self.hold { watch.wasAcknowledged = false }
            if let since = watch.crossedSince, time - since >= limit.delay + Self.drawn, watch.standsSince == nil,
                !isDoubtful(since: since)
            {
                watch.standsSince = since
                // What is of high priority stays when its cause is over, but for one that goes on and was answered.
                watch.isUnanswered = limit.marks == 3 && !watch.wasAcknowledged
            }
            watch.follow(
                alarms.named.first { $0.title == limit.title && !$0.isShortened },
                hasJustAnswered: time - lastAnswer < Self.drawn)
            if let since = watch.standsSince, isDoubtful(since: since) { watch.standsSince = nil }
            if watch.standsSince != nil || watch.isUnanswered, time > start + Self.restart || start == 0 {
                count("a value beyond its limit is an alarm")
                // What is acknowledged or over comes behind what is not, and what covers it may be.
                let isAnswered = ([limit.title] + limit.covering).contains { watches[$0]?.wasAcknowledged == true }
                let marks = isAnswered || watch.wasAcknowledged || watch.standsSince == nil ? 1 : limit.marks
                if !alarms.show([limit.title] + limit.covering, marks: marks) {
                    wrong.append("no alarm \(limit.title.rawValue), which stands")
                }
            }
            wrong += unfounded(limit, watch, alarms, at: time, count: count)
            watch.wasShown = alarms.show([limit.title] + limit.covering)
            watches[limit.title] = watch
        }
        return wrong + fever(alarms, values[.thermometer], at: time, count: count)
    }

    /// What is wrong with an alarm that is shown.
    private func unfounded(
        _ limit: Limit, _ watch: Watch, _ alarms: ShownAlarms, at time: Double, count: (String) -> Void
    ) -> [String] {
        guard let alarm = alarms.named.first(where: { $0.title == limit.title && !$0.isShortened }) else { return [] }
        var wrong: [String] = []
        if !watch.wasShown, time > start + Self.restart {
            count("an alarm that begins has a cause")
            // Before that, the time for which its limit must be crossed, of which a part may lie before a pause.
            let crossed = measured(limit.kind, from: time - 120, to: time) { limit.isCrossed(by: $0) }
            if !measures(limit.kind, from: time - Self.way, to: time, limit.isCrossed) {
                wrong.append("an alarm \(limit.title.rawValue) begins without a cause")
            } else if crossed < limit.delay - 1 {
                wrong.append("an alarm \(limit.title.rawValue) begins before its time")
            }
        }
        if let since = watch.clearSince, time - since > Self.hold {
            count("an alarm whose value is back is over")
            // One of high priority stays until it is answered, and says that it is over.
            let stays = limit.marks == 3 && !alarm.isAcknowledged && alarm.standing == .over
            if !stays { wrong.append("an alarm \(limit.title.rawValue) stands, and its value is back") }
        }
        return wrong
    }

    /// What is wrong with the alarm about a fever.
    private func fever(_ alarms: ShownAlarms, _ value: Double?, at time: Double, count: (String) -> Void) -> [String] {
        var watch = watches[.fever] ?? Watch()
        watch.follow(isCrossed: value.map { $0 > Self.fever.begin - 0.001 }, isClear: nil, at: time)
        if let since = watch.crossedSince, time - since >= Self.confirmed {
            watch.standsSince = watch.standsSince ?? since
        }
        // Nobody's answer ends a fever, nor does the loss of its measurement.
        if watch.standsSince != nil,
            !measures(.thermometer, from: time - Self.feverEnds, to: time, { $0 > Self.fever.keep - 0.001 })
        {
            watch.standsSince = nil
        }
        watch.follow(
            alarms.named.first { $0.title == .fever }, hasJustAnswered: time - lastAnswer < Self.drawn)
        watches[.fever] = watch
        var wrong: [String] = []
        if watch.standsSince != nil, time > start + Self.restart || start == 0 {
            count("a fever is an alarm until it is over")
            let marks = watch.wasAcknowledged ? 1 : 3
            if !alarms.show([.fever, .sustainedFever], marks: marks) { wrong.append("no alarm FEVER, which stands") }
        }
        if alarms.named.contains(where: { $0.title == .fever }) {
            count("an alarm that begins has a cause")
            if !measures(.thermometer, from: 0, to: time, { $0 > Self.fever.begin - 0.001 }) {
                wrong.append("an alarm FEVER without a cause")
            }
        }
        return wrong
    }

    /// Whether a sensor measures a value of some kind in a time.
    private func measures(
        _ kind: SensorTruth.Kind, from start: Double, to end: Double, _ isMeant: (Double) -> Bool
    ) -> Bool {
        measured(kind, from: start, to: end, isMeant) > 0
    }

    /// For how long, in seconds, a sensor measures values of some kind in a time.
    private func measured(
        _ kind: SensorTruth.Kind, from start: Double, to end: Double, _ isMeant: (Double) -> Bool
    ) -> Double {
        let steps = night.truths.first { $0.kind == kind }?.steps ?? []
        var sum = 0.0
        for step in steps where step.start < end && step.end > start {
            guard let value = Double(step.value), isMeant(value) else { continue }
            sum += min(step.end, end) - max(step.start, start)
        }
        return sum
    }
}

extension Night {
    /// Whether a run may know what was before a power cut: its alarms are on the disk, and it can tell for how long the
    /// computer was off.
    func isRecorded(before cut: Double) -> Bool {
        !faults.contains { fault in
            switch fault.kind {
            // What waited for room on the disk is lost, too.
            case .fullDisk, .slowDisk: fault.start < cut && fault.end > cut - 60
            // A clock that was set is known with the next reading only. By such a clock it was off for hours.
            case .clockForward, .clockBack: fault.start < cut && fault.start > cut - 60
            default: false
            }
        }
    }
}
