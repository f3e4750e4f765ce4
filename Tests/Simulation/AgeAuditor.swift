import Foundation

/// Checks ages and times of day on the screen: for how long there has been no measurement, when the last one was, how old a
/// stale number is, and the clock.
final class AgeAuditor {
    /// How far, in seconds, an age may be from the truth: it is cut to whole units, and drawn up to a second later.
    private static let slack = 2.0
    /// How long the last value may be on its way, and stand as a number until it is lost: six intervals.
    private static let way = 2.5
    /// How far a sensor's beginning of silence may lie before its last number leaves the screen.
    private static func silence(_ kind: SensorTruth.Kind) -> Double { kind.longestAge + way }
    /// How long the clock of the screen may be behind: it is drawn with the first frame of a minute.
    private static let clock = 1.5
    /// How long the program may take to notice that its clock was set.
    private static let noticed = 5.0

    private let night: Night
    /// When each sensor's number was last on a frame, and when it was first missing behind that; nothing while the panels are
    /// not seen.
    private var lastNumber: [SensorTruth.Kind: Double] = [:]
    private var missing: [SensorTruth.Kind: Double] = [:]
    private var start = 0.0

    init(_ night: Night) { self.night = night }

    /// The program starts.
    func begin(at time: Double) {
        (lastNumber, missing, start) = ([:], [:], time)
    }

    /// What is wrong with the times of a frame.
    func wrong(_ frame: ShownFrame, count: (String) -> Void) -> [String] {
        let time = frame.time
        let hasPanels = frame.rows.contains { row in
            ShownFrame.isFrame(row) && SensorTruth.Kind.allCases.contains { row.holds($0.titles[0]) }
        }
        if !hasPanels { (lastNumber, missing) = ([:], [:]) }
        // What is written first after a sleep may stand beside numbers of before it.
        let hasJustWoken = night.faults.contains {
            $0.kind == .suspension && $0.end <= time + 0.1 && $0.end > time - 0.5
        }
        for kind in SensorTruth.Kind.allCases where hasPanels {
            if frame.numbers[kind] != nil {
                if !hasJustWoken { lastNumber[kind] = time }
                missing[kind] = nil
            } else if missing[kind] == nil {
                missing[kind] = time
            }
        }
        var wrong: [String] = []
        for row in frame.rows {
            if hasPanels, row.holds(Self.absence) { wrong += absences(in: row, at: time, count: count) }
            if row.holds("last ") { wrong += lastValues(in: row, at: time, count: count) }
        }
        if let header = frame.rows.first, header.starts(with: " BEDSIDE".utf8), time > start + 1 {
            wrong += clock(in: header, at: time, count: count)
        }
        return wrong
    }

    private static let absence = "NO MEASUREMENT for "

    /// Checks "NO MEASUREMENT for 2 min 10 s": for one of the sensors without a number it is true.
    private func absences(in row: [UInt8], at time: Double, count: (String) -> Void) -> [String] {
        // It is not known when a number went that was not seen.
        guard missing.keys.allSatisfy({ lastNumber[$0] != nil }) else { return [] }
        let texts = String(decoding: row, as: UTF8.self).components(separatedBy: Self.absence).dropFirst()
        return texts.compactMap { text in
            guard let (age, unit) = Self.age(text) else { return nil }
            count("the age of an absence is right")
            let isRight = SensorTruth.Kind.allCases.contains { kind in
                guard let last = lastNumber[kind] else { return false }
                // It began when the last value came, or the number was taken away.
                let longest = time - last + Self.silence(kind) + Self.slack
                guard let missing = missing[kind] else { return false }
                let shortest = time - missing - Self.slack - unit
                if (shortest...longest).contains(age) { return true }
                // Another sensor may have measured since, and be lost, too.
                return (age < shortest || !night.hasUsualSensorsAlone) && hasArrived(kind, at: time - age, unit)
            }
            return isRight ? nil : "the age of an absence is wrong"
        }
    }

    /// Whether a value came about then.
    ///
    /// What comes before a sensor is ready again is not shown as present, and is the last one all the same.
    private func hasArrived(_ kind: SensorTruth.Kind, at time: Double, _ unit: Double) -> Bool {
        night.truths.contains { truth in
            truth.kind == kind
                && truth.arriving.contains { $0.start <= time + Self.slack && $0.end >= time - Self.slack - unit }
        }
    }

