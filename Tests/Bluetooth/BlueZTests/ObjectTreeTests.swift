import DBus
import EventLoops
import Testing

@testable import BlueZ

@Suite("The tree of objects")
struct ObjectTreeTests {
    private let early = Timestamp(monotonicNanoseconds: 1, wallMilliseconds: 1)
    private let later = Timestamp(monotonicNanoseconds: 2, wallMilliseconds: 2)

    private func named(_ properties: [(name: String, value: DBusValue)]) -> [String: DBusValue] {
        Dictionary(uniqueKeysWithValues: properties.map { ($0.name, $0.value) })
    }

    private func tree(isConnected: Bool = false, isResolved: Bool = false) throws -> ObjectTree {
        var tree = ObjectTree()
        _ = tree.add(try path(Strap.adapter), [Name.adapter: named(Strap.adapterProperties)], at: early)
        _ = tree.add(
            try path(Strap.device),
            [Name.device: named(try Strap.deviceProperties(isConnected: isConnected, isResolved: isResolved))],
            at: early)
        _ = tree.add(try path(Strap.service), [Name.service: named(try Strap.serviceProperties())], at: early)
        _ = tree.add(
            try path(Strap.measurement), [Name.characteristic: named(try Strap.measurementProperties())], at: early)
        _ = tree.add(
            try path(Strap.configuration), [Name.descriptor: named(try Strap.configurationProperties())], at: early)
        return tree
    }

    private func change(
        _ tree: inout ObjectTree, _ properties: [String: DBusValue], invalidated: [String] = []
    ) throws -> [String] {
        tree.change(try path(Strap.device), Name.device, properties, invalidated: invalidated, at: later).map(\.text)
    }

    @Test("the daemon's answer may have children before parents")
    func unordered() throws {
        func object(_ at: String, _ interface: String, _ properties: [(name: String, value: DBusValue)]) throws
            -> DBusEntry
        {
            DBusEntry(
                .objectPath(try path(at)),
                .dictionary(
                    [DBusEntry(.string(interface), .properties(properties.map { ($0.name, $0.value) }))], key: .string,
                    value: .properties))
        }
        let answer = DBusValue.dictionary(
            [
                try object(Strap.measurement, Name.characteristic, Strap.measurementProperties()),
                try object(Strap.service, Name.service, Strap.serviceProperties()),
                try object(Strap.device, Name.device, Strap.deviceProperties(isConnected: true, isResolved: true)),
                try object(Strap.adapter, Name.adapter, Strap.adapterProperties),
            ], key: .objectPath, value: .dictionary(key: .string, value: .properties))
        var tree = ObjectTree()
        let kinds = tree.fill(with: answer)
        #expect(kinds?.map(\.text) == ["hci0 added", "Polar added", "Polar connected", "Polar resolved"])
        let service = try #require(tree.services(below: try path(Strap.device)).first)
        #expect(service.uuid == BluetoothUUID(0x180D))
        #expect(service.characteristics.map(\.reference) == [try Strap.reference()])
        #expect(tree.log.malformed == 0)
        #expect(tree.sortedPeripherals.first?.lastHeard == nil, "it may have been heard long ago")
    }

    @Test(
        "an answer of another type is refused",
        arguments: [
            DBusValue.string("objects"), .array([], of: .string), .properties([("a", .uint32(1))]),
            .dictionary([DBusEntry(.string("/"), .properties([]))], key: .string, value: .properties),
            .dictionary([DBusEntry(.objectPath(.root), .uint32(1))], key: .objectPath, value: .uint32),
        ])
    func wrongAnswer(answer: DBusValue) {
        var tree = ObjectTree()
        #expect(tree.fill(with: answer) == nil)
    }

    @Test("an object that is signalled once more has not changed, but was heard")
    func again() throws {
        var tree = try tree()
        _ = tree.add(try path(Strap.device), [Name.battery: ["Percentage": .byte(87)]], at: early)
        let adapter = tree.add(try path(Strap.adapter), [Name.adapter: named(Strap.adapterProperties)], at: later)
        let strap = tree.add(try path(Strap.device), [Name.device: named(try Strap.deviceProperties())], at: later)
        #expect((adapter + strap).map(\.text) == ["Polar advertised"])
        #expect(tree.sortedPeripherals.first?.batteryPercent == 87)
    }

