import BlueZSimulator
import CommandLineInterface
import DBus
import Engine
import EventLoops

extension SensorSource {
    /// The system's sensors, or those of a simulator, which this starts, if the command line requests it.
    ///
    /// - Throws: ``CommandError`` with a sentence for the user.
    static func open(_ arguments: CommandLineArguments) async throws(CommandError) -> SensorSource {
        guard arguments.has(.simulate) else {
            return SensorSource(bus: .system, isSimulated: false, simulatorName: Simulator.controlName)
        }
        let (simulator, address) = try await Simulator.start(arguments.value(of: .simulate))
        return SensorSource(
            bus: .address(address), isSimulated: true, simulatorName: Simulator.controlName,
            end: { await simulator.stop() })
    }
}

extension Simulator {
    /// Starts a simulator on another thread.
    ///
    /// - Parameter scenario: A file, the name of a built-in scenario, or `nil` for the default.
    /// - Returns: The simulator and the address of its bus.
    static func start(_ scenario: String?) async throws(CommandError) -> (Simulator, String) {
        let loaded = try load(scenario)
        let loop = EventLoop()
        loop.startThread(named: "simulator")
        let simulator = Simulator(loop: loop, scenario: loaded)
        do {
            return (simulator, try await simulator.start())
        } catch {
            throw CommandError("\(error)", status: .unavailable)
        }
    }

    private static func load(_ name: String?) throws(CommandError) -> Scenario {
        guard let name else { return .wardEvening }
        do {
            return try Scenario.load(path: name)
        } catch {
            throw CommandError(error.description, status: error.line == nil ? .noInput : .malformedData)
        }
    }
}
