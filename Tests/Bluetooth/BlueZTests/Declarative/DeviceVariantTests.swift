import DBus
import TestSupport
import Testing

@testable import BlueZ

private struct Cuff: DeviceDeclaration {
    static let discovery = DiscoveryCriteria(services: [BluetoothUUID(0x1810)])
    static let variants = [
        DeviceVariant("night", DiscoveryCriteria(name: "Cuff N")),
        DeviceVariant("arm", DiscoveryCriteria(appearance: .armBloodPressureMonitor)),
        DeviceVariant("any arm", DiscoveryCriteria(appearance: .bloodPressureMonitor)),
    ]
}

private struct Plain: DeviceDeclaration {
    static let discovery = DiscoveryCriteria()
}

@Suite("Variants of a declared device")
struct DeviceVariantTests {
    private func cuff(name: String? = nil, appearance: BluetoothAppearance? = nil) -> Peripheral {
        var peripheral = Peripheral(path: .root, adapter: .root, address: BluetoothAddress(rawValue: 1))
        peripheral.uuids = [BluetoothUUID(0x1810)]
        (peripheral.name, peripheral.appearance) = (name, appearance)
        return peripheral
    }

    @Test(
        "the first variant that fits is it",
        arguments: [
            ("Cuff N2", 0x0381, "night"), ("Cuff", 0x0381, "arm"), ("Cuff", 0x0382, "any arm"), ("Cuff", nil, nil),
            (nil, 0x0400, nil),
        ] as [(String?, UInt16?, String?)])
    func first(name: String?, appearance: UInt16?, variant: String?) {
        let cuff = cuff(name: name, appearance: appearance.map { BluetoothAppearance(rawValue: $0) })
        #expect(Cuff.variant(of: cuff)?.name == variant)
    }

    @Test("what is no such device is none of its variants")
    func other() {
        var other = cuff(name: "Cuff N")
        other.uuids = [BluetoothUUID(0x1809)]
        #expect(Cuff.variant(of: other) == nil)
    }

    @Test("a declaration without variants has none")
    func none() {
        #expect(Plain.variants.isEmpty)
        #expect(Plain.variant(of: cuff()) == nil)
    }
}
