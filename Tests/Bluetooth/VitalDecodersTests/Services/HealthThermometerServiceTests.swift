import Testing
import VitalDecoders

@Suite("Health Thermometer Service")
struct HealthThermometerServiceTests {
    @Test(
        "a measurement reads as documented, and is written with the same octets",
        arguments: [
            ("00 42 0E 00 FE", 3650, "36.5", .celsius, nil, nil),
            ("01 DA 03 00 FF", 3700, "98.6", .fahrenheit, nil, nil),
            ("01 6E 27 00 FE", 3830, "100.94", .fahrenheit, nil, nil),
            ("02 88 0E 00 FE E9 07 03 0A 0E 1E 2D", 3720, "37.2", .celsius, "2025-03-10 14:30:45", nil),
            ("04 42 0E 00 FE 02", 3650, "36.5", .celsius, nil, .body),
            ("00 FF FF 7F 00", nil, "NaN", .celsius, nil, nil),
            ("04 FF FF 7F 00 02", nil, "NaN", .celsius, nil, .body),
            ("00 00 00 80 00", nil, "NRes", .celsius, nil, nil),
            ("00 FE FF 7F 00", nil, "+INFINITY", .celsius, nil, nil),
            ("00 02 00 80 00", nil, "-INFINITY", .celsius, nil, nil),
            ("01 01 00 80 00", nil, "Reserved", .fahrenheit, nil, nil),
            ("02 88 0E 00 FE 00 00 00 00 0E 1E 2D", 3720, "37.2", .celsius, "????-??-?? 14:30:45", nil),
            ("07 88 0E 00 FE E9 07 03 0A 0E 1E 2D 09", 289, "37.2", .fahrenheit, "2025-03-10 14:30:45", .tympanum),
        ] as [(String, Int?, String, TemperatureUnit, String?, TemperatureType?)])
    func vectors(
        value: String, hundredths: Int?, text: String, unit: TemperatureUnit, timestamp: String?, type: TemperatureType?
    ) throws {
        let measurement = try TemperatureMeasurement(octets(value))
        #expect(measurement.celsiusHundredths == hundredths)
        #expect(measurement.temperature.description == text)
        #expect(measurement.unit == unit)
        #expect(measurement.timestamp?.description == timestamp)
        #expect(measurement.type == type)
        #expect(measurement.octets == octets(value))
    }

    @Test("octets after the last announced field and reserved flags are ignored")
    func tail() throws {
        let plain = try TemperatureMeasurement(octets("00 42 0E 00 FE"))
        #expect(try TemperatureMeasurement(octets("00 42 0E 00 FE AA BB")) == plain)
        #expect(try TemperatureMeasurement(octets("F8 42 0E 00 FE")) == plain)
    }

    @Test(
        "a value that ends too early is malformed, with the place and the missing field",
        arguments: [
            ("", 0, "the value needs flags, 0 of 1 octet present"),
            ("00 42 0E", 1, "the value needs a temperature, 2 of 4 octets present"),
            ("02 88 0E 00 FE E9 07 03", 5, "flags announce a time stamp, 3 of 7 octets present"),
            ("04 88 0E 00 FE", 5, "flags announce a temperature type, 0 of 1 octet present"),
            ("06 88 0E 00 FE E9 07 03 0A 0E 1E 2D", 12, "flags announce a temperature type, 0 of 1 octet present"),
        ])
    func malformed(value: String, offset: Int, reason: String) {
        #expect(throws: MalformedValueError(offset: offset, reason: reason)) {
            try TemperatureMeasurement(octets(value))
        }
    }

    @Test("a number that is no assigned place of the body is kept and called reserved")
    func reservedType() throws {
        for number in UInt8.min...UInt8.max {
            let type = try TemperatureType([number])
            #expect(type.rawValue == number)
            #expect((type.name == "reserved") == !(1...9 ~= number))
            #expect(type.octets == [number])
        }
        #expect(TemperatureType(name: "mouth") == .mouth)
        #expect(TemperatureType(name: "nose") == nil)
    }
}

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
