import Testing
import Vitals

@testable import Monitoring

@Suite("What may hide a fever")
struct AntipyreticTests {
    private static func given(_ name: String, at seconds: Double) -> RecordEntry {
        RecordEntry(.medication(Medication(name)), enteredAt: Ward.moment(seconds))
    }

    @Test("is the newest antipyretic of the last eight hours that was not taken back")
    func newest() {
        var ward = Ward()
        let first = Self.given("ibuprofen", at: 1)
        ward.act(.enter(first), at: 1)
        ward.act(.enter(Self.given("ondansetron", at: 100)), at: 100)
        #expect(ward.state.patientRecord.antipyretic(at: Ward.moment(200))?.medication.name == "ibuprofen")
        let second = Self.given("paracetamol", at: 300)
        ward.act(.enter(second), at: 300)
        #expect(ward.state.patientRecord.antipyretic(at: Ward.moment(400))?.given == Ward.moment(300))
        ward.act(.retract(second.id), at: 500)
        #expect(ward.state.patientRecord.antipyretic(at: Ward.moment(600))?.medication.name == "ibuprofen")
        #expect(ward.state.patientRecord.antipyretic(at: Ward.moment(8 * 3600)) != nil)
        #expect(ward.state.patientRecord.antipyretic(at: Ward.moment(8 * 3600 + 1)) == nil)
    }

    @Test("changes no rule: a fever is a fever")
    func noRule() {
        var ward = Ward()
        ward.act(.enter(Self.given("paracetamol", at: 1)), at: 1)
        let fever = RecordEntry(
            .vital(.bodyTemperature, VitalValue(hundredths: 3830), site: .mouth), enteredAt: Ward.moment(2))
        ward.act(.enter(fever), at: 2, expecting: ["fever_single active high"])
    }
}
