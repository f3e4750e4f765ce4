import Dashboard
import DBus
import EventLoops
import Glibc
import Monitoring
import Status
import Testing
import TestSupport
import Vitals

@testable import Engine

@Suite("A monitor on the session bus", .timeLimit(.minutes(10)))
struct BusPresenceTests {
    private static func summary(_ rate: Int) -> StatusSummary {
        var summary = StatusSummary(wallMilliseconds: 0)
        var vital = StatusVital(.heartRate, .measured)
        vital.value = VitalValue(whole: rate)
        summary.vitals = [vital]
        summary.patient = "bed-12"
        return summary
    }

    private static func publish(_ rate: Int, on presence: BusPresence) {
        presence.publish(summary(rate), text: "♥ \(rate)", json: Array("{\"rate\":\(rate)}\n".utf8))
    }

    @Test("has names that the bus takes, one for each patient and for each simulation")
    func names() throws {
        #expect(BusPresence.name(of: nil, isSimulated: false) == "io.bedside.Monitor1")
        #expect(
            BusPresence.name(of: PatientName("bed-12 é"), isSimulated: false)
                == "io.bedside.Monitor1.patient_bed_2d12_20_c3_a9")
        #expect(BusPresence.name(of: nil, isSimulated: true, process: 7) == "io.bedside.Monitor1.simulated_7")
        // What two names have in common is escaped as well, so that they stay two.
        let names = ["a_2d", "a-", "a.", "a_"].compactMap(PatientName.init).map {
            BusPresence.name(of: $0, isSimulated: false)
        }
        #expect(Set(names).count == names.count)
    }

    @Test("is read and followed there, and cannot be changed")
    func readOnly() async throws {
        let bus = try PrivateBusDaemon()
        let running = RunningLoop()
        let client = try await DBusConnection.connect(to: .address(bus.address), on: running.loop)
        let changes = try await client.signals(
            matching: SignalMatch(interface: BusPresence.interface, member: "Changed"))
        let presence = BusPresence(name: "io.bedside.Monitor1", bus: .address(bus.address), on: running.loop)
        Self.publish(72, on: presence)
        try await awaitCondition("the name") { try await client.owner(of: "io.bedside.Monitor1") != nil }
        func call(_ interface: String, _ member: String, _ arguments: [DBusValue] = []) async throws -> [DBusValue] {
            try await client.call("io.bedside.Monitor1", BusPresence.path, interface, member, arguments)
        }
        #expect(try await call(BusPresence.interface, "GetStatus") == [.string("{\"rate\":72}")])
        let line = try await call(
            "org.freedesktop.DBus.Properties", "Get", [.string(BusPresence.interface), .string("Line")])
        #expect(line == [.variant(.string("♥ 72"))])
        await #expect(throws: DBusConnectionError.self) {
            try await call(
                "org.freedesktop.DBus.Properties", "Set",
                [.string(BusPresence.interface), .string("Line"), .variant(.string("x"))])
        }
        let description = try await call("org.freedesktop.DBus.Introspectable", "Introspect").first?.text ?? ""
        for part in ["GetStatus", "signal name=\"Changed\"", "Simulated", "access=\"read\""] {
            #expect(description.contains(part))
        }
        // One read-only method, none that acts.
        #expect(description.matches(of: /<method name="(?!Get|GetAll|Set|Introspect|GetStatus")/).isEmpty)
        Self.publish(73, on: presence)
        for await change in changes {
            #expect(change.arguments.first?.text == "♥ 73")
            break
        }
        presence.close()
        try await awaitCondition("the name to be given up") {
            try await client.owner(of: "io.bedside.Monitor1") == nil
        }
        await client.close()
    }

    @Test("does not block when the bus hangs or is missing")
    func hangingBus() async throws {
        let folder = try ScratchFolder()
        let hanging = try HangingBus(.silent, path: "\(folder.path)/bus")
        let running = RunningLoop()
        for bus in [hanging.address, "unix:path=\(folder.path)/none"] {
            let presence = BusPresence(name: "io.bedside.Monitor1", bus: .address(bus), on: running.loop)
            // All of this returns at once; were it to wait, the time limit would end the test.
            for rate in 0..<1000 { Self.publish(rate, on: presence) }
            presence.close()
        }
        // Nor does the loop that drives the connections.
        await running.run { _ in }
    }
}

@Suite("The pace of the session bus")
struct BusPacerTests {
    private static let second: Int64 = 1_000_000_000

    private func summary(_ value: Int, _ state: StatusVital.State = .measured) -> StatusSummary {
        var summary = StatusSummary(wallMilliseconds: 0)
        var vital = StatusVital(.heartRate, state)
        vital.value = VitalValue(hundredths: value * 100)
        summary.vitals = [vital]
        return summary
    }

    @Test("numbers are sent every five seconds, and wait for no longer")
    func numbers() {
        var pacer = BusPacer()
        #expect(pacer.delay(summary(70), now: 0) == nil)
        #expect(pacer.delay(summary(71), now: Self.second) == 5 * Self.second)
        #expect(pacer.delay(summary(72), now: 5 * Self.second - 1) == 5 * Self.second)
        #expect(pacer.delay(summary(72), now: 5 * Self.second) == nil)
    }

    @Test("that there is no measurement any more is sent at once, and so is an alarm")
    func urgent() {
        var pacer = BusPacer()
        #expect(pacer.delay(summary(70), now: 0) == nil)
        #expect(pacer.delay(summary(70, .noMeasurement), now: 1) == nil)
        var alarming = summary(70, .noMeasurement)
        alarming.alarms = [
            StatusAlarm(
                AlarmReport(id: 1, kind: .silent, priority: .medium, text: "Sensor silent"), title: "SILENT")
        ]
        #expect(pacer.delay(alarming, now: 2) == nil)
        alarming.alarms[0].priority = .high
        #expect(pacer.delay(alarming, now: 3) == nil)
        #expect(pacer.delay(alarming, now: 4) != nil)
    }
}
