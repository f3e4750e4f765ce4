import DBus
import EventLoops
import Testing

@testable import BlueZ

@Suite("Bounds of what the daemon can say")
struct InputBoundsTests {
    private let moment = Timestamp(monotonicNanoseconds: 1, wallMilliseconds: 1)

    private func properties(_ number: Int) throws -> [String: DBusValue] {
        let address = BluetoothAddress(rawValue: UInt64(number))
        return ["Address": .string(address.description), "Adapter": .objectPath(try path(Strap.adapter))]
    }

    @Test("of too many peripherals the first ones are kept, and that is said once")
    func tooManyPeripherals() throws {
        var tree = ObjectTree()
        for number in 0..<(InputBounds.peripherals + 20) {
            let at = try path("\(Strap.adapter)/dev_\(number)")
            _ = tree.add(at, [Name.device: try properties(number)], at: moment)
        }
        #expect(tree.peripherals.count == InputBounds.peripherals)
        #expect(tree.log.malformed == 20)
        #expect(tree.log.warnings.map(\.kind) == [.tooManyObjects])
        #expect(tree.log.warnings.first?.place == "\(Strap.adapter)/dev_\(InputBounds.peripherals)")
        // One that is there already still changes, and when one goes there is space again.
        let known = try path("\(Strap.adapter)/dev_7")
        _ = tree.change(known, Name.device, ["Name": .string("Seven")], invalidated: [], at: moment)
        #expect(tree.peripherals[known]?.name == "Seven")
        _ = tree.remove(known, [Name.device])
        _ = tree.add(try path("\(Strap.adapter)/dev_new"), [Name.device: try properties(9999)], at: moment)
        #expect(tree.peripherals.count == InputBounds.peripherals)
        #expect(tree.log.malformed == 20)
    }

    @Test("a path longer than any of the daemon's names no object")
    func longPath() throws {
        var tree = ObjectTree()
        let long = try path(Strap.adapter + "/" + String(repeating: "d", count: InputBounds.pathLength))
        #expect(tree.add(long, [Name.device: try properties(1)], at: moment).isEmpty)
        #expect(tree.log.warnings.map(\.kind) == [.object])
        #expect(tree.log.warnings.first?.place.utf8.count == InputBounds.pathLength)
    }

    @Test("more names of services, and more advertised octets, than can be are cut off and counted")
    func advertised() throws {
        var given = try properties(1)
        given["UUIDs"] = .strings(Array(repeating: "180d", count: 100_000))
        given["ManufacturerData"] = .dictionary(
            [DBusEntry(.uint16(1), .variant(.bytes(Array(repeating: 1, count: InputBounds.advertisedOctets + 1))))],
            key: .uint16, value: .variant)
        let (peripheral, malformed) = try #require(Peripheral.read(try path(Strap.device), given))
        #expect(peripheral.uuids.count == InputBounds.advertisedEntries)
        #expect(peripheral.manufacturerData.isEmpty)
        #expect(malformed == 2)
    }

    @Test("the log counts everything and keeps the first error of each kind until it is reported")
    func log() {
        var log = InputLog()
        for _ in 0..<1000 {
            for kind in InputWarning.Kind.allCases { log.record(kind, "/first") }
            log.record(.value, "/second")
        }
        #expect(log.malformed == 1000 * (InputWarning.Kind.allCases.count + 1))
        #expect(log.takeUnreported().map(\.kind) == InputWarning.Kind.allCases)
        log.record(.value, "/third")
        #expect(log.takeUnreported().isEmpty)
        #expect(log.warnings.allSatisfy { $0.place == "/first" })
    }

    @Test("each warning is a sentence that says where", arguments: InputWarning.Kind.allCases)
    func sentences(_ kind: InputWarning.Kind) {
        let sentence = InputWarning(kind: kind, place: "/org/bluez/hci0").description
        #expect(sentence.contains("Bluetooth service"))
        #expect(sentence.hasSuffix(" (/org/bluez/hci0)."))
    }
}
