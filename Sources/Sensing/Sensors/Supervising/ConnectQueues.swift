import BlueZ
import Vitals

/// The queues of sensors that wait to connect: one per adapter, and each sensor in at most one.
struct ConnectQueues {
    private var queues: [AdapterPath: ConnectQueue<BluetoothAddress>] = [:]
    /// The queue that each sensor has entered; another adapter may hear it meanwhile.
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
