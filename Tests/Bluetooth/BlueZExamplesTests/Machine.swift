import Foundation
import TestSupport

/// The machine of `make test-bluez`, with two adapters and the real bluetoothd; nothing waits for its answers but the
/// caller.
actor Machine {
    private static let thread = RunningLoop()

    nonisolated var unownedExecutor: UnownedSerialExecutor { Self.thread.loop.asUnownedSerialExecutor() }

    private static let environment = ProcessInfo.processInfo.environment
    /// Whether this runs inside.
    static var isHere: Bool { environment["BEDSIDE_BENCH_CONTROL"] != nil }

    private let bench: PythonScript

    /// Begins with all as after the start of the machine.
    init() throws {
        bench = try PythonScript(Self.path("Tests/BluetoothdMachine/machine/bench"), ["-"])
        try Self.perform("reset steady", bench)
    }

    /// Drives the machine.
    func perform(_ command: String) throws {
        try Self.perform(command, bench)
    }

    private static func perform(_ command: String, _ bench: PythonScript) throws {
        let answer = try bench.answer(to: command)
        if answer != "ok" { throw Playground.Refused(answer: answer) }
    }

    /// The path of a file of the repository.
    private static func path(_ file: String) -> String {
        var folder = URL(filePath: #filePath)
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        return folder.appending(path: file).path(percentEncoded: false)
    }

    /// A central of Python's bleak, in a process of its own.
    actor BleakCentral {
        private let thread = RunningLoop()
        nonisolated var unownedExecutor: UnownedSerialExecutor { thread.loop.asUnownedSerialExecutor() }

        private let script: PythonScript

        /// - Parameters:
        ///   - name: What the sensor advertises.
        ///   - adapter: The adapter that it connects by, such as `hci1`.
        init(usingSensor name: String, by adapter: String) throws {
            script = try PythonScript(
                Machine.path("Tests/Bluetooth/BlueZExamplesTests/heart_rate_central.py"), [name, adapter],
                interpreter: Machine.environment["BEDSIDE_BENCH_PYTHON"])
        }

        /// Has it do something; returns its answer.
        func perform(_ command: String) throws -> String { try script.answer(to: command) }
    }
}
