import Vitals

/// What stands between Bedside and the air: the message bus, bluetoothd and the adapter.
public struct MonitorEnvironment: Codable, Hashable, Sendable {
    /// The connection to the message bus, with the reason when it is lost; `nil` before anything was said.
    public internal(set) var bus: BusState?
    /// Whether bluetoothd runs; `nil` before anything was said.
    public internal(set) var daemon: DaemonState?
    /// The adapter that is in use; `nil` before anything was said.
    public internal(set) var adapter: AdapterStatus?
    /// All adapters, in the order of their identifiers.
    public internal(set) var adapters: [AdapterStatus] = []
    /// The newest stretch of time of which nothing is known.
    public internal(set) var lastGap: Gap?

    /// Whether what happens can be recorded.
    public internal(set) var storage = StorageState.working

    /// Makes an environment of which nothing is known.
    public init() {}

    /// Whether the adapter is discovering peripherals.
    public var isScanning: Bool { adapter?.isScanning ?? false }
}
