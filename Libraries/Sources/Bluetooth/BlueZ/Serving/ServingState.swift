import Base
import DBus

/// The state of a ``DeviceServer``.
public enum ServingState: Hashable, Sendable, CustomStringConvertible {
    /// It was not started, or was stopped.
    case stopped
    /// It waits for the message bus.
    case waitingForBus
    /// It waits for the Bluetooth daemon.
    case waitingForDaemon
    /// It waits for the adapter, or for any.
    case waitingForAdapter
    /// It waits until the adapter is switched on.
    case adapterOff
    /// The daemon is being asked to register the services and the advertisement.
    case registering
    /// The services are served, and advertised if wanted, on this adapter.
    case serving(on: ObjectPath)
    /// The daemon refused to register them; it is asked again after a while.
    case refused(BlueZError)

    /// What is the case and what to do, a sentence for users.
    public var description: String {
        switch self {
        case .stopped: "The services are not served."
        case .waitingForBus: "The services are not served: the message bus cannot be reached."
        case .waitingForDaemon:
            "The services are not served: the Bluetooth daemon does not run. Start it (systemctl start bluetooth)."
        case .waitingForAdapter: "The services are not served: there is no Bluetooth adapter. Plug one in."
        case .adapterOff: "The services are not served: the Bluetooth adapter is off. Switch it on."
        case .registering: "The services are being registered."
        case .serving(let adapter): "The services are served by \(Adapter(path: adapter).id)."
        case .refused(let error):
            "The Bluetooth daemon refuses to serve the services: \(sanitized(error.description, limit: 200)). "
                + "It is asked again."
        }
    }
}

/// Why a device cannot be served as it is declared.
public enum ServingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A required characteristic has no value, no reader of its writes and no notifications.
    case missing(service: BluetoothUUID, characteristic: BluetoothUUID)
    /// A characteristic is offered in a way that nothing was given for, such as readable without a value.
    case incomplete(BluetoothUUID, CharacteristicFlags)
    /// The characteristic is not served in this way; say so before the start.
    case notServed(BluetoothUUID)
    /// Nothing of the declaration is served.
    case empty
    /// A value has more octets than the 512 of an attribute.
    case valueTooLong(octets: Int)
    /// A descriptor that the daemon itself makes, such as 2902, or one that is there already.
    case invalidDescriptor(BluetoothUUID)
    /// The advertised name has no octet, more than 248, or a NUL.
    case invalidName
    /// It is served already.
    case alreadyStarted

    /// What is wrong, a sentence.
    public var description: String {
        switch self {
        case .missing(let service, let characteristic):
            "The required characteristic \(characteristic) of service \(service) is not served: give it a value, "
                + "read its writes, or declare that it notifies."
        case .incomplete(let characteristic, let flags):
            "The characteristic \(characteristic) is offered for \(flags.names.joined(separator: ", ")), but nothing "
                + "was given for that."
        case .notServed(let characteristic): "The characteristic \(characteristic) is not served in this way."
        case .empty: "Nothing of the declaration is served."
        case .valueTooLong(let octets): "A value has \(octets) octets, more than the 512 of an attribute."
        case .invalidDescriptor(let uuid): "The descriptor \(uuid) is made by the daemon, or is there already."
        case .invalidName: "The advertised name must have 1 to 248 octets and no NUL."
        case .alreadyStarted: "The device is served already."
        }
    }
}
