import BlueZ
import Vitals

extension MonitorEvent {
    /// The same key for events of which only the newest matters to a slow reader: the signal strengths of a peripheral.
    var supersessionKey: UInt64? {
        guard case .nearby(let identity, _, _) = kind else { return nil }
        return BluetoothAddress(identity.address)?.rawValue
    }
}
