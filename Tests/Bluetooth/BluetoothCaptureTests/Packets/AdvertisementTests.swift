import BluetoothCapture
import TestSupport
import Testing
import VitalDecoders

@Suite("Advertisements in a capture")
struct AdvertisementTests {
    private func advertisements(_ script: CaptureScript) -> [Advertisement] {
        events(script.octets).events.compactMap { if case .advertised(let said) = $0.kind { said } else { nil } }
    }

    @Test("name, services and strength are read from both kinds of reports", arguments: [false, true])
    func reports(_ isExtended: Bool) throws {
        var script = CaptureScript()
        script.advertise(
            "C0:52:49:00:00:01", name: "CORE [1A]", services: [0x1809, 0x180A], strength: -71, isExtended: isExtended)
        let said = try #require(advertisements(script).first)
        #expect(said.name == "CORE [1A]")
        #expect(said.services == [BluetoothUUID(0x1809), BluetoothUUID(0x180A)])
        #expect(said.signalStrength == -71)
        #expect(events(script.octets).events.first?.peer == .address("C0:52:49:00:00:01"))
    }

    @Test("a long advertisement comes in parts, and is read when it is whole")
    func parts() throws {
        let data: [UInt8] = [7, 9] + Array("Sensor".utf8) + [3, 3, 0x0D, 0x18]
        var script = CaptureScript()
        script.extendedAdvertisement("C0:52:49:00:00:01", Array(data.prefix(5)), isToBeContinued: true)
        script.extendedAdvertisement("C0:52:49:00:00:01", Array(data.dropFirst(5)))
        let said = advertisements(script)
        #expect(said.map(\.name) == ["Sensor"])
        #expect(said.first?.services == [BluetoothUUID(0x180D)])
    }

    @Test("services of 128 bits are read, and a strength that was not measured is none")
    func longServices() throws {
        let uuid: BluetoothUUID = "00002100-5B1E-4347-B07C-97B514DAE121"
        var octets: [UInt8] = []
        for number in [uuid.low, uuid.high] {
            octets += (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        var script = CaptureScript()
        script.extendedAdvertisement("C0:52:49:00:00:01", [17, 7] + octets, strength: 127)
        let said = try #require(advertisements(script).first)
        #expect(said.services == [uuid] && said.signalStrength == nil)
    }

    @Test("structures that end early are left out")
    func damaged() {
        var script = CaptureScript()
        script.extendedAdvertisement("C0:52:49:00:00:01", [3, 3, 0x0D, 0x18, 9, 9, 0x41])
        #expect(advertisements(script).first?.services == [BluetoothUUID(0x180D)])
        #expect(advertisements(script).first?.name == nil)
    }
}
