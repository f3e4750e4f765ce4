import VitalDecoders

/// The characteristics of a peripheral's handles, as far as they are known.
public struct AttributeNames: Hashable, Sendable {
    /// The greatest number of handles, and of services, kept per peripheral.
    private static let limit = 1024

    private var named: [UInt16: BluetoothUUID] = [:]
    /// The services that the peripheral has.
    public private(set) var services: [BluetoothUUID] = []

    public init() {}

    /// The characteristic of a handle.
    public subscript(handle handle: UInt16) -> BluetoothUUID? { named[handle] }

    public var characteristics: [BluetoothUUID] { Array(named.values) }

    public var isEmpty: Bool { named.isEmpty && services.isEmpty }

    /// Sets the characteristic of a handle; a later one replaces it.
    public mutating func name(_ handle: UInt16, _ characteristic: BluetoothUUID) {
        guard named.count < Self.limit || named[handle] != nil else { return }
        named[handle] = characteristic
    }

    /// Adds a service.
    ///
    /// - Returns: Whether it is a new one.
    mutating func add(_ service: BluetoothUUID) -> Bool {
        guard services.count < Self.limit, !services.contains(service) else { return false }
        services.append(service)
        return true
    }
}
