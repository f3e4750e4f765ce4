import Testing
import Vitals

@testable import Monitoring

@Suite("Links: silence, loss, reconnecting, disconnecting")
struct LinkTests {
    @Test("a connected sensor that sends nothing for six intervals is silent since its last report")
    func silence() throws {
        var ward = connectedWard()
        ward.tick(at: 13.999)
        #expect(ward.condition(.heartRate) == "stale 7700")
        #expect(ward.deadline == 14)
        ward.tick(at: 14, expecting: ["reading heart_rate silent", "silent active medium"])
        #expect(ward.condition(.heartRate) == "no measurement silent last 7700")
        let absence = try #require(ward.state[.heartRate].banner?.absence)
        #expect(absence.since == Ward.moment(2))
        #expect(ward.state.alarms.first?.text == "Sensor silent: connected, but nothing arrives · Polar H10")
        // Only the next burst of sound is due.
        #expect(ward.deadline == 29)
        ward.tick(at: 1000)
        ward.measure(.heartRate, 7800, from: .strap, at: 1001, expecting: ["silent ended medium"])
        #expect(ward.condition(.heartRate) == "measured 7800")
    }

    @Test("an absence that is not renewed becomes silence too")
    func silentAbsence() {
        var ward = connectedWard()
        ward.miss(.heartRate, .noContact, from: .strap, at: 3, expecting: ["sensor_off pending medium"])
        ward.tick(at: 8, expecting: ["sensor_off active medium"])
        // One gap of a second is learned by now.
        ward.tick(at: 9, expecting: ["reading heart_rate silent", "sensor_off ended medium", "silent active medium"])
    }

    @Test(
        "a connected sensor that never says anything is silent",
        arguments: [
            (SensorIdentity.strap, 12.0, ["reading heart_rate silent"]),
            (.oximeter, 12, ["reading spo2 silent", "reading pulse_rate silent"]),
            (.core, 60, ["reading body_temperature silent"]),
        ])
    func neverSpoke(sensor: SensorIdentity, limit: Double, readings: [String]) {
        var ward = Ward()
        ward.connection(sensor, .connecting, at: 0)
        ward.connection(sensor, .connected, at: 1)
        ward.connection(sensor, .ready, at: 2)
        #expect(ward.deadline == 2 + limit)
        ward.tick(at: 2 + limit, expecting: readings + ["silent active medium"])
        ward.connection(sensor, .waiting, .linkLost, at: 100, expecting: ["silent ended medium"])
    }

    @Test("the time without a link is not taken for the sensor's pace")
    func pace() {
        var ward = connectedWard()
        ward.connection(
            .strap, .waiting, .linkLost, at: 3,
            expecting: [
                "reading heart_rate link_lost", "link_lost pending medium",
            ])
        ward.connection(.strap, .ready, at: 8, expecting: ["link_lost ended medium"])
        ward.measure(.heartRate, 7700, from: .strap, at: 8)
        #expect(ward.state[.heartRate].interval == .seconds(2))
    }

    @Test("a thermometer may be silent: it measures on request")
    func quietThermometer() {
        var ward = Ward()
        ward.connection(.thermometer, .ready, at: 0)
        #expect(ward.deadline == nil)
        ward.tick(at: 3600)
        #expect(ward.alarms.isEmpty)
    }

    @Test("a thermometer that measured on request may be silent afterwards, also between measurements minutes apart")
    func quietAfterMeasuring() {
        var ward = Ward()
        ward.connection(.thermometer, .ready, at: 0)
        for minute in [0.0, 5, 10] {
            ward.measure(.bodyTemperature, 3700, from: .thermometer, at: 5 + minute * 60)
            ward.tick(at: 5 + minute * 60 + 290)
            #expect(ward.alarms.isEmpty)
        }
        ward.tick(at: 3600)
        #expect(ward.condition(.bodyTemperature) == "lost 3700")
        #expect(ward.alarms.isEmpty)
        #expect(ward.deadline == nil)
    }

    @Test("a thermometer that streams is silent when it stops")
    func silentThermometer() {
        var ward = Ward()
        ward.connection(.thermometer, .ready, at: 0)
        for second in 1...5 { ward.measure(.bodyTemperature, 3700, from: .thermometer, at: Double(second)) }
        ward.tick(at: 10.999)
        #expect(ward.alarms.isEmpty)
        ward.tick(at: 11, expecting: ["reading body_temperature silent", "silent active medium"])
    }