    @Test("a characteristic can be acquired where the daemon says so, and is until it says otherwise")
    func acquired() throws {
        var tree = try tree()
        let measurement = try path(Strap.measurement)
        #expect(tree.characteristics[measurement]?.isNotifyAcquired == nil)
        for isTrue in [true, false] {
            let properties = ["NotifyAcquired": DBusValue.boolean(isTrue), "WriteAcquired": .boolean(!isTrue)]
            #expect(tree.change(measurement, Name.characteristic, properties, invalidated: [], at: later).isEmpty)
            #expect(tree.characteristics[measurement]?.isNotifyAcquired == isTrue)
            #expect(tree.characteristics[measurement]?.isWriteAcquired == !isTrue)
        }
        let malformed = ["NotifyAcquired": DBusValue.string("yes"), "WriteAcquired": .byte(1)]
        _ = tree.change(measurement, Name.characteristic, malformed, invalidated: [], at: later)
        #expect(tree.characteristics[measurement]?.isWriteAcquired == true)
        #expect(tree.log.malformed == 2)
    }

    @Test("a characteristic has its flags, its MTU and its descriptors")
    func characteristic() throws {
        let tree = try tree()
        let characteristic = try #require(tree.characteristics[try path(Strap.measurement)])
        #expect(characteristic.flags == [.notify, .read])
        #expect(characteristic.mtu == 247)
        #expect(characteristic.descriptors.map(\.uuid) == [BluetoothUUID(0x2902)])
        #expect(!characteristic.isNotifying)
    }

    @Test("a strength that is signalled is an advertisement, changed or not")
    func advertised() throws {
        var tree = try tree()
        #expect(try change(&tree, ["RSSI": .int16(-58)]) == ["Polar advertised"])
        #expect(tree.sortedPeripherals.first?.lastHeard == later)
        #expect(try change(&tree, ["RSSI": .int16(-60), "TxPower": .int16(0)]) == ["Polar advertised"])
        #expect(try change(&tree, ["RSSI": .int16(-60), "Name": .string("H10")]) == ["H10 changed"])
    }

    @Test("a strength that becomes invalid is a change and no advertisement")
    func invalidated() throws {
        var tree = try tree()
        #expect(try change(&tree, [:], invalidated: ["RSSI", "TxPower"]) == ["Polar changed"])
        let peripheral = try #require(tree.sortedPeripherals.first)
        #expect(peripheral.rssi == nil)
        #expect(peripheral.lastHeard == early)
        #expect(try change(&tree, [:], invalidated: ["RSSI"]) == [])
    }

    @Test("a link is connected, resolved and lost, each once")
    func link() throws {
        var tree = try tree()
        #expect(try change(&tree, ["Connected": .boolean(true)]) == ["Polar changed", "Polar connected"])
        #expect(try change(&tree, ["Connected": .boolean(true)]) == [])
        #expect(try change(&tree, ["ServicesResolved": .boolean(true)]) == ["Polar changed", "Polar resolved"])
        let lost: [String: DBusValue] = ["Connected": .boolean(false), "ServicesResolved": .boolean(false)]
        #expect(try change(&tree, lost) == ["Polar changed", "Polar disconnected"])
        #expect(tree.services(below: try path(Strap.device)).count == 1, "the objects stay for a while")
    }

