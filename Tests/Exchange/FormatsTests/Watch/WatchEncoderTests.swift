import Foundation
import Monitoring
import Testing
import TestSupport
import Vitals

@testable import Formats

@Suite("The lines of watch")
struct WatchEncoderTests {
    static let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10 1234", kind: .heartRateStrap)
    static let core = SensorIdentity(address: "C0:52:49:00:00:01", name: "CORE [1A]", kind: .core)
    /// The moment 2026-01-02 03:04:05.678 UTC.
    static let moment = Moment(monotonicNanoseconds: 5_000_000_000, wallMilliseconds: 1_767_323_045_678)

    static let events: [MonitorEvent.Kind] = [
        .bus(.connected),
        .bus(.lost(reason: "no message bus at unix:path=/run/dbus/system_bus_socket")),
        .bus(.silent),
        .daemon(.running),
        .daemon(.silent),
        .daemon(.gone),
        .daemon(.refused(reason: "bluetoothd does not let us: \u{1B}[31mAccessDenied")),
        .daemon(.unusable(reason: "The Bluetooth service does not answer.")),
        .adapter(AdapterStatus(identifier: "hci0", address: "00:11:22:33:44:55", power: .ready, isScanning: true)),
        .adapter(AdapterStatus(identifier: nil, address: nil, power: .missing, isScanning: false)),
        .adapter(
            AdapterStatus(
                identifier: "hci0", address: "00:11:22:33:44:55", power: .off, isScanning: false,
                isSwitchedOffByUs: true)),
        .adapters([
            AdapterStatus(
                identifier: "hci0", address: "00:11:22:33:44:55", power: .blocked, isScanning: false,
                isHardBlocked: true),
            AdapterStatus(
                identifier: "hci1", address: "00:11:22:33:44:66", power: .ready, isScanning: true, hearsNothing: true),
        ]),
        .adapters([]),
        .gap(Gap(from: moment.advanced(by: .seconds(-3600)), to: moment, reason: .asleep)),
        .gap(Gap(from: moment.advanced(by: .milliseconds(-1)), to: moment, reason: .clockSet)),
        .pairing(strap, .needed(reason: "The sensor has to be paired.")),
        .pairing(strap, .started),
        .pairing(strap, .passkey("012345", entered: 2)),
        .pairing(strap, .pinCode("0000")),
        .pairing(strap, .confirmPasskey("999999")),
        .pairing(strap, .authorize),
        .pairing(strap, .passkeyWanted),
        .pairing(strap, .pinCodeWanted),
        .pairing(strap, .succeeded),
        .pairing(strap, .failed(reason: "The sensor gave up; press its button and try again.")),
        .nearby(strap, signalStrength: -58, services: ["180D"]),
        .nearby(strap, signalStrength: nil, services: []),
        .beacon(core, bodyTemperature: VitalValue(hundredths: 3730)),
        .gone(strap),
        .connection(strap, ConnectionState(phase: .connecting, attempt: 1)),
        .connection(strap, ConnectionState(phase: .connected)),
        .connection(strap, ConnectionState(phase: .ready)),
        .connection(
            strap,
            ConnectionState(
                phase: .waiting, reason: .linkLost, attempt: 2, retryAt: moment.advanced(by: .milliseconds(4250)))),
        .connection(strap, ConnectionState(phase: .disconnected, reason: .user)),
        .connection(strap, ConnectionState(phase: .ready, hint: .silent)),
        .connection(strap, ConnectionState(phase: .waiting, reason: .refused, attempt: 4, hint: .inUse)),
        .connection(
            SensorIdentity(address: "C0:52:49:00:00:44", name: "BP 7", kind: .bloodPressure),
            ConnectionState(phase: .ready)),
        .reading(
            Reading(
                sensor: strap, vital: .heartRate, outcome: .measured(VitalValue(whole: 72), .good), moment: moment,
                site: .chest)),
        .reading(
            Reading(
                sensor: core, vital: .bodyTemperature, outcome: .measured(VitalValue(hundredths: 3729), .questionable),
                moment: moment, site: .core,
                deviceTime: DeviceTime(year: 2025, month: 3, day: 10, hour: 14, minute: 30, second: 5))),
        .reading(
            Reading(
                sensor: core, vital: .bodyTemperature, outcome: .measured(VitalValue(hundredths: 3680), .good),
                moment: moment, deviceTime: DeviceTime(year: nil, month: 3, day: 10, hour: 14, minute: 30, second: 5))),
        .reading(
            Reading(
                sensor: SensorIdentity(address: "C0:52:49:00:00:03", name: "e-Oximeter", kind: .oximeter),
                vital: .oxygenSaturation, outcome: .measured(VitalValue(hundredths: 9700), .malfunction),
                moment: moment)),
        .reading(
            Reading(sensor: strap, vital: .heartRate, outcome: .noMeasurement(.noContact), moment: moment)),
        .battery(strap, percent: 87),
        .malformed(
            strap, MalformedOctets(characteristic: "2A37", octets: [0x01, 0xAB], reason: "cut short", offset: 1)),
        .nearby(
            SensorIdentity(address: "C0:52:49:00:00:09", name: "\u{1B}[31mevil\u{07}\"\\\u{202E}", kind: .other),
            signalStrength: -90, services: []),
    ]

