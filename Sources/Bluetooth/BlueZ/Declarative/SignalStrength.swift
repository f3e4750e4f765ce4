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
        get async { await link.central.peripheral(address).flatMap { SignalStrength($0) } }
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