    @Test("services resolved before the link was reported are reported with it")
    func resolvedFirst() throws {
        var tree = try tree()
        #expect(try change(&tree, ["ServicesResolved": .boolean(true)]) == ["Polar changed"])
        #expect(
            try change(&tree, ["Connected": .boolean(true)]) == ["Polar changed", "Polar connected", "Polar resolved"])
    }

    @Test("a peripheral with another address leaves under the old one, and comes with link and services under the new")
    func readdressed() throws {
        var tree = try tree(isConnected: true, isResolved: true)
        let lasting = try #require(BluetoothAddress("C0:52:49:00:00:77"))
        let words = try change(&tree, ["Address": .string(lasting.description), "AddressType": .string("public")])
        #expect(
            words == [
                "Polar disconnected", "Polar readdressed(to: \(lasting))", "Polar added", "Polar connected",
                "Polar resolved",
            ])
        #expect(tree.sortedPeripherals.map(\.address) == [lasting])
        #expect(tree.characteristics.values.map(\.reference.peripheral) == [lasting])
    }

    @Test("a connected peripheral that is removed is disconnected first, and its services go with it")
    func removedWhileConnected() throws {
        var tree = try tree(isConnected: true, isResolved: true)
        let kinds = tree.remove(try path(Strap.device), [Name.device, Name.battery])
        #expect(kinds.map(\.text) == ["Polar disconnected", "Polar removed"])
        #expect(tree.services.isEmpty && tree.characteristics.isEmpty)
    }

    @Test("an adapter that is removed takes its peripherals with it")
    func adapterRemoved() throws {
        var tree = try tree(isConnected: true)
        let kinds = tree.remove(try path(Strap.adapter), [Name.adapter])
        #expect(kinds.map(\.text) == ["Polar disconnected", "Polar removed", "hci0 removed"])
    }

    @Test("the charge of the battery comes and goes with its interface")
    func battery() throws {
        var tree = try tree()
        let device = try path(Strap.device)
        #expect(
            tree.add(device, [Name.battery: ["Percentage": .byte(87)]], at: later).map(\.text) == ["Polar changed"])
        #expect(tree.peripherals[device]?.batteryPercent == 87)
        #expect(tree.remove(device, [Name.battery]).map(\.text) == ["Polar changed"])
        #expect(tree.peripherals[device]?.batteryPercent == nil)
    }

    @Test("children without parents, and objects without what they need, are counted and left out")
    func orphans() throws {
        var tree = ObjectTree()
        #expect(tree.add(try path(Strap.device), [Name.device: [:]], at: early).isEmpty)
        #expect(
            tree.add(try path(Strap.service), [Name.service: named(try Strap.serviceProperties())], at: early).isEmpty)
        #expect(
            tree.add(
                try path(Strap.measurement), [Name.characteristic: named(try Strap.measurementProperties())], at: early
            ).isEmpty)
        #expect(
            tree.add(
                try path(Strap.configuration), [Name.descriptor: named(try Strap.configurationProperties())], at: early
            ).isEmpty)
        #expect(tree.log.malformed == 4)
        #expect(tree.services.isEmpty && tree.characteristics.isEmpty && tree.peripherals.isEmpty)
        #expect(try change(&tree, ["Connected": .boolean(true)]) == [])
        #expect(tree.remove(try path(Strap.device), [Name.device, Name.adapter, Name.battery, "x"]).isEmpty)
    }

    @Test("of two objects with one address the connected one is meant")
    func twoAdapters() throws {
        var tree = try tree()
        var properties = named(try Strap.deviceProperties(isConnected: true))
        properties["Adapter"] = .objectPath(try path("/org/bluez/hci1"))
        _ = tree.add(try path("/org/bluez/hci1/dev_C0_52_49_00_00_02"), [Name.device: properties], at: early)
        #expect(tree.peripheral(Strap.address)?.adapter == (try path("/org/bluez/hci1")))
    }

    @Test("when all is forgotten, all is reported as gone, peripherals before adapters")
    func forgotten() throws {
        var tree = try tree(isConnected: true)
        #expect(tree.removeAll().map(\.text) == ["Polar disconnected", "Polar removed", "hci0 removed"])
        #expect(tree.announcements().isEmpty)
    }

    @Test("services that come and go are news while they can be used, and only then")
    func servicesChanged() throws {
        var usable = try tree(isConnected: true, isResolved: true)
        let measurement = try path(Strap.measurement)
        #expect(usable.remove(measurement, [Name.characteristic]).map(\.text) == ["Polar services changed"])
        #expect(usable.remove(try path(Strap.service), [Name.service]).map(\.text) == ["Polar services changed"])
        #expect(
            usable.add(try path(Strap.service), [Name.service: named(try Strap.serviceProperties())], at: later)
                .map(\.text) == ["Polar services changed"])
        #expect(
            usable.add(measurement, [Name.characteristic: named(try Strap.measurementProperties())], at: later)
                .map(\.text) == ["Polar services changed"])
        var coming = try tree(isConnected: true)
        #expect(coming.remove(measurement, [Name.characteristic]).map(\.text) == [])
    }

    @Test("a peripheral that two adapters hear is found on the one that is asked for")
    func chosenAdapter() throws {
        var tree = try tree()
        let other = try path("/org/bluez/hci1")
        var properties = named(try Strap.deviceProperties(isConnected: true))
        properties["Adapter"] = .objectPath(other)
        _ = tree.add(other, [Name.adapter: named(Strap.adapterProperties)], at: early)
        _ = tree.add(try path("/org/bluez/hci1/dev_C0_52_49_00_00_02"), [Name.device: properties], at: early)
        #expect(tree.peripheral(Strap.address)?.adapter == other, "the connected one")
        #expect(tree.peripheral(Strap.address, on: try path(Strap.adapter))?.path == (try path(Strap.device)))
        #expect(tree.peripheral(Strap.address, on: try path("/org/bluez/hci2")) == nil)
    }
}
