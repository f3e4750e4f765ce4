import Monitoring
import Vitals

@testable import Dashboard

// Stories about the page of the last days.
extension Ward {
    /// The first millisecond of the day that is a number of days before today, 2026-03-01, in UTC.
    static func midnight(_ daysAgo: Int) -> Int64 { 1_772_323_200_000 - Int64(daysAgo) * 86_400_000 }

    private static let hour: Int64 = 3_600_000

    private static func entry(_ content: RecordEntry.Content, _ hours: Int64, daysAgo: Int) -> RecordedEntry {
        let wall = midnight(daysAgo) + hours * hour
        return RecordedEntry(
            RecordEntry(content, enteredAt: Moment(monotonicNanoseconds: wall * 1000, wallMilliseconds: wall)), run: 1)
    }

    private static func figures(
        _ vital: Vital, _ values: (Int, Int?, Int), _ minutes: Int64, outside: Int64?, until hours: Int64
    ) -> VitalDay {
        VitalDay(
            vital: vital, count: 900, minimum: VitalValue(hundredths: values.0),
            median: values.1.map { VitalValue(hundredths: $0) }, maximum: VitalValue(hundredths: values.2),
            covered: minutes * 60_000, outside: outside.map { $0 * 60_000 }, isOfSums: values.1 == nil,
            length: hours * hour)
    }

    /// Two weeks after a chemotherapy: the neutrophils fall, a fever comes and goes; of the first day only sums are
    /// left, on the fifth nothing was measured.
    static var twoWeeks: PatientOverview {
        var days = (0..<14).reversed().map { PatientOverview.Day(midnight($0)..<midnight($0 - 1)) }
        for place in days.indices where place != 4 {
            let (wave, hours) = (place * 7 % 5, Int64(place == 13 ? 14 : 24))
            let isIll = (9...11).contains(place)
            days[place].vitals = [
                figures(
                    .heartRate, (5600 + wave * 100, place == 0 ? nil : 7200 + wave * 200, 10_400 + (isIll ? 3000 : 0)),
                    hours * 55, outside: place == 0 ? nil : isIll ? 47 : 0, until: hours),
                figures(
                    .oxygenSaturation, (8900 + wave * 100, place == 0 ? nil : 9700, 10_000), hours * 50,
                    outside: place == 0 ? nil : wave == 0 ? 3 : 0, until: hours),
                figures(
                    .bodyTemperature,
                    (3620 + wave * 5, place == 0 ? nil : 3690 + (isIll ? 100 : 0), isIll ? 3890 : 3760 - wave * 4),
                    hours * 58, outside: place == 0 ? nil : isIll ? 320 : 0, until: hours),
            ]
        }
        let antipyretic = Medication(
            "paracetamol", dose: Medication.Dose(thousandths: 1_000_000, unit: .milligrams))
        return PatientOverview(
            days: days,
            entries: [
                entry(
                    .neutrophils(NeutrophilCount(perMicrolitre: 3200, sampledAt: midnight(12) + 8 * hour)), 8,
                    daysAgo: 12),
                entry(
                    .neutrophils(NeutrophilCount(perMicrolitre: 900, sampledAt: midnight(7) + 8 * hour)), 8, daysAgo: 7),
                entry(.medication(Medication("ondansetron")), 9, daysAgo: 6),
                entry(.symptom(SymptomRating(.nausea, severity: 6)), 10, daysAgo: 6),
                entry(
                    .neutrophils(NeutrophilCount(perMicrolitre: 60, sampledAt: midnight(4) + 8 * hour)), 8, daysAgo: 4),
                entry(.medication(antipyretic), 10, daysAgo: 4), entry(.medication(antipyretic), 22, daysAgo: 4),
                entry(.symptom(SymptomRating(.chills, severity: 10)), 9, daysAgo: 4),
                entry(.note("blood culture taken"), 11, daysAgo: 4),
                entry(
                    .neutrophils(NeutrophilCount(perMicrolitre: 1300, sampledAt: midnight(0) + 8 * hour)), 8, daysAgo: 0
                ),
            ].sorted { $0.entry.taken.wallMilliseconds < $1.entry.taken.wallMilliseconds },
            fevers: [
                FeverEpisode(
                    start: midnight(4) + 9 * hour, ending: .ended(midnight(2) + 15 * hour),
                    highest: VitalValue(hundredths: 3890))
            ])
    }

    /// The page as it is opened.
    static func daysPage() -> Ward {
        var ward = live(seconds: 60)
        ward.press(.character("D"))
        ward.screen.days.overview = twoWeeks
        return ward
    }

    /// The page with the cursor on a day of fever, while an alarm is active.
    static func daysOfFever() -> Ward {
        var ward = simulated(fever())
        ward.press(.character("D"))
        ward.screen.days.overview = twoWeeks
        for _ in 0..<4 { ward.press(.left) }
        return ward
    }

    /// The page of a view, which has no store.
    static func daysOfView() -> Ward {
        var ward = live(seconds: 60)
        ward.press(.character("D"))
        ward.screen.session.viewedMonitor = "bedside record, process 4711"
        ward.screen.days.reading = .unavailable
        return ward
    }

    static let daysStories: [(name: String, ward: Ward)] = [
        ("days", daysPage()), ("days-fever", daysOfFever()), ("days-view", daysOfView()),
    ]
}
