import BlueZ
import Vitals

/// The queues in which sensors wait to connect: one for each adapter, and each sensor in one at most.
struct ConnectQueues {
    private var queues: [AdapterPath: ConnectQueue<BluetoothAddress>] = [:]
    /// The queue that each sensor has entered; it may be heard by another adapter meanwhile.
    private var entered: [BluetoothAddress: AdapterPath] = [:]

    /// How many sensors wait.
    var waitingCount: Int { queues.values.map(\.count).reduce(0, +) }

    /// Puts a sensor into the queue of an adapter; returns whose turn begins, if any.
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

    /// Takes a sensor out of the queue that it has entered; returns whose turn begins, if any.
    mutating func release(_ address: BluetoothAddress) -> BluetoothAddress? {
        guard let adapter = entered.removeValue(forKey: address) else { return nil }
        let next = queues[adapter]?.release(address)
        if queues[adapter]?.isEmpty == true { queues[adapter] = nil }
        return next
    }
}
