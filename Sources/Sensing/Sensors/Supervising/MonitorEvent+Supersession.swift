import BlueZ
import Vitals

extension MonitorEvent {
    /// The key of events of which a slow reader needs only the newest: advertisements.
    var supersessionKey: UInt64? {
        switch kind {
        case .nearby(let identity, _, _): BluetoothAddress(identity.address)?.rawValue
        // An address has 48 bits.
        case .beacon(let identity, _): BluetoothAddress(identity.address).map { $0.rawValue | 1 << 63 }
        default: nil
        }
    }
}