    /// A thermometer that announced how often it measures, and measures so.
    private static func announcing(_ seconds: Int, spacing: Double) -> Ward {
        var ward = Ward()
        ward.connection(.thermometer, .ready, at: 0)
        ward.receive(
            .announcedInterval(.thermometer, AnnouncedInterval(seconds: seconds, isSettable: true)), at: 0)
        for index in 0..<4 {
            ward.measure(.bodyTemperature, 3700, from: .thermometer, at: Double(index) * spacing)
        }
        return ward
    }

    @Test(
        "a thermometer that announces up to five minutes between measurements is fresh for three of them, then silent",
        arguments: [120.0, 300.0])
    func announced(interval: Double) {
        var ward = Self.announcing(Int(interval), spacing: interval)
        ward.tick(at: 6 * interval - 0.001)
        #expect(ward.condition(.bodyTemperature) == "measured 3700")
        ward.tick(at: 6 * interval)
        #expect(ward.condition(.bodyTemperature) == "stale 3700")
        ward.tick(
            at: 9 * interval, expecting: ["reading body_temperature silent", "silent active medium"])
    }

    @Test("a transmitter's report is kept, and its question about a new sensor ends with the link")
    func transmitter() {
        var ward = Ward()
        ward.connection(.strap, .ready, at: 0)
        let status = TransmitterStatus(firmware: "0007", sensorMinutes: 5000, newSensor: .asked)
        ward.receive(.transmitter(.strap, status), at: 1)
        #expect(ward.state.sensor(address: SensorIdentity.strap.address)?.transmitter == status)
        ward.receive(.transmitter(.strap, TransmitterStatus(sensorMinutes: -1)), at: 2)
        #expect(ward.state.sensor(address: SensorIdentity.strap.address)?.transmitter == status)
        ward.connection(.strap, .waiting, .linkLost, at: 3)
        let left = ward.state.sensor(address: SensorIdentity.strap.address)?.transmitter
        #expect(left == TransmitterStatus(firmware: "0007", sensorMinutes: 5000))
    }

    @Test("an announced interval is taken before a second value arrives, and none is longer than what its values show")
    func announcedFirst() {
        var ward = Self.announcing(60, spacing: 0)
        #expect(ward.state[.bodyTemperature].interval == .seconds(60))
        ward = Self.announcing(300, spacing: 2)
        #expect(ward.state[.bodyTemperature].interval == .seconds(2))
    }

    @Test(
        "a thermometer that announces none or hours, or whose values do not keep to it, measures on request",
        arguments: [(0, 300.0), (3600, 300.0), (30, 80.0)])
    func announcedInVain(seconds: Int, spacing: Double) {
        var ward = Self.announcing(seconds, spacing: spacing)
        #expect(ward.state[.bodyTemperature].interval == .seconds(60))
        ward.tick(at: 7200)
        #expect(ward.alarms.isEmpty)
    }

    @Test("a lost link is reported at once, and is an alarm when it stays lost for ten seconds")
    func linkLost() throws {
        var ward = connectedWard()
        ward.connection(
            .strap, .waiting, .linkLost, at: 3,
            expecting: [
                "reading heart_rate link_lost", "link_lost pending medium",
            ])
        #expect(ward.condition(.heartRate) == "no measurement link_lost last 7700")
        #expect(ward.state[.heartRate].banner?.absence.since == Ward.moment(3))
        #expect(ward.state.sensors.first?.drops == 1)
        ward.connection(.strap, .connecting, at: 5)
        ward.connection(.strap, .waiting, .timeout, at: 8)
        #expect(ward.deadline == 13)
        ward.tick(at: 13, expecting: ["link_lost active medium"])
        #expect(ward.state[.heartRate].banner?.absence.since == Ward.moment(3))
        #expect(ward.state.sensors.first?.drops == 1)
        ward.connection(.strap, .connecting, at: 20)
        ward.connection(.strap, .connected, at: 21)
        #expect(ward.condition(.heartRate) == "no measurement link_lost last 7700")
        ward.connection(.strap, .ready, at: 22, expecting: ["link_lost ended medium"])
        #expect(ward.condition(.heartRate) == "lost 7700")
        ward.measure(.heartRate, 8000, from: .strap, at: 23)
        #expect(ward.condition(.heartRate) == "measured 8000")
    }

    @Test("a value does not stand in the trend for the time after the link was lost")
    func trendAfterLoss() {
        var ward = connectedWard()
        ward.connection(
            .strap, .waiting, .linkLost, at: 3,
            expecting: [
                "reading heart_rate link_lost", "link_lost pending medium",
            ])
        let columns = ward.state[.heartRate].trend.samples(
            from: Ward.moment(2), to: Ward.moment(6), columns: 4, holding: .seconds(6))
        #expect(columns.map { $0?.last.hundredths } == [7700, nil, nil, nil])
    }

