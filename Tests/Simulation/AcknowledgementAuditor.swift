import Foundation

/// Checks that what is acknowledged is not unacknowledged by itself.
///
/// The article *Alarms* of the monitoring: an acknowledgement ends with the episode, or when the value is worse by a step
/// than the worst that was acknowledged. It outlives a power cut, but for the last second before it.
final class AcknowledgementAuditor {
    /// An alarm, by its title and, where it is about one, its sensor.
    private struct Name: Hashable {
        var title: AlarmTitle
        var sensor: SensorTruth.Kind?
    }

    /// What is known of an alarm that was shown.
    private struct Answer {
        var isAcknowledged: Bool
        /// The value that was the newest when it was answered.
        var value: Double?
        /// When it was answered.
        var since: Double
        /// Whether it was absent since.
        var wasAbsent = false
    }

    /// How much worse a value must be to end an answer.
    private static let steps: [SensorTruth.Kind: Double] = [.thermometer: 1, .strap: 20, .oximeter: 5]
    /// How long a value may take to the screen on a slow bus.
    private static let way = 17.0
    /// What a power cut may take of the answers; what a full or slow disk has not taken is lost with it.
    private static let lostByPowerCut = 2.0
    /// How long the screen may take to show an answer.
    private static let drawn = 1.0

    private let night: Night
    private var answers: [Name: Answer] = [:]
    /// The alarms that were unanswered when somebody pressed the key, with their marks, and when.
    private var asked: (marks: [Name: Int], time: Double)?
    private var lastKey = 0.0

    init(_ night: Night) { self.night = night }

    /// The program starts again after a power cut.
    func begin(at time: Double) {
        asked = nil
        guard let cut = night.powerCuts.last(where: { $0 < time }) else { return }
        let isRecorded = night.isRecorded(before: cut)
        // Alarms about the equipment come back from their conditions.
        answers = answers.filter {
            isRecorded && $0.key.title.kind != nil && $0.value.since < cut - Self.lostByPowerCut
        }
    }

    /// Somebody types, while a frame is shown.
    func follow(key octets: ArraySlice<UInt8>, on frame: ShownFrame?, at time: Double) {
        defer { lastKey = time }
        // What was typed just before may have opened a page that no frame shows yet.
        guard octets.elementsEqual("a".utf8), let frame, lastKey < frame.time, let keys = frame.rows.last,
            // Where a question is asked, it is something else.
            keys.starts(with: " a acknowledge".utf8)
        else { return }
        let unanswered = frame.alarms.named.filter { !$0.isAcknowledged }
        asked = (
            Dictionary(unanswered.compactMap { alarm in name(alarm).map { ($0, alarm.marks) } }) { min($0, $1) }, time
        )
    }

    /// What is wrong with the answers of a frame.
    func wrong(_ frame: ShownFrame, count: (String) -> Void) -> [String] {
        var wrong: [String] = []
        let time = frame.time
        let shown = frame.alarms.named.compactMap { alarm in name(alarm).map { ($0, alarm) } }
        for (name, alarm) in shown {
            if let asked, let marks = asked.marks[name], time > asked.time + Self.drawn, time < asked.time + 3 {
                count("the key acknowledges what is shown")
                // What is wrong with the equipment is more urgent when the last number goes.
                let isWorse =
                    name.title.kind.map { hasChanged($0, from: asked.time - Self.way, to: time) }
                    ?? (alarm.marks > marks || hasHappened(from: asked.time, to: time))
                if !alarm.isAcknowledged, !isWorse {
                    wrong.append("\(name.title.rawValue) is not acknowledged by the key")
                }
            }
            if let answer = answers[name], answer.isAcknowledged {
                count("what is acknowledged stays so")
                if !alarm.isAcknowledged, !mayBeAnew(name, answer, frame) {
                    wrong.append("\(name.title.rawValue) was acknowledged, and is not any more")
                    // The finding stands as long as it does.
                    continue
                }
            }
            let isNew = alarm.isAcknowledged && answers[name]?.isAcknowledged != true
            answers[name] = Answer(
                isAcknowledged: alarm.isAcknowledged, value: isNew ? value(alarm) : answers[name]?.value,
                since: isNew ? time : answers[name]?.since ?? time)
        }
        if frame.alarms.unnamed == 0 {
            for name in answers.keys where !shown.contains(where: { $0.0 == name }) { answers[name]?.wasAbsent = true }
        }
        if let asked, time > asked.time + 3 { self.asked = nil }
        return wrong
    }

    private func name(_ alarm: ShownAlarm) -> Name? {
        guard let title = alarm.title, !alarm.isShortened || title == .fever else { return nil }
        if title.kind != nil { return Name(title: title) }
        // Two sensors may have the same alarm.
        return AlarmTitle.aboutAbsence.contains(title) && alarm.sensor == nil
            ? nil : Name(title: title, sensor: alarm.sensor)
    }

    /// Whether an alarm that was acknowledged may be unanswered: it is a new one, or has become worse.
    private func mayBeAnew(_ name: Name, _ answer: Answer, _ frame: ShownFrame) -> Bool {
        guard let kind = name.title.kind, let truth = night.truths.first(where: { $0.kind == kind }) else {
            // What is wrong with the equipment ends and begins with its cause, and is more urgent where nothing is measured.
            return answer.wasAbsent
                || night.faults.contains { fault in
                    [fault.start, fault.end].contains { $0 > answer.since - Self.way && $0 <= frame.time }
                }
        }
        let values = truth.steps.filter { $0.start <= frame.time && $0.end >= answer.since - Self.way }
            .compactMap { Double($0.value) }
        guard let step = Self.steps[kind], let worst = answer.value else {
            return true
        }
        let isLow = name.title.isLow
        if values.contains(where: { isLow ? $0 <= worst - step + 0.06 : $0 >= worst + step - 0.06 }) { return true }
        // A fever is over after half an hour without a warm sample.
        if name.title == .fever || name.title == .sustainedFever {
            let warm = truth.steps.filter { $0.start <= frame.time && (Double($0.value) ?? 0) >= 37.8 }
            return (warm.last?.end ?? 0) < frame.time - 1500
        }
        let limit = AlarmModel.limits.first { $0.title == name.title }
        return values.contains { limit?.isClear(of: $0) ?? true }
    }

    /// The value that an alarm's text has, in the sensor's unit.
    private func value(_ alarm: ShownAlarm) -> Double? {
        let words = alarm.text.components(separatedBy: " · ")[0].split(separator: " ")
        guard
            let place = words.indices.first(where: { place in
                place > 0 && Double(words[place]) != nil && place + 1 < words.count
                    && ["%", "bpm", "°C", "°F"].contains(words[place + 1])
            }), let number = Double(words[place])
        else { return nil }
        return words[place + 1] == "°F" ? (number - 32) / 1.8 : number
    }

    /// Whether something has begun to go wrong in a time, by which the last number may have gone.
    private func hasHappened(from start: Double, to end: Double) -> Bool {
        night.faults.contains { $0.start > start && $0.start <= end }
    }

    private func hasChanged(_ kind: SensorTruth.Kind, from start: Double, to end: Double) -> Bool {
        night.truths.first { $0.kind == kind }?.steps.contains { $0.start > start && $0.start <= end } ?? true
    }
}

extension AlarmTitle {
    /// Whether the lower value is the worse one.
    fileprivate var isLow: Bool {
        [.saturationSeverelyLow, .saturationLow, .rateSeverelyLow, .rateLow, .temperatureLow].contains(self)
    }
}
