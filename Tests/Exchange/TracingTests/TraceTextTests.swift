import Testing
import Tracing
import Vitals

@Suite("A trace in lines")
struct TraceTextTests {
    private static let moment = Moment(monotonicNanoseconds: 0, wallMilliseconds: 1_772_373_000_123)
    private static let rate = TraceEntry.Attribute(uuid: "2A37", handle: 0x001D)

    private static func lines(_ kind: TraceEntry.Kind, name: String = "Polar H10") -> String {
        TraceText.lines(TraceEntry(address: "C0:52:49:00:00:02", name: name, kind: kind), at: moment)
    }

    private static func words(_ kind: TraceEntry.Kind) -> String {
        lines(kind).replacing("2026-03-01T13:50:00.123Z C0:52:49:00:00:02 Polar H10: ", with: "")
    }

    @Test("says when, who and what, with the names of UUIDs")
    func everyStep() {
        #expect(
            Self.lines(.notified(Self.rate, .shown([0x06, 0x4D])))
                == "2026-03-01T13:50:00.123Z C0:52:49:00:00:02 Polar H10: "
                + "0x001D 2A37 Heart Rate Measurement notified 06 4D\n")
        let own = TraceEntry.Attribute(uuid: "FB005C89-02E7-F387-1CAD-8ACD2D8DF0C8", handle: 0)
        #expect(Self.words(.asked(.connect)) == "connect\n")
        #expect(Self.words(.done(.connect, .shown([]))) == "connect: done\n")
        #expect(
            Self.words(.asked(.write(own, .shown([1, 0xA0]), withResponse: false)))
                == "write 0x0000 FB005C89-02E7-F387-1CAD-8ACD2D8DF0C8 without response: 01 A0\n")
        #expect(
            Self.words(.failed(.pair, error: "org.bluez.Error.AuthenticationFailed"))
                == "pair: FAILED, org.bluez.Error.AuthenticationFailed\n")
        #expect(
            Self.words(
                .advertised(
                    AdvertisedData(
                        services: ["180D"], companies: [.init(identifier: 0x006B, octets: [0x72, 8])],
                        serviceData: [.init(uuid: "180F", octets: [64])], appearance: 833, transmitPower: 4, flags: [6]),
                    signalStrength: -61, hasPublicAddress: false))
                == "heard at -61 dBm; services 180D Heart Rate; company data 0x006B Polar Electro: 72 08; "
                + "service data 180F Battery: 40; appearance 0x0341 heart rate belt; TX power 4 dBm; "
                + "flags 06, general discoverable, BR/EDR not supported\n")
    }

    @Test("of simulated sensors says so in each line")
    func simulated() {
        let services = [TraceEntry.Service(uuid: "180D", handle: 1, characteristics: [])]
        let entry = TraceEntry(address: "C0:52:49:00:00:02", name: "", kind: .discovered(services + services))
        let lines = TraceText.lines(entry, at: Self.moment, isSimulated: true).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0.hasPrefix("2026-03-01T13:50:00.123Z SIMULATED C0:52:49:00:00:02: ") })
    }

    @Test("counts the octets of an authentication, and has no control characters of a device")
    func harmless() {
        #expect(
            Self.words(.notified(Self.rate, .secret(count: 17)))
                == "0x001D 2A37 Heart Rate Measurement notified 17 secret octets\n")
        let text = Self.lines(
            .failed(.read(TraceEntry.Attribute(uuid: "\u{1B}[2J", handle: 1)), error: "\n\u{7}"), name: "\u{1B}]0;")
        #expect(text.dropLast().unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }

    @Test("a file is named after the sensor and the time, whatever the address")
    func fileName() {
        #expect(TraceText.fileName(of: "C0:52:49:00:00:02", at: Self.moment) == "C05249000002-20260301T135000Z")
        #expect(!TraceText.fileName(of: "../../etc", at: Self.moment).contains("/"))
    }
}
