import Testing
import VitalDecoders

@Suite("Glucose Service")
struct GlucoseServiceTests {
    @Test("kilograms a litre become mg/dL and moles a litre become mmol/L, exactly")
    func units() throws {
        let mass = try GlucoseMeasurement(octets("03 01 00 EA 07 01 02 03 04 05 05 00 69 B0 11"))
        #expect(mass.sample?.clinicalConcentration == .number(DecimalNumber(105, exponent: 0)))
        #expect(mass.timeOffset == 5)
        let amount = try GlucoseMeasurement(octets("06 01 00 EA 07 01 02 03 04 05 3A C0 11"))
        #expect(amount.sample?.unit == .molesPerLitre)
        #expect(amount.sample?.clinicalConcentration == .number(DecimalNumber(58, exponent: -1)))
        let none = try GlucoseMeasurement(octets("02 01 00 EA 07 01 02 03 04 05 FF 07 11"))
        #expect(none.sample?.clinicalConcentration == .nan)
    }

    @Test("a control solution is no patient")
    func controlSolution() throws {
        let fluid = GlucoseSampleSource(fluid: .controlSolution, location: .init(rawValue: 1))
        let place = GlucoseSampleSource(fluid: .init(rawValue: 1), location: .controlSolution)
        let patient = GlucoseSampleSource(fluid: .interstitialFluid, location: .init(rawValue: 1))
        #expect(fluid.rawValue == 0x1A && fluid.isControlSolution)
        #expect(place.rawValue == 0x41 && place.isControlSolution)
        #expect(patient.rawValue == 0x19 && !patient.isControlSolution)
    }

    @Test("numbers of a context have names, and those that are not assigned are reserved")
    func names() {
        #expect(GlucoseMeal(rawValue: 3).name == "fasting")
        #expect(GlucoseMeal(rawValue: 9).name == "reserved")
        #expect(GlucoseTesterAndHealth(rawValue: 0x51).tester.name == "self")
        #expect(GlucoseTesterAndHealth(rawValue: 0x51).health.name == "no_issues")
        #expect(GlucoseMedicationKind(name: "long_acting_insulin")?.rawValue == 4)
        #expect(GlucoseCarbohydrateOccasion(rawValue: 7).name == "brunch")
    }
}
