import Base
import Vitals

/// What was typed in an invented past: blood counts, medication, symptoms, blood pressures, weights and notes.
enum PastStory {
    /// The entries of a run; each is typed some minutes after it was measured.
    static func entries(_ calendar: PastCalendar, in run: Range<Int64>) -> [PastStep] {
        (events + daily).map { PastStep(wall: calendar.wall($0.day, $0.hour), action: .entered($0.content)) }
            .filter { run.contains($0.wall) }
    }

    private typealias Event = (day: Int, hour: Double, content: RecordEntry.Content)

    private static let events: [Event] = [
        (0, 9.4, lab(cells: 5200, neutrophils: 64, haemoglobin: 118, platelets: 210_000)),
        (0, 9.7, .note("third cycle of chemotherapy, day 1")),
        (0, 9.8, medication("ondansetron", 8, .milligrams)),
        (1, 8.2, symptom(.nausea, 4)), (1, 8.4, medication("ondansetron", 8, .milligrams)),
        (2, 8.1, symptom(.nausea, 2)),
        (3, 9.1, lab(cells: 2800, neutrophils: 61, haemoglobin: 109, platelets: 158_000)),
        (3, 14.1, .note("thermometer in the charger")),
        (5, 9.2, lab(cells: 1300, neutrophils: 34, haemoglobin: 101, platelets: 96_000)),
        (5, 17.75, symptom(.chills, 6)),
        (5, 18.2, .bloodPressure(BloodPressure(systolic: 102, diastolic: 61, pulse: 112))),
        (5, 18.4, .note("doctor informed; blood cultures taken")),
        (5, 18.5, .mascc(riskIndex)),
        (5, 18.6, medication("piperacillin/tazobactam", 4.5, .grams)),
        (5, 18.75, medication("paracetamol", 1000, .milligrams)),
        (6, 2.1, medication("paracetamol", 1000, .milligrams)),
        (6, 2.6, medication("piperacillin/tazobactam", 4.5, .grams)),
        (6, 8.5, .note("slept badly, sweated")),
        (6, 10.6, medication("piperacillin/tazobactam", 4.5, .grams)),
        (6, 17.4, medication("metamizole", 1000, .milligrams)),
        (6, 18.6, medication("piperacillin/tazobactam", 4.5, .grams)),
        (7, 9.0, lab(cells: 700, neutrophils: 18, haemoglobin: 94, platelets: 52_000)),
        (7, 9.2, medication("piperacillin/tazobactam", 4.5, .grams)),
        (8, 8.3, symptom(.pain, 5)), (8, 8.4, .note("mouth sore; rinsing every two hours")),
        (10, 9.1, lab(cells: 600, neutrophils: 12, haemoglobin: 84, platelets: 31_000)),
        (10, 12.5, .note("two units of red cells")),
        (11, 8.3, symptom(.pain, 3)),
        (12, 9.0, lab(cells: 900, neutrophils: 31, haemoglobin: 102, platelets: 38_000)),
        (13, 7.5, symptom(.pain, 1)),
        (13, 9.1, lab(cells: 1200, neutrophils: 36, haemoglobin: 104, platelets: 47_000)),
    ]

    /// A blood pressure each morning, and a weight every second one.
    private static let daily: [Event] = pressures.enumerated().flatMap { day, pressure -> [Event] in
        let (systolic, diastolic) = pressure
        let measured: [Event] = [
            (day + 1, 7.6, .bloodPressure(BloodPressure(systolic: systolic, diastolic: diastolic)))
        ]
        let weight = day.isMultiple(of: 2) ? weights[day / 2] : nil
        return measured + (weight.map { [(day + 1, 7.7, .weight(VitalValue(hundredths: $0)))] } ?? [])
    }

    private static let pressures = [
        (124, 76), (121, 74), (126, 78), (119, 73), (117, 72), (108, 64), (112, 67), (116, 70), (115, 71), (118, 72),
        (114, 69), (120, 74), (122, 75),
    ]
    private static let weights = [7240, 7210, 7180, 7110, 7090, 7120, 7150]

    private static let riskIndex = MASCCIndex(
        burden: .moderate, hasHypotension: false, hasPulmonaryDisease: false,
        hasSolidTumourOrNoFungalInfection: true, isDehydrated: false, isOutpatient: true, isUnder60: true,
        assessedBy: "Dr. Example")

    /// A blood count: cells and platelets per µL, the share of neutrophils in percent, haemoglobin in g/L.
    private static func lab(cells: Int, neutrophils: Int, haemoglobin: Int, platelets: Int) -> RecordEntry.Content {
        .lab(
            LabResult([
                .init(.whiteCells, VitalValue(whole: cells)), .init(.neutrophils, VitalValue(whole: neutrophils)),
                .init(.haemoglobin, VitalValue(hundredths: haemoglobin * 10)),
                .init(.platelets, VitalValue(whole: platelets)),
            ]))
    }

    private static func medication(_ name: String, _ amount: Double, _ unit: Medication.Unit) -> RecordEntry.Content {
        .medication(Medication(name, dose: Medication.Dose(thousandths: Int(amount * 1000), unit: unit)))
    }

    private static func symptom(_ symptom: Symptom, _ severity: Int) -> RecordEntry.Content {
        .symptom(SymptomRating(symptom, severity: severity))
    }
}
