import TestSupport
import Testing
import Vitals

@testable import Monitoring

@Suite("Corrections in the record")
struct CorrectionTests {
    private static func temperature(
        _ hundredths: Int, at seconds: Double, correcting corrected: RecordEntry? = nil, reason: String = ""
    ) -> RecordEntry {
        var entry = RecordEntry(
            .vital(.bodyTemperature, VitalValue(hundredths: hundredths), site: .mouth), enteredAt: Ward.moment(seconds))
        entry.correction = corrected.map { RecordEntry.Correction(of: $0.id, reason: reason) }
        return entry
    }

    @Test("a correction replaces the mistake, which stays with its reason")
    func correction() {
        var ward = Ward()
        let mistake = Self.temperature(3950, at: 1)
        ward.act(.enter(mistake), at: 1, expecting: ["fever_single active high"])
        let right = Self.temperature(3590, at: 2, correcting: mistake, reason: "transposed")
        ward.act(.enter(right), at: 2, expecting: ["fever_single ended high"])
        let record = ward.state.patientRecord
        #expect(record.entries.map(\.content) == [mistake.content, right.content])
        #expect(record.entries.map(\.isRetracted) == [true, false])
        #expect(record.entries[0].retractionReason == "transposed")
        #expect(record.correction(of: mistake.id) == right)
        #expect(record.newest(.bodyTemperature)?.value == VitalValue(hundredths: 3590))
    }

    @Test("a mistake that is taken back says why, and a second reason changes nothing")
    func reason() {
        var ward = Ward()
        let entry = Self.temperature(3700, at: 1)
        ward.act(.enter(entry), at: 1)
        ward.act(.retract(entry.id, reason: "another patient"), at: 2)
        ward.act(.retract(entry.id, reason: "no"), at: 3)
        #expect(ward.state.patientRecord.entries.map(\.retractionReason) == ["another patient"])
        #expect(ward.state.patientRecord.entries[0].retractedAt == Ward.moment(2))
    }

    @Test("a lab result weighs a fever by its neutrophils, and the one before applies again when it is taken back")
    func labs() {
        var ward = Ward()
        func lab(_ whiteCells: Int, at seconds: Double, taken: Double) -> RecordEntry {
            RecordEntry(
                .lab(
                    LabResult([
                        .init(.whiteCells, VitalValue(hundredths: whiteCells * 100)),
                        .init(.neutrophils, VitalValue(hundredths: 5000)),
                    ])), taken: Ward.moment(taken), enteredAt: Ward.moment(seconds))
        }
        ward.act(.enter(Self.temperature(3850, at: 1)), at: 1, expecting: ["fever_single active high"])
        ward.act(.enter(lab(4000, at: 2, taken: 2)), at: 2, expecting: ["fever_single active medium"])
        #expect(ward.state.neutrophils?.perMicrolitre == 2000)
        // An older sample that is entered later changes nothing.
        ward.act(.enter(lab(400, at: 3, taken: 1)), at: 3)
        #expect(ward.state.neutrophils?.perMicrolitre == 2000)
        let newest = lab(600, at: 5, taken: 4)
        ward.act(.enter(newest), at: 5, expecting: ["fever_single active high"])
        #expect(ward.state.neutrophils?.perMicrolitre == 300)
        ward.act(.retract(newest.id), at: 6, expecting: ["fever_single active medium"])
        #expect(ward.state.neutrophils?.perMicrolitre == 2000)
    }

    @Test("correct and take back in any order never lose an original", .computing, arguments: 0..<200)
    func neverLost(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var ward = Ward()
        var entered: [RecordEntry] = []
        var retractions: [RecordEntry.ID: RecordEntry] = [:]
        for step in 1...60 {
            let chosen = entered.randomElement(using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                let entry = Self.temperature(Int.random(in: 3500...4000, using: &random), at: Double(step))
                _ = ward.state.apply(.enter(entry), at: Ward.moment(Double(step)))
                entered.append(entry)
            case 1:
                guard let chosen else { continue }
                _ = ward.state.apply(.retract(chosen.id, reason: "reason \(step)"), at: Ward.moment(Double(step)))
            default:
                let entry = Self.temperature(
                    Int.random(in: 3500...4000, using: &random), at: Double(step), correcting: chosen,
                    reason: "correction \(step)")
                _ = ward.state.apply(.enter(entry), at: Ward.moment(Double(step)))
                entered.append(entry)
            }
            let record = ward.state.patientRecord.entries
            #expect(record.count == entered.count)
            for original in entered {
                guard let kept = record.first(where: { $0.id == original.id }) else {
                    Issue.record("\(original.id) is lost")
                    continue
                }
                #expect(kept.content == original.content && kept.taken == original.taken)
                #expect(kept.correction == original.correction)
                // What was retracted once stays as it is.
                if let before = retractions[kept.id] { #expect(kept == before) }
                if kept.isRetracted { retractions[kept.id] = kept }
            }
            // Whatever was corrected no longer holds.
            for id in record.compactMap(\.correction?.corrected) {
                #expect(record.first { $0.id == id }?.isRetracted == true)
            }
        }
    }
}
