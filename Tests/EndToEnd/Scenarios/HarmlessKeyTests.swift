import TestSupport
import Testing

/// Keys pressed by mistake, as they are by those who are tired.
@Suite("Who presses a key too many", .startsPrograms)
struct HarmlessKeyTests {
    private func monitor() async throws -> (World, ProgramInTerminal) {
        let world = try await World.simulated("steady")
        let bedside = try await ProgramInTerminal.start(["--connect", "all"], on: world)
        try await bedside.waitForSteadyValues()
        return (world, bedside)
    }

    @Test("sees the page of a connected sensor at Enter, and disconnects it only with a key of its own and a yes")
    func disconnecting() async throws {
        let (world, bedside) = try await monitor()
        try await bedside.select(Steady.strap)
        await bedside.press(.enter)
        try await bedside.waitFor("SENSOR \(Steady.strap)")
        await bedside.press(.enter)
        try await bedside.waitFor("This is the page of \(Steady.strap), which is connected.")
        try await bedside.closePage()
        await bedside.type("d")
        try await bedside.waitFor("Disconnect \(Steady.strap)?")
        await bedside.press(.enter)
        await bedside.type("n")
        try await bedside.waitUntil("nothing is asked any more") { !$0.shows("Disconnect \(Steady.strap)?") }
        #expect(try await world.connectedSensors() == Steady.all.count)
        await bedside.type("B")
        try await bedside.waitFor("Pair \(Steady.strap)?")
        await bedside.press(.escape)
        try await bedside.waitUntil("nothing is asked any more") { !$0.shows("Pair \(Steady.strap)?") }
        try await bedside.disconnect()
        try await bedside.waitUntil("it is disconnected") { !$0.row(of: Steady.strap, says: "connected") }
        await bedside.type("L")
        try await bedside.waitUntil("the log says who did it") { screen in
            screen.sensorRows.isEmpty
                && screen.lines.contains { $0.contains("you") && $0.contains("\(Steady.strap) disconnected by hand") }
        }
        try await bedside.closePage()
        // The same key connects what is not connected.
        try await bedside.connect(Steady.strap)
        #expect(try await bedside.quit() == .exited(0))
    }

    @Test("leaves every page with q, and the program only with a yes while sensors are connected")
    func quitting() async throws {
        let (world, bedside) = try await monitor()
        for (key, title) in [
            ("A", "ALARMS"), ("L", "ALARM LOG"), ("l", "LIMITS"), (",", "SETTINGS"), ("e", "ENTER BY HAND"),
            ("i", "SENSOR "), ("?", "HELP"),
        ] {
            await bedside.type(key)
            try await bedside.waitUntil("\(title) is open") { $0.shows(title) && $0.sensorRows.isEmpty }
            try await bedside.closePage()
        }
        await bedside.type("q")
        try await bedside.waitFor("3 sensors are connected.")
        await bedside.type("q")
        await bedside.type("n")
        try await bedside.waitUntil("nothing is asked any more") { !$0.shows("Quit anyway?") }
        #expect(try await world.connectedSensors() == Steady.all.count)
        try await bedside.quitWhenAsked()
        #expect(try await bedside.waitForExit() == .exited(0))
        try await world.waitUntilNothingIsConnected()
    }

    @Test("is told why a key does nothing")
    func idle() async throws {
        let (world, bedside) = try await monitor()
        defer { withExtendedLifetime(world) {} }
        await bedside.type("S")
        try await bedside.waitFor("S works only on the page of alarms.")
        await bedside.press(.escape)
        try await bedside.waitFor("Nothing is open; q quits.")
        await bedside.type("a")
        try await bedside.waitFor("There is no alarm to acknowledge.")
        #expect(try await bedside.quit() == .exited(0))
    }
}
