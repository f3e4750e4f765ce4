import TestSupport
import Testing
import VitalDecoders

@Suite("Decimal numbers")
struct DecimalNumberTests {
    @Test(
        "a decimal prints plainly and without trailing zeros",
        arguments: [
            (3650, -2, "36.5"), (376, -1, "37.6"), (1000, -1, "100"), (100, 0, "100"), (-1, -1, "-0.1"), (0, -2, "0"),
            (0, 127, "0"), (105, -5, "0.00105"), (12, 3, "12000"), (1, -7, "0.0000001"), (1, -8, "1e-8"),
            (15, 29, "1.5e+30"), (1, 20, "100000000000000000000"), (-8_388_607, 127, "-8.388607e+133"),
            (8_388_607, -128, "8.388607e-122"), (Int64.min, 0, "-9223372036854775808"), (5, Int.max, "5e+\(Int.max)"),
            (5, Int.min, "5e\(Int.min)"),
        ] as [(Int64, Int, String)])
    func text(mantissa: Int64, exponent: Int, expected: String) {
        #expect(DecimalNumber(mantissa, exponent: exponent).description == expected)
    }

    @Test(
        "rounding to hundredths is half away from zero and never overflows",
        arguments: [
            (37_605, -3, 3761), (37_604, -3, 3760), (-37_605, -3, -3761), (5, -3, 1), (4, -3, 0), (-5, -3, -1),
            (1, 0, 100), (1, 127, nil), (0, 127, 0), (1, -128, 0), (Int64.max, 0, nil), (Int64.max, -2, Int.max),
            (Int64.min, -2, Int.min), (Int64.max, -21, 1), (4_999_999_999_999_999_999, -21, 0), (Int64.max, -22, 0),
            (1, Int.max, nil), (1, Int.min, 0), (Int64.max, -20, 9),
        ] as [(Int64, Int, Int?)])
    func hundredths(mantissa: Int64, exponent: Int, expected: Int?) {
        #expect(DecimalNumber(mantissa, exponent: exponent).hundredths == expected)
    }

    @Test("equality and order are those of the numbers, not of how they are written")
    func order() {
        let ascending = [
            DecimalNumber(-1, exponent: 127), DecimalNumber(.min, exponent: 0), DecimalNumber(-11, exponent: -1),
            DecimalNumber(-1, exponent: 0), DecimalNumber(-1, exponent: -128), DecimalNumber(0, exponent: 5),
            DecimalNumber(1, exponent: Int.min), DecimalNumber(1, exponent: -128), DecimalNumber(3829, exponent: -2),
            DecimalNumber(383, exponent: -1), DecimalNumber(38_300_001, exponent: -6), DecimalNumber(.max, exponent: 0),
            DecimalNumber(1, exponent: 19), DecimalNumber(1, exponent: 127), DecimalNumber(1, exponent: Int.max),
        ]
        for (index, left) in ascending.enumerated() {
            for (otherIndex, right) in ascending.enumerated() {
                #expect((left < right) == (index < otherIndex), "\(left) < \(right)")
                #expect((left == right) == (index == otherIndex), "\(left) == \(right)")
            }
        }
        #expect(DecimalNumber(3650, exponent: -2) == DecimalNumber(365, exponent: -1))
        #expect(DecimalNumber(3650, exponent: -2).hashValue == DecimalNumber(365, exponent: -1).hashValue)
    }

    @Test("the nearest Double is what the text means")
    func nearestDouble() throws {
        #expect(DecimalNumber(376, exponent: -1).doubleValue == 37.6)
        #expect(DecimalNumber(1, exponent: 127).doubleValue == 1e127)
        #expect(DecimalNumber(.max, exponent: 0).doubleValue == 0x1p63)
        #expect(DecimalNumber(1, exponent: 400).doubleValue == .infinity)
        #expect(DecimalNumber(1, exponent: -400).doubleValue == 0)
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            let decimal = DecimalNumber(
                Int64.random(in: -8_388_608...8_388_607, using: &generator),
                exponent: Int.random(in: -128...127, using: &generator))
            #expect(try #require(Double(decimal.description)) == decimal.doubleValue)
        }
    }
}
