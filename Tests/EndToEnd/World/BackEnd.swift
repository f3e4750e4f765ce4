import Foundation

/// What the scenarios' Bluetooth is made of.
///
/// The same scenarios run with each, so that the simulator is held to what the real bluetoothd does.
enum BackEnd: Hashable, Sendable {
    /// A private bus with the stand-in bluetoothd; every scenario has its own, and several run at a time.
    case simulator
    /// The machine of `make test-bluez`, with Debian's bluetoothd, a virtual adapter and virtual sensors; the scenarios
    /// run in it one after another.
    ///
    /// - Parameter control: The path of the socket that drives it.
    case machine(control: String)

    /// The one that this run of the tests has: the environment variable `BEDSIDE_BENCH_CONTROL` names the machine's
    /// socket; without it there is the simulator.
    static let current: BackEnd = {
        let environment = ProcessInfo.processInfo.environment
        return environment["BEDSIDE_BENCH_CONTROL"].map { .machine(control: $0) } ?? .simulator
    }()

    var isSimulator: Bool { self == .simulator }
}
