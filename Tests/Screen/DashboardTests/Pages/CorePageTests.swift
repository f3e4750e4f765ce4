import Monitoring
import Testing
import VitalDecoders
import Vitals

@testable import Dashboard

@Suite("The page and the row of a CORE")
struct CorePageTests {
    private static func text(_ ward: Ward) -> String {
        (0..<40).map { ward.drawn(100, 40).text(row: $0) }.joined(separator: "\n")
    }

    @Test("the page has the heat strain with its zone, as long as it is sent")
    func heatStrain() {
        var ward = Ward.live(seconds: 5)
        ward.screen.list.selection = Ward.core.address
        ward.press(.character("i"))
        let type = CharacteristicType.coreBodyTemperature.uuid.description
        let value = SensorCharacteristic(number: 0, uuid: type, properties: ["notify"], offered: [.subscribe])
        ward.apply(.services(Ward.core, [SensorService(uuid: "00002100", characteristics: [value])]))
        #expect(!Self.text(ward).contains("Heat strain"))
        // 37.30 °C and a heat strain index of 3.4.
        ward.apply(
            .octets(Ward.core, CharacteristicOctets(number: 0, octets: [0x20, 0x92, 0x0E, 34], moment: ward.now)))
        #expect(Self.text(ward).contains(/Heat strain +3\.4 · heat zone 3 of 4/))
        ward.pass(16)
        #expect(!Self.text(ward).contains("Heat strain"))
    }

    @Test("row and page have the temperature that it advertises while it is not connected, in the user's unit")
    func beacon() {
        var ward = Ward.empty()
        ward.find(Ward.core, signal: -60)
        ward.apply(.beacon(Ward.core, bodyTemperature: VitalValue(hundredths: 3730)))
        #expect(Self.text(ward).contains("nearby · its beacon: 37.3 °C"))
        ward.press(.character("u"))
        #expect(Self.text(ward).contains("its beacon: 99.1 °F"))
        ward.press(.character("i"))
        #expect(Self.text(ward).contains(/Beacon +99\.1 °F · .*not monitored/))
        ward.pass(31)
        #expect(!Self.text(ward).contains("99.1"))
    }
}
