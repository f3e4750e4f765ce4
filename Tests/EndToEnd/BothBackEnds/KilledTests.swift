import Glibc
import Testing

extension BothBackEnds {
    /// A link outlives the program that made it; the next run knows which ones are Bedside's own.
    @Suite("After a kill")
    struct KilledTests {
        @Test("the next run ends the links of the killed one: those that it uses at its end, the others at once")
        func links() async throws {
            let world = try await World.start()
            let folder = try TemporaryFolder()
            let environment = ["XDG_DATA_HOME": folder.path]
            for arguments in [["--connect", "all"], []] {
                let killed = try await ProgramWithPipes.start(
                    ["watch", "--json", "--connect", "all"], on: world, environment: environment)
                try await world.waitUntil("all are connected") {
                    try await world.connectedSensors() == Steady.all.count
                }
                await killed.send(signal: SIGKILL)
                #expect(try await killed.waitForExit().status == .killed(signal: SIGKILL))
                #expect(try await world.connectedSensors() == Steady.all.count)
                let next = try await ProgramInTerminal.start(arguments, on: world, environment: environment)
                if arguments.isEmpty {
                    try await world.waitUntilNothingIsConnected()
                } else {
                    try await next.waitForSteadyValues()
                }
                #expect(try await next.quit() == .exited(0))
                try await world.waitUntilNothingIsConnected()
            }
        }
    }
}
