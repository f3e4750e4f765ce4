import BluetoothCapture
import Testing
import Tracing
import VitalDecoders
import Vitals

@Suite("A trace as a capture")
struct TraceCaptureTests {
    private static let strap = "C0:52:49:00:00:02"
    private static let rate = TraceEntry.Attribute(uuid: "2A37", handle: 0x001D)
    private static let battery = TraceEntry.Attribute(uuid: "2A19", handle: 0x0019)
    private static let secret = TraceEntry.Attribute(uuid: "F8083535-849E-531C-C594-30F1F86A4EA5", handle: 0x0030)

    private static let services = [
        TraceEntry.Service(
            uuid: "180F", handle: 0x0017,
            characteristics: [
                TraceEntry.Characteristic(
                    attribute: battery, properties: 0x12, propertyNames: ["read", "notify"], configurationHandle: 0x1A)
            ]),
        TraceEntry.Service(
            uuid: "180D", handle: 0x001B,
            characteristics: [
                TraceEntry.Characteristic(
                    attribute: rate, properties: 0x10, propertyNames: ["notify"], configurationHandle: 0x1E)
            ]),
        TraceEntry.Service(
            uuid: "F8083532-849E-531C-C594-30F1F86A4EA5", handle: 0x002E,
            characteristics: [
                TraceEntry.Characteristic(attribute: secret, properties: 0x20, propertyNames: ["indicate"])
            ]),
    ]

    private static func moment(_ milliseconds: Int64) -> Moment {
        Moment(monotonicNanoseconds: milliseconds * 1_000_000, wallMilliseconds: 1_772_373_000_000 + milliseconds)
    }

    /// The octets of a trace of these steps, 100 ms apart.
    private static func capture(_ kinds: [TraceEntry.Kind], name: String = "Polar H10") -> [UInt8] {
        var capture = TraceCapture(at: moment(0))
        for (index, kind) in kinds.enumerated() {
            capture.add(TraceEntry(address: strap, name: name, kind: kind), at: moment(100 * Int64(index + 1)))
        }
        return capture.takeOctets()
    }

    /// What a reader of captures finds, and the notes.
    private static func read(_ octets: [UInt8]) throws -> (events: [CaptureEvent], notes: [String]) {
        var (reader, decoder) = (CaptureReader(), CaptureDecoder())
        var (events, notes): ([CaptureEvent], [String]) = ([], [])
        reader.append(octets)
        while let record = try reader.next() {
            if record.packet.kind == .note {
                notes.append(String(decoding: record.packet.octets.dropLast(), as: UTF8.self))
            }
            decoder.handle(record) { events.append($0) }
        }
        #expect(reader.unfinished == nil)
        return (events, notes)
    }

    @Test("is read again: name, services, link, each read and each notification, at its time")
    func readAgain() throws {
        let (events, notes) = try Self.read(
            Self.capture([
                .advertised(
                    AdvertisedData(
                        services: ["180D"], companies: [.init(identifier: 0x6B, octets: [1, 2])], flags: [6]),
                    signalStrength: -60, hasPublicAddress: false),
                .connected(hasPublicAddress: false), .discovered(Self.services),
                .done(.subscribe(Self.rate), .shown([])), .notified(Self.rate, .shown([0x06, 72])),
                .done(.read(Self.battery), .shown([87])), .notified(Self.rate, .shown([0x06, 73])), .disconnected,
            ]))
        #expect(events.allSatisfy { $0.peer == .address(Self.strap) })
        var kinds = events.map(\.kind)
        guard case .advertised(let said) = kinds.removeFirst() else { throw Expected() }
        #expect(said.name == "Polar H10" && said.services == [BluetoothUUID(0x180D)] && said.signalStrength == -60)
        #expect(kinds.first == .connected)
        #expect(kinds.last == .disconnected(.reason(0x1F)))
        let found = kinds.flatMap { kind -> [BluetoothUUID] in
            if case .services(let services) = kind { services } else { [] }
        }
        #expect(found.map(\.description) == ["180F", "180D", "F8083532-849E-531C-C594-30F1F86A4EA5"])
        let values = events.compactMap { event -> String? in
            guard case .value(.characteristic(let uuid), let octets, let origin) = event.kind else { return nil }
            return "\(event.microseconds / 1000 - 1_772_373_000_000) \(uuid) \(octets) \(origin)"
        }
        #expect(
            values == ["500 2A37 [6, 72] notified", "600 2A19 [87] read", "700 2A37 [6, 73] notified"])
        #expect(notes.count == 1 && notes[0].contains("packets are composed"))
    }

    @Test("has a note for what has no packet: a pairing, and each failure with BlueZ's name of it")
    func notes() throws {
        let failure = "org.bluez.Error.AuthenticationFailed: Authentication Failed"
        let (events, notes) = try Self.read(
            Self.capture([
                .asked(.pair), .failed(.pair, error: failure), .connected(hasPublicAddress: true),
                .discovered(Self.services), .asked(.read(Self.battery)),
                .failed(.read(Self.battery), error: "org.bluez.Error.NotPermitted"), .asked(.disconnect), .disconnected,
            ]))
        #expect(
            notes.dropFirst() == [
                "\(Self.strap): pair", "\(Self.strap): pair: FAILED, \(failure)",
                "\(Self.strap): read 0x0019 2A19 Battery Level: FAILED, org.bluez.Error.NotPermitted",
                "\(Self.strap): disconnect",
            ])
        #expect(!events.contains { if case .value = $0.kind { true } else { false } })
        // This host ended the link.
        #expect(events.last?.kind == .disconnected(.reason(0x16)))
    }

    @Test("has neither packet nor octets of an authentication")
    func secrets() throws {
        let octets = Self.capture([
            .connected(hasPublicAddress: false), .discovered(Self.services),
            .done(.write(Self.secret, .secret(count: 9), withResponse: true), .shown([])),
            .notified(Self.secret, .secret(count: 17)), .done(.read(Self.secret), .secret(count: 3)),
        ])
        let (events, notes) = try Self.read(octets)
        #expect(!events.contains { if case .value = $0.kind { true } else { false } })
        #expect(notes.contains { $0.hasSuffix("9 secret octets: done") })
        #expect(notes.contains { $0.hasSuffix("read: 3 secret octets") })
    }

    @Test("of one device's wildest words stays a capture: long names, many services, values of every length")
    func hostile() throws {
        let many = AdvertisedData(
            services: (0..<64).map { "0000\(1000 + $0)-0000-1000-8000-00805F9B34FA" },
            companies: (0..<40).map { .init(identifier: $0, octets: [UInt8](repeating: 7, count: 400)) },
            serviceData: [.init(uuid: "zz", octets: [1])], transmitPower: 4000)
        let name = String(repeating: "界", count: 200)
        for length in [0, 1, 20, 512] {
            let value = TraceEntry.Octets.shown([UInt8](repeating: 0xA5, count: length))
            let octets = Self.capture(
                [
                    .advertised(many, signalStrength: nil, hasPublicAddress: true), .connected(hasPublicAddress: true),
                    .discovered(Self.services), .connected(hasPublicAddress: true), .notified(Self.rate, value),
                    .notified(TraceEntry.Attribute(uuid: "2A37", handle: 0), value),
                ], name: name)
            let (events, _) = try Self.read(octets)
            #expect(events.count { if case .value = $0.kind { true } else { false } } == 1)
            #expect(events.count { $0.kind == .connected } == 1)
        }
    }

    private struct Expected: Error {}
}
