import DBus
import EventLoops

/// A remote device as BlueZ knows it (`org.bluez.Device1` and `org.bluez.Battery1`).
///
/// All texts come from strangers' radios: sanitize them before they reach a screen.
public struct Peripheral: Hashable, Sendable {
    /// The object on the bus; changes with the peripheral's address.
    public let path: ObjectPath
    /// The object of the adapter that it was seen by.
    public let adapter: ObjectPath
    /// Its address; a private one is replaced by the permanent one when the peripheral is paired.
    public var address: BluetoothAddress
    /// The kind of address; `nil` when the daemon does not report it.
    public var addressType: BluetoothAddressType?
    /// Its own name, at most 248 octets; `nil` when it has sent none yet.
    public var name: String?
    /// Its name on this computer; `nil` where BlueZ only made one from the address.
    public var alias: String?
    /// The strength of its newest advertisement in dBm; `nil` when no discovery runs.
    public var rssi: Int?
    /// Its reported transmission power, in dBm.
    public var txPower: Int?
    /// The services that it advertises, and after a connection those that it has.
    public var uuids: [BluetoothUUID] = []
    /// Manufacturer-specific data of its advertisements, by company identifier.
    public var manufacturerData: [UInt16: [UInt8]] = [:]
    /// Service data of its advertisements.
    public var serviceData: [BluetoothUUID: [UInt8]] = [:]
    /// Its appearance (Assigned Numbers, "Appearance Values").
    public var appearance: UInt16?
    /// Whether there is a link, ours or another program's.
    public var isConnected = false
    /// Whether its services are known and can be used.
    public var areServicesResolved = false
    /// Whether it is paired.
    public var isPaired = false
    /// Whether it is trusted.
    public var isTrusted = false
    /// The charge of its battery in percent, 0 to 100, as the daemon read it from its Battery Service.
    public var batteryPercent: Int?
    /// When its newest advertisement arrived; `nil` for none since the start.
    public var lastHeard: Timestamp?

    public init(path: ObjectPath, adapter: ObjectPath, address: BluetoothAddress) {
        self.path = path
        self.adapter = adapter
        self.address = address
    }
}
