import DBus
import Foundation
import TestSupport
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite("An exported object", .timeLimit(.minutes(10)))
struct ExportTests {
    static let properties = "org.freedesktop.DBus.Properties"
    static let manager = "org.freedesktop.DBus.ObjectManager"

    let bus: TestBus
    let server: DBusConnection
    let client: DBusConnection
    let sets = Recorder<String>()

    init() async throws {
        bus = try TestBus()
        server = try await bus.connect()
        client = try await bus.connect()
        let bed = ExportedInterface(
            "a.Bed", properties: [("Name", .string("One")), ("Height", .uint16(70))],
            methods: [echo("a{sv}")], signals: [ExportedSignal("Moved", "su")],
            setProperty: { [weak server, sets] name, value throws(DBusConnectionError) in
                if name == "Name" { throw .remote(name: "a.Error.Fixed", message: "the name stays") }
                sets.record("\(name) \(value)")
                try await server?.setProperties(of: ObjectPath("/bed/one") ?? .root, "a.Bed", [(name, value)])
            })
        let fixed = ExportedInterface("a.Fixed", properties: [("Serial", .bytes([1, 2]))])
        await server.exportObjectManager(at: .root)
        try await server.export(path("/bed/one"), [bed, fixed])
    }

    private func call(
        _ object: String, _ interface: String, _ member: String, _ arguments: [DBusValue]
    ) async throws(DBusConnectionError) -> [DBusValue] {
        try await client.call(server.uniqueName, ObjectPath(object) ?? .root, interface, member, arguments)
    }

