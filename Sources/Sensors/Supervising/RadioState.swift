import BlueZ
import Vitals

/// How it stands with bus, bluetoothd and adapters, and whether anything can be connected at all.
struct RadioState {
    /// The bus; `nil` before the first word about it.
    var bus: Vitals.BusState?
    /// bluetoothd; `nil` before the first word about it.
    var daemon: Vitals.DaemonState?
    /// The adapters by path.
    var adapters: [String: Adapter] = [:]
    /// What was told about the adapter last.
    var told: AdapterStatus?
    /// The trouble that the sensors were told of; a lesser one is no news while a greater one is being cured.
    private(set) var toldTrouble: ConnectionState.DisconnectReason?

    /// What the sensors are to be told about the radio.
    enum News: Hashable {
        case lost(ConnectionState.DisconnectReason)
        case returned
    }

    /// What the sensors are to be told after a change, if anything.
    mutating func takeNews() -> News? {
        guard let trouble else {
            defer { toldTrouble = nil }
            return toldTrouble == nil ? nil : .returned
        }
        guard trouble.depth > (toldTrouble?.depth ?? 0) else { return nil }
        toldTrouble = trouble
        return .lost(trouble)
    }

    /// Why nothing can be connected, the most fundamental cause; `nil` when something can.
    var trouble: ConnectionState.DisconnectReason? {
        if bus != .connected { return .bus }
        if daemon != .running { return .daemon }
        return adapters.values.contains(where: \.isPowered) ? nil : .adapter
    }

    /// The adapter that is used: the first one that is on, or else the first.
    var current: Adapter? {
        let sorted = adapters.values.sorted { $0.id < $1.id }
        return sorted.first(where: \.isPowered) ?? sorted.first
    }

    /// What a reader that comes late is to be told.
    var standing: [MonitorEvent.Kind] {
        var kinds: [MonitorEvent.Kind] = []
        if let bus { kinds.append(.bus(bus)) }
        if let daemon { kinds.append(.daemon(daemon)) }
        if let told { kinds.append(.adapter(told)) }
        return kinds
    }

    /// The state of the adapter that is used, or of there being none.
    func status(_ radioSwitch: RadioSwitch) -> AdapterStatus {
        guard let current else {
            return AdapterStatus(identifier: nil, address: nil, power: .missing, isScanning: false)
        }
        let power: AdapterStatus.Power =
            current.isPowered
            ? .ready : current.isBlocked ?? radioSwitch.isBlocked(adapter: current.id) ? .blocked : .off
        return AdapterStatus(
            identifier: current.id, address: current.address?.description, power: power,
            isScanning: current.isDiscovering)
    }
}

extension ConnectionState.DisconnectReason {
    /// How fundamental a trouble of the radio is.
    fileprivate var depth: Int {
        switch self {
        case .bus: 3
        case .daemon: 2
        case .adapter: 1
        default: 0
        }
    }
}