    @Test("a quick reconnect raises no alarm, and does not make the old value current")
    func quickReconnect() {
        var ward = connectedWard()
        ward.connection(
            .strap, .waiting, .linkLost, at: 2.5,
            expecting: [
                "reading heart_rate link_lost", "link_lost pending medium",
            ])
        ward.connection(.strap, .connecting, at: 2.6)
        ward.connection(.strap, .ready, at: 3, expecting: ["link_lost ended medium"])
        #expect(ward.condition(.heartRate) == "stale 7700")
        ward.tick(at: 15, expecting: ["reading heart_rate silent", "silent active medium"])
        #expect(ward.state[.heartRate].banner?.absence.since == Ward.moment(3))
    }

    @Test("a value that the sensor had taken back is not brought back by a reconnect")
    func takenBack() {
        var ward = connectedWard()
        ward.miss(.heartRate, .noContact, from: .strap, at: 3, expecting: ["sensor_off pending medium"])
        ward.connection(
            .strap, .waiting, .linkLost, at: 4,
            expecting: [
                "reading heart_rate link_lost", "sensor_off ended medium", "link_lost pending medium",
            ])
        ward.connection(.strap, .ready, at: 5, expecting: ["link_lost ended medium"])
        #expect(ward.condition(.heartRate) == "lost 7700")
    }

    @Test("a disconnect by the user is calm: no alarm, no banner, the last value kept")
    func userDisconnect() {
        var ward = connectedWard()
        ward.connection(.strap, .disconnected, .user, at: 3)
        #expect(ward.condition(.heartRate) == "not connected last 7700")
        #expect(ward.state[.heartRate].banner == nil)
        #expect(ward.state.sensors.first?.drops == 0)
        #expect(ward.deadline == nil)
        ward.tick(at: 3600)
        #expect(ward.alarms.isEmpty)
        // A failing attempt to connect again loses nothing that was there.
        ward.connection(.strap, .connecting, at: 3601)
        ward.connection(.strap, .waiting, .timeout, at: 3610)
        #expect(ward.condition(.heartRate) == "not connected last 7700")
    }

    @Test("a disconnect by the user ends the technical alarms of the sensor")
    func userEndsAlarms() {
        var ward = connectedWard()
        ward.receive(.battery(.strap, percent: 10), at: 3, expecting: ["battery_low active low"])
        ward.tick(at: 14, expecting: ["reading heart_rate silent", "silent active medium"])
        ward.connection(
            .strap, .disconnected, .user, at: 15,
            expecting: [
                "silent ended medium", "battery_low ended low",
            ])
    }

    @Test(
        "a fever is suspended, not ended, by a lost link and by the user's disconnect",
        arguments: [
            ConnectionState.DisconnectReason.linkLost, .user, .adapter,
        ])
    func feverStays(reason: ConnectionState.DisconnectReason) {
        var ward = Ward()
        ward.connection(.core, .ready, at: 0)
        ward.measure(.bodyTemperature, 3850, from: .core, at: 1, expecting: ["fever_single pending high"])
        ward.measure(.bodyTemperature, 3850, from: .core, at: 2)
        ward.measure(.bodyTemperature, 3850, from: .core, at: 3, expecting: ["fever_single active high"])
        let isUser = reason == .user
        let reading = isUser ? [] : ["reading body_temperature link_lost"]
        let alarm = isUser ? [] : ["link_lost pending medium"]
        ward.connection(
            .core, isUser ? .disconnected : .waiting, reason, at: 4,
            expecting: reading + ["fever_single suspended high"] + alarm)
        ward.connection(.core, .ready, at: 5, expecting: isUser ? [] : ["link_lost ended medium"])
        ward.measure(.bodyTemperature, 3850, from: .core, at: 6, expecting: ["fever_single active high"])
        #expect(ward.alarms == ["fever_single active high"])
    }

