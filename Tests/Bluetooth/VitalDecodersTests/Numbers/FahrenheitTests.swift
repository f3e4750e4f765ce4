import Testing
import VitalDecoders

@Suite("Fahrenheit")
struct FahrenheitTests {
    @Test(
        "degrees Fahrenheit become exact hundredths of a degree Celsius",
        arguments: [
            (10_094, -2, 3830), (986, -1, 3700), (1015, -1, 3861), (32, 0, 0), (0, 0, -1778), (-40, 0, -4000),
            (1, -128, -1778), (1, 127, nil), (99_509, -3, 3751), (995_090_000_000_000_000, -16, 3751),
            (Int64.max, Int.max, nil), (Int64.min, Int.min, -1778), (32_009, -3, 1), (32_008_999_999_999_999, -15, 0),
            (320_090_000_000_000_000, -16, 1), (3_200_900_000_000_000_001, -17, 1),
        ] as [(Int64, Int, Int?)])
    func hundredths(mantissa: Int64, exponent: Int, expected: Int?) {
        #expect(DecimalNumber(mantissa, exponent: exponent).celsiusHundredthsFromFahrenheit == expected)
    }

    @Test(
        "a conversion that a decimal can express is exact, any other has sixteen digits",
        arguments: [
            (10_094, -2, "38.3"), (986, -1, "37"), (32, 0, "0"), (1015, -1, "38.61111111111111"),
            (0, 0, "-17.77777777777778"), (-40, 0, "-40"), (1, 127, "5.555555555555556e+126"),
            (1, -128, "-17.77777777777778"),
        ] as [(Int64, Int, String)])
    func text(mantissa: Int64, exponent: Int, expected: String) {
        #expect(DecimalNumber(mantissa, exponent: exponent).celsiusFromFahrenheit.description == expected)
    }

    @Test("every temperature of a clinical thermometer agrees with floating-point arithmetic")
    func agreesWithFloatingPoint() {
        for tenths in 800...1200 {
            let fahrenheit = DecimalNumber(Int64(tenths), exponent: -1)
            let expected = (Double(tenths) / 10 - 32) * 5 / 9
            #expect(abs(fahrenheit.celsiusFromFahrenheit.doubleValue - expected) < 1e-12)
            #expect(fahrenheit.celsiusHundredthsFromFahrenheit == Int((expected * 100).rounded()))
        }
    }
}
