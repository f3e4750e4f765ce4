import DBus
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("The doctor", .startsPrograms)
struct DoctorTests {
    @Test("works without any bus")
    func noBus() async throws {
        let verdicts = try await DoctorVerdicts.examine(status: 2)
        #expect(verdicts["bus"]?.verdict == "trouble")
        #expect(verdicts["adapter"]?.verdict == "skipped")
    }

    @Test("does not wait for a bus that answers nothing", arguments: HangingBus.Behaviour.allCases)
    func silentBus(behaviour: HangingBus.Behaviour) async throws {
        let folder = try TemporaryFolder()
        let bus = try HangingBus(behaviour, path: folder.path + "/bus")
        let environment = ["DBUS_SYSTEM_BUS_ADDRESS": bus.address, "DBUS_SESSION_BUS_ADDRESS": bus.address]
        let verdicts = try await DoctorVerdicts.examine(environment: environment, status: 2)
        #expect(verdicts["bus"]?.verdict == "trouble")
        #expect(verdicts["bus"]?.finding.contains("does not answer") == true)
    }

    @Test("finds the notifications on a session bus while the system's hangs")
    func oneBusHangs() async throws {
        let folder = try TemporaryFolder()
        let system = try HangingBus(.silent, path: folder.path + "/bus")
        let session = try PrivateBusDaemon()
        let running = RunningLoop()
        let desktop = try await StandInDesktop.start(at: session.address, on: running.loop)
        let verdicts = try await DoctorVerdicts.examine(
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": system.address, "DBUS_SESSION_BUS_ADDRESS": session.address],
            status: 2)
        #expect(verdicts["bus"]?.finding.contains("does not answer") == true)
        #expect(verdicts["notifications"]?.verdict == "ok")
        await desktop.leave()
    }

    @Test("takes no harm from a bluetoothd that talks nonsense")
    func hostile() async throws {
        let daemon = try PrivateBusDaemon()
        // On a loop of its own: the harness's reads the screens of all other tests meanwhile, and the doctor waits 3 s only.
        let running = RunningLoop()
        let connection = try await DBusConnection.connect(to: .address(daemon.address), on: running.loop)
        let adapter = try #require(ObjectPath("/org/bluez/hci0"))
        await connection.exportObjectManager(at: .root)
        try await connection.export(
            adapter,
            [
                ExportedInterface(
                    "org.bluez.Adapter1",
                    properties: [
                        ("Address", .array([], of: .string)),
                        ("Powered", .string("\u{1B}[2Jyes")),
                        ("Roles", .array((0..<10_000).map { .uint32($0) }, of: .uint32)),
                        ("Modalias", .string(String(repeating: "\u{202E}", count: 10_000))),
                    ])
            ])
        _ = try await connection.requestName("org.bluez")
        let verdicts = try await DoctorVerdicts.examine(
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": daemon.address], status: 2)
        #expect(verdicts["adapter"]?.verdict == "ok")
        #expect(verdicts["objects"]?.verdict == "advice")
        #expect(verdicts["power"]?.verdict == "trouble")
        await connection.close()
    }

    @Test("prints the same as text, with the remedy")
    func text() async throws {
        let outcome = try await ProgramWithPipes.run(["doctor"], environment: ["LC_ALL": "C.UTF-8"])
        #expect(outcome.status == .exited(2))
        #expect(outcome.output.contains("✗ trouble  bus"))
        #expect(!outcome.output.contains("\u{1B}"))
        let bedside = try await ProgramInTerminal.start(["doctor"])
        #expect(try await bedside.waitForExit() == .exited(2))
        #expect(await bedside.screen.text.contains("trouble"))
    }

    @Test("finds a wrong configuration before the screen does")
    func configuration() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("[screen]\nglyphs = 3\n", to: "wrong.conf")
        let outcome = try await ProgramWithPipes.run(["doctor", "--config", file])
        #expect(outcome.status == .exited(2))
        #expect(outcome.output.contains("wrong.conf:2:10:"), "\(outcome.output)")
    }
}
