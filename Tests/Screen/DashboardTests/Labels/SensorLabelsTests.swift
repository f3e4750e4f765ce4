import Monitoring
import Testing
import Vitals
import Wording

@testable import Dashboard

@Suite("Texts of sensors")
struct SensorLabelsTests {
    private func phrases(
        _ connection: ConnectionState?, heard: Bool = true, wasConnected: Bool = false
    ) -> [String] {
        var ward = Ward.empty()
        ward.find(Ward.strap, signal: -60)
        if wasConnected {
            ward.connect(Ward.strap)
            // Only what is within the last hour is told.
            ward.apply(.connection(Ward.strap, ConnectionState(phase: .disconnected, reason: .user)))
        }
        if let connection { ward.apply(.connection(Ward.strap, connection)) }
        if !heard { ward.apply(.gone(Ward.strap)) }
        guard let sensor = ward.state.sensor(address: Ward.strap.address) else { return [] }
        return SensorLabels(sensor, time: TimeText(now: ward.now, timeZoneOffset: 0)).phrases
    }

    @Test("each step of connecting has its own word")
    func steps() {
        #expect(phrases(nil) == ["nearby"])
        #expect(phrases(ConnectionState(phase: .connecting, attempt: 1)) == ["connecting"])
        #expect(phrases(ConnectionState(phase: .connecting, attempt: 3)) == ["connecting (3rd try)"])
        #expect(phrases(ConnectionState(phase: .connected)) == ["connected", "preparing"])
        #expect(phrases(ConnectionState(phase: .ready)) == ["connected", "waiting for a value"])
        #expect(phrases(ConnectionState(phase: .disconnected, reason: .user)) == ["nearby"])
        #expect(
            phrases(ConnectionState(phase: .disconnected, reason: .refused))
                == ["disconnected", "refused"])
        #expect(
            phrases(ConnectionState(phase: .disconnected, reason: .timeout)) == [
                "disconnected", "no answer", "wake it up or wear it",
            ])
    }

    @Test(
        "a connected sensor of a kind that is not read says so, and does not wait for a value",
        arguments: [SensorKind.other])
    func notRead(kind: SensorKind) throws {
        var ward = Ward.empty()
        let cuff = SensorIdentity(address: "C0:52:49:00:00:44", name: "BP 7", kind: kind)
        ward.find(cuff, signal: -60)
        ward.apply(.connection(cuff, ConnectionState(phase: .ready)))
        let sensor = try #require(ward.state.sensor(address: cuff.address))
        let words = SensorLabels(sensor, time: TimeText(now: ward.now, timeZoneOffset: 0))
        #expect(words.phrases == ["connected", "this kind is not read yet"])
        #expect(words.mark == .idle)
        #expect(
            EventLabels.text(ConnectionState(phase: .ready), of: kind, wasConnected: false)
                == "connected, but this kind is not read yet")
    }

    @Test("at a start nothing is said of an earlier life")
    func start() {
        func text(_ reason: ConnectionState.DisconnectReason, attempt: Int?) -> String? {
            EventLabels.text(
                ConnectionState(phase: .waiting, reason: reason, attempt: attempt), of: .heartRateStrap,
                wasConnected: false)
        }
        for reason in [ConnectionState.DisconnectReason.bus, .daemon, .adapter] {
            #expect(text(reason, attempt: nil) == "waiting for Bluetooth")
        }
        #expect(text(.removed, attempt: 1) == "waiting to be heard; wake it up or wear it")
        #expect(text(.linkLost, attempt: 1) == "not connected yet; link lost; bring it nearer")
    }

    @Test("a reconnect says which try it is, and when")
    func reconnect() {
        let retryAt = Ward().now.advanced(by: .seconds(4))
        let waiting = ConnectionState(phase: .waiting, reason: .linkLost, attempt: 2, retryAt: retryAt)
        #expect(
            phrases(waiting, wasConnected: true) == ["reconnecting (2nd try, in 4 s)", "link lost", "bring it nearer"])
        #expect(phrases(ConnectionState(phase: .waiting), wasConnected: true).first == "reconnecting")
        #expect(phrases(waiting) == ["connecting (2nd try, in 4 s)", "link lost", "bring it nearer"])
    }

    @Test("the link of another program is shown as such, and its end needs no response")
    func foreignLink() {
        let up = ConnectionState(phase: .connected, isForeign: true)
        #expect(phrases(up) == ["connected by another program", "Enter shares it"])
        #expect(phrases(ConnectionState(phase: .disconnected, reason: .linkLost, isForeign: true)) == ["nearby"])
        var ward = Ward.empty()
        ward.find(Ward.strap, signal: -60)
        ward.apply(.connection(Ward.strap, up))
        #expect(ward.drawn(80, 24).text(row: 0).contains("1 sensor "))
        #expect(ward.drawn(80, 24).text(row: 23).contains("Enter connect"))
        #expect(ward.screen.keyPressed(.enter, in: ward.state) == .sensor(.connect(address: Ward.strap.address)))
    }

    @Test("a sensor that is away because of this computer waits for Bluetooth, until that is back")
    func bluetoothAway() {
        #expect(phrases(ConnectionState(phase: .waiting, reason: .adapter)) == ["waiting for Bluetooth"])
        #expect(phrases(ConnectionState(phase: .waiting, reason: .daemon)) == ["waiting for Bluetooth"])
        #expect(
            phrases(ConnectionState(phase: .waiting, reason: .bus, attempt: 1)).first == "connecting (1st try)")
    }

    @Test("a sensor that was not heard since the start waits to be heard, and reconnects from nothing")
    func notHeardYet() {
        let advice = ["waiting to be heard", "wake it up or wear it"]
        #expect(phrases(ConnectionState(phase: .waiting, reason: .removed, attempt: 1)) == advice)
        #expect(
            phrases(ConnectionState(phase: .waiting, reason: .removed, attempt: 2)).first == "connecting (2nd try)")
    }

    @Test("late values are shown with their time of measurement, until a current one comes")
    func late() throws {
        var ward = Ward.empty()
        ward.connect(Ward.strap)
        func text() throws -> SensorLabels {
            let sensor = try #require(ward.state.sensor(address: Ward.strap.address))
            return SensorLabels(sensor, time: TimeText(now: ward.now, timeZoneOffset: 0))
        }
        func receive(_ late: LateInterval) {
            ward.apply(
                .reading(
                    Reading(
                        sensor: Ward.strap, vital: .heartRate, outcome: .measured(VitalValue(whole: 72), .good),
                        moment: ward.now, late: late)))
        }
        let clock = TimeText(now: ward.now, timeZoneOffset: 0)
        let from = ward.now.advanced(by: .seconds(-3600))
        receive(LateInterval(waitedFrom: from, to: ward.now, place: 0, of: 1))
        #expect(try text().phrases == ["connected", "late values of \(clock.clock(from))–\(clock.clock(ward.now))"])
        #expect(try text().mark == .underWay)
        receive(LateInterval(sensorTime: ward.now.advanced(by: .seconds(-3 * 86_400))))
        #expect(try text().phrases.last?.contains(" – ") == true)
        ward.pass(1)
        ward.measure(Ward.strap, .heartRate, 7200)
        #expect(try text().phrases == ["connected"])
    }

    @Test("a value from before a reconnect does not make the sensor a streaming one")
    func awaitsValue() throws {
        var ward = Ward.live(seconds: 3)
        ward.apply(.connection(Ward.strap, ConnectionState(phase: .waiting, reason: .linkLost, attempt: 1)))
        ward.pass(1)
        ward.connect(Ward.strap)
        var sensor = try #require(ward.state.sensor(address: Ward.strap.address))
        let awaiting = SensorLabels(sensor, time: TimeText(now: ward.now, timeZoneOffset: 0))
        #expect(awaiting.phrases == ["connected", "lost once in 1 h", "waiting for a value"])
        #expect(awaiting.mark == .underWay)
        ward.measure(Ward.strap, .heartRate, 7200)
        sensor = try #require(ward.state.sensor(address: Ward.strap.address))
        #expect(SensorLabels(sensor, time: TimeText(now: ward.now, timeZoneOffset: 0)).mark == .streaming)
    }

    @Test("an absence comes before all else, then malformed octets are counted")
    func trouble() throws {
        var ward = Ward.live(seconds: 3)
        ward.miss(Ward.strap, .heartRate, .noContact)
        let octets = MalformedOctets(characteristic: "2A37", octets: [6], reason: "too short", offset: 1)
        ward.apply(.malformed(Ward.strap, octets))
        let sensor = try #require(ward.state.sensor(address: Ward.strap.address))
        let words = SensorLabels(sensor, time: TimeText(now: ward.now, timeZoneOffset: 0))
        #expect(words.phrases == ["no contact", "connected", "1 malformed"])
        #expect(words.mark == .trouble)
    }

    @Test("every reason for an absence has a short text")
    func reasons() {
        let words = AbsenceReason.allCases.map(\.shortText)
        #expect(Set(words).count == words.count)
        #expect(words.allSatisfy { (4...12).contains($0.count) })
    }

    @Test(
        "ordinals follow English",
        arguments: [
            (1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (13, "13th"), (22, "22nd"), (111, "111th"),
        ])
    func ordinals(number: Int, expected: String) {
        #expect(SensorLabels.ordinal(number) == expected)
    }

    @Test("a sensor that refuses again and again is suspected to be in use elsewhere")
    func inUse() {
        let state = ConnectionState(
            phase: .waiting, reason: .refused, attempt: 4, hint: .inUse)
        #expect(phrases(state) == ["connecting (4th try)", "in use by another device?"])
    }

    @Test("a sensor that is connected and sends nothing says so, with what to do")
    func silent() {
        #expect(
            phrases(ConnectionState(phase: .ready, hint: .silent)) == [
                "sends nothing", "check it, or disconnect and connect it",
            ])
    }

    /// A strap that an earlier run has measured with, and that is not heard in this one.
    private func absent(isWanted: Bool) -> Ward {
        var ward = Ward.empty()
        let wall = ward.now.wallMilliseconds
        _ = ward.state.apply(
            .contacts(
                [
                    Ward.strap.address: SensorContact(
                        measurement: .init(
                            content: .vital(.heartRate, VitalValue(whole: 72), site: nil),
                            wallMilliseconds: wall - 86_400_000),
                        battery: .init(percent: 54, wallMilliseconds: wall - 90_000_000))
                ], at: ward.now))
        ward.remember(Ward.strap, isWanted: isWanted)
        if isWanted {
            ward.apply(
                .connection(Ward.strap, ConnectionState(phase: .waiting, reason: .removed, attempt: 1)))
        }
        return ward
    }

    @Test("a remembered sensor that is not heard says when it measured last, and its battery then, dated")
    func absentSensor() throws {
        var ward = absent(isWanted: false)
        func phrases() throws -> [String] {
            let sensor = try #require(ward.state.sensor(address: Ward.strap.address))
            return SensorLabels(sensor, time: TimeText(now: ward.now, timeZoneOffset: 0)).phrases
        }
        let clock = TimeText(now: ward.now, timeZoneOffset: 0).clock(ward.now)
        #expect(try phrases() == ["last value yesterday \(clock)", "battery 54 %", "not in range"])
        ward = absent(isWanted: true)
        #expect(
            try phrases() == [
                "waiting to be heard", "last value yesterday \(clock)", "battery 54 %", "wake it up or wear it",
            ])
        // Once it is heard, the present counts.
        ward.find(Ward.strap, signal: -60)
        #expect(try !phrases().contains { $0.contains("yesterday") })
    }

    @Test("its row has the time at the right, its page everything; nothing of it is among the columns of now")
    func absentRow() throws {
        var ward = absent(isWanted: true)
        let grid = ward.drawn(160, 40)
        let lines = (0..<40).map { grid.text(row: $0) }
        let row = try #require(lines.first { $0.contains("waiting to be heard") })
        #expect(row.contains(/last value yesterday \d\d:\d\d, battery 54 %/), "\(row)")
        let narrow = ward.drawn(80, 40)
        #expect((0..<40).contains { narrow.text(row: $0).contains(/last value yesterday \d\d:\d\d *$/) })
        ward.screen.list.selection = Ward.strap.address
        ward.screen.pages.show(.sensor)
        let page = ward.drawn(160, 40)
        let before = try #require((0..<40).map { page.text(row: $0) }.first { $0.contains("Before") })
        #expect(before.contains("last value yesterday") && before.contains("battery 54 %"), "\(before)")
        #expect(before.contains("HR 72"), "\(before)")
    }
}
