import Foundation

/// Checks that what an alarm's text says was measured: each number in its time, and each comparison true as it is written.
struct AlarmTextAuditor {
    let night: Night

    /// How long, in seconds, a value may be on its way, beside the time for which a number stands without a newer one.
    private static let way = 5.0

    /// What is wrong with an alarm's text.
    ///
    /// - Parameters:
    ///   - number: The number in the panel of its vital, where one stands there.
    ///   - isStale: Whether some number of the frame is called stale.
    ///   - check: Called with each rule that had something to check.
    func wrong(
        _ alarm: ShownAlarm, panel number: String?, isStale: Bool, at time: Double, count: (String) -> Void
    ) -> [String] {
        guard let title = alarm.title, let kind = title.kind, let truth = night.truths.first(where: { $0.kind == kind })
        else { return [] }
        var wrong: [String] = []
        let facts = alarm.text.components(separatedBy: " · ")
        let words = facts[0].dropFirst(title.rawValue.count).split(separator: " ").map(String.init)
        for said in Said.all(in: words) {
            count("a number in an alarm was measured")
            let from =
                switch said.word {
                case nil, "now": time - 6 * kind.interval - Self.way
                // Its last value, or the worst one of its time.
                default: 0.0
                }
            // A sensor that wakes with the computer may send first what it has measured before.
            let isMeasured = (truth.steps + truth.arriving).contains {
                $0.start <= time && $0.end >= from && $0.isShown(as: said.number)
            }
            if !isMeasured { wrong.append("\(title.rawValue) names a number that was not measured then") }
            // What is suspended has its last value, what is over its worst one.
            let isPresent = said.word == nil || said.word == "now"
            if isPresent, alarm.standing != .present, alarm.marks > 0 {
                wrong.append("\(title.rawValue) is \(alarm.standing), and has its number as present")
            }
            // Where several sensors measure the same, the panel may have the number of another one.
            if isPresent, alarm.standing == .present, !isStale, night.hasUsualSensorsAlone, let number {
                count("an alarm and its panel have the same number")
                if number != said.number { wrong.append("\(title.rawValue) has another number than its panel") }
            }
            if let (sign, limit) = said.comparison {
                count("a comparison in an alarm is true as written")
                guard let value = Double(said.number), let limit = Double(limit) else { continue }
                let isTrue =
                    switch sign {
                    case "<": value < limit
                    case ">": value > limit
                    default: value >= limit
                    }
                if !isTrue { wrong.append("\(title.rawValue) makes a comparison that is not true") }
            }
        }
        // The worst value, beside a better one.
        for fact in facts.dropFirst() {
            let words = fact.split(separator: " ")
            guard words.count == 2, ["lowest", "peak"].contains(words[0]) else { continue }
            count("a worst value in an alarm was measured")
            let number = String(words[1])
            if !truth.steps.contains(where: { $0.start <= time && $0.isShown(as: number) }) {
                wrong.append("\(title.rawValue) names a worst value that was never measured")
            }
        }
        return wrong
    }
}

/// A number in an alarm's text, with the word before it and the limit behind it.
private struct Said {
    var word: String?
    var number: String
    var comparison: (sign: String, limit: String)?

    /// The numbers that have a unit behind them: "last 83 % < 85 for 15 s" has one.
    static func all(in words: [String]) -> [Said] {
        words.indices.dropLast().compactMap { place in
            guard Double(words[place]) != nil, ["%", "bpm", "°C", "°F"].contains(words[place + 1]) else { return nil }
            let before = place > 0 ? words[place - 1] : nil
            let hasLimit = place + 3 < words.count && ["<", ">", "≥"].contains(words[place + 2])
            return Said(
                word: before, number: words[place],
                comparison: hasLimit ? (words[place + 2], words[place + 3]) : nil)
        }
    }
}

extension AlarmTitle {
    /// The sensor whose values it is about.
    var kind: SensorTruth.Kind? {
        switch self {
        case .saturationSeverelyLow, .saturationLow: .oximeter
        case .rateSeverelyHigh, .rateHigh, .rateSeverelyLow, .rateLow: .strap
        case .fever, .sustainedFever, .temperatureHigh, .temperatureLow: .thermometer
        default: nil
        }
    }
}
