import Testing
import VitalDecoders

/// Faults of the decoder that Bedside replaces, by their numbers in its review.
@Suite("Faults of the replaced decoder, each avoided")
struct ReplacedDecoderFaultTests {
    @Test("9: negative mantissas are numbers, and specials are none")
    func mantissa() throws {
        // −0.5 °C: mantissa −5, exponent −1.
        #expect(try TemperatureMeasurement(octets("00 FB FF FF FF")).celsiusHundredths == -50)
        // −3651 with an exponent of −2.
        #expect(try TemperatureMeasurement(octets("00 BD F1 FF FE")).celsiusHundredths == -3651)
        for special in ["FF FF 7F 00", "00 00 80 00", "FE FF 7F 00", "02 00 80 00", "01 00 80 00"] {
            #expect(try TemperatureMeasurement(octets("00 \(special)")).celsiusHundredths == nil, "\(special)")
        }
    }

    @Test("11: the place of the body is read, a time of zeros is unknown, and an impossible date is none")
    func typeAndTime() throws {
        let place = try TemperatureMeasurement(octets("04 42 0E 00 FE 06"))
        #expect(place.type == .mouth && place.celsiusHundredths == 3650)
        let zeros = try TemperatureMeasurement(octets("02 42 0E 00 FE 00 00 00 00 00 00 00"))
        #expect(zeros.timestamp?.description == "????-??-?? 00:00:00" && zeros.celsiusHundredths == 3650)
        // 31 February 2025 does not become 3 March.
        let february = try? TemperatureMeasurement(octets("02 42 0E 00 FE E9 07 02 1F 0C 00 00"))
        #expect(february?.timestamp?.description.contains("03-03") != true)
    }
}
