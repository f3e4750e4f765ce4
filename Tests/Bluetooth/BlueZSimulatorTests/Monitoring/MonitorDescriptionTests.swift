import DBus
import Testing

@testable import BlueZSimulator

extension DBusValue {
    /// The property `Patterns` with patterns of a place, a type and octets.
    static func patterns(_ patterns: [(UInt8, UInt8, [UInt8])]) -> DBusValue {
        .array(
            patterns.map { .structure([.byte($0.0), .byte($0.1), .bytes($0.2)]) },
            of: .structure([.byte, .byte, .bytes]))
    }
}

@Suite("What an advertisement monitor asks for")
struct MonitorDescriptionTests {
    private static func properties(_ more: [String: DBusValue] = [:]) -> [String: DBusValue] {
        let usual = ["Type": DBusValue.string("or_patterns"), "Patterns": .patterns([(1, 0x09, [0x42, 0x43])])]
        return usual.merging(more) { $1 }
    }

    @Test("an advertisement matches when a field of the type has the octets at the place")
    func matches() throws {
        let monitor = try #require(MonitorDescription(Self.properties()))
        let fields = [
            [AdvertisedField(type: 0x09, octets: [0x41, 0x42, 0x43, 0x44])],
            [AdvertisedField(type: 0xFF, octets: []), AdvertisedField(type: 0x09, octets: [0, 0x42, 0x43])],
            [AdvertisedField(type: 0x08, octets: [0x41, 0x42, 0x43])],
            [AdvertisedField(type: 0x09, octets: [0x42, 0x43])],
            [AdvertisedField(type: 0x09, octets: [0x41, 0x42])],
            [],
        ]
        #expect(fields.map { monitor.matches($0) } == [true, true, false, false, false, false])
        #expect(monitor.thresholds == nil)
    }

    @Test("thresholds that are left out have bluetoothd's values")
    func thresholds() throws {
        let low = try #require(MonitorDescription(Self.properties(["RSSILowThreshold": .int16(-80)])))
        #expect(low.thresholds == .init(high: -80, highSeconds: 10, low: -80, lowSeconds: 5))
        let time = try #require(
            MonitorDescription(Self.properties(["RSSILowTimeout": .uint16(60), "RSSIHighTimeout": .uint16(1)])))
        #expect(time.thresholds == .init(high: -127, highSeconds: 1, low: -127, lowSeconds: 60))
        let unset = MonitorDescription(
            Self.properties(["RSSILowThreshold": .int16(127), "RSSILowTimeout": .uint16(0)]))
        #expect(try #require(unset).thresholds == nil)
    }

    @Test(
        "what bluetoothd cannot use is none",
        arguments: [
            ["Type": .string("and_patterns")], ["Type": .byte(1)], ["Patterns": .patterns([])],
            ["Patterns": .strings(["x"])], ["Patterns": .patterns([(0, 9, [])])],
            ["Patterns": .patterns([(30, 9, [1, 2])])], ["RSSILowThreshold": .int16(-128)],
            ["RSSILowThreshold": .uint16(3)], ["RSSILowThreshold": .int16(-40), "RSSIHighThreshold": .int16(-50)],
            ["RSSIHighTimeout": .uint16(301)], ["RSSILowTimeout": .uint32(5)], ["RSSISamplingPeriod": .uint16(257)],
        ] as [[String: DBusValue]])
    func unusable(properties: [String: DBusValue]) {
        #expect(MonitorDescription(Self.properties(properties)) == nil)
    }

    @Test("a device is found after it was strong for long enough, and lost after it was weak for long enough")
    func strength() {
        let thresholds = MonitorDescription.Thresholds(high: -60, highSeconds: 2, low: -80, lowSeconds: 3)
        var device = MonitoredDevice()
        let heard: [(seconds: Double, strength: Int)] = [
            (0, -50), (1, -50), (2, -61), (3, -50), (5, -50), (6, -81), (8, -70), (9, -81), (12, -81), (13, -81),
        ]
        let changes = heard.map { device.heard($0.strength, at: $0.seconds, thresholds) }
        #expect(changes == [nil, nil, nil, nil, .found, nil, nil, nil, .lost, nil])
    }

    @Test("a silence longer than the time begins the time anew")
    func silence() {
        let thresholds = MonitorDescription.Thresholds(high: -60, highSeconds: 2, low: -80, lowSeconds: 3)
        var device = MonitoredDevice()
        #expect([0, 3, 4, 5].map { device.heard(-50, at: $0, thresholds) } == [nil, nil, nil, .found])
    }
}
