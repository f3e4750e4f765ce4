import DBus
import Testing

@testable import BlueZSimulator

/// An object with one interface of `org.bluez`.
private func object(_ path: String, _ interface: String, _ properties: [(String, DBusValue)]) -> DBusEntry {
    DBusEntry(
        .objectPath(ObjectPath(path) ?? .root),
        .dictionary(
            [DBusEntry(.string("org.bluez.\(interface)"), .properties(properties))], key: .string, value: .properties))
}

private func service(_ uuid: DBusValue = .string("180d"), isPrimary: DBusValue? = .boolean(true)) -> DBusEntry {
    object("/a/s", "GattService1", [("UUID", uuid)] + (isPrimary.map { [("Primary", $0)] } ?? []))
}

private func characteristic(
    _ uuid: String = "2a37", of service: String = "/a/s", flags: DBusValue? = .strings(["read", "notify"])
) -> DBusEntry {
    object(
        "/a/s/c", "GattCharacteristic1",
        [("UUID", .string(uuid)), ("Service", .objectPath(ObjectPath(service) ?? .root))]
            + (flags.map { [("Flags", $0)] } ?? []))
}

private func descriptor(of characteristic: String = "/a/s/c", flags: [String] = ["read"]) -> DBusEntry {
    object(
        "/a/s/c/d", "GattDescriptor1",
        [
            ("UUID", .string("2901")), ("Characteristic", .objectPath(ObjectPath(characteristic) ?? .root)),
            ("Flags", .strings(flags)),
        ])
}

private func answer(_ objects: [DBusEntry]) -> DBusValue {
    .dictionary(objects, key: .objectPath, value: .dictionary(key: .string, value: .properties))
}

@Suite("The services of an application")
struct LocalDatabaseTests {
    @Test("are taken from its objects, in any order")
    func complete() throws {
        let database = try LocalDatabase(answer([descriptor(), characteristic(), service()]))
        #expect(database.services.map(\.uuid) == [BluetoothUUID(0x180D)])
        let found = try #require(database.characteristics.first)
        #expect(found.uuid == BluetoothUUID(0x2A37) && found.service == BluetoothUUID(0x180D))
        #expect(found.isReadable && found.isSending && !found.isWritable && !found.isWritableWithoutResponse)
        #expect(found.descriptors.map { $0.uuid } == [BluetoothUUID(0x2901)])
    }

    @Test(
        "are refused as bluetoothd does",
        arguments: [
            ([], "No object received"),
            ([characteristic()], "No valid service object found"),
            ([service(), service()], "No valid service object found"),
            ([service(), characteristic(of: "/a/t")], "No valid service object found"),
            ([service(), characteristic(flags: nil)], "No valid service object found"),
            ([service(), characteristic(flags: .strings([]))], "No valid service object found"),
            ([service(), characteristic(flags: .strings(["read", "sing"]))], "No valid service object found"),
            ([service(), characteristic(flags: .string("read"))], "No valid service object found"),
            ([service(), characteristic(), descriptor(of: "/a/s/x")], "No valid service object found"),
            ([service(), characteristic(), descriptor(flags: ["notify"])], "No valid service object found"),
            ([service(isPrimary: nil)], "Failed to create entry in database"),
            ([service(.string("nonsense"))], "Failed to create entry in database"),
            ([service(.uint16(0x180D))], "Failed to create entry in database"),
            ([service(.string("1801"))], "Failed to create entry in database"),
            ([service(), characteristic("1800")], "Failed to create entry in database"),
        ])
    func refused(objects: [DBusEntry], expected: String) {
        #expect(throws: DBusConnectionError.failed(expected)) { try LocalDatabase(answer(objects)) }
    }

    @Test("are none in an answer of another type, or in no answer")
    func noAnswer() {
        #expect(throws: DBusConnectionError.failed("No object received")) { try LocalDatabase(nil) }
        #expect(throws: DBusConnectionError.failed("No object received")) { try LocalDatabase(.string("x")) }
    }
}

@Suite("A program's advertisement")
struct SimulatedAdvertisementTests {
    @Test("is read from its properties; unknown ones do not matter")
    func complete() throws {
        let advertisement = try SimulatedAdvertisement([
            "Type": .string("peripheral"), "ServiceUUIDs": .strings(["180d"]), "LocalName": .string("Bed"),
            "Appearance": .uint16(0x0341), "Discoverable": .boolean(true), "Else": .byte(1),
            "ManufacturerData": .dictionary(
                [DBusEntry(.uint16(0x6B), .variant(.bytes([1])))], key: .uint16, value: .variant),
        ])
        #expect(advertisement.name == "Bed")
        #expect(advertisement.services == [BluetoothUUID(0x180D)])
        #expect(advertisement.appearance == 0x0341)
        #expect(advertisement.manufacturerData == [0x6B: [1]])
    }

    @Test(
        "is refused when a property is malformed or it does not fit",
        arguments: [
            ("Type", DBusValue.string("both"), "Failed to parse advertisement."),
            ("ServiceUUIDs", .strings(["x"]), "Failed to parse advertisement."),
            ("ServiceUUIDs", .string("180d"), "Failed to parse advertisement."),
            ("LocalName", .byte(1), "Failed to parse advertisement."),
            ("Appearance", .int32(1), "Failed to parse advertisement."),
            ("Discoverable", .byte(1), "Failed to parse advertisement."),
            (
                "ManufacturerData",
                .dictionary([DBusEntry(.uint16(1), .variant(.byte(1)))], key: .uint16, value: .variant),
                "Failed to parse advertisement."
            ),
            ("LocalName", .string(String(repeating: "a", count: 30)), "Failed to register advertisement"),
            (
                "ServiceUUIDs",
                .strings([
                    "6e400001-b5a3-f393-e0a9-e50e24dcca9e", "6e400002-b5a3-f393-e0a9-e50e24dcca9e",
                ]), "Failed to register advertisement"
            ),
        ])
    func refused(property: String, value: DBusValue, expected: String) {
        #expect(throws: DBusConnectionError.failed(expected)) { try SimulatedAdvertisement([property: value]) }
    }
}
