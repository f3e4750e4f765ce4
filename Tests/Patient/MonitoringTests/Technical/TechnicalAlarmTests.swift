import Testing
import Vitals

@testable import Monitoring

@Suite("Technical alarms")
struct TechnicalAlarmTests {
    private let nonsense = MalformedOctets(characteristic: "2A37", octets: [1], reason: "too short", offset: 1)

    @Test("three malformed values within a minute are an alarm, until a minute passes without one")
    func malformed() {
        var ward = Ward()
        ward.receive(.malformed(.strap, nonsense), at: 0)
        ward.receive(.malformed(.strap, nonsense), at: 30)
        ward.receive(.malformed(.strap, nonsense), at: 61)
        ward.receive(.malformed(.strap, nonsense), at: 62, expecting: ["malformed active low"])
        #expect(ward.state.alarms.first?.text == "Malformed data: too short · Polar H10")
        ward.receive(.malformed(.strap, nonsense), at: 100)
        #expect(ward.wait(until: 159.999) == [])
        ward.tick(at: 160, expecting: ["malformed ended low"])
    }

    @Test("a wanted sensor that is heard faintly for ten seconds is an alarm, until it is heard well or connected")
    func weakSignal() {
        var ward = Ward()
        ward.receive(.nearby(.strap, signalStrength: -95, services: []), at: 0)
        ward.connection(.strap, .waiting, .linkLost, at: 1)
        ward.receive(.nearby(.strap, signalStrength: -90, services: []), at: 2, expecting: ["weak_signal pending low"])
        ward.receive(.nearby(.strap, signalStrength: -86, services: []), at: 5)
        ward.tick(at: 12, expecting: ["weak_signal active low"])
        #expect(ward.state.alarms.first?.text == "Weak signal -86 dBm · Polar H10")
        ward.receive(.nearby(.strap, signalStrength: -85, services: []), at: 13, expecting: ["weak_signal ended low"])
        ward.receive(.nearby(.strap, signalStrength: -99, services: []), at: 14, expecting: ["weak_signal pending low"])
        ward.connection(.strap, .ready, at: 15, expecting: ["weak_signal ended low"])
    }

    @Test("a signal strength has a date, is old after 15 s, and then neither begins nor keeps an alarm")
    func oldSignal() throws {
        var ward = Ward()
        ward.connection(.strap, .waiting, .linkLost, at: 1)
        ward.receive(.nearby(.strap, signalStrength: -95, services: []), at: 2, expecting: ["weak_signal pending low"])
        ward.tick(at: 12, expecting: ["weak_signal active low"])
        #expect(ward.wait(until: 30) == ["weak_signal ended low"])
        // Other news about the sensor makes the old strength no newer.
        ward.receive(.nearby(.strap, signalStrength: nil, services: ["180D"]), at: 31)
        let sensor = try #require(ward.state.sensors.first)
        #expect(sensor.strength(at: Ward.moment(16.9))?.isOld == false)
        #expect(
            sensor.strength(at: Ward.moment(17))
                == SignalStrength(
                    decibels: -95, heard: Ward.moment(2), isOld: true))
        #expect(sensor.strength(at: Ward.moment(62)) == nil)

