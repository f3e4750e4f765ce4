import BlueZ
import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("The supervisor's events", .timeLimit(.minutes(10)))
struct SupervisorEventsTests {
    private func isNearby(_ kind: MonitorEvent.Kind) -> Bool {
        if case .nearby = kind { true } else { false }
    }

    private func strength(_ kind: MonitorEvent.Kind) -> Int? {
        if case .nearby(_, let strength, _) = kind { strength } else { nil }
    }

    @Test("report what is nearby with kind, strength and services")
    func nearby() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.start()
        await bench.central.appear(
            SupervisorBench.strap, name: "\u{1B}[31mEvil", services: ["180d", "fee8", "180d"], rssi: -58)
        let kind = try await bench.read(until: isNearby).last
        let identity = SensorIdentity(
            address: SupervisorBench.strap, name: "\u{FFFD}[31mEvil", kind: .heartRateStrap)
        #expect(kind == .nearby(identity, signalStrength: -58, services: ["180D", "FEE8"]))
        await bench.central.appear(SupervisorBench.oximeter, name: nil, services: ["180a"], rssi: 127)
        await bench.central.advertise(SupervisorBench.oximeter, rssi: -70)
        let other = try await bench.read(until: isNearby).last
        #expect(
            other
                == .nearby(
                    SensorIdentity(address: SupervisorBench.oximeter, name: "Sensor 0003", kind: .other),
                    signalStrength: -70, services: ["180A"]))
    }

    @Test("report the temperature that a CORE advertises, and none of another peripheral or one that does not measure")
    func beacon() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.start()
        let measuring: [UInt16: [UInt8]] = [0x0BF6: [0x00, 0x04, 0xB3, 0x91]]
        await bench.central.appear(
            SupervisorBench.strap, name: "Strap", services: ["180d"], manufacturerData: measuring)
        await bench.central.appear(
            SupervisorBench.oximeter, name: "CORE 2", services: ["1809"],
            manufacturerData: [0x0BF6: [0x00, 0x01, 0xB3, 0x91]])
        await bench.central.appear(
            SupervisorBench.thermometer, name: "CORE 1", services: ["1809"], manufacturerData: measuring)
        func isBeacon(_ kind: MonitorEvent.Kind) -> Bool { if case .beacon = kind { true } else { false } }
        let beacons = try await bench.read(until: isBeacon).filter(isBeacon)
        let core = SensorIdentity(address: SupervisorBench.thermometer, name: "CORE 1", kind: .core)
        #expect(beacons == [.beacon(core, bodyTemperature: VitalValue(hundredths: 3730))])
    }

    @Test("thin out signal strengths, but report the newest in the end")
    func throttled() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.start()
        await bench.addStrap()
        try await bench.read(until: isNearby)
        await bench.central.advertise(SupervisorBench.strap, strengths: -90 ... -50)
        let strengths = try await bench.read { strength($0) == -50 }.compactMap(strength)
        // The first of them is reported if a busy computer has taken a second to come here, and this reader is in time.
        #expect(strengths == [-50] || strengths == [-90, -50])
    }

    @Test("do not say that a peripheral is gone because the scan ended, but when BlueZ removes it")
    func gone() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.start()
        await bench.addStrap()
        await bench.central.advertise(SupervisorBench.strap, rssi: nil)
        await bench.central.vanish(SupervisorBench.strap)
        let kinds = try await bench.read { if case .gone = $0 { true } else { false } }
        #expect(kinds.filter(isNearby).count == 1)
    }

    @Test("do not call a peripheral nearby that BlueZ only remembers")
    func remembered() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.start()
        await bench.central.appear(SupervisorBench.strap, name: "Polar", services: ["180d"], rssi: nil)
        await bench.central.vanish(SupervisorBench.strap)
        await bench.addOximeter()
        let kinds = try await bench.read(until: isNearby)
        #expect(!kinds.contains { if case .gone = $0 { true } else { false } })
        #expect(kinds.filter(isNearby).count == 1)
    }

    @Test("report malformed octets as such, and the next value as a reading")
    func malformed() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.start()
        await bench.addStrap()
        try await bench.read(until: .ready)
        await bench.central.notify(SupervisorBench.strap, "2a37", [1, 72])
        await bench.central.notify(SupervisorBench.strap, "2a39", [1])
        await bench.central.notify(SupervisorBench.strap, "2a37", [0, 72])
        let kinds = try await bench.read { $0.reading != nil }
        let warnings = kinds.compactMap { kind -> MalformedOctets? in
            if case .malformed(_, let octets) = kind { octets } else { nil }
        }
        #expect(warnings.map(\.octets) == [[1, 72]])
        #expect(warnings.map(\.characteristic) == ["2A37"])
    }

    @Test("report a battery level once, whether BlueZ reports it or it was read")
    func battery() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.start()
        await bench.addStrap()
        try await bench.read { if case .battery = $0 { true } else { false } }
        await bench.central.setBattery(SupervisorBench.strap, percent: 87)
        await bench.central.setBattery(SupervisorBench.strap, percent: 86)
        let kinds = try await bench.read { if case .battery = $0 { true } else { false } }
        guard case .battery(_, let percent) = kinds.last else {
            Issue.record("no battery level")
            return
        }
        #expect(percent == 86)
    }

    @Test("reach every reader, and begin for a late one with how things stand")
    func readers() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.start()
        await bench.addStrap()
        try await bench.read { if case .battery = $0 { true } else { false } }
        let late = await bench.supervisor.events()
        await bench.central.notify(SupervisorBench.strap, "2a37", [0, 72])
        #expect(try await bench.read { $0.reading != nil }.last?.reading?.outcome == .good(7200))
        await bench.supervisor.shutDown()
        var kinds: [MonitorEvent.Kind] = []
        for await event in late { kinds.append(event.kind) }
        #expect(kinds.prefix(2) == [.bus(.connected), .daemon(.running)])
        #expect(kinds.compactMap(\.adapter).first?.power == .ready)
        #expect(kinds.contains(where: isNearby))
        #expect(
            kinds.first { $0.connection(of: SupervisorBench.strap) != nil }?
                .connection(of: SupervisorBench.strap)?.phase == .ready)
        #expect(kinds.compactMap(\.reading).map(\.outcome) == [.good(7200)])
    }

    @Test("lose nothing and count nothing twice when values come in a burst")
    func burst() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.start()
        await bench.addStrap()
        try await bench.read(until: .ready)
        for _ in 0..<50 {
            for rate in 60..<80 { await bench.central.notify(SupervisorBench.strap, "2a37", [0, UInt8(rate)]) }
        }
        await bench.central.notify(SupervisorBench.strap, "2a37", [0, 99])
        let readings = try await bench.read { $0.reading?.outcome == .good(9900) }.compactMap(\.reading)
        #expect(readings.count == 1001)
        #expect(readings.dropLast().enumerated().allSatisfy { $1.outcome == .good(6000 + $0 % 20 * 100) })
    }
}
