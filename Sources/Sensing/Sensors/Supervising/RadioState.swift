import BlueZ
import Vitals

/// The state of bus, bluetoothd and adapters: whether connections are possible.
struct RadioState {
    /// The bus; `nil` before its first event.
    private var bus: BusState?
    /// The state of bluetoothd; `nil` before its first event.
    private var daemon: DaemonState?
    private var adapters: [AdapterPath: Adapter] = [:]
    /// The identifier of the chosen adapter; `nil` for the first one that is on.
    private(set) var chosen: String?
    /// The identifiers of the adapters that the user switched off in Bedside.
    private var switchedOff: Set<String> = []
    /// The last reported state of the adapter.
    private var reported: AdapterStatus?
    /// The last reported states of all adapters.
    private var reportedAll: [AdapterStatus] = []
    /// The last reported trouble; a lesser one is not reported while a greater one is being resolved.
    private var knownTrouble: ConnectionState.DisconnectReason?
    /// Since when no connection is possible, after one was.
    private var lostAt: Moment?
    private var hasBeenUsable = false

    /// A change of the radio that the sensors must know.
    enum News: Hashable {
        case lost(ConnectionState.DisconnectReason)
        case returned
    }

    // MARK: Changes

    /// Records the state of the bus; returns whether it is new.
    mutating func change(_ state: BusState) -> Bool {
        guard bus != state else { return false }
        bus = state
        if !state.isConnected { daemon = nil }
        return true
    }

    /// Records the state of bluetoothd; returns whether it is new.
    mutating func change(_ state: DaemonState) -> Bool {
        guard daemon != state else { return false }
        // Who listens has forgotten the adapters with the last bluetoothd: one that is still missing is news again.
        if state.isRunning, daemon?.isRunning != true { (reported, reportedAll) = (nil, []) }
        daemon = state
        return true
    }

    /// Records the present state of an adapter.
    mutating func change(_ change: ObjectChange, _ adapter: Adapter) {
        adapters[adapter.path] = change == .removed ? nil : adapter
        if change == .removed || adapter.isPowered { switchedOff.remove(adapter.id) }
    }

    /// Restricts the sensors to one adapter; they must leave all others.
    mutating func choose(_ identifier: String?) { chosen = identifier }

    /// Records that the user switches an adapter on or off in Bedside.
    mutating func switchPower(of adapter: Adapter, on isPowered: Bool) {
        if isPowered { switchedOff.remove(adapter.id) } else { switchedOff.insert(adapter.id) }
    }

    /// Records that the sensors have lost the adapter, because another one is used from now on.
    mutating func recordAdapterLeft() {
        if knownTrouble == nil { knownTrouble = .adapter }
    }

    // MARK: News

    /// The news for the sensors after a change, and the time without a radio, once it is over.
    mutating func takeNews(at moment: Moment) -> (news: News?, gap: Gap?) {
        let before = knownTrouble
        return (takeSensorNews(), takeGap(at: moment, after: before))
    }

    private mutating func takeSensorNews() -> News? {
        guard let trouble else {
            defer { knownTrouble = nil }
            return knownTrouble == nil ? nil : .returned
        }
        guard trouble.depth > (knownTrouble?.depth ?? 0) else { return nil }
        knownTrouble = trouble
        return .lost(trouble)
    }

    private mutating func takeGap(at moment: Moment, after trouble: ConnectionState.DisconnectReason?) -> Gap? {
        if self.trouble != nil {
            if hasBeenUsable, lostAt == nil { lostAt = moment }
            return nil
        }
        hasBeenUsable = true
        defer { lostAt = nil }
        guard let lostAt, let reason = trouble?.gapReason else { return nil }
        return Gap(from: lostAt, to: moment, reason: reason)
    }

    /// The changes of the adapters since the last call.
    mutating func takeAdapterNews(_ radioSwitch: RadioSwitch, hearsNothing: Bool) -> [MonitorEvent.Kind] {
        var news: [MonitorEvent.Kind] = []
        let status = status(radioSwitch, hearsNothing: hearsNothing)
        if status != reported { news.append(.adapter(status)) }
        let all = sorted.map { self.status(of: $0, radioSwitch) }
        if all != reportedAll { news.append(.adapters(all)) }
        (reported, reportedAll) = (status, all)
        return news
    }

    /// The present state as events for a late reader.
    var standing: [MonitorEvent.Kind] {
        var kinds: [MonitorEvent.Kind] = []
        if let bus { kinds.append(.bus(bus)) }
        if let daemon { kinds.append(.daemon(daemon)) }
        if let reported { kinds.append(.adapter(reported)) }
        if !reportedAll.isEmpty { kinds.append(.adapters(reportedAll)) }
        return kinds
    }

    // MARK: What can be done

    /// Whether bus and bluetoothd are running, even if they do not answer.
    var isDaemonRunning: Bool { bus?.isConnected == true && daemon?.isRunning == true }

    /// The reason of the gap while the bus or bluetoothd does not answer; `nil` when both answer, or one is gone.
    var silence: GapReason? {
        if bus == .silent { return .busSilent }
        return bus == .connected && daemon == .silent ? .daemonSilent : nil
    }

    /// Whether anything was reported about the adapter.
    var isAdapterReported: Bool { reported != nil }

    /// Why no connection is possible, the most fundamental reason; `nil` if one is.
    var trouble: ConnectionState.DisconnectReason? {
        if bus?.isConnected != true { return .bus }
        if daemon?.isRunning != true { return .daemon }
        return current?.isPowered == true ? nil : .adapter
    }

    /// Whether enough is known to distinguish a problem from the start.
    var isKnown: Bool {
        guard let bus else { return false }
        guard bus.isConnected else { return true }
        guard let daemon else { return false }
        return !daemon.isRunning || !adapters.isEmpty || reported != nil
    }

    /// The adapter in use: the chosen one, or the first one that is on, or else the first.
    var current: Adapter? {
        if let chosen { return adapters.values.first { $0.id == chosen } }
        return sorted.preferred
    }

    private var sorted: [Adapter] { adapters.values.sorted { $0.id < $1.id } }

    /// Whether events of an adapter matter.
    func uses(_ adapter: AdapterPath) -> Bool {
        chosen == nil || adapters[adapter]?.id == chosen
    }

    /// The state of the adapter in use, or of a missing one.
    private func status(_ radioSwitch: RadioSwitch, hearsNothing: Bool) -> AdapterStatus {
        guard let current else {
            return AdapterStatus(identifier: chosen, address: nil, power: .missing, isScanning: false)
        }
        var status = status(of: current, radioSwitch)
        status.hearsNothing = hearsNothing && status.isScanning
        return status
    }

    private func status(of adapter: Adapter, _ radioSwitch: RadioSwitch) -> AdapterStatus {
        let block = radioSwitch.block(of: adapter)
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

    /// The reason for the gap after a time without a radio.
    fileprivate var gapReason: GapReason? {
        switch self {
        case .bus: .bus
        case .daemon: .daemon
        case .adapter: .adapter
        default: nil
        }
    }
}
