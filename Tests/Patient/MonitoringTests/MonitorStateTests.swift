import TestSupport
import Testing
import Vitals

@testable import Monitoring

@Suite("The monitoring state")
struct MonitorStateTests {
    @Test("is bounded after a day of three sensors that come and go", .computing)
    func day() {
        var state = MonitorState(settings: .withoutLimits, start: Ward.moment(0))
        var effects = 0
        for second in stride(from: 0.0, to: 86_400, by: 10) {
            let moment = Ward.moment(second)
            for (sensor, vital, value) in [
                (SensorIdentity.strap, Vital.heartRate, 7000), (.oximeter, .oxygenSaturation, 9800),
                (.core, .bodyTemperature, 3900),
            ] {
                let isAway = Int(second) % 3600 < 60
                let outcome: Reading.Outcome =
                    isAway ? .noMeasurement(.offBody) : .measured(VitalValue(hundredths: value), .good)
                let reading = Reading(sensor: sensor, vital: vital, outcome: outcome, moment: moment)
                effects +=
                    state.apply(MonitorEvent(moment: moment, kind: .reading(reading))).compactMap(\.summary).count
            }
            let stranger = SensorIdentity(address: "\(second)", name: "", kind: .other)
            _ = state.apply(
                MonitorEvent(moment: moment, kind: .nearby(stranger, signalStrength: nil, services: [])))
        }
        #expect(state.sensors.count == state.settings.sensorLimit)
        // 39 °C at once, and for an hour.
        #expect(state.alarms.map(\.kind) == [.feverSustained, .feverSingle])
        #expect(state.vitals.allSatisfy { $0.trend.bucketCount <= 4860 })
        // Some fifteen for each hour: three sensors come off and back, and the fever is suspended and resumes.
        #expect(effects < 24 * 20)
    }

    @Test(
        "clocks at the ends of their range do not trap",
        arguments: [
            [Int64.min, .max], [.max, .min], [0, .max, .max], [.min, 0, .max],
        ])
    func extremes(clocks: [Int64]) {
        var state = MonitorState(start: Moment(monotonicNanoseconds: .min, wallMilliseconds: .min))
        for clock in clocks {
            let moment = Moment(monotonicNanoseconds: clock, wallMilliseconds: clock)
            for kind: MonitorEvent.Kind in [
                .connection(.core, ConnectionState(phase: .ready)),
                .reading(
                    Reading(
                        sensor: .core, vital: .bodyTemperature, outcome: .measured(VitalValue(hundredths: 3900), .good),
                        moment: moment)),
                .reading(
                    Reading(sensor: .core, vital: .heartRate, outcome: .noMeasurement(.offBody), moment: moment)),
                .tick,
            ] {
                _ = state.apply(MonitorEvent(moment: moment, kind: kind))
                _ = state.nextDeadline
            }
        }
        #expect(state.now.monotonicNanoseconds == .max)
    }

    @Test("one alarm to show is the worst that is more than a suspicion")
    func worst() {
        var ward = Ward()
        ward.measure(.bodyTemperature, 3830, from: .core, at: 1, expecting: ["fever_single pending high"])
        #expect(ward.state.worstAlarm == nil)
        ward.receive(.battery(.core, percent: 5), at: 2, expecting: ["battery_low active low"])
        #expect(ward.state.worstAlarm?.kind == .batteryLow)
        ward.measure(.bodyTemperature, 3830, from: .core, at: 3)
        ward.measure(.bodyTemperature, 3830, from: .core, at: 4, expecting: ["fever_single active high"])
        #expect(ward.state.worstAlarm?.kind == .feverSingle)
    }

    @Test("acknowledging one alarm leaves the others")
    func acknowledgeOne() throws {
        var ward = Ward()
        ward.receive(.battery(.core, percent: 5), at: 1, expecting: ["battery_low active low"])
        ward.receive(.battery(.strap, percent: 5), at: 1, expecting: ["battery_low active low"])
        let first = try #require(ward.state.alarms.first?.id)
        ward.act(.acknowledge(first), at: 2, expecting: ["battery_low acknowledged low"])
        ward.act(.acknowledge(first), at: 3)
        ward.act(.acknowledge(99), at: 3)
        #expect(ward.alarms == ["battery_low active low", "battery_low acknowledged low"])
        #expect(ward.state.alarms.last?.acknowledgedAt == Ward.moment(2))
    }

