import BlueZ
import Vitals

extension MonitorEvent {
    /// The key of events that a slow reader needs only the newest of: the signal strengths of a peripheral.
    var supersessionKey: UInt64? {
        guard case .nearby(let identity, _, _) = kind else { return nil }
        return BluetoothAddress(identity.address)?.rawValue
    }
}
