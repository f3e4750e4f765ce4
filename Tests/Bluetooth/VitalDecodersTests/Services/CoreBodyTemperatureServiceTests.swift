import Testing
import VitalDecoders

@Suite("CORE")
struct CoreBodyTemperatureServiceTests {
    @Test("a value with every field reads as the maker documents it")
    func everyField() throws {
        let value = octets("37 19 0F A4 0D 2F 00 11 00 27")
        let core = try CoreBodyTemperature(value)
        #expect(core.coreCelsiusHundredths == 3865)
        #expect(core.skinCelsiusHundredths == 3492)
        #expect(core.coreReserved == 47)
        #expect(core.qualityAndState?.quality == .poor)
        #expect(core.qualityAndState?.heartRateState == .supportedNoSignal)
        #expect(core.heartRate == 0)
        #expect(core.validHeatStrainIndex == DecimalNumber(39, exponent: -1))
        #expect(core.octets == value)
    }

    @Test("0x7FFF is no temperature")
    func notAvailable() throws {
        let core = try CoreBodyTemperature(octets("05 FF 7F A4 0D 01"))
        #expect(core.coreCelsiusHundredths == nil)
        #expect(core.skinCelsiusHundredths == 3492)
        #expect(core.qualityAndState?.quality == .poor)
        #expect(core.octets == octets("05 FF 7F A4 0D 01"))
    }

    @Test("a value of ten octets has its fields in fixed places, and flags say which are valid")
    func fixedForm() throws {
        let core = try CoreBodyTemperature(octets("14 19 0F FF FF FF FF 13 48 FF"))
        #expect(core.coreCelsiusHundredths == 3865)
        #expect(core.skinTemperature == nil)
        #expect(core.coreReserved == nil)
        #expect(core.qualityAndState?.quality == .good)
        #expect(core.heartRate == 72)
        #expect(core.heatStrainIndexTenths == nil)
    }

    @Test("a value of eight octets is the fixed form of old firmware")
    func oldFixedForm() throws {
        let core = try CoreBodyTemperature(octets("04 19 0F FF 7F 00 00 03"))
        #expect(core.coreCelsiusHundredths == 3865)
        #expect(core.skinTemperature == nil)
        #expect(core.qualityAndState?.quality == .good)
        #expect(core.heartRate == nil)
    }

    @Test("a flag for degrees Fahrenheit holds for both temperatures")
    func fahrenheit() throws {
        let core = try CoreBodyTemperature(octets("09 6E 27 84 26"))
        #expect(core.coreCelsiusHundredths == 3830)
        #expect(core.skinCelsiusHundredths == 3700)
    }

    @Test(
        "the heat zones are those of the maker",
        arguments: [(0, 1), (9, 1), (10, 2), (29, 2), (30, 3), (69, 3), (70, 4)])
    func heatZones(tenths: UInt8, zone: Int) {
        #expect(CoreBodyTemperature.heatZone(tenths: tenths) == zone)
    }

    @Test("a heat strain index without a core temperature means nothing")
    func heatStrainWithoutCore() throws {
        let core = try CoreBodyTemperature(octets("20 FF 7F 27"))
        #expect(core.heatStrainIndexTenths == 39)
        #expect(core.validHeatStrainIndex == nil)
    }

    @Test(
        "a length that neither form has is malformed",
        arguments: [("00 19 0F 01", 3), ("05 19 0F A4 0D 01 00", 6), ("05 19 0F A4 0D", 5), ("", 0), ("10 19 0F", 3)])
    func malformed(value: String, offset: Int) {
        let thrown = #expect(throws: MalformedValueError.self) { try CoreBodyTemperature(octets(value)) }
        #expect(thrown?.offset == offset)
    }
}
