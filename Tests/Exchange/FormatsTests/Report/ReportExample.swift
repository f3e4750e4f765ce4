import Formats
import Monitoring
import TestSupport
import Vitals

/// A patient of three days in Central Europe: 2026-10-24, the 25th with 25 hours, and the 26th until 18:00.
enum ReportExample {
    static let hour: Int64 = 3_600_000
    /// The local midnights: 2026-10-23T22:00Z, 2026-10-24T22:00Z, 2026-10-25T23:00Z, 2026-10-26T23:00Z.
    static let midnights: [Int64] = [1_792_792_800_000, 1_792_879_200_000, 1_792_969_200_000, 1_793_055_600_000]
    static let zone = LocalTimeZone(
        offset: 3600, changes: [LocalTimeZone.Change(moment: 1_792_890_000, offsetBefore: 7200)])
    static let now = moment(18, ofDay: 2)

    static func moment(_ hours: Int64, ofDay day: Int) -> Moment {
        let wall = midnights[day] + hours * hour
        return Moment(monotonicNanoseconds: (wall - midnights[0]) * 1_000_000 + 1, wallMilliseconds: wall)
    }

    static func entry(_ content: RecordEntry.Content, _ hours: Int64, ofDay day: Int) -> RecordedEntry {
        RecordedEntry(RecordEntry(content, enteredAt: moment(hours, ofDay: day)), run: 1)
    }

    static func figures(
        _ vital: Vital, _ minimum: Int, _ median: Int, _ maximum: Int, covered: Int64, outside: Int64?, length: Int64
    ) -> VitalDay {
        VitalDay(
            vital: vital, count: 1000, minimum: VitalValue(hundredths: minimum), median: VitalValue(hundredths: median),
            maximum: VitalValue(hundredths: maximum), covered: covered * 60_000, outside: outside.map { $0 * 60_000 },
            isOfSums: false, length: length * hour)
    }

    static var overview: PatientOverview {
        var days = (0..<3).map { PatientOverview.Day(midnights[$0]..<midnights[$0 + 1]) }
        days[0].vitals = [
            figures(.heartRate, 5800, 7200, 11_100, covered: 1320, outside: 0, length: 24),
            figures(.bodyTemperature, 3630, 3690, 3740, covered: 720, outside: 0, length: 24),
        ]
        days[1].vitals = [
            figures(.heartRate, 6100, 9400, 13_200, covered: 1490, outside: 43, length: 25),
            figures(.bodyTemperature, 3660, 3779, 3892, covered: 1500, outside: 212, length: 25),
        ]
        var sums = figures(.heartRate, 6400, 0, 12_600, covered: 0, outside: nil, length: 18)
        (sums.median, sums.isOfSums) = (nil, true)
        days[2].vitals = [sums, figures(.bodyTemperature, 3670, 3710, 3829, covered: 900, outside: 12, length: 18)]
        var mistake = entry(.vital(.bodyTemperature, VitalValue(hundredths: 4100), site: .mouth), 3, ofDay: 1)
        mistake.entry.retract(at: moment(4, ofDay: 1), reason: "misread")
        return PatientOverview(
            days: days,
            entries: [
                entry(
                    .lab(
                        LabResult([
                            .init(.whiteCells, VitalValue(whole: 1200)), .init(.neutrophils, VitalValue(whole: 35)),
                        ])), 8, ofDay: 0),
                mistake,
                entry(.vital(.bodyTemperature, VitalValue(hundredths: 3860), site: .mouth), 5, ofDay: 1),
                entry(
                    .medication(
                        Medication(
                            "paracetamol", dose: Medication.Dose(thousandths: 1_000_000, unit: .milligrams))), 6,
                    ofDay: 1),
                entry(.medication(Medication("ondansetron")), 7, ofDay: 1),
                entry(.symptom(SymptomRating(.nausea, severity: 3)), 8, ofDay: 1),
                entry(.symptom(SymptomRating(.nausea, severity: 6)), 9, ofDay: 2),
                entry(
                    .mascc(
                        MASCCIndex(
                            burden: .moderate, hasHypotension: false, hasPulmonaryDisease: false,
                            hasSolidTumourOrNoFungalInfection: true, isDehydrated: true, isOutpatient: false,
                            isUnder60: true, assessedBy: "Ada")), 10, ofDay: 2),
                entry(.note("refuses the strap"), 11, ofDay: 2),
            ],
            fevers: [
                FeverEpisode(
                    start: midnights[1] + 3 * hour, ending: .ended(midnights[1] + 9 * hour),
                    highest: VitalValue(hundredths: 3892)),
                FeverEpisode(
                    start: midnights[2] + 15 * hour, ending: .open, highest: VitalValue(hundredths: 3840)),
            ])
    }

    static func report(
        _ overview: PatientOverview = overview, isFahrenheit: Bool = false, now: Moment = now
    ) -> PatientReport {
        var report = PatientReport(
            overview, patient: PatientName("bed-12"), isSimulated: true, now: now, zone: zone, zoneName: "CET",
            values: ValueText(isFahrenheit: isFahrenheit))
        report.night = ExampleNight.night(from: midnights[1] + 13 * hour)
        return report
    }
}
