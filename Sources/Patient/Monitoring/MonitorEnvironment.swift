import Vitals

/// The path to the sensors: the message bus, bluetoothd and the adapter.
public struct MonitorEnvironment: Codable, Hashable, Sendable {
    /// The connection to the message bus, with the reason if it is lost; `nil` before the first report.
    public internal(set) var bus: BusState?
    /// Whether bluetoothd runs; `nil` before the first report.
    public internal(set) var daemon: DaemonState?
    /// The adapter in use; `nil` before the first report.
    public internal(set) var adapter: AdapterStatus?
    /// All adapters, in the order of their identifiers.
    public internal(set) var adapters: [AdapterStatus] = []
    /// The newest period without monitoring.
    public internal(set) var lastGap: Gap?

    /// Whether events can be recorded.
    public internal(set) var storage = StorageState.working
    /// Whether the computer's sound system plays alarms; `nil` if it is not used, or unknown.
    public internal(set) var soundOutput: SoundOutput?
    /// Whether a ward can see this monitor; `nil` if it is not published, or unknown.
    public internal(set) var wardLink: WardLink?

    public init() {}

    /// The alarm about what does not answer, so that nothing is heard though the sensors may send; `nil` for none.
    public var silentPart: AlarmKind? {
        switch bus {
        case .silent: .busSilent
        case .lost, .foreign: nil
        case .connected, nil: daemon == .silent ? .daemonSilent : nil
        }
    }

    /// Whether the adapter is discovering peripherals.
    public var isScanning: Bool { adapter?.isScanning ?? false }
}
