import DBus
import Testing

@testable import BlueZ

@Suite("Properties of objects")
struct PropertiesTests {
    private func strap(_ more: [String: DBusValue] = [:]) throws -> (peripheral: Peripheral?, malformed: Int) {
        var properties: [String: DBusValue] = [
            "Address": .string("C0:52:49:00:00:02"), "Adapter": .objectPath(try path("/org/bluez/hci0")),
        ]
        properties.merge(more) { $1 }
        let read = Peripheral.read(try path("/org/bluez/hci0/dev_C0_52_49_00_00_02"), properties)
        return (read?.peripheral, read?.malformed ?? 0)
    }

    @Test("a peripheral has what its object says")
    func peripheral() throws {
        let (found, malformed) = try strap([
            "AddressType": .string("random"), "Name": .string("Polar H10 1234"), "Alias": .string("Bed 12"),
            "RSSI": .int16(-58), "TxPower": .int16(4),
            "UUIDs": .strings(["180d", "0000180f-0000-1000-8000-00805f9b34fb"]),
            "Appearance": .uint16(833), "Connected": .boolean(true), "ServicesResolved": .boolean(true),
            "Paired": .boolean(true), "Trusted": .boolean(true), "Blocked": .boolean(false),
            "ManufacturerData": .dictionary(
                [DBusEntry(.uint16(0x006B), .variant(.bytes([1, 2])))], key: .uint16, value: .variant),
            "ServiceData": .dictionary(
                [DBusEntry(.string("1809"), .variant(.bytes([3])))], key: .string, value: .variant),
        ])
        let peripheral = try #require(found)
        #expect(malformed == 0)
        #expect(peripheral.address.description == "C0:52:49:00:00:02")
        #expect(peripheral.addressType == .random)
        #expect(peripheral.name == "Polar H10 1234")
        #expect(peripheral.alias == "Bed 12")
        #expect(peripheral.rssi == -58)
        #expect(peripheral.txPower == 4)
        #expect(peripheral.uuids == [BluetoothUUID(0x180D), BluetoothUUID(0x180F)])
        #expect(peripheral.appearance == 833)
        #expect(peripheral.isConnected && peripheral.areServicesResolved)
        #expect(peripheral.isPaired && peripheral.isTrusted)
        #expect(peripheral.manufacturerData == [0x006B: [1, 2]])
        #expect(peripheral.serviceData == [BluetoothUUID(0x1809): [3]])
    }

    @Test("an alias that BlueZ made of the address is ignored")
    func madeUpAlias() throws {
        #expect(try strap(["Alias": .string("C0-52-49-00-00-02")]).peripheral?.alias == nil)
    }

    @Test("without a proper address or adapter there is no peripheral", arguments: ["Address", "Adapter"])
    func incomplete(missing: String) throws {
        #expect(try strap([missing: .string("elsewhere")]).peripheral == nil)
        #expect(try strap([missing: .uint32(7)]).peripheral == nil)
    }

    @Test(
        "a property with a wrong type or an impossible value is counted and left out",
        arguments: [
            ("Name", DBusValue.uint32(5)), ("RSSI", .string("strong")), ("RSSI", .int16(127)),
            ("RSSI", .int32(-70_000)),
            ("TxPower", .int64(.max)), ("UUIDs", .string("180d")), ("UUIDs", .strings(["nonsense"])),
            ("Appearance", .int32(-1)), ("Connected", .string("yes")), ("Connected", .byte(1)),
            ("AddressType", .string("odd")), ("ManufacturerData", .bytes([1])),
            (
                "ManufacturerData",
                .dictionary([DBusEntry(.string("x"), .variant(.bytes([1])))], key: .string, value: .variant)
            ),
            (
                "ServiceData",
                .dictionary([DBusEntry(.string("x"), .variant(.bytes([1])))], key: .string, value: .variant)
            ),
            ("ServiceData", .array([], of: .variant)), ("Alias", .boolean(true)),
        ])
    func wrongTypes(property: String, value: DBusValue) throws {
        let (peripheral, malformed) = try strap([property: value])
        #expect(malformed == 1)
        #expect(peripheral == (try strap().peripheral))
    }