    @Test("the threshold, the confirmations and the factors are settings")
    func settings() {
        var settings = MonitorSettings()
        settings.fever.threshold = VitalValue(hundredths: 3800)
        settings.fever.confirmationCount = 1
        settings.freshness.staleFactor = 2
        settings.freshness.lostFactor = 4
        settings.alarmSignals.isSoundOff = true
        settings.alarmSignals.reminder = nil
        var ward = Ward(settings: settings)
        ward.measure(.bodyTemperature, 3800, from: .core, at: 0, expecting: ["fever_single active high"])
        #expect(ward.deadline == 20)
        ward.tick(at: 20)
        #expect(ward.condition(.bodyTemperature) == "stale 3800")
        ward.tick(at: 40, expecting: ["fever_single suspended high"])
    }

    @Test("the next deadline's wall time fits its monotonic time, never early")
    func wall() throws {
        var state = MonitorState(start: Moment(monotonicNanoseconds: 0, wallMilliseconds: 1000))
        let moment = Moment(monotonicNanoseconds: 1, wallMilliseconds: 1000)
        let late = Moment(monotonicNanoseconds: 500_000, wallMilliseconds: 1000)
        let reading = Reading(
            sensor: .strap, vital: .heartRate, outcome: .measured(VitalValue(whole: 70), .good), moment: moment)
        _ = state.apply(MonitorEvent(moment: moment, kind: .reading(reading)))
        _ = state.apply(MonitorEvent(moment: late, kind: .tick))
        #expect(state.nextDeadline == Moment(monotonicNanoseconds: 6_000_000_001, wallMilliseconds: 7000))
    }

    @Test("a computer's sleep is a gap in the trend, not a flat line")
    func asleep() {
        var ward = Ward()
        ward.connection(.strap, .ready, at: 0)
        ward.measure(.heartRate, 7200, from: .strap, at: 1)
        let gap = Gap(from: Ward.moment(2), to: Ward.moment(4), reason: .asleep)
        ward.receive(.gap(gap), at: 4, expecting: ["not_monitored active low"])
        #expect(ward.state.alarms.first?.text == "Not monitored: the computer slept for 2 s")
        ward.measure(.heartRate, 7300, from: .strap, at: 5)
        let columns = ward.state[.heartRate].trend.samples(
            from: Ward.moment(1), to: Ward.moment(6), columns: 5, holding: .seconds(3))
        #expect(columns.map { $0?.last.hundredths } == [7200, nil, nil, nil, 7300])
        #expect(ward.state.environment.lastGap == gap)
    }

    @Test("a clock that is set leaves no gap in the trend")
    func clockSet() {
        var ward = Ward()
        ward.connection(.strap, .ready, at: 0)
        ward.measure(.heartRate, 7200, from: .strap, at: 1)
        ward.receive(
            .gap(Gap(from: Ward.moment(2), to: Ward.moment(2), reason: .clockSet)), at: 2,
            expecting: ["clock_jump active low"])
        let columns = ward.state[.heartRate].trend.samples(
            from: Ward.moment(1), to: Ward.moment(4), columns: 3, holding: .seconds(3))
        #expect(columns.map { $0?.last.hundredths } == [7200, 7200, 7200])
    }

    @Test("what is known of the adapters goes with bluetoothd, also when it refuses us")
    func adapters() {
        let status = AdapterStatus(identifier: "hci0", address: nil, power: .ready, isScanning: true)
        let ends: [(MonitorEvent.Kind, String)] = [
            (.bus(.lost(reason: "")), "bus_lost"), (.daemon(.gone), "daemon_gone"),
            (.daemon(.refused(reason: "")), "daemon_gone"),
        ]
        for (end, alarm) in ends {
            var ward = Ward()
            ward.receive(.daemon(.running), at: 0)
            ward.receive(.adapter(status), at: 0)
            ward.receive(.adapters([status]), at: 0)
            #expect(ward.state.environment.adapters == [status])
            ward.receive(end, at: 1, expecting: ["\(alarm) pending low"])
            #expect(ward.state.environment.adapters.isEmpty)
            #expect(ward.state.environment.adapter == nil)
        }
    }

    @Test("a sensor's row shows the state of its pairing")
    func pairing() {
        var ward = Ward()
        ward.receive(.pairing(.strap, .started), at: 0)
        #expect(ward.state.sensor(address: SensorIdentity.strap.address)?.pairing == .started)
    }
}
