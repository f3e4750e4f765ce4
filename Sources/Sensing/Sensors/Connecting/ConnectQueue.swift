import BlueZ
import Vitals

/// The queue of sensors to connect: one at a time, those requested by the user first, the others alternating by kind.
///
/// Quirk connects-in-parallel: on many controllers parallel connects fail with `InProgress` and aborted links. One
/// queue serves one adapter.
struct ConnectQueue<Member: Hashable & Sendable>: Sendable {
    /// The waiting members of one kind, in the order of their requests; never empty.
    private struct Line {
        let kind: SensorKind
        var members: [Member]
    }

    /// The member that connects now.
    private(set) var current: Member?
    /// The preferred sensors.
    private var preferred: [Member] = []
    // The first line is served next and then moves to the end: many straps that do not answer delay the only oximeter
    // by a single attempt.
    private var lines: [Line] = []

    /// Whether no sensor connects or waits.
    var isEmpty: Bool { current == nil && count == 0 }

    /// The number of waiting members.
    var count: Int { lines.reduce(preferred.count) { $0 + $1.members.count } }

    /// Adds a member at the end of its preference and kind, unless it is in the queue already; returns the member whose
    /// turn begins, if any.
    mutating func request(_ member: Member, of kind: SensorKind = .other, isPreferred: Bool = false) -> Member? {
        guard current != member, !preferred.contains(member), !lines.contains(where: { $0.members.contains(member) })
        else { return nil }
        if isPreferred {
            preferred.append(member)
        } else if let line = lines.firstIndex(where: { $0.kind == kind }) {
            lines[line].members.append(member)
        } else {
            lines.append(Line(kind: kind, members: [member]))
        }
        return beginNext()
    }

    /// Prefers a waiting sensor from now on.
    mutating func prefer(_ member: Member) {
        if leaveLine(member) { preferred.append(member) }
    }

    /// Removes a member from the queue; returns the member whose turn begins, if any.
    mutating func release(_ member: Member) -> Member? {
        preferred.removeAll { $0 == member }
        leaveLine(member)
        if current == member { current = nil }
        return beginNext()
    }

    /// Removes a member from the lines; returns whether it was in one.
    @discardableResult
    private mutating func leaveLine(_ member: Member) -> Bool {
        guard let line = lines.firstIndex(where: { $0.members.contains(member) }) else { return false }
        lines[line].members.removeAll { $0 == member }
        if lines[line].members.isEmpty { lines.remove(at: line) }
        return true
    }

    private mutating func beginNext() -> Member? {
        guard current == nil, !isEmpty else { return nil }
        if preferred.isEmpty {
            var line = lines.removeFirst()
            current = line.members.removeFirst()
            if !line.members.isEmpty { lines.append(line) }
        } else {
            current = preferred.removeFirst()
        }
        return current
    }
}

/// The queues of sensors that wait to connect: one per adapter, and each sensor in at most one.
struct ConnectQueues {
    private var queues: [AdapterPath: ConnectQueue<BluetoothAddress>] = [:]
    /// The queue that each sensor has entered, which stays when another adapter hears it.
    private var entered: [BluetoothAddress: AdapterPath] = [:]

    /// The number of waiting sensors.
    var waitingCount: Int { queues.values.map(\.count).reduce(0, +) }

    /// Adds a sensor to the queue of an adapter; returns the sensor whose turn begins, if any.
    mutating func request(
        _ address: BluetoothAddress, of kind: SensorKind, on adapter: AdapterPath, isPreferred: Bool
    ) -> BluetoothAddress? {
        entered[address] = adapter
        return queues[adapter, default: ConnectQueue()].request(address, of: kind, isPreferred: isPreferred)
    }

    /// Prefers a waiting sensor from now on.
    mutating func prefer(_ address: BluetoothAddress) {
        if let adapter = entered[address] { queues[adapter]?.prefer(address) }
    }

    /// Removes a sensor from its queue; returns the sensor whose turn begins, if any.
    mutating func release(_ address: BluetoothAddress) -> BluetoothAddress? {
        guard let adapter = entered.removeValue(forKey: address) else { return nil }
        let next = queues[adapter]?.release(address)
        if queues[adapter]?.isEmpty == true { queues[adapter] = nil }
        return next
    }
}
