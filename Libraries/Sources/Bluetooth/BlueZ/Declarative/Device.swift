import EventLoops

/// A declared device at an address: typed values, writes, notifications and the state of its connection.
///
/// ```swift
/// let strap = Device(Strap.self, at: peripheral.address, of: central)
/// try await strap.connect()
/// let location = try await strap.heartRate.location.read()
/// for await rate in await strap.heartRate.measurement.values() { print(rate) }
/// ```
///
/// It is a layer over ``BluetoothCentral``, which can be used beside it. Copies share their state; two devices created
/// for one address do not.
@dynamicMemberLookup
public struct Device<Declaration: DeviceDeclaration>: Sendable {
    /// The device's declaration.
    public let declaration: Declaration
    let link: DeviceLink

    /// Creates a device; nothing happens before ``connect(timeout:)``.
    ///
    /// - Parameters:
    ///   - declaration: Its services.
    ///   - address: Its address.
    ///   - central: The daemon to connect through.
    ///   - policy: Whether and when to reconnect after a lost link.
    public init(
        _ declaration: Declaration.Type, at address: BluetoothAddress, of central: BluetoothCentral,
        reconnecting policy: ReconnectPolicy = .never
    ) {
        let declaration = Declaration()
        self.declaration = declaration
        link = DeviceLink(
            central: central, address: address, entries: DeclaredEntry.all(of: declaration), policy: policy)
    }

    /// The device's address.
    public var address: BluetoothAddress { link.address }

    /// A declared service.
    public subscript<Service: ServiceDeclaration>(
        dynamicMember member: KeyPath<Declaration, Service>
    ) -> DeviceService<Service> {
        DeviceService(declaration: declaration[keyPath: member], link: link)
    }

    /// Connects, checks the required characteristics, subscribes and reads as declared.
    ///
    /// Call it again after a loss, unless the device has a ``ReconnectPolicy``; iterations of values continue.
    ///
    /// - Throws: ``DeviceError``; the link is ended again.
    public func connect(timeout: Duration = .seconds(45)) async throws(DeviceError) {
        try await link.connect(timeout: timeout)
    }

    /// Ends the link, and every attempt to connect again.
    public func disconnect() async throws(DeviceError) {
        try await link.disconnect()
    }

    /// The present state of the connection.
    public var state: DeviceState {
        get async { await link.state }
    }

    /// The states of the connection from now on, beginning with the present one.
    public func states() async -> BroadcastSequence<DeviceState> {
        await link.stateSequence()
    }
}

/// A declared service of a device.
@dynamicMemberLookup
public struct DeviceService<Declaration: ServiceDeclaration>: Sendable {
    let declaration: Declaration
    let link: DeviceLink

    /// A declared characteristic.
    public subscript<Value>(dynamicMember member: KeyPath<Declaration, Declared<Value>>) -> DeviceCharacteristic<Value>
    {
        let declared = declaration[keyPath: member]
        return DeviceCharacteristic(
            key: CharacteristicKey(service: Declaration.uuid, uuid: declared.uuid), link: link)
    }

    /// Whether the connected device has the service.
    public var isPresent: Bool {
        get async { await link.hasService(Declaration.uuid) }
    }
}

/// The state of a device's connection.
public enum DeviceState: Hashable, Sendable {
    /// There is no link; with the reason when the last one ended unexpectedly.
    case disconnected(NotificationsEndedError.Reason?)
    /// The device is being connected or inspected.
    case connecting
    /// All declared characteristics are present, read and subscribed to.
    case connected
}

/// Why something with a device failed.
public enum DeviceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The daemon or the device refused, or could not be reached.
    case bluez(BlueZError)
    /// The device lacks a required characteristic.
    case missing(service: BluetoothUUID, characteristic: BluetoothUUID)
    /// A value came that does not decode as the declared type.
    case malformed(GATTDecodingError)
    /// The same operation is in progress.
    case busy
    /// No answer to a request came in time.
    case timedOut

    /// What happened, a sentence.
    public var description: String {
        switch self {
        case .bluez(let error): "The device could not be used: \(error)."
        case .missing(let service, let characteristic):
            "The device has no characteristic \(characteristic) in a service \(service)."
        case .malformed(let error): error.description
        case .busy: "A request is under way; wait for its answer."
        case .timedOut: "The device did not answer the request in time."
        }
    }
}
