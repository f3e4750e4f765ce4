import BluetoothValues
import DBus

/// The services of a client's application, as bluetoothd takes them from its objects (`src/gatt-database.c` of BlueZ).
struct LocalDatabase {
    struct Service {
        let path: ObjectPath
        let uuid: BluetoothUUID
    }

    struct Characteristic {
        let path: ObjectPath
        let uuid: BluetoothUUID
        let service: BluetoothUUID
        let flags: Set<String>
        var descriptors: [(path: ObjectPath, uuid: BluetoothUUID)] = []
    }

    private(set) var services: [Service] = []
    private(set) var characteristics: [Characteristic] = []

    /// Takes the objects of an answer of `GetManagedObjects`.
    ///
    /// - Throws: The error that bluetoothd gives for `RegisterApplication`.
    init(_ answer: DBusValue?) throws(DBusConnectionError) {
        let objects = try Self.objects(answer)
        if objects.isEmpty { throw .failed("No object received") }
        // First all that bluetoothd looks at before it makes entries of its database.
        let parts = try Self.parts(objects)
        for part in parts.services { services.append(try Self.service(part)) }
        for part in parts.characteristics {
            guard let service = services.first(where: { $0.path == part.parent }) else { throw Self.noService }
            characteristics.append(
                Characteristic(
                    path: part.path, uuid: try Self.uuid(part.properties), service: service.uuid, flags: part.flags))
        }
        for part in parts.descriptors {
            let owner = characteristics.firstIndex { $0.path == part.parent }
            guard let index = owner else { throw Self.noService }
            characteristics[index].descriptors.append((part.path, try Self.uuid(part.properties)))
        }
    }

    /// An object of a kind with its properties.
    private struct Part {
        let path: ObjectPath
        let properties: [String: DBusValue]
        var parent: ObjectPath?
        var flags: Set<String> = []
    }

    private static let noService = DBusConnectionError.failed("No valid service object found")
    private static let noEntry = DBusConnectionError.failed("Failed to create entry in database")

    private static func objects(_ answer: DBusValue?) throws(DBusConnectionError) -> [(String, Part)] {
        var objects: [(String, Part)] = []
        for object in answer?.entries ?? [] {
            guard case .objectPath(let path) = object.key else { continue }
            for interface in object.value.entries ?? [] {
                guard let name = interface.key.text, let properties = interface.value.namedValues else { continue }
                objects.append((name, Part(path: path, properties: properties)))
            }
        }
        return objects
    }

    private static func parts(
        _ objects: [(String, Part)]
    ) throws(DBusConnectionError) -> (services: [Part], characteristics: [Part], descriptors: [Part]) {
        var services: [Part] = []
        for (_, part) in objects.filter({ $0.0 == "org.bluez.GattService1" }) {
            if services.contains(where: { $0.path == part.path }) { throw noService }
            services.append(part)
        }
        if services.isEmpty { throw noService }
        var characteristics: [Part] = []
        for (_, part) in objects.filter({ $0.0 == "org.bluez.GattCharacteristic1" }) {
            characteristics.append(
                try completed(part, "Service", of: services, flags: characteristicFlags))
        }
        var descriptors: [Part] = []
        for (_, part) in objects.filter({ $0.0 == "org.bluez.GattDescriptor1" }) {
            descriptors.append(try completed(part, "Characteristic", of: characteristics, flags: descriptorFlags))
        }
        return (services, characteristics, descriptors)
    }

    /// A characteristic or descriptor with its parent and its flags.
    private static func completed(
        _ part: Part, _ property: String, of parents: [Part], flags known: Set<String>
    ) throws(DBusConnectionError) -> Part {
        guard case .objectPath(let parent)? = part.properties[property], parents.contains(where: { $0.path == parent }),
            case .array(let elements, of: .string)? = part.properties["Flags"], !elements.isEmpty
        else { throw noService }
        let flags = Set(elements.compactMap(\.text))
        guard flags.isSubset(of: known) else { throw noService }
        var completed = part
        (completed.parent, completed.flags) = (parent, flags)
        return completed
    }

    private static func service(_ part: Part) throws(DBusConnectionError) -> Service {
        guard part.properties["Primary"]?.isTrue != nil else { throw noEntry }
        return Service(path: part.path, uuid: try uuid(part.properties))
    }

    private static func uuid(_ properties: [String: DBusValue]) throws(DBusConnectionError) -> BluetoothUUID {
        guard case .string(let text)? = properties["UUID"], let uuid = BluetoothUUID(text) else { throw noEntry }
        // bluetoothd has these services itself.
        if [BluetoothUUID(0x1800), BluetoothUUID(0x1801)].contains(uuid) { throw noEntry }
        return uuid
    }

    /// How reads and writes may be protected; each is a flag with `-read` or `-write` behind it.
    private static let protections = ["encrypt", "encrypt-authenticated", "secure"]

    private static let descriptorFlags = Set(
        ["read", "write", "authorize"] + protections.flatMap { ["\($0)-read", "\($0)-write"] })

    private static let characteristicFlags = descriptorFlags.union([
        "broadcast", "write-without-response", "notify", "indicate", "authenticated-signed-writes", "reliable-write",
        "writable-auxiliaries",
    ])
}

extension LocalDatabase.Characteristic {
    var isReadable: Bool { flags.contains { $0 == "read" || $0.hasSuffix("-read") } }
    var isWritable: Bool { flags.contains { $0 == "write" || $0.hasSuffix("-write") } }
    var isWritableWithoutResponse: Bool { flags.contains("write-without-response") }
    var isSending: Bool { !flags.isDisjoint(with: ["notify", "indicate"]) }
}
