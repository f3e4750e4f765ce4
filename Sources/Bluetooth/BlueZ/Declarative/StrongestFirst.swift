import EventLoops

extension BluetoothCentral {
    /// Listens for a while, and returns the peripherals that match, the strongest signal first.
    ///
    /// Of several sensors of one kind the nearest is usually the one that the user holds. Connected peripherals, which do
    /// not advertise, come last. When the task is cancelled, the method returns what was heard so far.
    ///
    /// - Parameters:
    ///   - criteria: What to look for.
    ///   - duration: How long to listen; sensors advertise at least every 10 s, most of them several times a second.
    public func strongestPeripherals(
        matching criteria: DiscoveryCriteria, listeningFor duration: Duration = .seconds(3)
    ) async -> [Peripheral] {
        let listening = Task(executorPreference: loop) {
            for await _ in await self.peripherals(matching: criteria) {}
        }
        // A cancelled caller gets the result so far.
        try? await loop.sleep(for: duration)
        listening.cancel()
        return peripherals.filter { $0.isPresent && criteria.matches($0) }.sorted { $0.isStronger(than: $1) }
    }
}

extension Peripheral {
    /// Whether it was heard in this discovery or is connected; not one that BlueZ only remembers.
    var isPresent: Bool { isConnected || rssi != nil }

    /// Whether its signal is stronger; of equally strong ones the lower address decides, so that the order is stable.
    func isStronger(than other: Peripheral) -> Bool {
        let (left, right) = (rssi ?? .min, other.rssi ?? .min)
        return left == right ? address < other.address : left > right
    }
}
