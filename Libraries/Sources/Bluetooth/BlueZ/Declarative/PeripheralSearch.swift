import EventLoops

/// The searches for peripherals, which share a discovery that exists only for them.
struct PeripheralSearches {
    private var active: Set<UInt64> = []
    private var lastSerial: UInt64 = 0
    /// Whether the discovery was begun for a search and ends with the last one.
    private var ownsDiscovery = false

    /// How many searches may begin a discovery.
    var count: Int { active.count }

    /// Begins a search; returns its number.
    mutating func begin() -> UInt64 {
        lastSerial += 1
        active.insert(lastSerial)
        return lastSerial
    }

    /// Whether a search may begin a discovery: it has not ended, and the caller has not stopped all discoveries since.
    func isActive(_ serial: UInt64) -> Bool { active.contains(serial) }

    /// Records that a discovery is begun for a search.
    mutating func recordDiscovery() { ownsDiscovery = true }

    /// Ends a search; returns whether the discovery is to end with it.
    mutating func end(_ serial: UInt64) -> Bool {
        guard active.remove(serial) != nil, active.isEmpty else { return false }
        defer { ownsDiscovery = false }
        return ownsDiscovery
    }

    /// The caller has begun a discovery of its own, which no search ends.
    mutating func leaveDiscovery() { ownsDiscovery = false }

    /// The caller has stopped all discoveries: the searches so far neither begin nor end another one.
    mutating func stop() { (active, ownsDiscovery) = ([], false) }
}

/// A search for peripherals, which ends with this object.
final class PeripheralSearch: Sendable {
    private let central: BluetoothCentral
    private let serial: UInt64

    init(_ serial: UInt64, _ central: BluetoothCentral) {
        self.central = central
        self.serial = serial
    }

    deinit {
        let (central, serial) = (central, serial)
        Task(executorPreference: central.loop) { await central.endSearch(serial) }
    }

    /// Begins the discovery if there was no adapter before.
    func resume() async { await central.discover(for: serial) }
}

extension BluetoothCentral {
    /// Begins to look for peripherals with a discovery, unless one is wanted already.
    func search() -> PeripheralSearch {
        let serial = searches.begin()
        Task(executorPreference: loop) { await self.discover(for: serial) }
        return PeripheralSearch(serial, self)
    }

    /// Begins a discovery for a search as soon as there is a usable adapter.
    fileprivate func discover(for serial: UInt64) async {
        guard searches.isActive(serial), !wantsDiscovery() else { return }
        searches.recordDiscovery()
        // A discovery that cannot begin now begins when an adapter can be used.
        try? await wantDiscovery(on: nil, DiscoveryFilter())
    }

    fileprivate func endSearch(_ serial: UInt64) async {
        if searches.end(serial) { try? await stopDiscovery() }
    }
}
