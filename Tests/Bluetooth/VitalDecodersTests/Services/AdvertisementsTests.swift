import Testing
import VitalDecoders

@Suite("Advertisements")
struct AdvertisementsTests {
    @Test("a CORE that measures advertises its temperature")
    func core() throws {
        let advertisement = try CoreAdvertisement(octets("00 04 B3 91"))
        #expect(advertisement.isMeasuring)
        #expect(advertisement.coreTemperature == DecimalNumber(37_299, exponent: -3))
        #expect(advertisement.octets == octets("00 04 B3 91"))
    }

    @Test("a CORE that does not measure has no temperature")
    func coreIdle() throws {
        #expect(try CoreAdvertisement(octets("00 21 B3 91")).coreTemperature == nil)
    }

    @Test("another layout of CORE's advertisement is malformed, not guessed")
    func coreLayout() {
        #expect(throws: MalformedValueError(offset: 0, reason: "the layout version is 1, only 0 is known")) {
            try CoreAdvertisement(octets("01 04 B3 91"))
        }
        #expect(throws: MalformedValueError.self) { try CoreAdvertisement(octets("00 04 B3")) }
    }

    @Test("a Polar strap advertises its heart rate")
    func polar() throws {
        let advertisement = try PolarAdvertisement(octets("37 0D 4D 4C"))
        #expect(advertisement.isBatteryGood)
        #expect(advertisement.hasContact)
        #expect(advertisement.frameCounter == 5)
        #expect(advertisement.isBroadcast)
        #expect(advertisement.fastHeartRate == 77)
        #expect(advertisement.slowHeartRate == 76)
        #expect(try PolarAdvertisement(octets("00 00 4D")).slowHeartRate == nil)
    }

    @Test("the advertisement of a real Polar H7, as reported to the Polar SDK (issue 305), says 84 and 82")
    func polarH7() throws {
        let advertisement = try PolarAdvertisement(octets("3B 1B 54 52"))
        #expect(advertisement.isBatteryGood && advertisement.hasContact && advertisement.isBroadcast)
        #expect(advertisement.frameCounter == 6)
        #expect(advertisement.fastHeartRate == 84)
        #expect(advertisement.slowHeartRate == 82)
    }

    @Test("other data of a Polar strap is stepped over, and is no heart rate")
    func polarOther() throws {
        let advertisement = try PolarAdvertisement(octets("7A 02 01 02 37 0D 4D 4C"))
        #expect(advertisement == (try PolarAdvertisement(octets("37 0D 4D 4C"))))
        let thrown = #expect(throws: MalformedValueError.self) { try PolarAdvertisement(octets("40 0D 4D 4C")) }
        #expect(thrown?.offset == 4)
        #expect(throws: MalformedValueError.self) { try PolarAdvertisement(octets("40")) }
    }
}