    @Test("what the daemon has besides is no fault")
    func unknownProperty() throws {
        #expect(try strap(["PreferredBearer": .string("le"), "Sets": .array([], of: .objectPath)]).malformed == 0)
    }

    @Test("a name is cut to 248 octets between characters")
    func longName() throws {
        let name = try #require(strap(["Name": .string(String(repeating: "€", count: 200_000))]).peripheral?.name)
        #expect(name == String(repeating: "€", count: 82))
    }

    @Test("a charge above 100 percent is ignored")
    func battery() throws {
        var peripheral = try #require(strap().peripheral)
        let accepted = [DBusValue.byte(100), .byte(101), .string("full")].map { value in
            peripheral.setBattery("Percentage", to: value)
        }
        #expect(accepted == [true, false, false])
        #expect(peripheral.batteryPercent == 100)
    }

    @Test("an adapter has what its object says")
    func adapter() throws {
        let (adapter, malformed) = Adapter.read(
            try path("/org/bluez/hci0"),
            [
                "Address": .string("00:1B:DC:00:00:01"), "Alias": .string("ward"), "Powered": .boolean(true),
                "Discovering": .boolean(true), "Roles": .strings(["central", "peripheral"]),
                "Class": .uint32(0x6C_010C), "Name": .string("ward-3"), "Modalias": .string("usb:v1D6Bp0246d0542"),
                "Discoverable": .boolean(true), "DiscoverableTimeout": .uint32(180), "Pairable": .boolean(true),
                "PairableTimeout": .uint32(0), "UUIDs": .strings(["1800", "0000180a-0000-1000-8000-00805f9b34fb"]),
            ])
        #expect(malformed == 0)
        #expect(adapter.id == "hci0")
        #expect(adapter.address?.description == "00:1B:DC:00:00:01")
        #expect(adapter.name == "ward")
        #expect(adapter.isPowered && adapter.isDiscovering)
        #expect(adapter.roles == ["central", "peripheral"])
        #expect(adapter.deviceClass == 0x6C_010C)
        #expect(adapter.systemName == "ward-3")
        #expect(adapter.modalias == "usb:v1D6Bp0246d0542")
        #expect(adapter.isDiscoverable && adapter.discoverableTimeout == .seconds(180))
        #expect(adapter.isPairable && adapter.pairableTimeout == .zero)
        #expect(adapter.uuids == [BluetoothUUID(0x1800), BluetoothUUID(0x180A)])
    }

    @Test(
        "an adapter's property with a wrong type is counted and left out",
        arguments: [
            ("Address", DBusValue.string("nowhere")), ("Alias", .uint32(1)), ("Powered", .string("on")),
            ("Discovering", .uint32(1)), ("Roles", .string("central")), ("Name", .boolean(true)),
            ("Discoverable", .uint32(1)), ("DiscoverableTimeout", .int32(180)), ("Pairable", .string("yes")),
            ("PairableTimeout", .boolean(false)), ("Class", .uint32(0x100_0000)), ("Class", .string("phone")),
            ("Modalias", .string(String(repeating: "u", count: 65))), ("Modalias", .uint32(1)),
            ("UUIDs", .string("1800")), ("UUIDs", .strings(["nonsense"])),
        ])
    func wrongAdapter(property: String, value: DBusValue) throws {
        let (adapter, malformed) = Adapter.read(try path("/org/bluez/hci0"), [property: value])
        #expect(malformed == 1)
        #expect(adapter == Adapter(path: try path("/org/bluez/hci0")))
    }

    @Test("the names of flags are known, and others left out")
    func flags() {
        let flags = CharacteristicFlags(names: ["read", "notify", "indicate", "encrypt-read", ""])
        #expect(flags == [.read, .notify, .indicate])
    }
}
