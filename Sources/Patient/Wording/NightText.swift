import Base
import Monitoring
import Nights
import Vitals

/// A night in words and numbers, the same on the screen, in lines and in the report.
package struct NightText {
    /// The local time's offset from UTC at a wall time in milliseconds, in seconds to the east.
    private let offset: (Int64) -> Int

    package init(offset: @escaping (Int64) -> Int) {
        self.offset = offset
    }

    /// What every picture and table of nights says below itself: how is counted, and that it is no diagnosis.
    package static let notes = [
        "A fall: down by at least 3 % and up again within 10 to 120 s (Jung 2018, Levy 2021).",
        "ODI: falls an hour of usable time. Not a diagnosis; Bedside is not a medical device.",
    ]

    private func time(_ wall: Int64) -> TimeText {
        TimeText(now: Moment(monotonicNanoseconds: 0, wallMilliseconds: wall), timeZoneOffset: offset(wall))
    }

    /// The dates of a night from noon to noon: "night of 27 to 28 November 2026".
    package func title(of window: Range<Int64>) -> String {
        let (first, last) = (time(window.lowerBound), time(window.upperBound.subtractingSaturated(1)))
        let start = first.dateParts(window.lowerBound)
        let end = last.dateParts(window.upperBound.subtractingSaturated(1))
        let from =
            start.year != end.year
            ? "\(start.day) \(start.month) \(start.year)"
            : start.month != end.month ? "\(start.day) \(start.month)" : "\(start.day)"
        return "night of \(from) to \(end.day) \(end.month) \(end.year)"
    }

    /// The date of the morning: "2026-11-28".
    package func date(of window: Range<Int64>) -> String {
        let end = window.upperBound.subtractingSaturated(1)
        return time(end).fullDate(end)
    }

    /// The local time of day: "02:41".
    package func clock(_ wall: Int64) -> String { String(time(wall).dateAndTime(wall).time.dropLast(3)) }

    /// The local time of day with its seconds: "02:41:05".
    package func exactClock(_ wall: Int64) -> String { time(wall).dateAndTime(wall).time }

    /// The whole hours of local time in a period, at most a week of them.
    package func hours(in range: Range<Int64>) -> [Int64] {
        let hour: Int64 = 3_600_000
        func rest(_ wall: Int64) -> Int64 {
            let local = wall.addingSaturated(Int64(offset(wall)) * 1000) % hour
            return local < 0 ? local + hour : local
        }
        var hours: [Int64] = []
        let into = rest(range.lowerBound)
        var wall = range.lowerBound.addingSaturated(into == 0 ? 0 : hour - into)
        while wall < range.upperBound, hours.count < 168 {
            hours.append(wall)
            wall = wall.addingSaturated(hour)
        }
        return hours
    }

    /// A length in its largest units: "7 h 31 min", "4 min 12 s", "40 s".
    package static func length(_ seconds: Int) -> String {
        let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
        if hours > 0 { return minutes > 0 ? "\(hours) h \(minutes) min" : "\(hours) h" }
        if minutes > 0 { return rest > 0 ? "\(minutes) min \(rest) s" : "\(minutes) min" }
        return "\(rest) s"
    }

    /// A number of tenths: "5.4".
    package static func tenths(_ number: Int) -> String { "\(number / 10).\(number % 10)" }

    // MARK: Figures

    /// A figure with its name.
    package struct Figure: Hashable {
        package var name: String
        package var value: String
    }

    /// All figures of an oximeter's night, in the order in which they are read.
    package func figures(of part: PatientNight.Part) -> [Figure] {
        let (course, evaluation) = (part.course, part.evaluation)
        func share(_ seconds: Int) -> String { "(\(Self.tenths(evaluation.share(seconds))) %)" }
        var figures = [
            Figure(
                name: "Recorded",
                value: "\(Self.length(evaluation.recorded)), \(clock(course.start)) to \(clock(course.end))"),
            Figure(name: "Usable", value: Self.length(evaluation.usable)),
        ]
        if let text = leftOut(evaluation) { figures.append(Figure(name: "Left out", value: text)) }
        guard let mean = evaluation.mean, let lowest = evaluation.lowest else { return figures }
        figures += [
            Figure(name: "Baseline", value: evaluation.baseline.map { "\($0) %" } ?? "none outside of falls"),
            Figure(name: "Mean", value: "\(Self.tenths((mean + 5) / 10)) %"),
            Figure(name: "Lowest", value: "\(lowest.value) % at \(clock(part.wall(of: lowest.instant)))"),
            Figure(name: "Below 90 %", value: "\(Self.length(evaluation.below90)) \(share(evaluation.below90))"),
            Figure(name: "Below 88 %", value: "\(Self.length(evaluation.below88)) \(share(evaluation.below88))"),
        ]
        for depth in NightEvaluation.depths {
            figures.append(Figure(name: "Falls \u{2265} \(depth) %", value: "\(evaluation.count(ofDepth: depth))"))
            figures.append(Figure(name: "ODI \(depth) %", value: index(evaluation, depth)))
        }
        if evaluation.cutFalls > 0 {
            let count = evaluation.cutFalls
            figures.append(
                Figure(name: "Cut off", value: "\(count) \(count == 1 ? "fall" : "falls"), by a gap or the end"))
        }
        if let fall = evaluation.longest {
            figures.append(Figure(name: "Longest fall", value: text(of: fall, in: part)))
        }
        if let fall = evaluation.deepest, fall != evaluation.longest {
            figures.append(Figure(name: "Deepest fall", value: text(of: fall, in: part)))
        }
        if let pulse = evaluation.pulse {
            figures.append(
                Figure(name: "Pulse", value: "\(pulse.lowest) to \(pulse.highest)/min, mean \(pulse.mean)"))
        }
        figures.append(
            Figure(name: "Movement", value: evaluation.moved.map { "in \(Self.length($0))" } ?? "not known"))
        return figures
    }

    /// The index with the word that it needs: "5.4/h", "5.4/h, only 2 h 10 min usable".
    package func index(_ evaluation: NightEvaluation, _ depth: Int) -> String {
        let short = "only \(Self.length(evaluation.usable)) usable"
        guard let index = evaluation.index(ofDepth: depth) else { return "none, \(short)" }
        return "\(Self.tenths(index))/h" + (evaluation.isShort ? ", \(short)" : "")
    }

    /// What is left out and why; `nil` for nothing.
    package func leftOut(_ evaluation: NightEvaluation) -> String? {
        let reasons = NightExclusion.allCases.compactMap { reason -> String? in
            let time = evaluation.time(of: reason)
            return time > 0 ? "\(reason.text) \(Self.length(time))" : nil
        }
        return reasons.isEmpty ? nil : reasons.joined(separator: ", ")
    }

    private func text(of fall: NightFall, in part: PatientNight.Part) -> String {
        "\(Self.length(part.evaluation.length(of: fall))) at \(clock(part.wall(of: fall.begin))), "
            + "\(fall.level) to \(fall.lowest) %"
    }

    /// Where the night comes from: "the oximeter's file, live readings".
    package func sources(of course: NightCourse) -> String {
        var parts: [String] = []
        if !course.files.isEmpty {
            parts.append("the oximeter's \(course.files.count == 1 ? "file" : "\(course.files.count) files")")
        }
        parts += course.imports.map { "import of \(sanitized($0))" }
        if course.hasLive { parts.append("recorded live") }
        return parts.joined(separator: ", ")
    }

    // MARK: Falls

    /// The titles of the columns of a table of falls.
    package static let fallTitles = ["Begins", "Lasts", "From", "Lowest", "Depth", "Lowest at"]

    /// A row of that table.
    package func row(of fall: NightFall, in part: PatientNight.Part) -> [String] {
        [
            exactClock(part.wall(of: fall.begin)), Self.length(part.evaluation.length(of: fall)), "\(fall.level) %",
            "\(fall.lowest) %", "\(fall.depth) %", exactClock(part.wall(of: fall.nadir)),
        ]
    }
}

extension NightExclusion {
    /// Why something is left out, in a list.
    package var text: String {
        switch self {
        case .gap: "nothing recorded"
        case .noMeasurement: "no measurement"
        case .offBody: "off the body"
        case .movement: "moved"
        case .weakPulse: "weak pulse"
        case .doubtful: "doubtful"
        }
    }

    /// Its mark in a picture.
    package var letter: Unicode.Scalar {
        switch self {
        case .gap: "."
        case .noMeasurement: "n"
        case .offBody: "o"
        case .movement: "m"
        case .weakPulse: "w"
        case .doubtful: "d"
        }
    }
}
