import BluetoothCapture
import TestSupport
import Testing
import VitalDecoders

@Suite("What a capture says of handles")
struct DiscoveryTests {
    private let address = CapturedPeer.address("C0:52:49:00:00:01")

    private func script(_ build: (inout CaptureScript) -> Void) -> [UInt8] {
        var script = CaptureScript()
        script.connect("C0:52:49:00:00:01", link: 0x40)
        build(&script)
        return script.octets
    }

    @Test("Find Information names handles, of both lengths")
    func findInformation() {
        let found = events(
            script { script in
                script.attribute(0x40, [0x04, 0x10, 0, 0x12, 0], .sent)
                script.attribute(0x40, [0x05, 1, 0x10, 0, 0x1C, 0x2A, 0x11, 0, 0x02, 0x29], .received)
                script.attribute(0x40, [0x04, 0x12, 0, 0xFF, 0xFF], .sent)
                script.attribute(0x40, [0x05, 2, 0x12, 0] + (1...16).map { UInt8($0) }, .received)
            })
        #expect(found.names[address]?[handle: 0x10] == BluetoothUUID(0x2A1C))
        #expect(found.names[address]?[handle: 0x11] == BluetoothUUID(0x2902))
        #expect(
            found.names[address]?[handle: 0x12]
                == BluetoothUUID(high: 0x100F_0E0D_0C0B_0A09, low: 0x0807_0605_0403_0201))
    }

    @Test("characteristics of 128 bits are named")
    func longCharacteristic() {
        let uuid = (1...16).map { UInt8($0) }
        let found = events(
            script { script in
                script.discover(link: 0x40, [(0x10, uuid)])
                script.notify(link: 0x40, handle: 0x10, [1])
            })
        #expect(
            values(found.events).map(\.attribute) == [
                .characteristic(BluetoothUUID(high: 0x100F_0E0D_0C0B_0A09, low: 0x0807_0605_0403_0201))
            ])
    }

    @Test("services are reported once, found by either request")
    func services() {
        let found = events(
            script { script in
                script.discoverServices(link: 0x40, [0x180D, 0x180F])
                script.attribute(0x40, [0x06, 1, 0, 0xFF, 0xFF, 0x00, 0x28, 0x09, 0x18], .sent)
                script.attribute(0x40, [0x07, 0x10, 0, 0x1F, 0], .received)
                script.discoverServices(link: 0x40, [0x180D])
            })
        let services = found.events.compactMap { if case .services(let all) = $0.kind { all } else { nil } }
        #expect(services.joined().map(\.description) == ["180D", "180F", "1809"])
    }

    @Test("a value that is read by type comes with its name, such as the device's")
    func readByType() {
        let found = events(
            script { script in
                script.attribute(0x40, [0x08, 1, 0, 0xFF, 0xFF, 0x00, 0x2A], .sent)
                script.attribute(0x40, [0x09, 6, 0x03, 0] + Array("CORE".utf8), .received)
            })
        #expect(values(found.events).map(\.octets) == [Array("CORE".utf8)])
        #expect(values(found.events).map(\.attribute) == [.characteristic(BluetoothUUID(0x2A00))])
    }

    @Test("a value longer than a packet is read in parts")
    func longRead() {
        let found = events(
            script { script in
                script.discover(link: 0x40, [(0x03, [0x00, 0x2A])])
                script.read(link: 0x40, handle: 0x03, Array("A sensor with a long n".utf8))
                script.attribute(0x40, [0x0C, 0x03, 0, 22, 0], .sent)
                script.attribute(0x40, [0x0D] + Array("ame".utf8), .received)
            })
        #expect(values(found.events).last?.octets == Array("A sensor with a long name".utf8))
    }

    @Test("an answer to a request that failed is not taken for the next one's")
    func errorAnswer() {
        let found = events(
            script { script in
                script.discover(link: 0x40, [(0x10, [0x37, 0x2A])])
                script.attribute(0x40, [0x0A, 0x10, 0], .sent)
                script.attribute(0x40, [0x01, 0x0A, 0x10, 0, 0x02], .received)
                script.attribute(0x40, [0x0B, 1, 2, 3], .received)
            })
        #expect(values(found.events).isEmpty)
    }

    @Test("several values in one notification are several values")
    func multipleValues() {
        let found = events(
            script { script in
                script.attribute(0x40, [0x23, 0x10, 0, 1, 0, 7, 0x12, 0, 2, 0, 8, 9, 0x14, 0, 9, 0, 1], .received)
            })
        #expect(values(found.events).map(\.attribute) == [.unnamed(handle: 0x10), .unnamed(handle: 0x12)])
        #expect(values(found.events).map(\.octets) == [[7], [8, 9]])
    }

    @Test("indications are values, too")
    func indications() {
        let found = events(script { $0.notify(link: 0x40, handle: 0x10, [1, 2], isIndication: true) })
        #expect(values(found.events).map(\.octets) == [[1, 2]])
    }
}
