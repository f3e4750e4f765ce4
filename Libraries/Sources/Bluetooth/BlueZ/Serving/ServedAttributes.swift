import DBus

/// How a declared characteristic is served.
struct ServedOffer {
    let entry: DeclaredEntry
    /// What centrals can do with it, where that was said; otherwise it follows from the declaration.
    var statedFlags: CharacteristicFlags?
    /// Whether it has a value, or something that answers with one.
    var hasValue = false
    /// Whether something takes its writes.
    var takesWrites = false
    var descriptors: [(uuid: BluetoothUUID, octets: [UInt8])] = []

    init(_ entry: DeclaredEntry) {
        self.entry = entry
    }

    /// What centrals can do with it.
    var flags: CharacteristicFlags {
        if let statedFlags { return statedFlags }
        var flags: CharacteristicFlags = []
        if hasValue { flags.insert(.read) }
        if takesWrites { flags.insert(.write) }
        if entry.options.contains(.notifies) { flags.insert(.notify) }
        return flags
    }

    /// The flags of characteristics that take writes.
    static let writing: CharacteristicFlags = [
        .write, .writeWithoutResponse, .authenticatedSignedWrites, .reliableWrite,
    ]
    /// The flags of characteristics that send values.
    static let sending: CharacteristicFlags = [.notify, .indicate]
    /// The descriptors that the daemon makes: Characteristic Extended Properties, and the client's and the server's
    /// configuration.
    private static let reserved = [BluetoothUUID(0x2900), .clientCharacteristicConfiguration, BluetoothUUID(0x2903)]

    mutating func add(_ descriptor: BluetoothUUID, _ octets: [UInt8]) throws(ServingError) {
        guard !Self.reserved.contains(descriptor), !descriptors.contains(where: { $0.uuid == descriptor }) else {
            throw .invalidDescriptor(descriptor)
        }
        descriptors.append((descriptor, octets))
    }

    /// Throws when something is required or stated that nothing was given for.
    func check() throws(ServingError) {
        let isRequired = !entry.options.contains(.isOptional)
        if isRequired, flags.isEmpty || entry.options.contains(.isRead) && !hasValue {
            throw .missing(service: entry.key.service, characteristic: entry.key.uuid)
        }
        if flags.contains(.read), !hasValue { throw .incomplete(entry.key.uuid, .read) }
        let writing = flags.intersection(Self.writing)
        if !writing.isEmpty, !takesWrites { throw .incomplete(entry.key.uuid, writing) }
    }
}

/// The objects of a served device: which there are, and their properties.
///
/// Source: BlueZ, `org.bluez.GattManager`, `RegisterApplication`.
struct ServedAttributes {
    /// An object with its only interface.
    struct Object {
        let path: ObjectPath
        let interface: String
        let properties: [(name: String, value: DBusValue)]
        let role: Role
    }

    /// What an object is.
    enum Role {
        case service
        case characteristic(CharacteristicKey)
        /// With its value, which never changes.
        case descriptor([UInt8])
    }

    /// The objects, parents before children.
    private(set) var objects: [Object] = []
    /// What is served of each characteristic, and where.
    private(set) var characteristics: [CharacteristicKey: (path: ObjectPath, flags: CharacteristicFlags)] = [:]
    /// The services in the order of the declaration.
    private(set) var services: [BluetoothUUID] = []

    /// Lays out the objects; a characteristic that nothing can be done with is omitted, as a service without any.
    ///
    /// - Parameters:
    ///   - offers: The declared characteristics in their order.
    ///   - root: The path of the application, above all objects.
    init(_ offers: [ServedOffer], below root: ObjectPath) throws(ServingError) {
        for offer in offers { try offer.check() }
        let served = offers.filter { !$0.flags.isEmpty }
        if served.isEmpty { throw .empty }
        var paths: [BluetoothUUID: ObjectPath] = [:]
        for offer in served {
            let uuid = offer.entry.key.service
            let service = paths[uuid] ?? root.child("service\(paths.count)")
            if paths[uuid] == nil { addService(uuid, service) }
            paths[uuid] = service
            add(offer, below: service)
        }
    }

    private mutating func addService(_ uuid: BluetoothUUID, _ path: ObjectPath) {
        services.append(uuid)
        objects.append(
            Object(
                path: path, interface: Name.service,
                properties: [("UUID", .string(uuid.fullDescription)), ("Primary", .boolean(true))], role: .service))
    }

    private mutating func add(_ offer: ServedOffer, below service: ObjectPath) {
        let key = offer.entry.key
        guard characteristics[key] == nil else { return }
        let path = service.child("characteristic\(characteristics.count)")
        // The daemon adds this flag itself, and knows no such name in an application.
        let flags = offer.flags.subtracting(.extendedProperties)
        characteristics[key] = (path, flags)
        objects.append(
            Object(
                path: path, interface: Name.characteristic,
                properties: [
                    ("UUID", .string(key.uuid.fullDescription)), ("Service", .objectPath(service)),
                    ("Flags", .strings(flags.names)),
                ], role: .characteristic(key)))
        for (index, descriptor) in offer.descriptors.enumerated() {
            objects.append(
                Object(
                    path: path.child("descriptor\(index)"), interface: Name.descriptor,
                    properties: [
                        ("UUID", .string(descriptor.uuid.fullDescription)), ("Characteristic", .objectPath(path)),
                        ("Flags", .strings(["read"])),
                    ], role: .descriptor(descriptor.octets)))
        }
    }
}
