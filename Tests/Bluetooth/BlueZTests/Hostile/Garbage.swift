import DBus
import Synchronization
import TestSupport

@testable import BlueZ

/// Generates messages of a hostile daemon: all that D-Bus allows, the same ones for the same seed.
struct Garbage {
    private var random: SeededGenerator
    /// Whether values are nested as deep as may be, and now and then deeper than D-Bus lets anybody.
    private let isDeep: Bool

    init(seed: UInt64, isDeep: Bool = true) {
        random = SeededGenerator(seed: seed)
        self.isDeep = isDeep
    }

    /// How many elements the greatest arrays have; those of octets become ten times as long, about a megabyte.
    static let many = 100_000

    // MARK: Values

    /// A value of any type, at most some containers deep.
    mutating func value(depth: Int = 0) -> DBusValue {
        switch Int.random(in: 0..<(depth >= 6 ? 12 : isDeep ? 19 : 18), using: &random) {
        case 0: .byte(.random(in: .min ... .max, using: &random))
        case 1: .boolean(.random(using: &random))
        case 2: .int16(pick([.min, -1, 0, 127, .max]))
        case 3: .uint16(pick([0, 1, 0x180D, .max]))
        case 4: .int32(pick([.min, -1, .max]))
        case 5: .uint32(pick([0, .max]))
        case 6: .int64(pick([.min, .max]))
        case 7: .uint64(pick([0, .max]))
        case 8: .double(pick([.nan, .infinity, -.infinity, -0.0, .greatestFiniteMagnitude]))
        case 9: .string(text())
        case 10: .objectPath(path())
        case 11: .bytes(octets(pick([0, 1, 2, 20, 600])))
        case 12, 13: .variant(value(depth: depth + 1))
        case 14: .structure([value(depth: depth + 1), value(depth: depth + 1)])
        case 15, 16: array(of: value(depth: depth + 1), count: pick([0, 1, 3, 40]))
        case 17: properties(depth: depth + 1)
        default: nested(in: value(depth: depth + 1), levels: 12)
        }
    }

    /// A text that is not a valid name, up to some 5000 octets, with what terminals obey.
    mutating func text() -> String {
        pick([
            "", "\u{1B}[2J\u{7}", "\r\n\t", "\u{202E}evil\u{200F}", "C0:52:49:00:00:0G", "180d", "-",
            "\u{FFFD}\u{10FFFF}",
            String(repeating: "ü", count: 2500), String(repeating: "0", count: 32), "e\u{301}\u{301}\u{301}",
        ])
    }

    /// A path that no object of the daemon has, or that one has which should be something else.
    mutating func path() -> ObjectPath {
        let paths = [
            "/", "/a", Strap.adapter, Strap.device, Strap.service, Strap.measurement, Strap.configuration,
            Strap.adapter + "/dev_FF_FF_FF_FF_FF_FF", Strap.device + "/service0000/char0000/desc0000/more",
            "/org/bluez/hci" + String(repeating: "9", count: 400), String(repeating: "/x", count: 2000),
        ]
        return ObjectPath(pick(paths)) ?? .root
    }

    private mutating func octets(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }

    private func array(of element: DBusValue, count: Int) -> DBusValue {
        if case .byte(let octet) = element { return .bytes(Array(repeating: octet, count: count)) }
        return .array(Array(repeating: element, count: count), of: element.type)
    }

    private func nested(in value: DBusValue, levels: Int) -> DBusValue {
        (0..<levels).reduce(value) { inner, _ in .variant(.array([inner], of: inner.type)) }
    }

    /// An array as long as a hostile daemon can think of.
    mutating func manifold() -> DBusValue {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: .bytes(Array(repeating: 0xFF, count: 10 * Self.many))
        case 1: .strings(Array(repeating: Name.service, count: Self.many))
        case 2: .strings((0..<Self.many).map { "\($0)" })
        case 3: .array(Array(repeating: .variant(.uint16(1)), count: Self.many), of: .variant)
        default: .properties((0..<Self.many).map { ("Name\($0)", .byte(1)) })
        }
    }

    // MARK: Messages

    private static let interfaces = [
        Name.adapter, Name.device, Name.battery, Name.service, Name.characteristic, Name.descriptor, "",
        "org.bluez.Other",
    ]
    private static let names = [
        "Address", "AddressType", "Name", "Alias", "RSSI", "TxPower", "UUIDs", "ManufacturerData", "ServiceData",
        "Appearance", "Connected", "ServicesResolved", "Paired", "Trusted", "Percentage", "Powered", "PowerState",
        "Discovering", "Roles", "UUID", "Device", "Service", "Characteristic", "Flags", "MTU", "Notifying", "Value",
        "Primary", "Adapter", "\u{1B}]0;\u{7}",
    ]

    /// Properties with the names of right ones; the values are right by chance only.
    mutating func properties(depth: Int = 0) -> DBusValue {
        let count = pick([0, 1, 4, 12])
        return .properties((0..<count).map { _ in (pick(Self.names), value(depth: depth + 1)) })
    }

    /// The interfaces of an object, with the needed properties there by chance, or not at all.
    mutating func interfaces() -> DBusValue {
        let count = pick([0, 1, 1, 3])
        let entries = (0..<count).map { _ in DBusEntry(.string(pick(Self.interfaces)), properties()) }
        return .dictionary(entries, key: .string, value: .properties)
    }

    /// An answer of `GetManagedObjects`: of the right type with wrong contents, or of any other.
    mutating func objects() -> [DBusValue] {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return []
        case 1: return [value()]
        case 2: return [manifold()]
        default:
            let entries = (0..<200).map { _ in DBusEntry(.objectPath(path()), interfaces()) }
            return [.dictionary(entries, key: .objectPath, value: .dictionary(key: .string, value: .properties))]
        }
    }

    /// A signal of the daemon: its member, from where, and arguments that are wrong, cut off or right by chance.
    mutating func signal(isGreat: Bool) -> (path: ObjectPath, interface: String, member: String, [DBusValue]) {
        let kind = Int.random(in: 0..<3, using: &random)
        var arguments: [DBusValue] =
            switch kind {
            case 0: [.objectPath(path()), interfaces()]
            case 1: [.objectPath(path()), .strings([pick(Self.interfaces), pick(Self.interfaces)])]
            default: [.string(pick(Self.interfaces)), properties(), .strings([pick(Self.names)])]
            }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: arguments.removeLast()
        case 1: arguments[Int.random(in: arguments.indices, using: &random)] = value()
        case 2: arguments.append(value())
        default: break
        }
        if isGreat { arguments[arguments.count - 1] = manifold() }
        switch kind {
        case 0: return (.root, Name.objectManager, "InterfacesAdded", arguments)
        case 1: return (.root, Name.objectManager, "InterfacesRemoved", arguments)
        default: return (path(), Name.properties, "PropertiesChanged", arguments)
        }
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &random)]
    }
}

/// Garbage for answers that are given on another thread, one after another.
final class GarbageSource: Sendable {
    private struct State {
        var garbage: Garbage
        var number = 0
    }

    private let state: Mutex<State>

    init(seed: UInt64, isDeep: Bool = true) {
        state = Mutex(State(garbage: Garbage(seed: seed, isDeep: isDeep)))
    }

    /// Generates the next answer, from its number, starting at 1.
    func next(_ make: (inout Garbage, Int) -> [DBusValue]) -> [DBusValue] {
        state.withLock { state in
            state.number += 1
            return make(&state.garbage, state.number)
        }
    }
}
