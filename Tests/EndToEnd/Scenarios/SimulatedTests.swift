import Glibc
import TestSupport
import Testing

@Suite("Who is shown simulated sensors", .startsPrograms)
struct SimulatedTests {
    @Test("needs no keys with --connect, and every screen says that sensors are simulated")
    func simulated() async throws {
        let bedside = try await ProgramInTerminal.start(["--simulate=steady", "--connect", "all", "--bed", "Bed 12"])
        try await bedside.waitForSteadyValues()
        let screen = await bedside.screen
        #expect(screen.lines[0].contains("SIMULATED"))
        #expect(screen.lines[0].contains("Bed 12"))
        for (columns, rows) in [(80, 24), (60, 16), (30, 6), (20, 4)] {
            await bedside.resize(columns: columns, rows: rows)
            try await bedside.waitUntil("\(columns) x \(rows) says that it is simulated") { $0.text.contains("SIM") }
        }
        #expect(try await bedside.quit() == .exited(0))
    }

    @Test("sees that sensors are simulated also with a simulator of another program")
    func foreignSimulator() async throws {
        let world = try await World.simulated("steady")
        let bedside = try await ProgramInTerminal.start(on: world)
        try await bedside.waitUntil("the header says so") { $0.lines[0].contains("SIMULATED") }
        #expect(try await bedside.quit() == .exited(0))
    }

    @Test("a start with remembered sensors says nothing of an earlier life, and that all is simulated")
    func text() async throws {
        let world = try await World.simulated("steady")
        let folder = try TemporaryFolder()
        let environment = ["XDG_DATA_HOME": folder.path]
        let killed = try await ProgramWithPipes.start(
            ["watch", "--connect", Steady.strap, "--connect", Steady.oximeter], on: world, environment: environment)
        while let line = try await killed.nextLine(), !line.contains("heart rate 72 bpm") {}
        await killed.send(signal: SIGKILL)
        _ = try await killed.waitForExit()
        let next = try await ProgramWithPipes.start(["watch"], on: world, environment: environment)
        var lines: [String] = []
        while let line = try await next.nextLine() {
            lines.append(line)
            if line.contains("heart rate 72 bpm") { break }
        }
        #expect(lines.allSatisfy { $0.contains(" SIMULATED") }, "\(lines)")
        #expect(!lines.contains { $0.contains("reconnecting") || $0.contains("ended") }, "\(lines)")
        await next.send(signal: SIGTERM)
        #expect(try await next.waitForExit().status == .exited(0))
    }
}