    @Test("every event is as reviewed")
    func golden() throws {
        var encoder = WatchEncoder(isSimulated: false)
        for kind in Self.events { encoder.write(MonitorEvent(moment: Self.moment, kind: kind)) }
        try expectGolden(Self.lines(&encoder).joined(separator: "\n") + "\n", "watch.jsonl")
    }

    @Test("every line is one JSON object with version, time and event")
    func valid() throws {
        var encoder = WatchEncoder(isSimulated: true)
        for kind in Self.events { encoder.write(MonitorEvent(moment: Self.moment, kind: kind)) }
        let lines = Self.lines(&encoder)
        #expect(lines.count == Self.events.count)
        for line in lines {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(object["v"] as? Int == 1)
            #expect(object["t"] as? String == "2026-01-02T03:04:05.678Z")
            #expect(object["event"] is String)
            #expect(object["simulated"] as? Bool == true)
        }
    }

    @Test("no line holds a control character")
    func harmless() {
        var encoder = WatchEncoder(isSimulated: false)
        for kind in Self.events { encoder.write(MonitorEvent(moment: Self.moment, kind: kind)) }
        for line in Self.lines(&encoder) { #expect(!line.utf8.contains { $0 < 0x20 || $0 == 0x7F }) }
    }

    @Test("a tick has no line")
    func tick() {
        var encoder = WatchEncoder(isSimulated: false)
        encoder.write(MonitorEvent(moment: Self.moment, kind: .tick))
        #expect(encoder.isEmpty)
    }

    @Test("a fever's alarm has kind, class, priority, value and limit")
    func alarm() throws {
        var state = MonitorState(start: Self.moment)
        var encoder = WatchEncoder(isSimulated: false)
        for second in 0..<3 {
            let reading = Reading(
                sensor: Self.core, vital: .bodyTemperature, outcome: .measured(VitalValue(hundredths: 3860), .good),
                moment: Self.moment.advanced(by: .seconds(second * 10)), site: .core)
            let effects = state.apply(MonitorEvent(moment: reading.moment, kind: .reading(reading)))
            for effect in effects { encoder.write(effect) }
        }
        let last = try #require(Self.lines(&encoder).last)
        let alarm = try #require(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
        #expect(alarm["event"] as? String == "alarm")
        #expect(alarm["kind"] as? String == "fever_single")
        #expect(alarm["class"] as? String == "physiological")
        #expect(alarm["state"] as? String == "active")
        #expect(alarm["vital"] as? String == "body_temperature")
        #expect(alarm["value"] as? Double == 38.6)
        #expect(alarm["limit"] as? Double == 38.3)
    }

    private static func lines(_ encoder: inout WatchEncoder) -> [String] {
        encoder.takeLines { String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init) }
    }
}

@Suite("Wall times in RFC 3339")
struct TimeTextTests {
    @Test(
        "are in UTC with milliseconds",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_767_323_045_678, "2026-01-02T03:04:05.678Z"),
            (951_782_400_001, "2000-02-29T00:00:00.001Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (Int64.max, "9999-12-31T23:59:59.999Z"), (Int64.min, "0000-01-01T00:00:00.000Z"),
        ])
    func table(_ milliseconds: Int64, _ expected: String) {
        var time = TimestampText()
        var buffer: [UInt8] = []
        time.append(milliseconds, to: &buffer)
        #expect(String(decoding: buffer, as: UTF8.self) == expected)
    }
}
