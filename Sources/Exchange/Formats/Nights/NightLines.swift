import Base
import Nights
import Vitals
import Wording

/// Nights as text: one with its picture, figures and falls, or several with a line each.
public struct NightLines {
    private let text: NightText

    /// - Parameter offset: The local time's offset from UTC at a wall time in milliseconds, in seconds to the east.
    public init(offset: @escaping (Int64) -> Int) {
        text = NightText(offset: offset)
    }

    /// The night of the patient; each oximeter for itself.
    ///
    /// - Parameter heading: The patient, and that the sensors are simulated; may be empty.
    public func night(_ night: PatientNight, heading: String) -> String {
        let title = text.title(of: night.window).capitalizedFirst
        return (heading.isEmpty ? "" : "\(heading)\n") + "\(title)\n"
            + night.parts.map { "\n" + self.part($0) }.joined()
            + "\n" + NightText.notes.map { $0 + "\n" }.joined()
    }

    private func part(_ part: PatientNight.Part) -> String {
        let name = sanitized(HistoryText.name(of: part.course.sensor))
        let picture = NightTextPicture(part, text).lines()
        let figures = text.figures(of: part)
        let width = figures.map(\.name.count).max() ?? 0
        let lines = figures.map { figure in
            figure.name + String(repeating: " ", count: width - figure.name.count + 2) + figure.value + "\n"
        }
        let falls = HistoryText.table(
            NightText.fallTitles, rightAligned: [1, 2, 3, 4],
            part.evaluation.falls.map { text.row(of: $0, in: part) })
        return "\(name) (\(text.sources(of: part.course)))\n\n" + picture + (picture.isEmpty ? "" : "\n")
            + lines.joined() + (falls.isEmpty ? "" : "\n\(falls)")
    }

    /// A table with one line for each night and oximeter.
    public func table(_ nights: [PatientNight]) -> String {
        HistoryText.table(
            [
                "Night to", "Oximeter", "From", "To", "Usable", "Base", "Mean", "Lowest", "< 90 %", "< 88 %", "ODI 3 %",
                "ODI 4 %", "",
            ], rightAligned: [4, 5, 6, 7, 8, 9, 10, 11],
            nights.flatMap { night in night.parts.map { row(of: $0, night) } })
    }

    private func row(of part: PatientNight.Part, _ night: PatientNight) -> [String] {
        let (course, evaluation) = (part.course, part.evaluation)
        func percent(_ value: Int?) -> String { value.map { "\($0) %" } ?? "-" }
        func index(_ depth: Int) -> String { evaluation.index(ofDepth: depth).map(NightText.tenths) ?? "-" }
        return [
            text.date(of: night.window), HistoryText.name(of: course.sensor), text.clock(course.start),
            text.clock(course.end), NightText.length(evaluation.usable), percent(evaluation.baseline),
            evaluation.mean.map { "\(NightText.tenths(($0 + 5) / 10)) %" } ?? "-", percent(evaluation.lowest?.value),
            NightText.length(evaluation.below90), NightText.length(evaluation.below88), index(3), index(4),
            evaluation.isShort ? "only \(NightText.length(evaluation.usable)) usable" : "",
        ]
    }
}

extension WatchEncoder {
    /// Writes the line of each oximeter's night, and of its falls if they are wanted.
    public mutating func write(_ night: PatientNight, withFalls: Bool) {
        for part in night.parts {
            write(part, of: night)
            if withFalls { for fall in part.evaluation.falls { write(fall, of: part) } }
        }
    }

    private mutating func write(_ part: PatientNight.Part, of night: PatientNight) {
        let (course, evaluation) = (part.course, part.evaluation)
        begin("night", milliseconds: course.start, course.sensor)
        wallTime("night_from", milliseconds: night.window.lowerBound)
        wallTime("night_to", milliseconds: night.window.upperBound)
        wallTime("from", milliseconds: course.start)
        wallTime("to", milliseconds: course.end)
        let sources = [
            course.files.isEmpty ? nil : "file", course.imports.isEmpty ? nil : "import", course.hasLive ? "live" : nil,
        ]
        text("source", sources.compactMap(\.self).joined(separator: "+"))
        number("interval_s", course.interval)
        number("recorded_s", evaluation.recorded)
        number("usable_s", evaluation.usable)
        for reason in NightExclusion.allCases { number(reason.field, evaluation.time(of: reason)) }
        number("baseline", evaluation.baseline)
        if let mean = evaluation.mean {
            json.key("mean")
            json.hundredths(mean)
        }
        number("minimum", evaluation.lowest?.value)
        if let lowest = evaluation.lowest { wallTime("minimum_time", milliseconds: part.wall(of: lowest.instant)) }
        if evaluation.usable > 0 {
            number("below_90_s", evaluation.below90)
            number("below_88_s", evaluation.below88)
            for depth in NightEvaluation.depths {
                number("falls_\(depth)", evaluation.count(ofDepth: depth))
                if let index = evaluation.index(ofDepth: depth) {
                    json.key("odi_\(depth)")
                    json.hundredths(index.multipliedSaturated(by: 10))
                }
            }
            number("falls_cut_off", evaluation.cutFalls)
            flag("short", evaluation.isShort)
        }
        number("longest_fall_s", evaluation.longest.map { evaluation.length(of: $0) })
        number("pulse_minimum", evaluation.pulse?.lowest)
        number("pulse_mean", evaluation.pulse?.mean)
        number("pulse_maximum", evaluation.pulse?.highest)
        number("moved_s", evaluation.moved)
        end()
    }

    private mutating func write(_ fall: NightFall, of part: PatientNight.Part) {
        begin("fall", milliseconds: part.wall(of: fall.begin), part.course.sensor)
        wallTime("from", milliseconds: part.wall(of: fall.begin))
        wallTime("minimum_time", milliseconds: part.wall(of: fall.nadir))
        wallTime("to", milliseconds: part.wall(of: fall.end))
        number("level", Int(fall.level))
        number("minimum", Int(fall.lowest))
        number("depth", fall.depth)
        number("duration_s", part.evaluation.length(of: fall))
        end()
    }
}

extension NightExclusion {
    /// The field of the time that is left out for it.
    fileprivate var field: String {
        switch self {
        case .gap: "not_recorded_s"
        case .noMeasurement: "no_measurement_s"
        case .offBody: "off_body_s"
        case .movement: "movement_s"
        case .weakPulse: "weak_pulse_s"
        case .doubtful: "doubtful_s"
        }
    }
}
