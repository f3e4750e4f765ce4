import Testing

@testable import Vitals

@Suite("The traits of the vitals")
struct VitalTraitsTests {
    @Test("stand in the order of the vitals, one for each")
    func order() {
        #expect(VitalTraits.table.count == Vital.allCases.count)
        #expect(Vital.allCases.map(\.index) == Array(Vital.allCases.indices))
    }

    @Test("give each vital names and codes that no other one has")
    func names() {
        func isUnique(_ names: [String]) -> Bool { Set(names).count == names.count && !names.contains("") }
        let traits = Vital.allCases.map(\.traits)
        #expect(isUnique(traits.map(\.text)))
        #expect(isUnique(traits.map(\.shortText)))
        #expect(isUnique(traits.map(\.title)))
        #expect(isUnique(traits.map(\.shortTitle)))
        #expect(isUnique(traits.map(\.spoken.english)) && isUnique(traits.map(\.spoken.german)))
        #expect(isUnique(traits.map(\.nomenclatureCode)))
        // The profile of a heart rate demands its code of a pulse rate, too; the last one says which it is.
        #expect(isUnique(traits.map { $0.loinc.last?.code ?? "" }))
        #expect(traits.filter { $0.label.isEmpty }.map(\.text) == ["body temperature"])
        #expect(traits.allSatisfy { $0.shortTitle.count <= 5 })
    }

    @Test("say what is possible, without what sensors send for no value", arguments: Vital.allCases)
    func range(vital: Vital) {
        let range = vital.traits.range
        #expect(vital.isMeasurable(range.lowerBound) && vital.isMeasurable(range.upperBound))
        #expect(!vital.isMeasurable(VitalValue(hundredths: range.lowerBound.hundredths - 1)))
        #expect(!vital.isMeasurable(VitalValue(hundredths: range.upperBound.hundredths + 1)))
        if let invalid = vital.traits.invalid { #expect(range.contains(invalid) && !vital.isMeasurable(invalid)) }
        #expect(vital.isMeasurable(VitalValue(hundredths: vital.traits.scale.usual.upperBound)))
        let outcome = Reading.Outcome(hundredths: range.lowerBound.hundredths - 1, of: vital, .good)
        #expect(outcome == .noMeasurement(.outOfRange))
    }

    @Test("have scales that grow from one step to the next", arguments: Vital.allCases)
    func scales(vital: Vital) {
        for scale in [vital.traits.scale, vital.traits.convertedScale].compactMap(\.self) {
            #expect((scale.usual.upperBound - scale.usual.lowerBound).isMultiple(of: scale.step))
            #expect(scale.fittedLeast.isMultiple(of: scale.fittedStep))
            #expect(scale.fittedMost >= scale.usual.upperBound)
        }
    }

    @Test("let a vital stand beside one of the same colour that has a place of its own", arguments: Vital.allCases)
    func roles(vital: Vital) {
        guard let principal = vital.traits.role.principal else { return }
        #expect(principal.traits.role == .main)
        #expect(principal.traits.family == vital.traits.family)
    }
}
