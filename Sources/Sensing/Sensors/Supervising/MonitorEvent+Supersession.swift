import BlueZ
import Vitals

extension MonitorEvent {
    /// The key of events that a slow reader needs only the newest of: what a peripheral tells without a connection.
    var supersessionKey: UInt64? {
        switch kind {
        case .nearby(let identity, _, _): BluetoothAddress(identity.address)?.rawValue
        // An address has 48 bits.
        case .beacon(let identity, _): BluetoothAddress(identity.address).map { $0.rawValue | 1 << 63 }
        default: nil
        }
    }
}
