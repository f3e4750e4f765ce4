import Testing
import Vitals

@testable import Monitoring

@Suite("Sensor rows and environment")
struct SensorRowTests {
    private let malformed = MalformedOctets(characteristic: "2A37", octets: [0x01], reason: "too short", offset: 1)

    @Test("a remembered sensor has a row although it is not heard, and keeps it until it is forgotten")
    func remembered() throws {
        var ward = Ward()
        let strap = SensorIdentity.strap
        let remembered = RememberedSensor(
            address: strap.address, name: strap.name, kind: strap.kind, label: "Ada", isWanted: true)
        func sensor() -> SensorState? { ward.state.sensor(address: strap.address) }
        ward.receive(.remembered(remembered), at: 1)
        #expect(sensor()?.identity.name == "Ada")
        #expect(sensor()?.memory == remembered)
        #expect(sensor()?.isNearby == false)
        ward.receive(.nearby(remembered.identity, signalStrength: -60, services: []), at: 2)
        ward.receive(.gone(remembered.identity), at: 3)
        #expect(sensor() != nil)
        ward.receive(.forgotten(strap), at: 4)
        #expect(sensor() == nil)
        ward.receive(.forgotten(strap), at: 5)
        #expect(sensor() == nil)
    }

    @Test("the values of a forgotten sensor stay, and it may come back")
    func forgotten() throws {
        var ward = Ward()
        let strap = SensorIdentity.strap
        ward.receive(.connection(strap, ConnectionState(phase: .ready)), at: 1)
        ward.measure(.heartRate, 7200, from: strap, at: 2)
        ward.receive(.connection(strap, ConnectionState(phase: .disconnected, reason: .user)), at: 3)
        ward.receive(.forgotten(strap), at: 3)
        #expect(ward.state.sensor(address: strap.address)?.isForgotten == true)
        #expect(!ward.state[.heartRate].trend.isEmpty)
        ward.receive(
            .remembered(RememberedSensor(address: strap.address, name: "x", kind: strap.kind, isWanted: true)), at: 4)
        #expect(ward.state.sensor(address: strap.address)?.isForgotten == false)
    }

    @Test("signal strengths are smoothed, and nothing is known of one that is not heard")
    func strength() throws {
        var ward = Ward()
        func smoothed() -> Int? { ward.state.sensor(address: SensorIdentity.strap.address)?.smoothedStrength }
        ward.receive(
            .remembered(
                RememberedSensor(
                    address: SensorIdentity.strap.address, name: "x", kind: .heartRateStrap, isWanted: false)), at: 0)
        ward.receive(.nearby(.strap, signalStrength: -60, services: []), at: 1)
        #expect(smoothed() == -600)
        ward.receive(.nearby(.strap, signalStrength: -80, services: []), at: 2)
        #expect(smoothed() == -650)
        ward.receive(.nearby(.strap, signalStrength: Int.min, services: []), at: 3)
        #expect(smoothed() == -987)
        ward.receive(.gone(.strap), at: 4)
        #expect(smoothed() == nil)
    }

    @Test("a row holds what was heard")
    func row() throws {
        var ward = Ward()
        ward.receive(.nearby(.strap, signalStrength: -60, services: ["180D"]), at: 1)
        ward.receive(.nearby(.strap, signalStrength: nil, services: []), at: 2)
        ward.receive(.battery(.strap, percent: 87), at: 3)
        ward.receive(.malformed(.strap, malformed), at: 4)
        ward.receive(.malformed(.strap, malformed), at: 5)
        ward.receive(
            .connection(
                .strap, ConnectionState(phase: .waiting, reason: .timeout, attempt: 2, retryAt: Ward.moment(9))),
            at: 6)
        let sensor = try #require(ward.state.sensor(address: SensorIdentity.strap.address))
        #expect(sensor.isNearby)
        #expect(sensor.signalStrength == -60)
        #expect(sensor.services == ["180D"])
        #expect(sensor.battery == 87)
        #expect(sensor.malformedCount == 2)
        #expect(sensor.lastMalformed == malformed)
        #expect(sensor.lastHeard == Ward.moment(5))
        #expect(sensor.lastReading == nil)
        #expect(sensor.connection?.attempt == 2)
        #expect(sensor.connection?.retryAt == Ward.moment(9))
        #expect(sensor.connectionSince == Ward.moment(6))
        #expect(sensor.banner == nil)
    }

    @Test("malformed octets are neither a value nor an absence")
    func malformedOnly() {
        var ward = Ward()
        ward.measure(.heartRate, 7000, from: .strap, at: 1)
        ward.receive(.malformed(.strap, malformed), at: 2)
        #expect(ward.condition(.heartRate) == "measured 7000")
        ward.tick(at: 7)
        #expect(ward.condition(.heartRate) == "stale 7000")
    }

