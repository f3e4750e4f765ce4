import EventLoops

/// What a device advertises, as it was heard last.
public struct DeviceAdvertisement: Hashable, Sendable {
    /// The data of companies (Assigned Numbers, "Company Identifiers").
    public let companyData: [UInt16: [UInt8]]
    /// The data of services.
    public let serviceData: [BluetoothUUID: [UInt8]]
    /// The services that it advertises, and after a connection those that it has.
    public let services: [BluetoothUUID]
    /// When it arrived; `nil` when that was before this program started.
    public let timestamp: Timestamp?

    init(_ peripheral: Peripheral) {
        companyData = peripheral.manufacturerData
        serviceData = peripheral.serviceData
        services = peripheral.uuids
        timestamp = peripheral.lastHeard
    }
}

extension Device {
    /// What BlueZ knows of the device; `nil` while it is not in the daemon's list.
    ///
    /// Its texts come from a stranger's radio: sanitize them before they reach a screen.
    public var peripheral: Peripheral? {
        get async { await link.central.peripheral(address) }
    }

    /// The device's own name, or else its name on this computer; `nil` for none.
    ///
    /// Text from outside, not sanitized.
    public var name: String? {
        get async { await peripheral.flatMap { $0.name ?? $0.alias } }
    }

    /// What the device advertises; `nil` while it is not in the daemon's list.
    public var advertisement: DeviceAdvertisement? {
        get async { await peripheral.map { DeviceAdvertisement($0) } }
    }

    /// When the last sign of life arrived: an advertisement, a value, an answer, or a finished connect; `nil` for none.
    public var lastActivity: Timestamp? {
        get async {
            let times = [await link.lastActivity, await peripheral?.lastHeard].compactMap { $0 }
            return times.max { $0.monotonicNanoseconds < $1.monotonicNanoseconds }
        }
    }

    /// The services that the device has, declared or not, in the order of their handles; empty while they are not known.
    public var services: [Service] {
        get async { await link.central.services(of: address) }
    }
}
