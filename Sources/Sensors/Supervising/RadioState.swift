import BlueZ
import Vitals

/// How it stands with bus, bluetoothd and adapters, and whether anything can be connected at all.
struct RadioState {
    /// The bus; `nil` before the first word about it.
    var bus: Vitals.BusState?
    /// bluetoothd; `nil` before the first word about it.
    var daemon: Vitals.DaemonState?
    /// The adapters.
    var adapters: [AdapterPath: Adapter] = [:]
    /// The identifier of the only adapter that is used; `nil` for the first one that is on.
    var chosen: String?
    /// The identifiers of the adapters that the user switched off here.
    var switchedOff: Set<String> = []
    /// What was told about the adapter last.
    var told: AdapterStatus?
    /// What was told about all adapters last.
    var toldAll: [AdapterStatus] = []
    /// The trouble that the sensors were told of; a lesser one is no news while a greater one is being cured.
    private(set) var reportedWarning: ConnectionState.DisconnectReason?
    /// Since when nothing could be connected, after it could.
    private var lostAt: Moment?
    private var hasBeenUsable = false

    /// What the sensors are to be told about the radio.
    enum News: Hashable {
        case lost(ConnectionState.DisconnectReason)
        case returned
    }

    /// What the sensors are to be told after a change, if anything.
    mutating func takeNews() -> News? {
        guard let trouble else {
            defer { reportedWarning = nil }
            return reportedWarning == nil ? nil : .returned
        }
        guard trouble.depth > (reportedWarning?.depth ?? 0) else { return nil }
        reportedWarning = trouble
        return .lost(trouble)
    }

    /// Notes that the sensors were told that the adapter is lost to them, because another one is used from now on.
    mutating func recordAdapterLeft() {
        if reportedWarning == nil { reportedWarning = .adapter }
    }

    /// What is to be told about the time without a radio, once it is over; to be asked after each change.
    mutating func takeGap(at moment: Moment, whileIn trouble: ConnectionState.DisconnectReason?) -> Gap? {
        if self.trouble != nil {
            if hasBeenUsable, lostAt == nil { lostAt = moment }
            return nil
        }
        hasBeenUsable = true
        defer { lostAt = nil }
        guard let lostAt, let reason = trouble?.gapReason else { return nil }
        return Gap(from: lostAt, to: moment, reason: reason)
    }

    /// Why nothing can be connected, the most fundamental cause; `nil` when something can.
    var trouble: ConnectionState.DisconnectReason? {
        if bus != .connected { return .bus }
        if daemon != .running { return .daemon }
        return current?.isPowered == true ? nil : .adapter
    }

    /// Whether it is known how it stands, so that a trouble is one and not the beginning.
    var isKnown: Bool {
        guard let bus else { return false }
        guard bus == .connected else { return true }
        guard let daemon else { return false }
        return daemon != .running || !adapters.isEmpty || told != nil
    }

    /// The adapter that is used: the chosen one, or the first one that is on, or else the first.
    var current: Adapter? {
        if let chosen { return adapters.values.first { $0.id == chosen } }
        return sorted.first(where: \.isPowered) ?? sorted.first
    }

    private var sorted: [Adapter] { adapters.values.sorted { $0.id < $1.id } }

    /// Whether what an adapter hears is of interest.
    func uses(_ adapter: AdapterPath) -> Bool {
        chosen == nil || adapters[adapter]?.id == chosen
    }

    /// What a reader that comes late is to be told.
    var standing: [MonitorEvent.Kind] {
        var kinds: [MonitorEvent.Kind] = []
        if let bus { kinds.append(.bus(bus)) }
        if let daemon { kinds.append(.daemon(daemon)) }
        if let told { kinds.append(.adapter(told)) }
        if !toldAll.isEmpty { kinds.append(.adapters(toldAll)) }
        return kinds
    }

    /// The state of the adapter that is used, or of there being none.
    func status(_ radioSwitch: RadioSwitch, hearsNothing: Bool) -> AdapterStatus {
        guard let current else {
            return AdapterStatus(identifier: chosen, address: nil, power: .missing, isScanning: false)
        }
        var status = status(of: current, radioSwitch)
        status.hearsNothing = hearsNothing && status.isScanning
        return status
    }

    /// The states of all adapters.
    func allStatus(_ radioSwitch: RadioSwitch) -> [AdapterStatus] {
        sorted.map { status(of: $0, radioSwitch) }
    }

    private func status(of adapter: Adapter, _ radioSwitch: RadioSwitch) -> AdapterStatus {
        // bluetoothd knows best, where it is new enough to tell; the kernel knows who blocks.
        let isOff = !adapter.isPowered && adapter.isBlocked != false
        let block = isOff ? radioSwitch.block(adapter: adapter.id) ?? (adapter.isBlocked == true ? .soft : nil) : nil
        return AdapterStatus(
            identifier: adapter.id, address: adapter.address?.description,
            power: adapter.isPowered ? .ready : block == nil ? .off : .blocked, isScanning: adapter.isDiscovering,
            isSwitchedOffByUs: !adapter.isPowered && switchedOff.contains(adapter.id), isHardBlocked: block == .hard)
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

    /// Whether Bluetooth itself is the reason.
    var isOfRadio: Bool { depth > 0 }

    /// What the time without a radio is called.
    fileprivate var gapReason: GapReason? {
        switch self {
        case .bus: .bus
        case .daemon: .daemon
        case .adapter: .adapter
        default: nil
        }
    }
}
