import EventLoops

/// The strength of a device's signal.
public struct SignalStrength: Hashable, Sendable {
    /// The received power in dBm, -127 to 20.
    public let decibelMilliwatts: Int
    /// When the advertisement arrived; `nil` when that was before this program started.
    public let timestamp: Timestamp?

    init?(_ peripheral: Peripheral) {
        guard let strength = peripheral.rssi else { return nil }
        decibelMilliwatts = strength
        timestamp = peripheral.lastHeard
    }
}

extension Device {
    /// The strength of the device's newest advertisement; `nil` when none was heard.
    ///
    /// BlueZ reports the strength of advertisements only: it needs a discovery, and most devices do not advertise while
    /// they are connected. Mind the age of the value.
    public var signalStrength: SignalStrength? {
        get async { await peripheral.flatMap { SignalStrength($0) } }
    }

    /// The strength of each advertisement from now on, for one reader; only while a discovery runs.
    public func signalStrengths() async -> AsyncCompactMapSequence<BroadcastSequence<BlueZEvent>, SignalStrength> {
        let address = address
        return await link.central.events().compactMap { event in
            switch event.kind {
            case .peripheral(.added, let peripheral), .peripheral(.advertised, let peripheral):
                peripheral.address == address ? SignalStrength(peripheral) : nil
            default: nil
            }
        }
    }
}

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
