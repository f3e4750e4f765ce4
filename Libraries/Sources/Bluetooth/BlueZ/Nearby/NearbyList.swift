import Base
import EventLoops

/// The peripherals that were heard lately (``BluetoothCentral/nearby(matching:staleAfter:)``).
public struct NearbyPeripherals: Hashable, Sendable {
    /// Those that are there, the strongest signal first; connected ones, which do not advertise, mostly come last.
    public let peripherals: [Peripheral]
    /// Those that are there and were not in the snapshot before.
    public let found: [Peripheral]
    /// Those of the snapshot before that are gone.
    public let lost: [Peripheral]

    /// Makes a snapshot, for tests.
    public init(peripherals: [Peripheral], found: [Peripheral] = [], lost: [Peripheral] = []) {
        (self.peripherals, self.found, self.lost) = (peripherals, found, lost)
    }

    /// The one with the strongest signal; `nil` where no strength is known.
    public var strongest: Peripheral? { peripherals.first { $0.rssi != nil } }
}

/// Keeps the list of peripherals that are nearby; a pure state machine whose time comes with events.
struct NearbyList {
    private struct Entry: Hashable {
        var peripheral: Peripheral
        /// When it was heard last, or its link ended; in monotonic nanoseconds.
        var lastHeard: Int64
    }

    private let criteria: DiscoveryCriteria
    /// How long a peripheral stays without being heard, in nanoseconds.
    private let staleAfter: Int64
    private var entries: [ObjectPath: Entry] = [:]
    /// The peripherals of the last snapshot.
    private var shown: [Peripheral] = []
    private var hasNews = true
    /// When to call ``prune(at:)``, or earlier than necessary; `nil` for never.
    private(set) var due: Int64?

    init(_ criteria: DiscoveryCriteria, staleAfter: Duration) {
        self.criteria = criteria
        self.staleAfter = max(0, staleAfter.nanoseconds)
    }

    /// Handles an event; returns whether the list has changed.
    mutating func handle(_ kind: BlueZEvent.Kind, at timestamp: Timestamp) -> Bool {
        let now = timestamp.monotonicNanoseconds
        switch kind {
        case .peripheral(.added, let peripheral), .peripheral(.changed, let peripheral),
            .peripheral(.advertised, let peripheral), .disconnected(let peripheral):
            return take(peripheral, at: now)
        case .peripheral(.removed, let peripheral), .peripheral(.readdressed, let peripheral):
            guard entries.removeValue(forKey: peripheral.path) != nil else { return false }
            hasNews = true
            return true
        case .bus, .daemon, .adapter, .connected, .servicesResolved, .servicesChanged, .notification: return false
        }
    }

    /// Handles the state of a peripheral; one that no longer meets the criteria becomes stale.
    private mutating func take(_ peripheral: Peripheral, at now: Int64) -> Bool {
        let isMatch = criteria.matches(peripheral)
        let heard = isMatch ? peripheral.lastHeard?.monotonicNanoseconds : nil
        if let entry = entries[peripheral.path] {
            let hasLinkEnded = entry.peripheral.isConnected && !peripheral.isConnected
            let lastHeard = max(entry.lastHeard, heard ?? .min, hasLinkEnded ? now : .min)
            return update(Entry(peripheral: peripheral, lastHeard: lastHeard))
        }
        let entry = Entry(peripheral: peripheral, lastHeard: heard ?? now)
        guard isMatch, peripheral.isPresent, !isStale(entry, at: now) else { return false }
        return update(entry)
    }

    private mutating func update(_ entry: Entry) -> Bool {
        let old = entries.updateValue(entry, forKey: entry.peripheral.path)
        // A later time is found when the earlier one is over.
        if !entry.peripheral.isConnected, old?.peripheral.isConnected != false {
            due = min(due ?? .max, end(of: entry))
        }
        guard old != entry else { return false }
        hasNews = true
        return true
    }

    /// Removes what was not heard for too long; returns whether there was any.
    mutating func prune(at now: Int64) -> Bool {
        let count = entries.count
        entries = entries.filter { !isStale($0.value, at: now) }
        due = entries.values.filter { !$0.peripheral.isConnected }.map { end(of: $0) }.min()
        guard entries.count < count else { return false }
        hasNews = true
        return true
    }

    private func end(of entry: Entry) -> Int64 { entry.lastHeard.addingSaturated(staleAfter) }

    private func isStale(_ entry: Entry, at now: Int64) -> Bool {
        !entry.peripheral.isConnected && end(of: entry) <= now
    }

    /// The list, and what has changed since it was taken last; `nil` if nothing has.
    mutating func takeSnapshot() -> NearbyPeripherals? {
        guard hasNews else { return nil }
        hasNews = false
        let present = present
        let (before, now) = (Set(shown.map(\.address)), Set(present.map(\.address)))
        defer { shown = present }
        return NearbyPeripherals(
            peripherals: present, found: present.filter { !before.contains($0.address) },
            lost: shown.filter { !now.contains($0.address) })
    }

    /// Each peripheral once: of several adapters that know it, as the connected or the stronger one does.
    private var present: [Peripheral] {
        var best: [BluetoothAddress: Peripheral] = [:]
        for peripheral in entries.values.map(\.peripheral) {
            guard let other = best[peripheral.address] else {
                best[peripheral.address] = peripheral
                continue
            }
            let isBetter =
                peripheral.isConnected == other.isConnected
                ? (peripheral.rssi ?? .min, other.path.description) > (other.rssi ?? .min, peripheral.path.description)
                : peripheral.isConnected
            if isBetter { best[peripheral.address] = peripheral }
        }
        return best.values.sorted { $0.isStronger(than: $1) }
    }
}
