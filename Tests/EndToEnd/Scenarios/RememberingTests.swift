import Testing

/// What outlives the program.
@Suite("From one evening to the next")
struct RememberingTests {
    @Test("a sensor that was connected is connected again, under its name; one that was disconnected is not")
    func nextEvening() async throws {
        let bus = try await SimulatedBus.start("steady")
        let folder = try TemporaryFolder()
        let environment = ["XDG_STATE_HOME": folder.path]
        let first = try await ProgramInTerminal.start(on: bus, environment: environment)
        try await first.connect(Steady.strap)
        await first.type("n")
        try await first.waitFor("Name for")
        await first.type("Ada\r")
        try await first.waitUntil("it has its name") { $0.row(of: "Ada", says: "connected") }
        try await first.connect(Steady.oximeter)
        await first.press(.enter)
        try await first.waitUntil("the oximeter is disconnected") { !$0.row(of: Steady.oximeter, says: "connected") }
        await first.type("q")
        #expect(try await first.waitForExit() == .exited(0))
        try await bus.waitUntilNothingIsConnected()

        // All of them would be taken, but for what the user has said.
        let second = try await ProgramInTerminal.start(["--connect", "all"], on: bus, environment: environment)
        try await second.waitUntil("the others are connected") {
            $0.row(of: "Ada", says: "connected") && $0.row(of: Steady.thermometer, says: "connected")
        }
        #expect(try await bus.connectedSensors() == 2)

        try await second.select("Ada")
        await second.type("x")
        try await second.waitFor("Forget Ada")
        await second.type("y")
        try await second.waitUntil("its name is forgotten") { $0.row(of: "Ada") == nil }
        await second.type("q")
        #expect(try await second.waitForExit() == .exited(0))
    }
}
