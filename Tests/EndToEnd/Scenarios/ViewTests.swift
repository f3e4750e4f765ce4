import Foundation
import TestSupport
import Testing

/// A screen, or lines, that are started beside a monitor in the background.
@Suite("A view of a running monitor", .startsPrograms)
struct ViewTests {
    private let world: World
    /// The session's folder, which the monitor and its views share; each has a home of its own besides.
    private let session: TemporaryFolder

    init() async throws {
        world = try await World.simulated("steady")
        session = try TemporaryFolder()
    }

    private var environment: [String: String] { ["XDG_RUNTIME_DIR": session.path] }

    private func monitor() async throws -> ProgramWithPipes {
        try await ProgramWithPipes.start(["record", "--connect", "all"], on: world, environment: environment)
    }

    private func view(_ environment: [String: String] = [:]) async throws -> ProgramInTerminal {
        try await ProgramInTerminal.start(
            ["--view"], on: world, environment: self.environment.merging(environment) { $1 })
    }

    private static func hasTrend(_ screen: Screen) -> Bool {
        screen.lines.joined().unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) }
    }

    @Test("shows what the monitor has known for long: values, trends, alarms, log; and says that it is a view")
    func later() async throws {
        let record = try await monitor()
        try await record.waitForWarning("CORE [1A] connected")
        try await world.please("temp 39.5")
        try await record.waitForWarning("ALARM, high priority: ")
        let home = try TemporaryFolder()
        let folders = ["XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"]
        let view = try await view(Dictionary(uniqueKeysWithValues: folders.map { ($0, home.path) }))
        try await view.waitUntil("all is shown as it is") { screen in
            screen.number(of: "HEART RATE") == "72" && screen.number(of: "SpO₂") == "98"
                && screen.number(of: "TEMPERATURE") == "39.5" && screen.shows("FEVER") && Self.hasTrend(screen)
                && screen.lines[0].contains("VIEW of bedside record") && screen.lines[0].contains("SIMULATED")
                && screen.lines[0].contains("REC")
        }
        await view.type("L")
        try await view.waitUntil("the log says how it began") { $0.shows("ALARM LOG") && $0.shows("Fever") }
        await view.type("L")
        try await world.change(to: .changed)
        try await view.waitFor(.changed)
        await view.type("q")
        #expect(try await view.waitForExit() == .exited(0))
        // A view keeps nothing; the monitor goes on.
        #expect(try FileManager.default.subpathsOfDirectory(atPath: home.path) == [])
        await record.send(signal: SIGTERM)
        #expect(try await record.waitForExit().status == .exited(0))
    }

    @Test("has the monitor do what its keys say: acknowledge, disconnect, change a limit; all views show it")
    func keys() async throws {
        let record = try await monitor()
        let views = [try await view(), try await view()]
        for view in views { try await view.waitForSteadyValues() }
        try await world.please("temp 39.5")
        for view in views { try await view.waitFor("FEVER") }
        await views[0].type("a")
        try await record.waitForWarning("by a user: ")
        for view in views {
            try await view.waitUntil("it is acknowledged") { $0.shows("FEVER") && $0.shows("acknowledged") }
        }
        try await views[1].select(Steady.strap)
        // The view asks, and the log of the monitor says that it was a user.
        try await views[1].disconnect()
        try await record.waitForWarning("by a user: Polar H10 1234 disconnected by hand")
        try await record.waitForWarning("Polar H10 1234 disconnected")
        for view in views {
            try await view.waitUntil("it is disconnected") { $0.number(of: "HEART RATE") != "72" }
            await view.type("L")
            try await view.waitUntil("its log says who did it") {
                $0.sensorRows.isEmpty && $0.shows("Polar H10 1234 disconnected by hand")
            }
            // It closes the page, and only then the view, which ends nothing.
            try await view.closePage()
        }
        for view in views { await view.type("q") }
        await record.send(signal: SIGTERM)
        #expect(try await record.waitForExit().status == .exited(0))
    }

    @Test("says at once that there is no monitor any more, shows no value as live, and continues when it is back")
    func killed() async throws {
        let record = try await monitor()
        let view = try await view()
        try await view.waitForSteadyValues()
        await record.send(signal: SIGKILL)
        try await view.waitUntil("it says so") { screen in
            screen.shows("NO MONITOR") && screen.shows("has ended") && !screen.shows("REC")
                && ["HEART RATE", "SpO₂", "TEMPERATURE"].allSatisfy { ["", "LOST"].contains(screen.number(of: $0)) }
        }
        try await world.change(to: .changed)
        let again = try await monitor()
        try await view.waitFor(.changed)
        try await view.waitUntil("it is a view again") { screen in
            !screen.shows("NO MONITOR") && screen.lines[0].contains("VIEW of bedside record")
        }
        await again.send(signal: SIGTERM)
        try await view.waitFor("NO MONITOR")
        await view.type("q")
        #expect(try await view.waitForExit() == .exited(0))
    }

    @Test("notices a monitor that hangs, and continues when it does")
    func hung() async throws {
        let record = try await monitor()
        let view = try await view()
        try await view.waitForSteadyValues()
        await record.send(signal: SIGSTOP)
        try await view.waitUntil("it says so") { $0.shows("NO MONITOR") && $0.shows("does not answer") }
        await record.send(signal: SIGCONT)
        try await view.waitForSteadyValues()
        try await view.waitUntil("the alarm is over") { !$0.shows("NO MONITOR") }
        await view.type("q")
        #expect(try await view.waitForExit() == .exited(0))
    }

    @Test("monitors in the monitor's place when the user wants that, and not before")
    func takesOver() async throws {
        let record = try await monitor()
        let view = try await view()
        try await view.waitForSteadyValues()
        await record.send(signal: SIGKILL)
        try await view.waitFor("NO MONITOR")
        await view.type("s")
        try await view.waitFor("Monitor here from now on?")
        await view.type("y")
        try await view.waitUntil("it is no view any more") { screen in
            !screen.lines[0].contains("VIEW") && screen.sensorRows.contains { $0.contains(Steady.strap) }
        }
        try await view.connect(Steady.strap)
        try await view.waitUntil("it measures") { $0.number(of: "HEART RATE") == "72" }
        // It is the monitor now, and asks as one.
        try await view.quitWhenAsked()
        #expect(try await view.waitForExit() == .exited(0))
    }

    @Test("shows a screen that monitors, too, and a pause of the sound in the view is one there", .calm)
    func ofAScreen() async throws {
        let screen = try await ProgramInTerminal.start(["--connect", "all"], on: world, environment: environment)
        try await screen.waitForSteadyValues()
        let view = try await view()
        try await view.waitForSteadyValues()
        #expect(await view.screen.lines[0].contains("VIEW of bedside "))
        await view.type("p")
        for screen in [screen, view] {
            try await screen.waitUntil("the sound is paused") { $0.shows("SOUND PAUSED") }
        }
        #expect(try await screen.quit() == .exited(0))
        try await view.waitUntil("it says so") { $0.shows("NO MONITOR") && $0.shows("bedside has ended") }
        await view.type("q")
        #expect(try await view.waitForExit() == .exited(0))
    }

    @Test("in lines reports the same and the end of the monitor, and ends by its options")
    func lines() async throws {
        let record = try await monitor()
        try await record.waitForWarning("CORE [1A] connected")
        let lines = try await ProgramWithPipes.start(["watch", "--view"], on: world, environment: environment)
        while let line = try await lines.nextLine(), !line.contains("heart rate 72 bpm") {
            #expect(line.contains("SIMULATED") || line.contains("UTC"), "\(line)")
        }
        try await lines.waitForWarning("This is a view of bedside record, process ")
        await record.send(signal: SIGKILL)
        try await lines.waitForWarning("NO MONITOR: bedside record has ended.")
        await lines.send(signal: SIGTERM)
        #expect(try await lines.waitForExit().status == .exited(0))
    }
}
