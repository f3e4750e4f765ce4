import BlueZSimulator
import CommandLineInterface

/// `bedside simulate`: serves simulated sensors on a private bus until it is interrupted.
@ScreenActor
enum SimulateCommand {
    /// Prints the bus address and serves.
    ///
    /// - Throws: ``CommandError`` when the scenario cannot be read, or no bus can be started.
    static func run(_ arguments: CommandLineArguments) async throws(CommandError) -> ExitStatus {
        let (simulator, address) = try await Simulator.start(try Scenario.chosen(arguments.operands.first))
        let status = printText("\(address)\n")
        if status == .success { _ = await Ending().wait(on: ScreenActor.loop, hangUp: .success) }
        await simulator.stop()
        return status
    }
}
