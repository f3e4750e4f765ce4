import VitalDecoders

/// Which characteristic each handle of a peripheral stands for, as far as that was seen.
public struct AttributeNames: Hashable, Sendable {
    /// The most handles that are kept of one peripheral, and the most services.
    private static let limit = 1024

    private var named: [UInt16: BluetoothUUID] = [:]
    /// The services that the peripheral has.
    public private(set) var services: [BluetoothUUID] = []

    public init() {}

    /// The characteristic that a handle stands for.
    public subscript(handle handle: UInt16) -> BluetoothUUID? { named[handle] }

    /// What is known to be there.
    public var characteristics: [BluetoothUUID] { Array(named.values) }

    /// Whether nothing is known.
    public var isEmpty: Bool { named.isEmpty && services.isEmpty }

    /// Notes what a handle stands for; what is told later counts.
    public mutating func name(_ handle: UInt16, _ characteristic: BluetoothUUID) {
        guard named.count < Self.limit || named[handle] != nil else { return }
        named[handle] = characteristic
    }

    /// Notes a service.
    ///
    /// - Returns: Whether it is a new one.
    mutating func add(_ service: BluetoothUUID) -> Bool {
        guard services.count < Self.limit, !services.contains(service) else { return false }
        services.append(service)
        return true
    }
}