    /// The seconds of "2 min 10 s", and the unit in which it is cut.
    private static func age(_ text: String) -> (seconds: Double, unit: Double)? {
        let units = ["s": 1.0, "min": 60, "h": 3600, "d": 86_400]
        var (sum, least) = (0.0, 0.0)
        var words = text.split(separator: " ", maxSplits: 5)[...]
        while words.count >= 2, let number = Double(words[words.startIndex]) {
            let word = words[words.startIndex + 1].filter(\.isLetter)
            guard let unit = units[word] else { break }
            sum += number * unit
            least = unit
            words = words.dropFirst(2)
        }
        return least > 0 ? (sum, least) : nil
    }

    /// Checks "last 98 % at 13:54": it was measured, at that time of the clock.
    private func lastValues(in row: [UInt8], at time: Double, count: (String) -> Void) -> [String] {
        let texts = String(decoding: row, as: UTF8.self).components(separatedBy: "last ").dropFirst()
        return texts.compactMap { text in
            let words = text.split(separator: " ", maxSplits: 4).map(String.init)
            guard words.count >= 4, words[2] == "at", Double(words[0]) != nil, let shown = Self.minute(words[3]) else {
                return nil
            }
            count("a last value has its time")
            let kinds: [SensorTruth.Kind] =
                switch words[1] {
                case "%": [.oximeter]
                case "bpm": [.strap]
                default: [.thermometer]
                }
            let isRight = night.truths.contains { truth in
                kinds.contains(truth.kind)
                    && truth.steps.contains { step in
                        step.start <= time && step.isShown(as: words[0])
                            && isTime(shown, from: step.start, to: step.end + Self.silence(truth.kind), seenAt: time)
                    }
            }
            // What oximeters say of the pulse, the first one and further ones, is no value of the night.
            return isRight || ["71", "72"].contains(words[0]) ? nil : "a last value has another time"
        }
    }

    /// Whether the clock shows a minute in some part of a time, by the clock and the summer time of then or of now.
    private func isTime(_ minute: Int, from start: Double, to end: Double, seenAt time: Double) -> Bool {
        var moment = start - Self.way
        while moment <= end + 60 {
            let at = min(moment, end)
            for clock in [at, time, time - Self.noticed] {
                for zone in [at, time] where minutes(at, clock: clock, zone: zone) == minute { return true }
            }
            // A minute may begin just before the clock is set.
            moment += 1
        }
        return false
    }

    /// Checks the clock at the right of the first line.
    private func clock(in header: [UInt8], at time: Double, count: (String) -> Void) -> [String] {
        let text = String(decoding: header, as: UTF8.self)
        guard let word = text.split(separator: " ").last, let shown = Self.minute(String(word)) else { return [] }
        count("the clock on the screen is right")
        // Just after it was set, the screen may show what it was.
        let isRight = [0, Self.clock].contains { age in
            [time, time - Self.noticed].contains { minutes(time - age, clock: $0, zone: time - age) == shown }
        }
        return isRight ? [] : ["the clock on the screen is wrong"]
    }

    /// The minute of the day of "13:54".
    private static func minute(_ text: String) -> Int? {
        let parts = text.prefix { $0.isNumber || $0 == ":" }.split(separator: ":").compactMap { Int($0) }
        return parts.count == 2 ? parts[0] * 60 + parts[1] : nil
    }

    /// By how much, in milliseconds, the clock was set until a time.
    private func offset(_ time: Double) -> Int64 {
        night.faults.filter { $0.start <= time }.map(\.clockStep).reduce(0, +)
    }

    /// The minute of the day of a time.
    ///
    /// - Parameters:
    ///   - clock: When the clock was set as it is read.
    ///   - zone: When summer time, or not, was in force as it is read.
    private func minutes(_ time: Double, clock: Double, zone: Double) -> Int {
        let seconds = Int(((Double(night.wallMilliseconds + offset(clock)) + time * 1000) / 1000).rounded(.down))
        let date = Date(timeIntervalSince1970: Double(night.wallMilliseconds + offset(zone)) / 1000 + zone)
        return (seconds + NightCommands.zone.secondsFromGMT(for: date)) / 60 % 1440
    }
}
