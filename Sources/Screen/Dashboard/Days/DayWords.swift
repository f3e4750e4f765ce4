import Appearance
import Monitoring
import Base
import Vitals
import Wording

struct DayWords {
    let scene: Scene
    let overview: PatientOverview

    /// Describes a day, the most important first, as parts of a sentence.
    func parts(of day: PatientOverview.Day) -> [String] {
        var parts = [date(of: day)]
        let fevers = overview.fevers.filter {
            $0.start < day.range.upperBound && $0.end.map { $0 >= day.range.lowerBound } ?? true
        }
        parts += fevers.map { text(of: $0, in: day) }
        let order = overview.vitals
        parts += order.compactMap { day[$0] }.map(text(of:))
        if order.allSatisfy({ day[$0] == nil }) { parts.append(day.isRead ? "no vital was measured" : "not read yet") }
        parts += overview.valid.filter { day.range.contains($0.taken.wallMilliseconds) }.compactMap(text(of:))
        return parts
    }

    /// The date, and the length of a day unless it has 24 hours.
    private func date(of day: PatientOverview.Day) -> String {
        let time = time(at: day.middle)
        let hours = day.range.upperBound.subtractingSaturated(day.range.lowerBound) / 3_600_000
        let length = hours == 24 ? "" : " (\(hours) hours: the clocks were changed)"
        return "\(time.weekday(day.middle)) \(time.fullDate(day.middle))\(length)"
    }

    private func time(at wall: Int64) -> TimeText {
        TimeText(now: scene.now, timeZoneOffset: scene.screen.session.timeZone.offset(at: wall / 1000))
    }

    private func clock(_ wall: Int64) -> String {
        time(at: wall).clock(Moment(monotonicNanoseconds: 0, wallMilliseconds: wall))
    }

    private func text(of fever: FeverEpisode, in day: PatientOverview.Day) -> String {
        let start = fever.start < day.range.lowerBound ? "from the day before" : "from \(clock(fever.start))"
        guard let end = fever.end else { return "FEVER \(start) on" }
        return "FEVER \(start) \(end >= day.range.upperBound ? "on" : "to \(clock(end))")"
    }

    private func text(of figures: VitalDay) -> String {
        let vital = figures.vital
        let limits = scene.state.settings.referenceLines(of: vital, limits: scene.state.currentLimits[vital])
        func digits(_ value: VitalValue?) -> String {
            value.map { scene.valueText.digits($0, of: vital, limits: limits) } ?? "unknown"
        }
        let measured = figures.coveredPercent.map { ", \($0) % measured" } ?? ""
        let outside = figures.outside.flatMap { time -> String? in
            time > 0 ? ", \(Self.length(time)) outside limits" : nil
        }
        return "\(vital.text) \(digits(figures.minimum))\(scene.glyphs.dash)\(digits(figures.maximum)) "
            + "\(unit(of: vital)), median \(digits(figures.median))\(outside ?? "")\(measured)"
    }

    /// A length of time to the minute.
    private static func length(_ milliseconds: Int64) -> String {
        let minutes = milliseconds / 60_000
        if minutes < 1 { return "less than 1 min" }
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }

    /// The unit of a vital on this screen.
    func unit(of vital: Vital) -> String {
        if vital.isTemperature { return scene.screen.units.temperature.sign }
        return vital == .glucose ? scene.screen.units.glucose.text : vital.unitText
    }

    /// A medication, symptom, count or note as text; the values of vitals are in the figures.
    private func text(of entry: RecordEntry) -> String? {
        let clock = clock(entry.taken.wallMilliseconds)
        switch entry.content {
        case .vital: return nil
        case .noMeasurement: return "\(clock) \(entry.text)"
        case .neutrophils(let count):
            let grade = NeutropeniaGrade(perMicrolitre: count.perMicrolitre).text
            return "\(clock) ANC \(count.perMicrolitre)/µL (\(grade))"
        case .lab(let result):
            return result.neutrophilsPerMicrolitre == nil ? "\(clock) blood count" : "\(clock) \(result.neutrophilText)"
        default: return "\(clock) \(ManualLabels(scene.screen.units).value(of: entry))"
        }
    }
}

extension TimeText {
    /// The local day of the week: "Mon".
    func weekday(_ wallMilliseconds: Int64) -> String {
        let seconds = wallMilliseconds / 1000 + Int64(min(max(timeZoneOffset, -86_400), 86_400))
        let day = seconds / 86_400 - (seconds % 86_400 < 0 ? 1 : 0)
        // 1970-01-01 was a Thursday.
        return ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][Int((day % 7 + 7) % 7)]
    }
}
