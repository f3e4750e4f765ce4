import Testing
import VitalDecoders

@Suite("Device Information Service and Battery Service")
struct DeviceInformationServiceTests {
    @Test(
        "a text ends at its first NUL",
        arguments: [
            ("", ""), ("48 31 30", "H10"), ("48 31 30 00", "H10"), ("48 31 30 00 FF FF", "H10"), ("00 41", ""),
            ("C2 B0 43", "°C"), ("F0 9F 94 8B", "🔋"),
        ])
    func text(value: String, expected: String) throws {
        #expect(try DeviceInformationText(octets(value)).text == expected)
    }

    @Test(
        "a text that is not UTF-8 is malformed",
        arguments: [("48 FF", 1), ("C2", 0), ("41 42 C0 80", 2), ("ED A0 80", 0), ("F0 9F 94", 0)])
    func invalidText(value: String, offset: Int) {
        let thrown = #expect(throws: MalformedValueError.self) { try DeviceInformationText(octets(value)) }
        #expect(thrown?.offset == offset)
    }

    @Test("a text with a NUL is cut there when made")
    func cut() throws {
        #expect(DeviceInformationText("ab\0cd").text == "ab")
        #expect(DeviceInformationText("ab").octets == octets("61 62"))
    }

    @Test("a battery level above 100 is reserved and no percentage")
    func battery() throws {
        for number in UInt8.min...UInt8.max {
            let level = try BatteryLevel([number])
            #expect(level.rawValue == number)
            #expect(level.percent == (number <= 100 ? Int(number) : nil))
            #expect(level.octets == [number])
        }
    }
}
