import EventLoops
import Glibc

/// What the kernel knows of Bluetooth.
struct KernelBluetooth: Sendable {
    /// The folder that is there as soon as the kernel has Bluetooth.
    var folder = "/sys/class/bluetooth"
    var radioSwitch = RadioSwitch()

    /// Whether the kernel has Bluetooth, with or without an adapter.
    var isSupported: Bool { access(folder, F_OK) == 0 }
}

extension BluetoothCentral {
    /// Whether Bluetooth can be used, and if not, why.
    ///
    /// It concerns the first adapter that is on, or else the first.
    public var state: BluetoothState {
        guard isStarted else { return .unknown }
        let adapter = tree.sortedAdapters.preferred
        return BluetoothState(
            bus: bus.state, daemon: daemon.state, adapter: adapter,
            block: adapter.flatMap { (kernel?.radioSwitch ?? .unknown).block(of: $0) },
            isSupported: kernel?.isSupported ?? true)
    }

    /// The states from now on, beginning with the present one, for one reader.
    ///
    /// After the daemon's start there is no adapter for some 0.4 s. The sequence ends with ``stop()``.
    public func states() -> BroadcastSequence<BluetoothState> {
        // Without a reader changes are not followed.
        reportState()
        watchRadioSwitch()
        reportedState = state
        return stateBroadcast.subscribe(startingWith: [state])
    }

    /// Returns as soon as Bluetooth can be used.
    ///
    /// - Parameter timeout: How long to wait; bus, daemon and adapter take about a second after the computer's start.
    /// - Throws: ``BluetoothUnavailableError`` with the state when the time is over, when the task is cancelled, or after
    ///   ``stop()``.
    public func ready(timeout: Duration = .seconds(5)) async throws(BluetoothUnavailableError) {
        let states = states()
        let isReady = await run(within: timeout) { await states.contains(.on) }
        if !isReady, state != .on { throw BluetoothUnavailableError(state: state) }
    }

    /// Gives the state to the readers, if it is new.
    func reportState() {
        guard stateBroadcast.readerCount > 0, reportedState != state else { return }
        reportedState = state
        stateBroadcast.send(state)
    }

    /// Follows the kernel's switches, which an adapter that is off already does not report.
    private func watchRadioSwitch() {
        guard radioSwitchWatch == nil, isStarted, let kernel else { return }
        radioSwitchWatch = RadioSwitchWatch(kernel.radioSwitch, on: loop) { [weak self] in
            self?.assumeIsolated { $0.reportState() }
        }
    }

    /// Runs work on the loop, and cancels its task when the time is over or the caller is cancelled.
    ///
    /// - Returns: What the work returns, which has to end when its task is cancelled.
    func run<Value: Sendable>(within limit: Duration, _ work: @escaping @Sendable () async -> Value) async -> Value {
        let task = Task(executorPreference: loop) { await work() }
        let timer = loop.schedule(after: limit) { task.cancel() }
        defer { loop.cancel(timer) }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
