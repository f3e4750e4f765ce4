import Monitoring
import TestSupport
import Testing
import Vitals
import Wording

@testable import Dashboard

/// The lines of `bedside watch`, made from events as the program makes them.
private struct Listener {
    var ward: Ward
    var report: LineReport

    init(interval: Int = 10, settings: MonitorSettings = MonitorSettings()) {
        ward = Ward(settings: settings)
        report = LineReport(
            interval: .seconds(interval), context: SessionContext(provenance: .real, patient: nil, timeZoneOffset: 0))
        report.context.timeZoneOffset = 3600
    }

    mutating func receive(_ kind: MonitorEvent.Kind) {
        let event = MonitorEvent(moment: ward.now, kind: kind)
        let effects = ward.state.apply(event)
        report.handle(event, effects, ward.state)
    }

    /// Lets time pass as the program does: ticks come when state or report want them.
    mutating func pass(_ seconds: Int) {
        let end = ward.now.advanced(by: .seconds(seconds))
        while let due = [ward.state.nextDeadline, report.nextDue].compactMap({ $0 }).min(), due <= end {
            ward.now = max(due, ward.now)
            report.handle(ward.state.apply(MonitorEvent(moment: ward.now, kind: .tick)), ward.state)
        }
        ward.now = end
    }

    mutating func measure(
        _ sensor: SensorIdentity, _ vital: Vital, _ hundredths: Int, quality: Reading.Quality = .good,
        site: BodySite? = nil
    ) {
        let outcome = Reading.Outcome.measured(VitalValue(hundredths: hundredths), quality)
        receive(.reading(Reading(sensor: sensor, vital: vital, outcome: outcome, moment: ward.now, site: site)))
    }

    mutating func receive(_ hundredths: Int, _ late: LateInterval) {
        let outcome = Reading.Outcome.measured(VitalValue(hundredths: hundredths), .good)
        receive(
            .reading(
                Reading(sensor: Ward.core, vital: .bodyTemperature, outcome: outcome, moment: ward.now, late: late)))
    }

    mutating func miss(_ sensor: SensorIdentity, _ vital: Vital, _ reason: AbsenceReason) {
        receive(.reading(Reading(sensor: sensor, vital: vital, outcome: .noMeasurement(reason), moment: ward.now)))
    }

    mutating func act(_ action: PatientWish) {
        report.handle(ward.state.apply(action, at: ward.now), ward.state)
    }

    /// The lines since the last call, without the line of the day.
    mutating func lines() -> [String] {
        report.takeLines().split(separator: "\n").map(String.init).filter { !$0.contains("local time is") }
    }

    mutating func startBluetooth() {
        receive(.bus(.connected))
        receive(.daemon(.running))
        receive(.adapter(AdapterStatus(identifier: "hci0", address: nil, power: .ready, isScanning: true)))
    }

    mutating func connect(_ sensor: SensorIdentity) {
        for phase in [ConnectionState.Phase.connecting, .connected, .ready] {
            receive(.connection(sensor, ConnectionState(phase: phase, attempt: phase == .connecting ? 1 : nil)))
        }
    }
}

@Suite("Lines of text")
struct LineReportTests {
    @Test("reports the day from which nothing was heard, and in a recording only that nothing was recorded")
    func gaps() {
        var listener = Listener()
        let gap = Gap(
            from: listener.ward.now.advanced(by: .seconds(-3 * 86_400)), to: listener.ward.now, reason: .program)
        let time = TimeText(now: gap.to, timeZoneOffset: 3600)
        let (from, to) = (time.dateAndTime(gap.from.wallMilliseconds), time.dateAndTime(gap.to.wallMilliseconds))
        let stretch = "from \(from.date) \(from.time) to \(to.time)"
        listener.receive(.gap(gap))
        #expect(listener.lines().contains { $0.contains("nothing heard \(stretch): Bedside could not keep up") })
        listener.report.context.isReplay = true
        listener.receive(.gap(gap))
        #expect(listener.lines().contains { $0.hasSuffix("nothing was recorded \(stretch)") })
    }

    @Test("report late values as such: each stored one with its time, and once that others waited")
    func late() {
        var listener = Listener()
        listener.connect(Ward.core)
        listener.measure(Ward.core, .bodyTemperature, 3690)
        let time = TimeText(now: listener.ward.now, timeZoneOffset: 3600)
        let then = listener.ward.now.advanced(by: .seconds(-600))
        _ = listener.lines()
        for place in 0..<10 {
            listener.receive(3700, LateInterval(waitedFrom: then, to: listener.ward.now, place: place, of: 10))
        }
        let stretch = EventLabels.stretch(then, listener.ward.now, time)
        var lines = listener.lines()
        #expect(lines.count == 1)
        #expect(lines.last?.hasSuffix("late values: body temperature was measured \(stretch) and not seen") == true)
        for _ in 0..<2 { listener.receive(3812, LateInterval(sensorTime: then)) }
        lines = listener.lines()
        #expect(lines.count == 2)
        let line = "late value: body temperature was 38.1 °C at \(time.clock(then)), CORE 1A2B"
        #expect(lines.allSatisfy { $0.hasSuffix(line) }, "\(lines)")
    }

