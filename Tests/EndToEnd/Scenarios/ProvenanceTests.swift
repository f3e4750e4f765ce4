import Foundation
import Glibc
import TestSupport
import Testing

/// A bus and a simulator's at one address, in every order: nothing simulated ever gets among what is real.
@Suite("Whether data are simulated is known from the bus, and holds for the whole session", .startsPrograms)
struct ProvenanceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The folders of the user, and the bus's address: that of a symbolic link, whose end may become another bus.
    private var environment: [String: String] {
        [
            "XDG_DATA_HOME": folder.path + "/data", "XDG_STATE_HOME": folder.path + "/state",
            "XDG_RUNTIME_DIR": folder.path, "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder.path)/bus",
        ]
    }

    /// Has the address be another bus's from now on.
    private func lead(to address: String) throws {
        let path = try #require(address.firstMatch(of: /unix:path=([^,]+)/)).1
        unlink(folder.path + "/bus")
        #expect(symlink(String(path), folder.path + "/bus") == 0)
    }

    private func record() async throws -> ProgramWithPipes {
        try await ProgramWithPipes.start(["record", "--connect", "all"], environment: environment)
    }

    private func end(_ record: ProgramWithPipes) async throws {
        await record.send(signal: SIGTERM)
        #expect(try await record.waitForExit().status == .exited(0))
    }

    /// What is kept of real and of simulated sensors.
    private func expect(realReadings: Bool = false, simulatedReadings: Bool) async throws {
        for (options, isSimulated, isExpected) in [
            ([], false, realReadings), (["--simulate"], true, simulatedReadings),
        ] {
            let export = try await ProgramWithPipes.run(["export"] + options, environment: environment)
            let lines = export.output.split(whereSeparator: \.isNewline).dropFirst()
            #expect(lines.isEmpty != isExpected, "\(options): \(export.output.prefix(300)) \(export.errorOutput)")
            #expect(lines.allSatisfy { $0.contains(",\(isSimulated),") })
            let store = folder.path + "/data/bedside" + (isSimulated ? "/simulated" : "") + "/store.sqlite"
            let isThere = FileManager.default.fileExists(atPath: store)
            #expect(isThere || !isExpected)
            guard isThere, !isExpected else { continue }
            for table in ["sensor", "remembered_sensor", "owned_link"] {
                #expect(try await SQLiteTool.rows("SELECT * FROM \(table)", in: store).isEmpty, "\(table)")
            }
        }
    }

    @Test("a simulator's bus is there before the start")
    func before() async throws {
        let world = try await World.simulated("steady")
        try lead(to: world.address)
        let record = try await record()
        try await record.waitForWarning("SIMULATED CORE [1A] connected")
        try await world.waitUntil("a reading is stored") { try await stored("--simulate") > 0 }
        try await end(record)
        try await expect(simulatedReadings: true)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data/bedside/store.sqlite"))
    }

    @Test("a simulator's bus appears after the start, also for an open view")
    func after() async throws {
        let world = try await World.simulated("steady")
        let record = try await record()
        try await record.waitForWarning("NO MESSAGE BUS")
        let view = try await ProgramInTerminal.start(["--view"], environment: environment)
        try await view.waitUntil("it is a view of what is not known yet") {
            $0.lines[0].contains("VIEW of bedside record") && !$0.lines[0].contains("SIMULATED")
        }
        try lead(to: world.address)
        try await record.waitForWarning("SIMULATED CORE [1A] connected")
        try await view.waitForSteadyValues()
        #expect(await view.screen.lines[0].contains("SIMULATED"))
        try await world.waitUntil("a reading is stored") { try await stored("--simulate") > 0 }
        try await end(record)
        await view.type("q")
        #expect(try await view.waitForExit() == .exited(0))
        try await expect(simulatedReadings: true)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data/bedside/store.sqlite"))
    }

    @Test("a real bus without BlueZ comes first and a simulator's takes its place: nothing of it is taken in")
    func realFirst() async throws {
        let world = try await World.simulated("steady")
        let bus = try PrivateBusDaemon()
        try lead(to: bus.address)
        let record = try await record()
        try await record.waitForWarning("BLUETOOTH NOT RUNNING")
        try lead(to: world.address)
        bus.stop()
        try await record.waitForWarning("ANOTHER MESSAGE BUS: Nothing is taken in: the bus is a simulator's now.")
        // It is asked again and again, and never gives in.
        let status = try await ProgramWithPipes.run(["status"], environment: environment)
        #expect(status.status == .exited(0) && !status.output.contains("SIMULATED"))
        #expect(!status.output.contains("♥"), "\(status.output)")
        #expect(try await world.connectedSensors() == 0)
        try await end(record)
        try await expect(simulatedReadings: false)
        #expect(FileManager.default.fileExists(atPath: folder.path + "/data/bedside/store.sqlite"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data/bedside/simulated"))
    }

    @Test("a simulator's bus comes first and a real one takes its place: nothing of it is taken in")
    func simulatedFirst() async throws {
        let world = try await World.simulated("steady")
        let bus = try PrivateBusDaemon()
        try lead(to: world.address)
        let record = try await record()
        try await record.waitForWarning("SIMULATED CORE [1A] connected")
        try await world.waitUntil("a reading is stored") { try await stored("--simulate") > 0 }
        try lead(to: bus.address)
        try await world.please("dbus-stop")
        try await record.waitForWarning(
            "SIMULATED ANOTHER MESSAGE BUS: Nothing is taken in: the bus is no longer a simulator's.")
        // The bus of the kind that it began with is used again.
        try await world.please("dbus-start")
        try await world.please("bluez-start")
        try lead(to: world.address)
        try await record.waitForWarning("SIMULATED Bluetooth works")
        try await end(record)
        try await expect(simulatedReadings: true)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data/bedside/store.sqlite"))
    }

    /// How many lines of readings there are to export.
    private func stored(_ option: String) async throws -> Int {
        let export = try await ProgramWithPipes.run(["export", option], environment: environment)
        return export.output.split(whereSeparator: \.isNewline).count - 1
    }
}
