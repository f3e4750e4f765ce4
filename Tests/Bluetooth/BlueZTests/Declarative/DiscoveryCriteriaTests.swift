import DBus
import Testing

@testable import BlueZ

@Suite("Criteria of a discovery")
struct DiscoveryCriteriaTests {
    private static let service = BluetoothUUID(0xFE95)

    private func peripheral(_ data: [BluetoothUUID: [UInt8]], rssi: Int? = nil, address: UInt64 = 1) -> Peripheral {
        var peripheral = Peripheral(path: .root, adapter: .root, address: BluetoothAddress(rawValue: address))
        peripheral.serviceData = data
        peripheral.rssi = rssi
        return peripheral
    }

    @Test("service data must be there and begin with what is asked for")
    func serviceData() {
        let criteria = DiscoveryCriteria(serviceData: [Self.service: [0x30, 0x58]])
        #expect(criteria.matches(peripheral([Self.service: [0x30, 0x58, 1]])))
        #expect(criteria.matches(peripheral([Self.service: [0x30, 0x58], BluetoothUUID(0x180D): []])))
        #expect(!criteria.matches(peripheral([Self.service: [0x30]])))
        #expect(!criteria.matches(peripheral([Self.service: [0x31, 0x58]])))
        #expect(!criteria.matches(peripheral([BluetoothUUID(0x180D): [0x30, 0x58]])))
        #expect(!criteria.matches(peripheral([:])))
    }

    @Test("an empty beginning asks for any data of the service")
    func anyServiceData() {
        let criteria = DiscoveryCriteria(serviceData: [Self.service: []])
        #expect(criteria.matches(peripheral([Self.service: []])))
        #expect(!criteria.matches(peripheral([:])))
    }

    @Test("the stronger signal comes first, an unknown one last, and of equals the lower address")
    func order() {
        let sorted = [
            peripheral([:], rssi: nil, address: 1), peripheral([:], rssi: -80, address: 2),
            peripheral([:], rssi: -40, address: 4), peripheral([:], rssi: -40, address: 3),
        ].sorted { $0.isStronger(than: $1) }
        #expect(sorted.map(\.address.rawValue) == [3, 4, 2, 1])
    }
}
