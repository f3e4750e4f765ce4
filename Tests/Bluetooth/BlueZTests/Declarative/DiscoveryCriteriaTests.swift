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

    @Test(
        "of company data only the bits of the mask count, and all bits of octets without one",
        arguments: [
            ([0x41, 0x02], true), ([0x4F, 0x02, 9], true), ([0x51, 0x02], false), ([0x41, 0x03], false),
            ([0x41], false), ([], false),
        ] as [([UInt8], Bool)])
    func companyMask(data: [UInt8], isMatch: Bool) {
        let criteria = DiscoveryCriteria(company: 0x0059, companyData: [0x40, 0x02], companyMask: [0xF0])
        var advertising = peripheral([:])
        advertising.manufacturerData = [0x0059: data]
        #expect(criteria.matches(advertising) == isMatch)
        advertising.manufacturerData = [0x005A: data]
        #expect(!criteria.matches(advertising))
    }

    @Test("without a mask company data must begin as given, and a longer mask asks for no more octets")
    func companyData() {
        var advertising = peripheral([:])
        advertising.manufacturerData = [0x0059: [1, 2]]
        #expect(DiscoveryCriteria(company: 0x0059, companyData: [1]).matches(advertising))
        #expect(!DiscoveryCriteria(company: 0x0059, companyData: [2]).matches(advertising))
        #expect(
            DiscoveryCriteria(company: 0x0059, companyData: [1], companyMask: [0xFF, 0xFF, 0xFF]).matches(advertising))
        #expect(DiscoveryCriteria(company: 0x0059, companyData: [7], companyMask: [0]).matches(advertising))
    }

    @Test(
        "an appearance must be the one that is asked for, or of the category",
        arguments: [
            (0x0381, 0x0381, true), (0x0381, 0x0380, true), (0x0380, 0x0380, true), (0x0380, 0x0381, false),
            (0x0382, 0x0381, false), (0x0400, 0x0380, false), (nil, 0x0380, false), (0, 0x0380, false),
        ] as [(UInt16?, UInt16, Bool)])
    func appearance(own: UInt16?, asked: UInt16, isMatch: Bool) {
        var device = peripheral([:])
        device.appearance = own.map { BluetoothAppearance(rawValue: $0) }
        #expect(DiscoveryCriteria(appearance: BluetoothAppearance(rawValue: asked)).matches(device) == isMatch)
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
