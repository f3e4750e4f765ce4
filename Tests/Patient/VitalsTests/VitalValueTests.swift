import Testing
import Vitals

@Suite("A vital's value")
struct VitalValueTests {
    @Test(
        "converts to Fahrenheit exactly or rounded half away from zero",
        arguments: [
            (0, 3200), (3830, 10094), (3700, 9860), (10000, 21200), (-4000, -4000), (1, 3202), (2, 3204), (3, 3205),
            (-1, 3198), (-2, 3196), (-3, 3195), (3661, 9790),
        ])
    func fahrenheit(celsius: Int, expected: Int) {
        #expect(VitalValue(hundredths: celsius).fahrenheitHundredths == expected)
    }

    @Test("of whole units has as many hundredths times a hundred")
    func whole() {
        #expect(VitalValue(whole: 72) == VitalValue(hundredths: 7200))
    }

    @Test("is ordered exactly")
    func order() {
        #expect(VitalValue(hundredths: 3829) < VitalValue(hundredths: 3830))
        #expect(!(VitalValue(hundredths: 3830) < VitalValue(hundredths: 3830)))
    }
}
