import DBus
import Glibc
import TestSupport
import Testing

@Suite("Values over a real bus", .timeLimit(.minutes(10)))
struct ValueRoundTripTests {
    static let values: [DBusValue] = [
        .byte(0), .byte(.max), .boolean(true), .boolean(false), .int16(.min), .uint16(.max), .int32(.min),
        .uint32(.max), .int64(.min), .uint64(.max), .double(-0.0), .double(.infinity), .double(38.3),
        .string(""), .string("Thermomètre 体温計 🌡\u{1B}[2J\u{FFFF}"), .objectPath(.root),
        .signature(DBusSignature([])), .signature(DBusSignature([.properties, .bytes])),
        .bytes([]), .bytes([0]), .bytes((0..<65_536).map { UInt8(truncatingIfNeeded: $0) }),
        .array([], of: .string), .strings(["a", "", "c"]), .array([.double(1), .double(2)], of: .double),
        .array([.bytes([]), .bytes([1, 2])], of: .bytes),
        .array([], of: .structure([.int32, .properties])),
        .array([.structure([.int32(1), .properties([])])], of: .structure([.int32, .properties])),
        .properties([]), .properties([("a", .bytes([6, 77])), ("b", .strings([])), ("c", .properties([]))]),
        .dictionary([], key: .objectPath, value: .dictionary(key: .string, value: .properties)),
        .dictionary(
            [DBusEntry(.uint16(76), .variant(.bytes([1]))), DBusEntry(.uint16(76), .variant(.bytes([2])))],
            key: .uint16, value: .variant),
        .dictionary(
            [DBusEntry(.byte(1), .array([.boolean(true)], of: .boolean))],
            key: .byte, value: .array(.boolean)),
        .structure([.byte(1), .structure([.string("x"), .variant(.int32(3))])]),
        .variant(.variant(.variant(.string("deep")))),
        .variant(.array([.variant(.byte(1)), .variant(.strings(["x"]))], of: .variant)),
        nested(60),
    ]

    /// A byte within a number of variants.
    static func nested(_ depth: Int) -> DBusValue {
        (0..<depth).reduce(.byte(1)) { inner, _ in .variant(inner) }
    }

    @Test("come back as they went, of their own type and within a variant")
    func roundTrip() async throws {
        let bus = try TestBus()
        let (server, client) = (try await bus.connect(), try await bus.connect())
        for value in Self.values {
            try await server.export(
                .root,
                [
                    ExportedInterface("a.Plain", methods: [echo(value.type.signature)]),
                    ExportedInterface("a.Boxed", methods: [echo("v")]),
                ])
            let plain = try await client.call(server.uniqueName, .root, "a.Plain", "Echo", [value])
            #expect(plain == [value])
            let boxed = try await client.call(server.uniqueName, .root, "a.Boxed", "Echo", [.variant(value)])
            #expect(boxed == [.variant(value)])
        }
    }

    @Test("that are not a number come back as such")
    func notANumber() async throws {
        let bus = try TestBus()
        let (server, client) = (try await bus.connect(), try await bus.connect())
        try await server.export(.root, [ExportedInterface("a.B", methods: [echo("d")])])
        let answer = try await client.call(server.uniqueName, .root, "a.B", "Echo", [.double(.nan)])
        guard case .double(let number)? = answer.first else {
            Issue.record("no double came back: \(answer)")
            return
        }
        #expect(number.isNaN)
    }

    @Test("that are file descriptors arrive as descriptors of the same file, and are closed with their last reference")
    func descriptors() async throws {
        let bus = try TestBus()
        let (server, client) = (try await bus.connect(), try await bus.connect())
        try await server.export(.root, [ExportedInterface("a.B", methods: [echo("h(hv)")])])
        let ends = try connectedDescriptors()
        defer { close(ends.0) }
        let number: Int32
        do {
            let sent = DBusValue.unixFileDescriptor(DBusFileDescriptor(owning: ends.1))
            let answer = try await client.call(
                server.uniqueName, .root, "a.B", "Echo", [sent, .structure([sent, .variant(sent)])])
            guard case .unixFileDescriptor(let received)? = answer.first else {
                Issue.record("no descriptor came back: \(answer)")
                return
            }
            number = received.number
            #expect(number != ends.1)
            var byte: UInt8 = 42
            #expect(write(number, &byte, 1) == 1)
        }
        var byte: UInt8 = 0
        #expect(read(ends.0, &byte, 1) == 1)
        #expect(byte == 42)
        // End of file comes only when every copy in this process is closed: ours, the server's and the answer's.
        let end = ends.0
        try await awaitCondition("all copies are closed") {
            var waiting = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
            return poll(&waiting, 1, 0) == 1 && recv(end, &byte, 1, Int32(MSG_DONTWAIT)) == 0
        }
    }

    @Test("that D-Bus does not allow are refused before they are sent, and the connection lives on")
    func refused() async throws {
        let bus = try TestBus()
        let connection = try await bus.connect()
        let tooLong = DBusValue.structure((0..<300).map { _ in .byte(0) })
        let refused: [DBusValue] = [
            .string("a\0b"), .structure([]), .array([], of: .structure([])), .variant(.structure([])),
            .array([.string("a"), .byte(1)], of: .string),
            .dictionary([], key: .variant, value: .byte), .dictionary([], key: .bytes, value: .byte),
            .dictionary([DBusEntry(.byte(1), .byte(1))], key: .string, value: .byte),
            .dictionary([DBusEntry(.string("a"), .string("b"))], key: .string, value: .byte),
            .properties([("a", .properties([("b", .string("\0"))]))]),
            .signature(DBusSignature([.structure([])])), tooLong, .variant(tooLong), Self.nested(70),
            .unixFileDescriptor(DBusFileDescriptor(owning: -1)),
        ]
        for value in refused {
            let failure = await failure { () async throws(DBusConnectionError) in
                try await connection.emit(.root, "a.B", "S", [value])
            }
            guard case .invalidMessage? = failure else {
                Issue.record("\(value) gave \(String(describing: failure))")
                continue
            }
        }
        #expect(try await connection.owner(of: "org.freedesktop.DBus") == "org.freedesktop.DBus")
    }
}