    /// What a sensor that is paired does with its link: before it is known to be needed, while it lasts, right after it.
    @Test(
        "the ends of links that belong to a pairing are no drops, and a later one is",
        arguments: [
            (needed: 0.0, began: 5.0, drop: 8.0, ended: 12.0, later: 40.0, isDrop: true),
            (0, 5, 12.5, 12, 15, false), (0, 5, 16.9, 12, 16.95, false), (0, 5, 17, 12, 60, true),
        ])
    func pairing(needed: Double, began: Double, drop: Double, ended: Double, later: Double, isDrop: Bool) {
        var ward = Ward()
        ward.connection(.strap, .ready, at: 0)
        _ = ward.state.apply(
            MonitorEvent(
                moment: Ward.moment(1), kind: .connection(.strap, ConnectionState(phase: .waiting, reason: .linkLost))))
        _ = ward.state.apply(
            MonitorEvent(moment: Ward.moment(2), kind: .pairing(.strap, .needed(reason: "It wants it."))))
        #expect(ward.state.sensors.first?.drops == 0)
        var events: [(Double, MonitorEvent.Kind)] = [
            (began, .pairing(.strap, .started)), (ended, .pairing(.strap, .succeeded)),
        ]
        for end in [drop, later] {
            events.append((end - 0.01, .connection(.strap, ConnectionState(phase: .ready))))
            events.append((end, .connection(.strap, ConnectionState(phase: .waiting, reason: .linkLost))))
        }
        for (second, kind) in events.sorted(by: { $0.0 < $1.0 }) {
            _ = ward.state.apply(MonitorEvent(moment: Ward.moment(second), kind: kind))
        }
        let isFirstDrop = drop >= ended + 5
        #expect(ward.state.sensors.first?.drops == (isDrop ? 1 : 0) + (isFirstDrop ? 1 : 0))
    }

    @Test(
        "drops are the air's, not the user's or the computer's",
        arguments: [
            (ConnectionState.DisconnectReason.linkLost, 1), (.timeout, 1), (.unknown, 1), (.user, 0), (.adapter, 0),
            (.daemon, 0), (.bus, 0),
        ])
    func drops(reason: ConnectionState.DisconnectReason, expected: Int) {
        var ward = Ward()
        ward.connection(.thermometer, .connecting, at: 0)
        ward.connection(.thermometer, .ready, at: 1)
        ward.connection(.thermometer, .waiting, reason, at: 2)
        ward.connection(.thermometer, .connecting, at: 3)
        ward.connection(.thermometer, .waiting, reason, at: 4)
        #expect(ward.state.sensors.first?.drops == expected)
    }

    @Test("a link that falls because the adapter went away is no drop, though its end is reported first")
    func adapterBehindDrop() {
        var ward = Ward()
        ward.connection(.thermometer, .ready, at: 1)
        ward.connection(.thermometer, .waiting, .linkLost, at: 60)
        ward.connection(.thermometer, .connecting, at: 60)
        #expect(ward.state.sensors.first?.drops == 1)
        ward.connection(.thermometer, .waiting, .adapter, at: 60.05)
        #expect(ward.state.sensors.first?.drops == 0)
        ward.connection(.thermometer, .ready, at: 70)
        ward.connection(.thermometer, .waiting, .linkLost, at: 80)
        ward.connection(.thermometer, .waiting, .adapter, at: 90)
        #expect(ward.state.sensors.first?.drops == 1)
    }

    @Test("the link of another program is not ours: nothing is wanted, lost, dropped or alarmed with it")
    func foreignLink() throws {
        var ward = Ward()
        let up = ConnectionState(phase: .connected, isForeign: true)
        let down = ConnectionState(phase: .disconnected, reason: .linkLost, isForeign: true)
        for (second, connection) in [(1.0, up), (2, down), (3, up)] {
            let event = MonitorEvent(moment: Ward.moment(second), kind: .connection(.strap, connection))
            #expect(ward.state.apply(event) == [])
        }
        let sensor = try #require(ward.state.sensor(address: SensorIdentity.strap.address))
        #expect(!sensor.isWanted)
        #expect(sensor.drops == 0)
        #expect(ward.state.nextDeadline == nil)
    }

    @Test("connecting again without a report of the loss is a loss")
    func unannouncedLoss() {
        var ward = connectedWard()
        ward.connection(
            .strap, .connecting, at: 3,
            expecting: [
                "reading heart_rate link_lost", "link_lost pending medium",
            ])
        #expect(ward.state.sensors.first?.drops == 1)
    }

    @Test("a reading that comes before the subscription is reported complete is current")
    func earlyReading() {
        var ward = connectedWard()
        ward.connection(
            .strap, .waiting, .linkLost, at: 3,
            expecting: [
                "reading heart_rate link_lost", "link_lost pending medium",
            ])
        ward.connection(.strap, .connected, at: 4)
        ward.measure(.heartRate, 8000, from: .strap, at: 4.5, expecting: ["link_lost ended medium"])
        ward.connection(.strap, .ready, at: 5)
        #expect(ward.condition(.heartRate) == "measured 8000")
    }

    private func connectedWard() -> Ward {
        var ward = Ward()
        ward.connection(.strap, .connecting, at: 0)
        ward.connection(.strap, .connected, at: 0.5)
        ward.connection(.strap, .ready, at: 1)
        ward.measure(.heartRate, 7700, from: .strap, at: 2)
        return ward
    }
}
