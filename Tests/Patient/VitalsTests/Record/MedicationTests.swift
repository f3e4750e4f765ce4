import Testing
import Vitals

@Suite("Medication and symptoms")
struct MedicationTests {
    @Test(
        "antipyretics are known by their names",
        arguments: [
            ("paracetamol", true), ("Ibuprofen retard", true), ("Novalgin", true), ("metamizole", true),
            ("Aspirin", true), ("ondansetron", false), ("parasol", false), ("", false), ("dexamethasone", false),
        ])
    func antipyretic(_ name: String, _ isAntipyretic: Bool) {
        #expect(Medication(name).isAntipyretic == isAntipyretic)
    }

    @Test("who gives it may know better whether it lowers a fever")
    func marked() {
        #expect(Medication("suppository", isAntipyretic: true).isAntipyretic)
        #expect(!Medication("aspirin", isAntipyretic: false).isAntipyretic)
    }

    @Test("names from others are harmless and bounded")
    func names() {
        #expect(Medication("a\u{1B}b").name == "a\u{FFFD}b")
        #expect(Medication(String(repeating: "x", count: 500)).name.unicodeScalars.count == Medication.nameLimit + 1)
        #expect(Symptom("Diarrhea") == .diarrhoea)
        #expect(Symptom("PAIN") == .pain)
        #expect(Symptom("burning\u{07} mouth") == .other("burning\u{FFFD} mouth"))
    }

    @Test(
        "a rating has a grade, which changes at 1, 4 and 7",
        arguments: [
            (0, SymptomRating.Grade.none), (1, .mild), (3, .mild), (4, .moderate), (6, .moderate), (7, .severe),
            (10, .severe),
        ])
    func grades(_ severity: Int, _ grade: SymptomRating.Grade) {
        #expect(SymptomRating(.nausea, severity: severity).grade == grade)
    }
}
