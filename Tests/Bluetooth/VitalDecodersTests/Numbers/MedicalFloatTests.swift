import Testing
import VitalDecoders

@Suite("FLOAT and SFLOAT")
struct MedicalFloatTests {
    @Test(
        "a FLOAT reads as documented",
        arguments: [
            (0xFE00_0E42, "36.5"), (0xFF00_03DA, "98.6"), (0xFE00_0E88, "37.2"), (0xFFFF_FFFF, "-0.1"),
            (0x007F_FFFF, "NaN"), (0x0080_0000, "NRes"), (0x007F_FFFE, "+INFINITY"), (0x0080_0002, "-INFINITY"),
            (0x0080_0001, "Reserved"), (0x007F_FFFD, "8388605"), (0x0080_0003, "-8388605"),
        ] as [(UInt32, String)])
    func float(word: UInt32, text: String) {
        #expect(MedicalFloat(bitPattern: word).description == text)
    }

    @Test(
        "an SFLOAT reads as documented",
        arguments: [
            (0x0064, "100"), (0xF3E8, "100"), (0xE37A, "8.9"), (0xF022, "3.4"), (0xB069, "0.00105"), (0xFFF1, "-1.5"),
            (0x07FF, "NaN"), (0x0800, "NRes"), (0x07FE, "+INFINITY"), (0x0802, "-INFINITY"), (0x0801, "Reserved"),
            (0x07FD, "2045"), (0x0803, "-2045"),
        ] as [(UInt16, String)])
    func shortFloat(word: UInt16, text: String) {
        #expect(MedicalShortFloat(bitPattern: word).description == text)
    }

    @Test("a special's code with another exponent is a number")
    func specialCodeWithExponent() {
        #expect(MedicalShortFloat(bitPattern: 0xF7FF).description == "204.7")
        #expect(MedicalShortFloat(bitPattern: 0x1800).description == "-20480")
        #expect(MedicalFloat(bitPattern: 0xFF7F_FFFF).description == "838860.7")
    }

    @Test("every one of the 65 536 SFLOAT words says a number that is written with the same word, or a special")
    func everyShortFloat() {
        var specials = 0
        for word in UInt16.min...UInt16.max {
            let value = MedicalShortFloat(bitPattern: word)
            guard let decimal = value.decimal else {
                specials += 1
                continue
            }
            #expect(MedicalShortFloat(decimal) == value)
            let unsigned = Int64(word & 0xFFF)
            #expect(decimal.mantissa == (unsigned > 2047 ? unsigned - 4096 : unsigned))
            #expect(decimal.exponent == Int(Int16(bitPattern: word)) >> 12)
            #expect(decimal.doubleValue.isFinite)
        }
        #expect(specials == 5)
    }

    @Test("the named specials have their words")
    func specials() {
        #expect(MedicalFloat.nan.bitPattern == 0x007F_FFFF)
        #expect(MedicalFloat.notAtThisResolution.bitPattern == 0x0080_0000)
        #expect(MedicalFloat.positiveInfinity.bitPattern == 0x007F_FFFE)
        #expect(MedicalFloat.negativeInfinity.bitPattern == 0x0080_0002)
        #expect(MedicalFloat.reserved.bitPattern == 0x0080_0001)
        #expect(MedicalShortFloat.nan.bitPattern == 0x07FF)
        #expect(MedicalShortFloat.notAtThisResolution.bitPattern == 0x0800)
        #expect(MedicalShortFloat.positiveInfinity.bitPattern == 0x07FE)
        #expect(MedicalShortFloat.negativeInfinity.bitPattern == 0x0802)
        #expect(MedicalShortFloat.reserved.bitPattern == 0x0801)
        #expect(MedicalFloat.nan.hundredths == nil)
        #expect(MedicalFloat.nan.doubleValue == nil)
    }

    @Test("making a number keeps its exponent where the format has room, and never makes a special")
    func making() {
        #expect(MedicalFloat(hundredths: 3650)?.bitPattern == 0xFE00_0E42)
        #expect(MedicalShortFloat(whole: 98)?.bitPattern == 0x0062)
        #expect(MedicalShortFloat(hundredths: 9850)?.description == "98.5")
        #expect(MedicalShortFloat(hundredths: 9855)?.description == "98.6")
        #expect(MedicalShortFloat(hundredths: -9855)?.description == "-98.6")
        #expect(MedicalShortFloat(whole: 2046)?.description == "2050")
        #expect(MedicalShortFloat(whole: 2047)?.description == "2050")
        #expect(MedicalShortFloat(DecimalNumber(2047, exponent: 0)) == nil)
        #expect(MedicalShortFloat(DecimalNumber(20_470, exponent: 0))?.bitPattern == 0x17FF)
        #expect(MedicalShortFloat(DecimalNumber(5, exponent: 9))?.description == "5000000000")
        #expect(MedicalShortFloat(DecimalNumber(5, exponent: 10)) == nil)
        #expect(MedicalShortFloat(rounding: DecimalNumber(5, exponent: 20)) == nil)
        #expect(MedicalShortFloat(rounding: DecimalNumber(5, exponent: -20))?.description == "0")
        #expect(MedicalShortFloat(rounding: DecimalNumber(.max, exponent: .max)) == nil)
        #expect(MedicalShortFloat(rounding: DecimalNumber(.max, exponent: .min))?.description == "0")
    }
}