    @Test("match the approved evening")
    func evening() throws {
        var listener = Listener()
        listener.startBluetooth()
        listener.receive(.nearby(Ward.strap, signalStrength: -60, services: []))
        listener.receive(.nearby(Ward.core, signalStrength: -70, services: []))
        listener.receive(.nearby(Ward.strap, signalStrength: -61, services: []))
        listener.connect(Ward.strap)
        listener.connect(Ward.core)
        listener.receive(.battery(Ward.strap, percent: 64))
        for second in 0..<40 {
            listener.pass(1)
            listener.measure(Ward.strap, .heartRate, 7200 + 100 * (second / 3))
            listener.measure(Ward.core, .bodyTemperature, 3680 + 5 * second, site: .core)
        }
        for _ in 0..<8 {
            listener.pass(1)
            listener.miss(Ward.strap, .heartRate, .noContact)
        }
        listener.act(.acknowledgeAll)
        listener.receive(
            .malformed(
                Ward.strap, MalformedOctets(characteristic: "2A37", octets: [1], reason: "it ends too early", offset: 1)
            ))
        listener.receive(.connection(Ward.strap, ConnectionState(phase: .waiting, reason: .linkLost, attempt: 1)))
        for attempt in 2..<6 {
            listener.pass(4)
            listener.receive(.connection(Ward.strap, ConnectionState(phase: .connecting, attempt: attempt)))
            listener.receive(
                .connection(Ward.strap, ConnectionState(phase: .waiting, reason: .timeout, attempt: attempt)))
        }
        listener.connect(Ward.strap)
        listener.measure(Ward.strap, .heartRate, 8100, quality: .questionable)
        listener.pass(12)
        listener.receive(.connection(Ward.strap, ConnectionState(phase: .disconnected, reason: .user)))
        listener.receive(.daemon(.gone))
        try expectGolden(listener.report.takeLines(), "watch-evening.txt")
    }

    @Test("say nothing of an alarm's end when it was only suspected")
    func neverBegan() {
        var listener = Listener()
        for value in [3680, 3850, 3680, 3680] {
            listener.measure(Ward.core, .bodyTemperature, value, site: .core)
            listener.pass(1)
        }
        listener.pass(600)
        #expect(!listener.lines().contains { $0.contains("alarm over") })
    }

    @Test("show since when a resumed alarm has been active")
    func isOngoing() {
        var listener = Listener()
        for value in 0..<4 {
            listener.measure(Ward.core, .bodyTemperature, 3860 + value, site: .core)
            listener.pass(1)
        }
        listener.miss(Ward.core, .bodyTemperature, .offBody)
        listener.pass(120)
        _ = listener.lines()
        listener.measure(Ward.core, .bodyTemperature, 3750, site: .core)
        let fever = listener.lines().filter { $0.contains("ALARM") && $0.contains("Fever") }
        #expect(fever.count == 1 && fever[0].contains("high priority, since 14:50: Fever"), "\(fever)")
    }

