import Base
import Monitoring
import TestSupport
import Testing
import VitalDecoders
import Vitals
import Wording

@Suite("Values as digits")
struct ValueTextTests {
    private static let fever = VitalValue(hundredths: 3830)

    @Test(
        "a temperature has one decimal in Celsius, and two only where rounding would cross the limit",
        arguments: [
            (3680, "36.8"), (3685, "36.9"), (3684, "36.8"), (3829, "38.29"), (3825, "38.25"),
            (3824, "38.2"), (3830, "38.3"), (3834, "38.3"), (3835, "38.4"), (4000, "40.0"), (0, "0.0"), (-5, "0.0"),
            (-16, "-0.2"),
        ])
    func celsius(hundredths: Int, expected: String) {
        let text = ValueText(.celsius)
        let digits = text.digits(VitalValue(hundredths: hundredths), of: .bodyTemperature, limits: [Self.fever])
        #expect(digits == expected)
    }

    @Test(
        "the same holds in Fahrenheit, where the limit is 100.94",
        arguments: [(3680, "98.2"), (3829, "100.9"), (3830, "100.94"), (3831, "101.0"), (3833, "101.0")])
    func fahrenheit(hundredths: Int, expected: String) {
        let text = ValueText(.fahrenheit)
        let digits = text.digits(VitalValue(hundredths: hundredths), of: .bodyTemperature, limits: [Self.fever])
        #expect(digits == expected)
    }

    @Test(
        "no value below a limit ever reads as if it had reached it, in either unit", arguments: TemperatureUnit.allCases
    )
    func neverLooksLikeFever(unit: TemperatureUnit) throws {
        let text = ValueText(DisplayUnits(temperature: unit))
        let limit = try #require(Double(text.limit(Self.fever, of: .bodyTemperature)))
        for hundredths in 3500...4200 {
            let value = VitalValue(hundredths: hundredths)
            let shown = try #require(Double(text.digits(value, of: .bodyTemperature, limits: [Self.fever])))
            #expect((shown >= limit) == (value >= Self.fever), "\(hundredths)")
        }
    }

    @Test(
        "no value ever reads as if it were on the other side of a limit, or at it, in either unit",
        arguments: [Vital.heartRate, .oxygenSaturation, .bodyTemperature], TemperatureUnit.allCases)
    func neverCrosses(vital: Vital, unit: TemperatureUnit) throws {
        let text = ValueText(DisplayUnits(temperature: unit))
        var random = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            let step = [1, 5, 10, 50, 100].randomElement(using: &random) ?? 1
            let limit = VitalValue(hundredths: Int.random(in: 3000...15_000, using: &random) / step * step)
            let value = VitalValue(hundredths: limit.hundredths + Int.random(in: -120...120, using: &random))
            let shownLimit = try #require(Double(text.limit(limit, of: vital)))
            for relation in LimitRelation.allCases {
                let digits = text.digits(value, of: vital, limits: [relation.boundary(limit)])
                let shown = try #require(Double(digits))
                let holds =
                    switch relation {
                    case .atLeast: shown >= shownLimit
                    case .above: shown > shownLimit
                    case .below: shown < shownLimit
                    case .atMost: shown <= shownLimit
                    }
                #expect(holds == relation.holds(value, limit), "\(value.hundredths) \(relation) \(limit.hundredths)")
            }
        }
    }

    @Test(
        "a change of glucose is whole in mg/dL, and has a tenth in mmol/L",
        arguments: [(602, "6", "0.3"), (-1250, "−12", "−0.7"), (49, "0", "0.0"), (50, "1", "0.0")])
    func glucoseChange(hundredths: Int, milligrams: String, millimoles: String) {
        let change = VitalValue(hundredths: hundredths)
        func text(_ unit: GlucoseConcentrationUnit) -> String {
            ValueText(DisplayUnits(temperature: .celsius, glucose: unit)).difference(change, of: .glucose)
                .replacing("-", with: "−")
        }
        #expect(text(.milligramsPerDecilitre) == milligrams)
        #expect(text(.millimolesPerLitre) == millimoles)
    }

    @Test("a limit keeps the decimals that it needs")
    func limits() {
        #expect(ValueText(.celsius).limit(Self.fever, of: .bodyTemperature) == "38.3")
        #expect(ValueText(.fahrenheit).limit(Self.fever, of: .bodyTemperature) == "100.94")
    }

    @Test(
        "rates and saturation are whole numbers, unless rounding would cross a limit",
        arguments: [(7200, "72"), (7249, "72"), (7250, "73"), (8950, "89.5"), (8999, "89.99"), (9000, "90"), (0, "0")])
    func wholeNumbers(hundredths: Int, expected: String) {
        let text = ValueText(.celsius)
        let digits = text.digits(
            VitalValue(hundredths: hundredths), of: .oxygenSaturation, limits: [VitalValue(whole: 90)])
        #expect(digits == expected)
    }

    @Test("absurd values do not trap", arguments: [Int.max, Int.min, Int.max - 1])
    func absurd(hundredths: Int) {
        for unit in TemperatureUnit.allCases {
            for vital in Vital.allCases {
                let digits = ValueText(DisplayUnits(temperature: unit)).digits(
                    VitalValue(hundredths: hundredths), of: vital)
                #expect(!digits.isEmpty)
            }
        }
    }
}
