import BlueZSimulator
import CommandLineInterface
import EventLoops
import Glibc
import Monitor

/// `bedside simulate`: serves simulated sensors on a private bus until it is interrupted.
@ScreenActor
enum SimulateCommand {
    /// Prints the bus address and serves.
    ///
    /// - Throws: ``CommandError`` when the scenario cannot be read, or no bus can be started.
    static func run(_ arguments: CommandLineArguments) async throws(CommandError) -> ExitStatus {
        let (simulator, address) = try await SensorSource.startSimulator(arguments.operands.first)
        let status = printText("\(address)\n")
        if status == .success { await interruption() }
        await simulator.stop()
        return status
    }

    /// Waits for SIGINT, SIGTERM or SIGHUP.
    private static func interruption() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            var waiting: CheckedContinuation<Void, Never>? = continuation
            let signals = SignalWatch([SIGINT, SIGTERM, SIGHUP], on: ScreenActor.loop) { _ in
                waiting?.resume()
                waiting = nil
            }
            guard signals == nil else { return }
            waiting?.resume()
            waiting = nil
        }
    }
}
