import DBus
import Testing

@testable import BlueZ

/// A bed that can be asked for its name and told its height, and sends when somebody leaves it.
struct ServedBed: DeviceDeclaration {
    struct Frame: ServiceDeclaration {
        static let uuid = BluetoothUUID(0xFEE0)
        let name = Declared<String>(BluetoothUUID(0xFEE1), .isRead)
        let height = Declared<UInt16>(BluetoothUUID(0xFEE2))
        let occupied = Declared<Bool>(BluetoothUUID(0xFEE3), .notifies)
        let weight = Declared<UInt16>(BluetoothUUID(0xFEE4), .isOptional)
    }

    struct Lamp: ServiceDeclaration {
        static let uuid = BluetoothUUID(0xFEF0)
        let brightness = Declared<UInt8>(BluetoothUUID(0xFEF1), .isRead, .isOptional)
    }

    static let discovery = DiscoveryCriteria()
    let frame = Frame()
    let lamp = Lamp()
}

@Suite("The objects of a served device")
struct ServedAttributesTests {
    /// The offers of a bed whose required characteristics have what they need.
    private func offers(_ change: (inout [ServedOffer]) -> Void = { _ in }) -> [ServedOffer] {
        var offers = DeclaredEntry.all(of: ServedBed()).map { ServedOffer($0) }
        offers[0].hasValue = true
        offers[1].takesWrites = true
        change(&offers)
        return offers
    }

    private func objects(_ offers: [ServedOffer]) throws -> [ServedAttributes.Object] {
        try ServedAttributes(offers, below: try path("/bed")).objects
    }

    @Test("are a service with its characteristics, whose flags follow from what they have")
    func table() throws {
        let attributes = try ServedAttributes(offers(), below: try path("/bed"))
        #expect(
            attributes.objects.map { "\($0.path) \($0.interface)" } == [
                "/bed/service0 org.bluez.GattService1",
                "/bed/service0/characteristic0 org.bluez.GattCharacteristic1",
                "/bed/service0/characteristic1 org.bluez.GattCharacteristic1",
                "/bed/service0/characteristic2 org.bluez.GattCharacteristic1",
            ])
        #expect(attributes.services == [ServedBed.Frame.uuid])
        #expect(
            DBusValue.properties(attributes.objects[0].properties.map { ($0.name, $0.value) })
                == .properties([
                    ("UUID", .string("0000fee0-0000-1000-8000-00805f9b34fb")), ("Primary", .boolean(true)),
                ]))
        let flags = attributes.objects.dropFirst().map { object in
            object.properties.first { $0.name == "Flags" }?.value
        }
        #expect(flags == [.strings(["read"]), .strings(["write"]), .strings(["notify"])])
        #expect(
            attributes.objects.dropFirst().allSatisfy { object in
                object.properties.contains { $0.name == "Service" && $0.value.text == "/bed/service0" }
            })
    }

    @Test("include a second service, stated flags and descriptors")
    func more() throws {
        let objects = try objects(
            offers {
                $0[2].statedFlags = [.indicate, .extendedProperties]
                $0[4].hasValue = true
                try? $0[4].add(.characteristicUserDescription, [0x4C])
            })
        #expect(
            objects.map(\.path.description).suffix(3) == [
                "/bed/service1", "/bed/service1/characteristic3", "/bed/service1/characteristic3/descriptor0",
            ])
        #expect(objects[3].properties.last?.value == .strings(["indicate"]))
        #expect(
            DBusValue.properties(objects[6].properties.map { ($0.name, $0.value) })
                == .properties([
                    ("UUID", .string("00002901-0000-1000-8000-00805f9b34fb")),
                    ("Characteristic", .objectPath(try path("/bed/service1/characteristic3"))),
                    ("Flags", .strings(["read"])),
                ]))
    }

    @Test("are not made where something required or stated is missing")
    func incomplete() {
        let (service, name, height) = (ServedBed.Frame.uuid, BluetoothUUID(0xFEE1), BluetoothUUID(0xFEE2))
        #expect(throws: ServingError.missing(service: service, characteristic: name)) {
            try objects(offers { $0[0].hasValue = false })
        }
        #expect(throws: ServingError.missing(service: service, characteristic: height)) {
            try objects(offers { $0[1].takesWrites = false })
        }
        #expect(throws: ServingError.incomplete(BluetoothUUID(0xFEE4), .read)) {
            try objects(offers { $0[3].statedFlags = [.read, .notify] })
        }
        #expect(throws: ServingError.incomplete(BluetoothUUID(0xFEE4), .writeWithoutResponse)) {
            try objects(offers { $0[3].statedFlags = [.writeWithoutResponse] })
        }
        #expect(throws: ServingError.empty) { try objects([]) }
    }

    @Test("have no descriptor twice, and none that the daemon makes")
    func descriptors() throws {
        var offer = ServedOffer(DeclaredEntry.all(of: ServedBed())[0])
        try offer.add(.characteristicUserDescription, [])
        for uuid in [BluetoothUUID(0x2901), BluetoothUUID(0x2902), BluetoothUUID(0x2900)] {
            #expect(throws: ServingError.invalidDescriptor(uuid)) { try offer.add(uuid, []) }
        }
    }
}

