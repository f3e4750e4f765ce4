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
