import Monitoring
import TestSupport
import Vitals

@testable import Formats

/// Records as people type them, with mistakes and corrections, from a seed.
struct RandomRecord {
    static let now = Moment(monotonicNanoseconds: 900_000_000_000_000, wallMilliseconds: 1_767_323_045_678)
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func word() -> String {
        let words = [
            "asleep", "=1+1", "refuses; the \"strap\"", "ein Löffel, lauwarm", "-3 kg?", "mouth <dry>", "@home", "心",
            "  two blanks ", "a,b;c\td", "'quoted'", "+49 351", "12.5 mg", "x",
        ]
        return words[below(words.count)]
    }

    private mutating func content(_ taken: Int64) -> RecordEntry.Content {
        switch below(10) {
        case 0:
            let sites: [BodySite?] = [nil, .mouth, .armpit, .ear, .tympanum, .rectum]
            return .vital(.bodyTemperature, VitalValue(hundredths: 3400 + below(701)), site: sites[below(sites.count)])
        case 1: return .vital(.heartRate, VitalValue(whole: 30 + below(191)), site: nil)
        case 2: return .vital(.oxygenSaturation, VitalValue(whole: 70 + below(31)), site: nil)
        case 3: return .vital(.glucose, VitalValue(hundredths: 4000 + below(36_001)), site: nil)
        case 4:
            let (systolic, diastolic) = (90 + below(100), 40 + below(35))
            return .bloodPressure(
                BloodPressure(
                    systolic: systolic, diastolic: diastolic, mean: below(2) == 0 ? nil : diastolic + below(15),
                    pulse: below(2) == 0 ? nil : 40 + below(100)))
        case 5:
            return below(2) == 0
                ? .weight(VitalValue(hundredths: 3000 + below(15_000)))
                : .neutrophils(NeutrophilCount(perMicrolitre: below(40_000), sampledAt: taken))
        case 6:
            var result = LabResult()
            while result.values.isEmpty {
                if below(2) == 0 { result[.whiteCells] = VitalValue(whole: below(50_000)) }
                if below(2) == 0 { result[.haemoglobin] = VitalValue(hundredths: 600 + below(1400)) }
                if below(2) == 0 { result[.platelets] = VitalValue(whole: below(1_000_000)) }
                for analyte in LabAnalyte.shares where below(3) == 0 {
                    result[analyte] = VitalValue(hundredths: below(1500))
                }
                // A count beside a share could contradict it, which is asked back.
                if result[.neutrophils] == nil, below(3) == 0 {
                    result[.neutrophilCount] = VitalValue(whole: below(40_000))
                }
            }
            return .lab(result)
        case 7:
            let dose = Medication.Dose(
                thousandths: 1 + below(2_000_000), unit: Medication.Unit.allCases[below(Medication.Unit.allCases.count)]
            )
            return .medication(
                Medication(
                    ["paracetamol", "G-CSF", "ondansetron", "aspirin"][below(4)], dose: below(3) == 0 ? nil : dose,
                    isAntipyretic: below(2) == 0))
        case 8:
            let symptom = below(2) == 0 ? Symptom.named[below(6)] : Symptom(word())
            return .symptom(SymptomRating(symptom, severity: below(11)))
        default:
            guard below(2) == 0 else { return .note(word()) }
            let yes = (0..<6).map { _ in below(2) == 0 }
            return .mascc(
                MASCCIndex(
                    burden: MASCCIndex.Burden.allCases[below(3)], hasHypotension: yes[0], hasPulmonaryDisease: yes[1],
                    hasSolidTumourOrNoFungalInfection: yes[2], isDehydrated: yes[3], isOutpatient: yes[4],
                    isUnder60: yes[5], assessedBy: below(2) == 0 ? "" : "Ada, by \"L.\""))
        }
    }

    /// Entries in the order of measurement, of one run.
    mutating func entries(_ count: Int) -> [RecordedEntry] {
        var entries: [RecordEntry] = []
        let first = Self.now.advanced(by: .seconds(-200 * 86_400))
        for number in 0..<count {
            let taken = first.advanced(by: .milliseconds(number * 4_000_000 + below(3_999_999)))
            let enteredAt = taken.advanced(by: .milliseconds(below(3_000_000)))
            var entry = RecordEntry(content(taken.wallMilliseconds), taken: taken, enteredAt: enteredAt)
            let mistake = entries.last
            if let mistake, !mistake.isRetracted, below(4) == 0 {
                let reason = below(2) == 0 ? "" : "misread: \(word())"
                entries[entries.count - 1].retract(at: enteredAt, reason: reason)
                if below(2) == 0 { entry.correction = RecordEntry.Correction(of: mistake.id, reason: reason) }
            }
            entries.append(entry)
        }
        return entries.map { RecordedEntry($0, run: 7) }
    }
}
