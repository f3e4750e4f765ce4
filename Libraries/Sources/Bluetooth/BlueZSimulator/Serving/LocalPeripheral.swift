import BluetoothValues
import DBus

/// An object of a client, by which it registers something.
struct ClientObject: Hashable {
    let client: String
    let path: ObjectPath
}

/// What clients serve and advertise through the adapter, and the centrals that are connected to it.
final class LocalPeripheral {
    private(set) var applications: [(registration: ClientObject, database: LocalDatabase)] = []
    private(set) var advertisements: [(registration: ClientObject, content: SimulatedAdvertisement)] = []
    /// The registrations whose objects are being asked for.
    private var pending: Set<ClientObject> = []
    private(set) var links: [CentralLink] = []

    /// The most advertisements at once.
    static let greatestAdvertisements = 5

    deinit {
        for link in links { link.endAll() }
    }

    // MARK: Registrations

    /// Records that an application's objects are asked for.
    func begin(application registration: ClientObject) throws(DBusConnectionError) {
        guard !applications.contains(where: { $0.registration == registration }),
            pending.insert(registration).inserted
        else { throw .alreadyExists }
    }

    /// Records that an advertisement's properties are asked for.
    func begin(advertisement registration: ClientObject) throws(DBusConnectionError) {
        guard !advertisements.contains(where: { $0.registration == registration }), !pending.contains(registration)
        else { throw .alreadyExists }
        guard advertisements.count < Self.greatestAdvertisements else {
            throw .notPermitted("Maximum advertisements reached")
        }
        pending.insert(registration)
    }

    /// Ends a registration in progress; returns whether it is still wanted.
    func end(_ registration: ClientObject) -> Bool { pending.remove(registration) != nil }

    func add(_ registration: ClientObject, _ database: LocalDatabase) { applications.append((registration, database)) }

    func add(_ registration: ClientObject, _ content: SimulatedAdvertisement) {
        advertisements.append((registration, content))
    }

    /// Removes an application; returns whether it was registered.
    func removeApplication(_ registration: ClientObject) -> Bool {
        guard let index = applications.firstIndex(where: { $0.registration == registration }) else { return false }
        let removed = applications.remove(at: index).database.characteristics.map(\.path)
        for link in links { link.end(removed) { $0 == registration.client } }
        return true
    }

    /// Removes an advertisement; returns whether it was registered.
    func removeAdvertisement(_ registration: ClientObject) -> Bool {
        let count = advertisements.count
        advertisements.removeAll { $0.registration == registration }
        return advertisements.count < count
    }

    /// Removes what a client that has left the bus has registered.
    func clientLeft(_ client: String) {
        pending = pending.filter { $0.client != client }
        for registration in applications.map({ $0.registration }) where registration.client == client {
            _ = removeApplication(registration)
        }
        advertisements.removeAll { $0.registration.client == client }
    }

    // MARK: Centrals

    func link(_ central: BluetoothAddress) -> CentralLink? { links.first { $0.address == central } }

    func add(_ link: CentralLink) { links.append(link) }

    /// Ends the link of a central; returns the subscriptions that no other central has.
    func remove(_ link: CentralLink) -> [ServedCharacteristic] {
        links.removeAll { $0 === link }
        let subscribed = link.subscriptions
        link.endAll()
        return subscribed.filter { !isSubscribed($0) }
    }

    /// Whether a central is subscribed to a characteristic.
    func isSubscribed(_ characteristic: ServedCharacteristic) -> Bool {
        links.contains { $0.subscriptions.contains(characteristic) }
    }

    /// The first characteristic of a type.
    func characteristic(
        _ uuid: BluetoothUUID
    ) -> (identity: ServedCharacteristic, definition: LocalDatabase.Characteristic)? {
        for (registration, database) in applications {
            if let found = database.characteristics.first(where: { $0.uuid == uuid }) {
                return (ServedCharacteristic(client: registration.client, path: found.path), found)
            }
        }
        return nil
    }

    /// Gives a value of a client to the subscribed centrals.
    func send(_ octets: [UInt8], from characteristic: ServedCharacteristic) {
        for link in links { link.receive(octets, from: characteristic) }
    }

}

extension Adapter {
    /// Ends the link of a central, removes its device and tells the clients whose values nobody receives any more.
    func disconnect(_ central: CentralLink) {
        world.tree.change(
            central.path, Device.interface, [("Connected", .boolean(false)), ("ServicesResolved", .boolean(false))])
        world.tree.remove(central.path)
        for characteristic in local.remove(central) {
            world.tree.tell(characteristic.client, characteristic.path, RemoteCharacteristic.interface, "StopNotify")
        }
    }

    /// Ends the links of all centrals.
    func disconnectCentrals() {
        for link in local.links { disconnect(link) }
    }

    /// Tells the clients that nothing is advertised any more.
    func releaseAdvertisements() {
        for (registration, _) in local.advertisements {
            world.tree.tell(registration.client, registration.path, "org.bluez.LEAdvertisement1", "Release")
        }
    }
}

/// A characteristic that a client serves.
struct ServedCharacteristic: Hashable {
    let client: String
    let path: ObjectPath
}

/// The link of a central to the adapter.
final class CentralLink {
    let address: BluetoothAddress
    /// The device object of the central.
    let path: ObjectPath
    /// The ATT MTU in octets.
    let transferUnit: Int
    private var values: [ServedCharacteristic: AsyncStream<[UInt8]>.Continuation] = [:]

    init(address: BluetoothAddress, path: ObjectPath, transferUnit: Int) {
        self.address = address
        self.path = path
        self.transferUnit = transferUnit
    }

    var subscriptions: [ServedCharacteristic] { Array(values.keys) }

    func subscribe(to characteristic: ServedCharacteristic, _ continuation: AsyncStream<[UInt8]>.Continuation) {
        values.updateValue(continuation, forKey: characteristic)?.finish()
    }

    /// Ends a subscription; returns whether there was one.
    func unsubscribe(from characteristic: ServedCharacteristic) -> Bool {
        let continuation = values.removeValue(forKey: characteristic)
        continuation?.finish()
        return continuation != nil
    }

    /// Takes a value; more octets than a packet holds are cut off.
    func receive(_ octets: [UInt8], from characteristic: ServedCharacteristic) {
        values[characteristic]?.yield(Array(octets.prefix(transferUnit - 3)))
    }

    func end(_ paths: [ObjectPath], where isConcerned: (String) -> Bool) {
        for characteristic in subscriptions
        where paths.contains(characteristic.path) && isConcerned(characteristic.client) {
            _ = unsubscribe(from: characteristic)
        }
    }

    func endAll() {
        for characteristic in subscriptions { _ = unsubscribe(from: characteristic) }
    }
}
