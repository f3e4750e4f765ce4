import Foundation
import Glibc
import TestSupport
import Testing

/// What outlives the program.
@Suite("From one evening to the next", .startsPrograms)
struct RememberingTests {
    @Test("a sensor that was connected is connected again, under its name; one that was disconnected is not")
    func nextEvening() async throws {
        let world = try await World.simulated("steady")
        let folder = try TemporaryFolder()
        let environment = ["XDG_DATA_HOME": folder.path]
        let first = try await ProgramInTerminal.start(on: world, environment: environment)
        try await first.connect(Steady.strap)
        await first.type("n")
        try await first.waitFor("Name for")
        await first.type("Ada\r")
        try await first.waitUntil("it has its name") { $0.row(of: "Ada", says: "connected") }
        try await first.connect(Steady.oximeter)
        try await first.disconnect()
        try await first.waitUntil("the oximeter is disconnected") { !$0.row(of: Steady.oximeter, says: "connected") }
        #expect(try await first.quit() == .exited(0))
        try await world.waitUntilNothingIsConnected()

        // What has no screen knows it too.
        let watch = try await ProgramWithPipes.start(["watch", "--json"], on: world, environment: environment)
        while let line = try await watch.nextLine() {
            #expect(!line.contains("\"reading\"") || line.contains("\"name\":\"Ada\""))
            if line.contains("\"reading\"") { break }
        }
        await watch.send(signal: SIGTERM)
        #expect(try await watch.waitForExit().status == .exited(0))
        try await world.waitUntilNothingIsConnected()

        // All of them would be taken, but for what the user has said.
        let second = try await ProgramInTerminal.start(["--connect", "all"], on: world, environment: environment)
        try await second.waitUntil("the others are connected") {
            $0.row(of: "Ada", says: "connected") && $0.row(of: Steady.thermometer, says: "connected")
        }
        #expect(try await world.connectedSensors() == 2)

        try await second.select("Ada")
        await second.type("x")
        try await second.waitFor("Forget Ada")
        await second.type("y")
        try await second.waitUntil("its name is forgotten") { $0.row(of: Steady.strap, says: "nearby") }
        #expect(try await second.quit() == .exited(0))
    }

    @Test("a sensor that is forgotten in the moment of the end stays forgotten")
    func forgottenAtTheEnd() async throws {
        let world = try await World.simulated("steady")
        let folder = try TemporaryFolder()
        let bedside = try await ProgramInTerminal.start(on: world, environment: ["XDG_DATA_HOME": folder.path])
        try await bedside.connect(Steady.strap)
        let store = folder.path + "/bedside/simulated/store.sqlite"
        func remembered() async throws -> [[String]] {
            try await SQLiteTool.rows("SELECT name FROM remembered_sensor", in: store)
        }
        try await world.waitUntil("it is remembered") { try await remembered() == [[Steady.strap]] }
        await bedside.type("x")
        try await bedside.waitFor("Forget ")
        // One key for the page where it was asked, and the last for the question that is asked as long as the link is not
        // down.
        await bedside.type("yqqy")
        #expect(try await bedside.waitForExit() == .exited(0))
        #expect(try await remembered().isEmpty)
    }

    @Test("a sensor that is away at the next start says what it measured last and when; so do status and doctor")
    func away() async throws {
        let folder = try TemporaryFolder()
        let world = try await World.simulated(
            try folder.write(
                """
                {sensors: [{name: 'Polar H10 1234', address: 'C0:52:49:00:00:02', kind: 'heartRateStrap',
                    heartRate: 72, battery: 54}]}
                """, to: "strap.json5"))
        let environment = ["XDG_DATA_HOME": folder.path, "XDG_RUNTIME_DIR": folder.path]
        let first = try await ProgramInTerminal.start(on: world, environment: environment)
        try await first.connect(Steady.strap)
        try await first.waitUntil("it measures, and its battery is known") {
            $0.number(of: "HEART RATE") == "72" && $0.row(of: Steady.strap, says: "54 %")
        }
        #expect(try await first.quit() == .exited(0))
        try await world.please("vanish")

        let second = try await ProgramInTerminal.start(on: world, environment: environment, columns: 160)
        // The list is a page while Bedside tries to connect it.
        try await second.waitFor("Polar H10 1234")
        await second.type("K")
        try await second.waitUntil("it is away, and its last value is dated") {
            $0.text.contains(/Polar H10 1234 .*last value [^,]*\d\d:\d\d, battery 54 %/)
        }
        #expect(await second.screen.number(of: "HEART RATE") != "72")
        let status = try await ProgramWithPipes.run(["status", "--json", "--simulate"], environment: environment)
        #expect(
            status.output.contains(/"connected":false,"last_value_t":"[^"]+","battery":54,"battery_t":/),
            "\(status.output)")
        #expect(try await second.quit() == .exited(0))

        // The doctor looks at real sensors only.
        let data = folder.path + "/bedside"
        try FileManager.default.moveItem(atPath: data + "/simulated/store.sqlite", toPath: data + "/store.sqlite")
        let doctor = try await ProgramWithPipes.run(["doctor", "--json"], environment: environment)
        #expect(doctor.output.contains(/Polar H10 1234: last value [^,]*\d\d:\d\d, battery 54 %/), "\(doctor.output)")
    }

    @Test("nothing is written of sensors that the program simulates itself")
    func simulated() async throws {
        let folder = try TemporaryFolder()
        let bedside = try await ProgramInTerminal.start(
            ["--simulate=steady"], environment: ["XDG_DATA_HOME": folder.path])
        try await bedside.connect(Steady.strap)
        #expect(try await bedside.quit() == .exited(0))
        let store = folder.path + "/bedside/simulated/store.sqlite"
        #expect(try await SQLiteTool.rows("SELECT * FROM remembered_sensor", in: store).isEmpty)
        #expect(try await SQLiteTool.rows("SELECT * FROM owned_link", in: store).isEmpty)
    }
}
