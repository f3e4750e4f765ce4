import BlueZ
import Vitals

extension MonitorEvent {
    /// What this event means for those that a slow reader has not read yet: a newer signal strength replaces an older.
    var supersession: Supersession {
        switch kind {
        case .nearby(let identity, _, _):
            BluetoothAddress(identity.address).map { .replaces($0.rawValue) } ?? .none
        case .gone(let identity), .connection(let identity, _):
            BluetoothAddress(identity.address).map { .separates($0.rawValue) } ?? .none
        case .bus, .daemon, .adapter, .reading, .battery, .malformed, .tick: .none
        }
    }
}