    @Test("delay a value that changes every second, and report the newest when the interval is over")
    func rateLimited() {
        var listener = Listener(interval: 10)
        for second in 0..<30 {
            listener.measure(Ward.strap, .heartRate, 7000 + 100 * second)
            listener.pass(1)
        }
        #expect(
            listener.lines() == [
                "14:50:00 heart rate 70 bpm, Polar H10 4A2C1234", "14:50:10 heart rate 79 bpm",
                "14:50:20 heart rate 89 bpm", "14:50:30 heart rate 99 bpm",
            ])
    }

    @Test("report a delayed value even if nothing comes after it, with its age")
    func heldBack() {
        var listener = Listener(interval: 10)
        // On request, so that its silence means nothing.
        listener.measure(Ward.thermometer, .bodyTemperature, 3700, site: .ear)
        listener.pass(4)
        listener.measure(Ward.thermometer, .bodyTemperature, 3810, site: .ear)
        #expect(listener.lines().count == 1)
        #expect(listener.report.nextDue == listener.ward.now.advanced(by: .seconds(6)))
        listener.pass(10)
        #expect(listener.lines().first == "14:50:10 body temperature (ear) 38.1 °C, above the limit of 38.0, 6 s old")
        #expect(listener.report.nextDue == nil)
    }

    @Test("say nothing when nothing changes")
    func unchanged() {
        var listener = Listener(interval: 5)
        listener.connect(Ward.strap)
        _ = listener.lines()
        for _ in 0..<100 {
            listener.measure(Ward.strap, .heartRate, 7200)
            listener.pass(1)
        }
        #expect(listener.lines() == ["14:50:00 heart rate 72 bpm, Polar H10 4A2C1234"])
    }

    @Test("report missing measurements and alarms at once; a flickering strap does not flood")
    func absence() {
        var listener = Listener(interval: 10)
        for second in 0..<60 {
            if second % 2 == 0 {
                listener.measure(Ward.strap, .heartRate, 7200)
            } else {
                listener.miss(Ward.strap, .heartRate, .noContact)
            }
            listener.pass(1)
        }
        let lines = listener.lines()
        #expect(lines[1].hasPrefix("14:50:01 heart rate NO MEASUREMENT: sensor reports no skin contact; moisten"))
        #expect(lines.filter { $0.contains("NO MEASUREMENT") }.count <= 7)
        #expect(lines.filter { $0.contains("72 bpm,") || $0.hasSuffix("72 bpm") }.count <= 7)
    }

    @Test("mark simulated data in every line, and keep to ASCII where that is all there is")
    func marked() {
        var listener = Listener()
        listener.report.context.provenance = .simulated
        listener.report.isASCII = true
        listener.report.units = .fahrenheit
        let sensor = SensorIdentity(
            address: "C0:52:49:00:00:0A", name: "\u{1B}[2J体温\u{07}\n計 é", kind: .thermometer)
        listener.receive(.nearby(sensor, signalStrength: -50, services: []))
        listener.connect(sensor)
        listener.measure(sensor, .bodyTemperature, 3680, site: .armpit)
        let text = listener.report.takeLines()
        #expect(text.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
        let lines = text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.contains(" SIMULATED") })
        #expect(lines.last?.contains("98.2 F") == true)
    }

    @Test("begin with the day, and report a new day and another time zone")
    func days() {
        var listener = Listener()
        listener.measure(Ward.strap, .heartRate, 7200)
        #expect(listener.report.takeLines().hasPrefix("2026-03-01, local time is UTC+01:00\n14:50:00 "))
        listener.pass(10 * 3600)
        #expect(listener.report.takeLines().contains("14:50") == true)
        listener.measure(Ward.strap, .heartRate, 7300)
        #expect(listener.report.takeLines().hasPrefix("2026-03-02, local time is UTC+01:00\n00:50:00 "))
        listener.report.context.timeZoneOffset = -12_600
        listener.pass(20)
        listener.measure(Ward.strap, .heartRate, 7400)
        #expect(listener.report.takeLines().contains("2026-03-01, local time is UTC-03:30\n20:20:"))
    }

    @Test("report that heart rate and pulse rate differ, and no more")
    func disagreement() {
        var listener = Listener(interval: 3600)
        func stream(_ pulse: Int, _ seconds: Int) {
            for _ in 0..<seconds {
                listener.measure(Ward.strap, .heartRate, 8200)
                listener.measure(Ward.oximeter, .pulseRate, pulse * 100)
                listener.pass(1)
            }
        }
        stream(60, 40)
        stream(80, 2)
        #expect(
            listener.lines().suffix(2) == [
                "14:50:30 heart rate 82 and pulse rate 60 DIFFER: check strap and oximeter",
                "14:50:40 heart rate and pulse rate agree again",
            ])
    }

    @Test("stay bounded with any number of unknown sensors")
    func bounded() {
        var listener = Listener()
        for number in 0..<400 {
            let sensor = SensorIdentity(
                address: "AA:\(number)", name: String(repeating: "x", count: 500), kind: .oximeter)
            listener.receive(.nearby(sensor, signalStrength: -50, services: []))
            #expect(listener.report.takeLines().utf8.count < 600)
            for _ in 0..<5 {
                listener.receive(
                    .malformed(sensor, MalformedOctets(characteristic: "2A5F", octets: [], reason: "empty", offset: 0)))
            }
            #expect(listener.lines().filter { $0.contains("malformed data") }.count == 1)
        }
    }

    @Test("speak of values beyond a limit and of alarms in sentences, without signs")
    func sentences() {
        var listener = Listener()
        listener.receive(.connection(Ward.strap, ConnectionState(phase: .ready)))
        _ = listener.lines()
        listener.measure(Ward.strap, .heartRate, 12_100)
        let high = listener.lines()
        #expect(
            high.contains { $0.hasSuffix("heart rate 121 bpm, above the limit of 120, Polar H10 4A2C1234") }, "\(high)")
        for _ in 0..<17 {
            listener.pass(1)
            listener.measure(Ward.oximeter, .oxygenSaturation, 8800)
        }
        let low = listener.lines()
        let alarm = "ALARM, medium priority: oxygen saturation 88 %, below the limit of 90 for 15 s, e-Oximeter"
        #expect(low.contains { $0.contains("oxygen saturation 88 %, below the limit of 90, e-Oximeter") }, "\(low)")
        #expect(low.contains { $0.hasSuffix(alarm) }, "\(low)")
        #expect((high + low).allSatisfy { !$0.contains { "<>≥≤·".contains($0) } })
    }
}