        var slow = MonitorSettings.withoutLimits
        slow.technical.weakSignalDelay = .seconds(20)
        ward = Ward(settings: slow)
        ward.connection(.strap, .waiting, .linkLost, at: 1)
        ward.receive(.nearby(.strap, signalStrength: -95, services: []), at: 2, expecting: ["weak_signal pending low"])
        #expect(ward.wait(until: 60) == ["weak_signal ended low"])
    }

    @Test("a sensor's own fault and a search without end are alarms after their delays")
    func absences() {
        var ward = Ward()
        ward.miss(.oxygenSaturation, .equipment, from: .oximeter, at: 0, expecting: ["equipment pending medium"])
        ward.tick(at: 5, expecting: ["equipment active medium"])
        #expect(ward.state.alarms.first?.text == "Sensor fault: sensor reports a fault · e-Oximeter")
        ward.miss(
            .oxygenSaturation, .searching, from: .oximeter, at: 6,
            expecting: ["equipment ended medium", "no_measurement pending medium"])
        ward.tick(at: 36, expecting: ["no_measurement active medium"])
        #expect(ward.state.alarms.first?.text == "No measurement: searching for the pulse · e-Oximeter")
    }

    @Test("Bluetooth that cannot be used is an alarm after five seconds; medium when a wanted sensor is missed")
    func bluetooth() {
        var ward = Ward()
        ward.receive(.daemon(.gone), at: 0, expecting: ["daemon_gone pending low"])
        ward.receive(.daemon(.running), at: 4, expecting: ["daemon_gone ended low"])
        ward.connection(.strap, .connecting, at: 5)
        let off = AdapterStatus(identifier: "hci0", address: nil, power: .off, isScanning: false)
        ward.receive(.adapter(off), at: 6, expecting: ["adapter_off pending medium"])
        ward.tick(at: 11, expecting: ["adapter_off active medium"])
        #expect(ward.state.alarms.first?.text == "Bluetooth adapter not usable: switched off")
        #expect(ward.state.alarms.first?.sensor == nil)
    }

    @Test(
        "trouble with the store is an alarm until it works again",
        arguments: [
            (StorageState.full, "Storage: full, nothing more is recorded"),
            (.nearlyFull(reason: "20 MB left"), "Storage: nearly full, 20 MB left"),
            (
                .incomplete(reason: "earlier values are in store.sqlite.damaged-2026-01-02"),
                "Storage: earlier values are in store.sqlite.damaged-2026-01-02"
            ),
            (.failed(reason: "disk error\u{1B}[2J"), "Storage: disk error\u{FFFD}[2J; nothing more is recorded"),
        ])
    func storage(trouble: StorageState, text: String) {
        var state = MonitorState(start: Ward.moment(0))
        #expect(state.apply(StorageState.working, at: Ward.moment(1)).isEmpty)
        #expect(state.apply(trouble, at: Ward.moment(2)).compactMap(\.summary) == ["storage active low"])
        #expect(state.alarms.first?.text == text)
        #expect(state.apply(StorageState.working, at: Ward.moment(3)).compactMap(\.summary) == ["storage ended low"])
    }

    @Test("that nothing is recorded any more alerts again, even after little space was reported and acknowledged")
    func storageFailsAtLast() {
        var state = MonitorState(start: Ward.moment(0))
        _ = state.apply(.nearlyFull(reason: "20 MB left"), at: Ward.moment(1))
        _ = state.apply(.acknowledgeAll, at: Ward.moment(2))
        let effects = state.apply(StorageState.full, at: Ward.moment(3))
        #expect(effects.compactMap(\.summary) == ["storage ended low", "storage active low"])
        #expect(state.alarms.map(\.acknowledgedAt) == [nil])
        #expect(state.apply(.failed(reason: "disk error"), at: Ward.moment(4)).compactMap(\.summary).isEmpty)
        #expect(state.alarms.first?.text == "Storage: disk error; nothing more is recorded")
        let room = state.apply(.nearlyFull(reason: "20 MB left"), at: Ward.moment(5))
        #expect(room.compactMap(\.summary) == ["storage ended low", "storage active low"])
    }

    @Test("a clock that was set and a sleep are shown for ten minutes")
    func notices() {
        var ward = Ward()
        let from = Ward.moment(0)
        let to = Moment(
            monotonicNanoseconds: from.monotonicNanoseconds, wallMilliseconds: from.wallMilliseconds - 3_600_000)
        ward.receive(.gap(Gap(from: from, to: to, reason: .clockSet)), at: 1, expecting: ["clock_jump active low"])
        #expect(ward.state.alarms.first?.text == "Clock was set: back by 60 min")
        #expect(ward.deadline == 601)
        ward.tick(at: 601, expecting: ["clock_jump ended low"])
        ward.receive(.gap(Gap(from: from, to: from, reason: .daemon)), at: 602)
    }

    @Test("what the user disconnects raises no technical alarm any more")
    func notWanted() {
        var ward = Ward()
        ward.connection(.strap, .ready, at: 0)
        for _ in 0..<2 { ward.receive(.malformed(.strap, nonsense), at: 1) }
        ward.receive(.malformed(.strap, nonsense), at: 1, expecting: ["malformed active low"])
        ward.receive(.battery(.strap, percent: 5), at: 1, expecting: ["battery_low active low"])
        ward.connection(
            .strap, .disconnected, .user, at: 2, expecting: ["battery_low ended low", "malformed ended low"])
    }
}