@Suite("An advertisement")
struct AdvertisementTests {
    @Test("names its services, or else those of the declaration, and what it has beside them")
    func properties() {
        let usual = [BluetoothUUID(0x180D)]
        let plain = Advertisement().properties(services: usual).map { ($0.name, $0.value) }
        #expect(
            DBusValue.properties(plain)
                == .properties([
                    ("Type", .string("peripheral")),
                    ("ServiceUUIDs", .strings(["0000180d-0000-1000-8000-00805f9b34fb"])),
                    ("Discoverable", .boolean(true)),
                ]))
        let full = Advertisement(
            name: "Bed", services: [], appearance: 0x0341, manufacturerData: [0xFFFF: [2], 0x006B: [1]])
        let properties = full.properties(services: usual).map { ($0.name, $0.value) }
        #expect(
            DBusValue.properties(Array(properties.dropFirst()))
                == .properties([
                    ("ServiceUUIDs", .strings([])), ("Discoverable", .boolean(true)), ("LocalName", .string("Bed")),
                    ("Appearance", .uint16(0x0341)),
                    (
                        "ManufacturerData",
                        .dictionary(
                            [
                                DBusEntry(.uint16(0x006B), .variant(.bytes([1]))),
                                DBusEntry(.uint16(0xFFFF), .variant(.bytes([2]))),
                            ], key: .uint16, value: .variant)
                    ),
                ]))
    }

    @Test(
        "has a name that can be sent",
        arguments: [("Bed", true), ("", false), ("a\0", false), (String(repeating: "a", count: 249), false)])
    func name(name: String, isValid: Bool) throws {
        let advertisement = Advertisement(name: name)
        if isValid {
            try advertisement.check()
        } else {
            #expect(throws: ServingError.invalidName) { try advertisement.check() }
        }
    }
}

@Suite("A refusal")
struct AttributeRefusalTests {
    @Test(
        "has the name by which the daemon knows it",
        arguments: [
            (AttributeRefusal.notSupported, "NotSupported"), (.notAuthorized, "NotAuthorized"),
            (.notPermitted, "NotPermitted"), (.inProgress, "InProgress"), (.invalidOffset, "InvalidOffset"),
            (.invalidValueLength, "InvalidValueLength"), (.application(0x81), "Failed"),
            (.application(0x7F), "InvalidArguments"), (.unlikelyError, "InvalidArguments"),
        ])
    func name(refusal: AttributeRefusal, expected: String) {
        #expect(refusal.busError.name == "org.bluez.Error.\(expected)")
    }

    @Test("of the service's own carries its code as text")
    func code() {
        #expect(
            AttributeRefusal.application(0x81).busError == .remote(name: "org.bluez.Error.Failed", message: "0x81"))
    }
}
