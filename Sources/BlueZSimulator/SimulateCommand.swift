import CSystem
import EventLoop
import Glibc
import Synchronization

/// What `bedside simulate SCENARIO` does.
public enum SimulateCommand {
    /// Plays a scenario until SIGINT or SIGTERM comes.
    ///
    /// - Parameters:
    ///   - scenario: What to play.
    ///   - loop: The loop that drives the simulator; it must be running.
    ///   - timeScale: How many real seconds a simulated one takes.
    ///   - announce: Called once with the address of the bus, when clients can use it.
    /// - Throws: ``PrivateBusFailure``, or a `DBusFailure` when the bus cannot be talked to.
    public static func run(
        _ scenario: Scenario, on loop: EventLoop, timeScale: Double = 1, announce: (String) -> Void
    ) async throws {
        let signals = try TerminationSignals()
        let simulator = Simulator(loop: loop, scenario: scenario, timeScale: timeScale)
        let address = try await simulator.start()
        announce(address)
        await signals.wait(on: loop)
        await simulator.stop()
    }
}

/// SIGINT and SIGTERM as something that can be awaited.
private struct TerminationSignals {
    /// What a signal's handler writes to; a handler can use nothing but a global.
    private static let descriptor = Atomic<Int32>(-1)

    init() throws(PrivateBusFailure) {
        let descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard descriptor >= 0 else { throw .cannotStart(reason: String(cString: strerror(errno))) }
        Self.descriptor.store(descriptor, ordering: .releasing)
        for number in [SIGINT, SIGTERM] {
            signal(number) { _ in
                var one: UInt64 = 1
                _ = write(TerminationSignals.descriptor.load(ordering: .acquiring), &one, MemoryLayout<UInt64>.size)
            }
        }
    }

    func wait(on loop: EventLoop) async {
        await SignalWaiter(loop: loop).wait(for: Self.descriptor.load(ordering: .acquiring))
    }
}

/// Waits on a loop until a descriptor can be read.
private actor SignalWaiter {
    let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop) {
        self.loop = loop
    }

    func wait(for descriptor: Int32) async {
        var watch: DescriptorWatch?
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            var waiting: CheckedContinuation<Void, Never>? = continuation
            watch = loop.watch(descriptor, for: .readable) { _ in
                waiting?.resume()
                waiting = nil
            }
        }
        if let watch { loop.unwatch(watch) }
    }
}
