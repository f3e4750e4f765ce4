import DBus
import Testing

@testable import BlueZ

/// The options of a request, as the daemon sends them.
private func options(_ entries: [(String, DBusValue)]) -> DBusValue { .properties(entries) }

@Suite("A request of a central")
struct AttributeRequestTests {
    @Test("has the central, the offset, the transfer unit and the kind of a write")
    func complete() throws {
        let request = try AttributeRequest(
            options([
                ("device", .objectPath(try path("/org/bluez/hci0/dev_1"))), ("offset", .uint16(22)),
                ("mtu", .uint16(185)), ("type", .string("command")), ("link", .string("LE")),
            ]))
        #expect(request.device == ObjectPath("/org/bluez/hci0/dev_1"))
        #expect(request.offset == 22)
        #expect(request.transferUnit == 185)
        #expect(request.mode == .withoutResponse)
        #expect(!request.isPreparation)
    }

    @Test("needs none of them, and a transfer unit below the smallest possible counts as that one")
    func empty() throws {
        let request = try AttributeRequest(options([]))
        #expect(request.device == nil && request.offset == 0 && request.transferUnit == nil)
        #expect(request.mode == .withResponse)
        #expect(try AttributeRequest(options([("mtu", .uint16(0))])).transferUnit == 23)
        #expect(try AttributeRequest(options([("prepare-authorize", .boolean(true))])).isPreparation)
    }

    @Test(
        "is refused where an option has a wrong type or is beyond the end of any value",
        arguments: [
            (DBusValue.string("x"), AttributeRefusal.unlikelyError),
            (options([("offset", .int32(1))]), .unlikelyError), (options([("offset", .uint16(513))]), .invalidOffset),
            (options([("mtu", .string("23"))]), .unlikelyError), (options([("type", .byte(1))]), .unlikelyError),
            (options([("device", .string("/org/bluez"))]), .unlikelyError),
            (options([("prepare-authorize", .byte(1))]), .unlikelyError),
        ])
    func malformed(options: DBusValue, expected: AttributeRefusal) {
        #expect(throws: expected) { try AttributeRequest(options) }
        #expect(throws: AttributeRefusal.unlikelyError) { try AttributeRequest(nil) }
    }

    @Test("takes the octets from its offset on, which may be the end but not behind it")
    func rest() throws {
        let atEnd = try AttributeRequest(options([("offset", .uint16(3))]))
        #expect(try atEnd.rest(of: [1, 2, 3]) == [])
        #expect(try atEnd.rest(of: [1, 2, 3, 4]) == [4])
        #expect(throws: AttributeRefusal.invalidOffset) { try atEnd.rest(of: [1, 2]) }
    }
}

@Suite("A long read")
struct LongReadTests {
    private let key = CharacteristicKey(service: BluetoothUUID(0x180D), uuid: BluetoothUUID(0x2A38))
    private let other = CharacteristicKey(service: BluetoothUUID(0x180D), uuid: BluetoothUUID(0x2A39))

    private func request(_ device: Int, mtu: UInt16 = 23) throws -> AttributeRequest {
        try AttributeRequest(options([("device", .objectPath(try path("/dev\(device)"))), ("mtu", .uint16(mtu))]))
    }

    @Test("goes on in the value that it began with, for its own central and characteristic only")
    func kept() throws {
        var reads = LongReads()
        let octets = [UInt8](repeating: 7, count: 22)
        reads.begin(key, octets, for: try request(1))
        #expect(reads.value(of: key, for: try request(1)) == octets)
        #expect(reads.value(of: other, for: try request(1)) == nil)
        #expect(reads.value(of: key, for: try request(2)) == nil)
        reads.begin(other, octets, for: try request(1))
        #expect(reads.value(of: key, for: try request(1)) == nil)
        reads.end(try path("/dev1"))
        #expect(reads.value(of: other, for: try request(1)) == nil)
    }

    @Test("is not kept for a value that one packet holds, nor for a central without a name")
    func short() throws {
        var reads = LongReads()
        reads.begin(key, [UInt8](repeating: 7, count: 21), for: try request(1))
        reads.begin(key, [UInt8](repeating: 7, count: 183), for: try request(2, mtu: 185))
        reads.begin(key, [UInt8](repeating: 7, count: 500), for: try AttributeRequest(options([])))
        #expect(try (1...2).allSatisfy { reads.value(of: key, for: try request($0)) == nil })
        #expect(reads.value(of: key, for: try AttributeRequest(options([]))) == nil)
    }

    @Test("is forgotten when too many others have begun")
    func bounded() throws {
        var reads = LongReads()
        let octets = [UInt8](repeating: 7, count: 30)
        for device in 0...LongReads.capacity { reads.begin(key, octets, for: try request(device)) }
        #expect(reads.value(of: key, for: try request(0)) == nil)
        #expect(reads.value(of: key, for: try request(1)) == octets)
        #expect(reads.value(of: key, for: try request(LongReads.capacity)) == octets)
    }
}
