import BlueZ
import BlueZSimulator
import CommandLineInterface
import DBus
import EventLoops

/// Where the sensors come from: the system bus, or a simulator with a bus of its own.
package struct SensorSource {
    /// The bus that bluetoothd is on.
    package let bus: BusAddress
    /// The simulator, when the sensors are simulated.
    package let simulator: Simulator?

    /// Whether the data are simulated, which every screen and line must show.
    package var isSimulated: Bool { simulator != nil }

    /// Starts the simulator if the command line asks for it.
    ///
    /// - Throws: ``CommandError`` with a sentence for the user.
    package static func open(_ arguments: CommandLineArguments) async throws(CommandError) -> SensorSource {
        guard arguments.has(.simulate) else { return SensorSource(bus: .system, simulator: nil) }
        let (simulator, address) = try await startSimulator(arguments.value(of: .simulate))
        return SensorSource(bus: .address(address), simulator: simulator)
    }

    /// Creates the BlueZ client on this source's bus; it must be started.
    ///
    /// A non-standard bus address may belong to a simulator started by `bedside simulate`; the bus itself says so. Data
    /// of the other kind are refused later.
    package func makeBlueZ(on loop: EventLoop) -> BluetoothCentral {
        BluetoothCentral(
            loop: loop, bus: bus, mark: Simulator.controlName,
            isMarked: isSimulated ? true : bus.isUsualSystemBus ? false : nil)
    }

    /// Ends the simulator, if there is one.
    package func close() async {
        await simulator?.stop()
    }

    /// Starts a simulator on a thread of its own.
    ///
    /// - Parameter scenario: A file, the name of a built-in scenario, or `nil` for the usual one.
    /// - Returns: The simulator and the address of its bus.
    package static func startSimulator(_ scenario: String?) async throws(CommandError) -> (Simulator, String) {
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