    @Test("rows keep the order of first sight, and their ordinals")
    func order() {
        var ward = Ward()
        for sensor in [SensorIdentity.strap, .core, .oximeter] {
            ward.receive(.nearby(sensor, signalStrength: nil, services: []), at: 1)
        }
        ward.receive(.gone(.core), at: 2)
        ward.receive(.nearby(.strap, signalStrength: nil, services: []), at: 3)
        ward.receive(.nearby(.core, signalStrength: nil, services: []), at: 4)
        #expect(ward.state.sensors.map(\.identity) == [.strap, .oximeter, .core])
        #expect(ward.state.sensors.map(\.ordinal) == [0, 2, 3])
        for sensor in ward.state.sensors {
            #expect(ward.state.sensor(address: sensor.identity.address)?.identity == sensor.identity)
        }
    }

    @Test("a row with data stays when its sensor is no longer heard")
    func gone() throws {
        var ward = Ward()
        ward.receive(.nearby(.strap, signalStrength: -60, services: []), at: 1)
        ward.measure(.heartRate, 7000, from: .strap, at: 1)
        ward.receive(.gone(.strap), at: 2)
        let sensor = try #require(ward.state.sensors.first)
        #expect(!sensor.isNearby)
        #expect(sensor.signalStrength == nil)
    }

    @Test("a sensor's deadlines survive the removal of a row before it")
    func removalBefore() {
        var ward = Ward()
        ward.receive(.nearby(.thermometer, signalStrength: nil, services: []), at: 0)
        ward.connection(.strap, .ready, at: 0)
        ward.measure(.heartRate, 7000, from: .strap, at: 1)
        ward.receive(.gone(.thermometer), at: 2)
        #expect(ward.deadline == 7)
        ward.tick(at: 7)
        #expect(ward.condition(.heartRate) == "stale 7000")
        ward.tick(at: 13, expecting: ["reading heart_rate silent", "silent active medium"])
    }

    @Test("a flood of strangers' radios is bounded and does not push out sensors in use")
    func flood() {
        var settings = MonitorSettings()
        settings.sensorLimit = 8
        var ward = Ward(settings: settings)
        ward.measure(.heartRate, 7000, from: .strap, at: 0)
        for index in 0..<1000 {
            let stranger = SensorIdentity(address: "stranger \(index)", name: "", kind: .other)
            ward.receive(.nearby(stranger, signalStrength: -90, services: []), at: Double(index) * 0.001)
        }
        #expect(ward.state.sensors.count == 8)
        #expect(ward.state.sensors.first?.identity == .strap)
        #expect(ward.state.sensors.last?.identity.address == "stranger 999")
        #expect(ward.state.sensors.count == 8)
    }

    @Test("a new name is taken over")
    func renamed() {
        var ward = Ward()
        ward.measure(.heartRate, 7000, from: .strap, at: 0)
        let renamed = SensorIdentity(address: SensorIdentity.strap.address, name: "Bed 12", kind: .heartRateStrap)
        ward.receive(.nearby(renamed, signalStrength: nil, services: []), at: 1)
        #expect(ward.state.sensors.map(\.identity.name) == ["Bed 12"])
        #expect(ward.state[.heartRate].source?.name == "Bed 12")
    }

    @Test(
        "the battery is low at 15 %, until it has 20 % again",
        arguments: [
            ([16], nil), ([15], "active"), ([15, 19], "active"), ([15, 20], nil), ([17], nil), ([0], "active"),
            ([101], nil), ([-1], nil),
        ] as [([Int], String?)])
    func battery(levels: [Int], state: String?) {
        var ward = Ward()
        for (second, percent) in levels.enumerated() {
            _ = ward.state.apply(
                MonitorEvent(moment: Ward.moment(Double(second)), kind: .battery(.strap, percent: percent)))
        }
        #expect(ward.state.alarms.first?.state.rawValue == state)
        if state != nil {
            let level = levels.last ?? 0
            let words = "Battery low \(level) %\(level <= 15 ? " ≤ 15" : "") · Polar H10"
            #expect(ward.state.alarms.first?.text == words)
        }
    }

    @Test("bus, daemon and adapter are known with their reasons")
    func environment() {
        var ward = Ward()
        ward.receive(.bus(.connected), at: 0)
        ward.receive(.daemon(.running), at: 0)
        let adapter = AdapterStatus(identifier: "hci0", address: nil, power: .ready, isScanning: true)
        ward.receive(.adapter(adapter), at: 1)
        #expect(ward.state.environment.adapter == adapter)
        #expect(ward.state.environment.isScanning)
        ward.receive(.nearby(.strap, signalStrength: -50, services: []), at: 2)
        ward.receive(.daemon(.gone), at: 3, expecting: ["daemon_gone pending low"])
        #expect(ward.state.environment.daemon == .gone)
        #expect(!ward.state.environment.isScanning)
        #expect(ward.state.sensors.isEmpty)
        ward.receive(
            .bus(.lost(reason: "The message bus went away.")), at: 4,
            expecting: ["bus_lost pending low", "daemon_gone ended low"])
        #expect(ward.state.environment.bus == .lost(reason: "The message bus went away."))
        #expect(ward.state.environment.daemon == nil)
    }
}