    @Test("reports its properties, one or all")
    func get() async throws {
        #expect(
            try await call("/bed/one", Self.properties, "Get", [.string("a.Bed"), .string("Height")])
                == [.variant(.uint16(70))])
        let all = try await call("/bed/one", Self.properties, "GetAll", [.string("a.Bed")])
        #expect(all == [.properties([("Name", .string("One")), ("Height", .uint16(70))])])
    }

    @Test("sets a property by its own handler, and signals the change")
    func set() async throws {
        let changes = try await client.signals(matching: SignalMatch(interface: Self.properties))
        _ = try await call(
            "/bed/one", Self.properties, "Set", [.string("a.Bed"), .string("Height"), .variant(.uint16(80))])
        var iterator = changes.makeAsyncIterator()
        let change = await iterator.next()
        #expect(change?.path == ObjectPath("/bed/one"))
        #expect(
            change?.arguments == [.string("a.Bed"), .properties([("Height", .uint16(80))]), .strings([])])
        #expect(await server.exportedProperty(try path("/bed/one"), "a.Bed", "Height") == .uint16(80))
    }

    @Test(
        "refuses what cannot be got or set, with a name that says why",
        arguments: [
            ("/bed/one", "Get", "a.Bed", "Nothing", "org.freedesktop.DBus.Error.InvalidArgs"),
            ("/bed/one", "Get", "a.Nothing", "Name", "org.freedesktop.DBus.Error.InvalidArgs"),
            ("/bed/two", "Get", "a.Bed", "Name", "org.freedesktop.DBus.Error.UnknownObject"),
            ("/bed/one", "Set", "a.Bed", "Nothing", "org.freedesktop.DBus.Error.InvalidArgs"),
            ("/bed/one", "Set", "a.Bed", "Name", "a.Error.Fixed"),
            ("/bed/one", "Set", "a.Fixed", "Serial", "org.freedesktop.DBus.Error.PropertyReadOnly"),
            ("/bed/one", "Take", "a.Bed", "Name", "org.freedesktop.DBus.Error.UnknownMethod"),
        ])
    func refused(object: String, member: String, interface: String, property: String, error: String) async throws {
        var arguments: [DBusValue] = [.string(interface), .string(property)]
        if member == "Set" { arguments.append(.variant(.byte(1))) }
        let failure = await failure { () async throws(DBusConnectionError) in
            _ = try await call(object, Self.properties, member, arguments)
        }
        #expect(failure?.name == error)
        #expect(sets.count == 0)
    }

    @Test("signals changed and removed properties once, or not at all")
    func changes() async throws {
        let changes = try await client.signals(matching: SignalMatch(interface: Self.properties))
        let bed = try path("/bed/one")
        await server.setPropertiesSilently(of: bed, "a.Bed", [("Height", .uint16(71))])
        try await server.setProperties(of: bed, "a.Nothing", [("Height", .uint16(1))])
        try await server.setProperties(of: bed, "a.Bed", [("Rail", .boolean(true))], invalidated: ["Name"])
        var iterator = changes.makeAsyncIterator()
        let change = await iterator.next()
        #expect(
            change?.arguments == [.string("a.Bed"), .properties([("Rail", .boolean(true))]), .strings(["Name"])])
        let all = try await call("/bed/one", Self.properties, "GetAll", [.string("a.Bed")])
        #expect(all == [.properties([("Height", .uint16(71)), ("Rail", .boolean(true))])])
    }

    @Test("is listed by its manager, and announced when it is added and removed")
    func objectManager() async throws {
        let signals = try await client.signals(matching: SignalMatch(interface: Self.manager))
        try await server.export(path("/bed/two"), [ExportedInterface("a.Bed", properties: [("Name", .string("Two"))])])
        try await server.unexport(path("/bed/one"), ["a.Fixed", "a.Nothing"])
        try await server.unexport(path("/bed/one"))
        try await server.unexport(path("/bed/one"))
        let objects = try await call("/", Self.manager, "GetManagedObjects", [])
        let two = DBusEntry(.string("a.Bed"), .properties([("Name", .string("Two"))]))
        let interfaces = DBusValue.dictionary([two], key: .string, value: .properties)
        let expected = DBusValue.dictionary(
            [DBusEntry(.objectPath(try path("/bed/two")), interfaces)],
            key: .objectPath, value: .dictionary(key: .string, value: .properties))
        #expect(objects == [expected])
        var received: [String] = []
        for await signal in signals {
            let names = signal.arguments.last?.elements?.compactMap(\.text) ?? []
            received.append("\(signal.member) \(signal.arguments.first?.text ?? "") \(names.joined(separator: " "))")
            if signal.member == "InterfacesAdded" { #expect(signal.arguments.last == interfaces) }
            if received.count == 3 { break }
        }
        #expect(
            received == [
                "InterfacesAdded /bed/two ", "InterfacesRemoved /bed/one a.Fixed", "InterfacesRemoved /bed/one a.Bed",
            ])
        #expect(await !server.isExported(try path("/bed/one"), "a.Bed"))
    }

    @Test("is no longer listed or announced when its manager has ended, and can still be used")
    func endedManager() async throws {
        await server.unexportObjectManager(at: .root)
        let failure = await failure { () async throws(DBusConnectionError) in
            _ = try await call("/", Self.manager, "GetManagedObjects", [])
        }
        #expect(failure?.name == "org.freedesktop.DBus.Error.UnknownMethod")
        #expect(
            try await call("/bed/one", Self.properties, "Get", [.string("a.Bed"), .string("Name")])
                == [.variant(.string("One"))])
    }

    @Test("describes itself, and those on the way to it name their children", arguments: ["/", "/bed", "/bed/one"])
    func introspection(object: String) async throws {
        let answer = try await call(object, "org.freedesktop.DBus.Introspectable", "Introspect", [])
        let document = try #require(answer.first?.text)
        let names = NameCollector()
        let parser = XMLParser(data: Data(document.utf8))
        parser.delegate = names
        #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "")")
        let expected: [String: Set<String>] = [
            "/": ["node bed", "interface \(Self.manager)", "method GetManagedObjects"],
            "/bed": ["node one"],
            "/bed/one": [
                "interface a.Bed", "method Echo", "signal Moved", "property Height", "interface a.Fixed",
                "property Serial",
                "interface \(Self.properties)",
            ],
        ]
        #expect(names.found.isSuperset(of: expected[object] ?? []))
        #expect(names.found.contains("interface org.freedesktop.DBus.Introspectable"))
    }

    @Test("leaves the bus's own questions to libdbus")
    func peer() async throws {
        #expect(try await call("/", "org.freedesktop.DBus.Peer", "Ping", []) == [])
    }

    @Test("can be used by another client, Python's dbus")
    func python() async throws {
        let script = """
            import dbus, dbus.bus, sys
            bus = dbus.bus.BusConnection(sys.argv[1])
            bed = bus.get_object(sys.argv[2], "/bed/one")
            properties = dbus.Interface(bed, "org.freedesktop.DBus.Properties")
            print(properties.Get("a.Bed", "Name"))
            properties.Set("a.Bed", "Height", dbus.UInt16(90))
            print(int(properties.GetAll("a.Bed")["Height"]))
            print(bytes(properties.Get("a.Fixed", "Serial")).hex())
            echoed = dbus.Interface(bed, "a.Bed").Echo({"x": dbus.ByteArray(b"ab"), "y": {"z": 1.5}}, signature="a{sv}")
            print(bytes(echoed["x"]).decode(), float(echoed["y"]["z"]))
            manager = dbus.Interface(bus.get_object(sys.argv[2], "/"), "org.freedesktop.DBus.ObjectManager")
            print(" ".join(sorted(manager.GetManagedObjects()["/bed/one"])))
            try:
                dbus.Interface(bed, "a.Bed").Nothing()
            except dbus.DBusException as error:
                print(error.get_dbus_name())
            """
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/python3")
        python.arguments = ["-c", script, bus.daemon.address, server.uniqueName]
        let output = Pipe()
        python.standardOutput = output
        let ended = Recorder<Int32>()
        python.terminationHandler = { ended.record($0.terminationStatus) }
        try python.run()
        try await awaitCondition("Python ends (is the package python3-dbus installed?)") { ended.count == 1 }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(ended.elements == [0], "is the package python3-dbus installed?")
        #expect(
            text == """
                One
                90
                0102
                ab 1.5
                a.Bed a.Fixed
                org.freedesktop.DBus.Error.UnknownMethod

                """)
        #expect(sets.elements == ["Height uint16(90)"])
    }
}

/// The elements of an introspection document with their names.
private final class NameCollector: NSObject, XMLParserDelegate {
    var found: Set<String> = []

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        if let name = attributes["name"] { found.insert("\(element) \(name)") }
    }
}
