import Base
import DBus
import EventLoops

/// The objects of a ``DeviceServer`` on the bus: registers them with the daemon, and answers for them.
actor ServedApplication {
    nonisolated let central: BluetoothCentral
    /// Runs on the loop of BlueZ, so that no hop lies between the two.
    nonisolated var unownedExecutor: UnownedSerialExecutor { central.loop.asUnownedSerialExecutor() }

    /// The services that the declaration is recognised by.
    private let discovered: [BluetoothUUID]
    private var offers: [ServedOffer]
    /// What answers reads, what takes writes, and who is subscribed.
    var handlers: [CharacteristicKey: CharacteristicHandlers] = [:]
    /// The objects; `nil` while nothing is served.
    private(set) var attributes: ServedAttributes?
    private var advertisement: Advertisement?

    private var registration: ServingRegistration?
    /// The calls in progress that register.
    private var registering: Task<Void, Never>?
    private var retryTimer: LoopTimer?
    /// Reports what happens to bus, daemon and adapters.
    private var delivery: BroadcastDelivery?
    /// The path above all objects, once it is known.
    private var root: ObjectPath?
    /// The connection that the objects are exported on.
    private weak var exporting: DBusConnection?
    private var exportedPaths: [ObjectPath] = []
    private let states = Broadcast<ServingState>()
    private(set) var state = ServingState.stopped

    var longReads = LongReads()
    /// How many reads wait for their answer.
    var pendingReads = 0

    init(central: BluetoothCentral, entries: [DeclaredEntry], discovered: Set<BluetoothUUID>) {
        self.central = central
        self.discovered = discovered.sorted()
        offers = entries.map { ServedOffer($0) }
        for entry in entries { handlers[entry.key] = CharacteristicHandlers() }
    }

    deinit {
        states.finish()
        for handlers in handlers.values { handlers.finish() }
    }

    func stateSequence() -> BroadcastSequence<ServingState> {
        states.subscribe(startingWith: [state])
    }

    // MARK: What is served

    /// Changes how a characteristic is offered; while it is served nothing can be added.
    ///
    /// - Parameters:
    ///   - key: The characteristic.
    ///   - served: The flags of which a served characteristic must have one.
    ///   - change: The change before the start.
    func offer(
        _ key: CharacteristicKey, served: CharacteristicFlags, _ change: (inout ServedOffer) -> Void
    ) throws(ServingError) {
        if let attributes {
            guard attributes.characteristics[key]?.flags.isDisjoint(with: served) == false else {
                throw .notServed(key.uuid)
            }
        } else {
            change(&offers[try index(of: key)])
        }
    }

    /// The place of a characteristic in the declaration, which a computed service does not have.
    private func index(of key: CharacteristicKey) throws(ServingError) -> Int {
        guard let index = offers.firstIndex(where: { $0.entry.key == key }) else { throw .notServed(key.uuid) }
        return index
    }

    func add(
        _ descriptor: BluetoothUUID, _ octets: [UInt8], to key: CharacteristicKey
    ) throws(ServingError) {
        guard octets.count <= Characteristic.greatestValueLength else { throw .valueTooLong(octets: octets.count) }
        guard attributes == nil else { throw .alreadyStarted }
        try offers[try index(of: key)].add(descriptor, octets)
    }

    func setFlags(_ flags: CharacteristicFlags, of key: CharacteristicKey) throws(ServingError) {
        guard attributes == nil else { throw .alreadyStarted }
        try offer(key, served: []) { $0.statedFlags = flags }
    }

    func set(_ source: CharacteristicHandlers.Source, of key: CharacteristicKey) throws(ServingError) {
        if case .octets(let octets) = source, octets.count > Characteristic.greatestValueLength {
            throw .valueTooLong(octets: octets.count)
        }
        try offer(key, served: .read) { $0.hasValue = true }
        handlers[key]?.source = source
    }

    func receiveWrites(
        of key: CharacteristicKey, _ take: @escaping CharacteristicHandlers.WriteTaker,
        finishing finish: @escaping @Sendable () -> Void
    ) throws(ServingError) {
        try offer(key, served: ServedOffer.writing) { $0.takesWrites = true }
        handlers[key]?.beginWrites(take, finishing: finish)
    }

    // MARK: Starting and stopping

    func start(_ advertisement: Advertisement?, on adapter: ObjectPath?) async throws(ServingError) {
        guard attributes == nil else { throw .alreadyStarted }
        try advertisement?.check()
        let root: ObjectPath
        if let known = self.root { root = known } else { root = await central.newServerPath() }
        guard attributes == nil else { throw .alreadyStarted }
        self.root = root
        attributes = try ServedAttributes(offers, below: Self.applicationPath(below: root))
        self.advertisement = advertisement
        registration = ServingRegistration(on: adapter, isAdvertising: advertisement != nil)
        await central.keep(self, at: root)
        delivery = await central.events().deliver(to: self, on: central.loop) { $0.handle($1) }
        follow()
    }

    func stop() async {
        guard let root, registration?.isEnded == false else { return }
        endRegistering()
        // Its answer decides what is registered.
        await registering?.value
        if let adapter = registration?.servicesAdapter {
            // The daemon may have gone, and with it what was registered.
            _ = try? await central.call(
                adapter, Name.advertisingManager, "UnregisterAdvertisement",
                [.objectPath(Self.advertisementPath(below: root))], timeout: Self.callLimit)
            _ = try? await central.call(
                adapter, Name.gattManager, "UnregisterApplication",
                [.objectPath(Self.applicationPath(below: root))], timeout: Self.callLimit)
        }
        await unexport(below: root)
        await central.release(root)
        finish()
    }

    /// Ends without a word to the daemon, which notices the end of the connection.
    func forget() {
        endRegistering()
        exportedPaths = []
        finish()
    }

    private func endRegistering() {
        delivery = nil
        registration?.end()
        if let retryTimer { central.loop.cancel(retryTimer) }
        retryTimer = nil
    }

    private func finish() {
        registration = nil
        attributes = nil
        endSubscriptions()
        for key in handlers.keys { handlers[key]?.endWrites() }
        for index in offers.indices { offers[index].takesWrites = false }
        change(to: .stopped)
    }

    private func change(to state: ServingState) {
        guard state != self.state else { return }
        self.state = state
        states.send(state)
    }

    private func endSubscriptions() {
        longReads.endAll()
        for key in handlers.keys { handlers[key]?.change(isSubscribed: false) }
    }

    // MARK: Registering

    /// How long the daemon may take for a registration, in which it asks for all objects.
    private static let callLimit = Duration.seconds(10)

    private func handle(_ event: BlueZEvent) {
        if case .disconnected(let peripheral) = event.kind { longReads.end(peripheral.path) }
        switch registration?.handle(event.kind) {
        case .nothing, nil: return
        case .changed: break
        case .lost: endSubscriptions()
        }
        follow()
    }

    /// Reports the state, and takes the next step if one is due.
    private func follow() {
        guard let registration else { return }
        change(to: registration.state)
        guard registering == nil, registration.nextStep != nil else { return }
        registering = Task(executorPreference: central.loop) { await self.register() }
    }

    private func register() async {
        defer { registering = nil }
        while let registration, let step = registration.nextStep, let root {
            let epoch = registration.epoch
            do throws(BlueZError) {
                try await export(below: root)
                switch step {
                case .services(let adapter):
                    try await register(
                        Self.applicationPath(below: root), on: adapter, Name.gattManager, "Application")
                case .advertisement(let adapter):
                    try await register(
                        Self.advertisementPath(below: root), on: adapter, Name.advertisingManager, "Advertisement")
                }
                self.registration?.succeeded(step, in: epoch)
            } catch {
                scheduleRetry(after: self.registration?.failed(error, in: epoch))
            }
            if let state = self.registration?.state { change(to: state) }
        }
    }

    /// Registers an object; one that the daemon still has is registered anew.
    private func register(
        _ object: ObjectPath, on adapter: ObjectPath, _ interface: String, _ what: String
    ) async throws(BlueZError) {
        let arguments: [DBusValue] = [.objectPath(object), .properties([])]
        do throws(BlueZError) {
            try await central.call(adapter, interface, "Register\(what)", arguments, timeout: Self.callLimit)
        } catch {
            guard error.kind == .alreadyExists else { throw error }
            try await central.call(
                adapter, interface, "Unregister\(what)", [.objectPath(object)], timeout: Self.callLimit)
            try await central.call(adapter, interface, "Register\(what)", arguments, timeout: Self.callLimit)
        }
    }

    private func scheduleRetry(after delay: Duration?) {
        guard let delay, let epoch = registration?.epoch else { return }
        if let retryTimer { central.loop.cancel(retryTimer) }
        retryTimer = central.loop.schedule(after: delay) { [weak self] in
            self?.assumeIsolated { application in
                application.retryTimer = nil
                application.registration?.retryIsDue(in: epoch)
                application.follow()
            }
        }
    }

    /// Handles that the daemon no longer advertises.
    func advertisementReleased() {
        scheduleRetry(after: registration?.released())
        follow()
    }

    // MARK: The objects

    private static func applicationPath(below root: ObjectPath) -> ObjectPath { root.child("application") }
    /// Not below the application, which the daemon takes all objects of.
    private static func advertisementPath(below root: ObjectPath) -> ObjectPath { root.child("advertisement") }

    /// Exports the objects, unless they are on the present connection already.
    private func export(below root: ObjectPath) async throws(BlueZError) {
        guard let connection = await central.connection, let attributes else { throw BlueZError(.busLost) }
        if exporting === connection { return }
        var objects = attributes.objects.map { object in
            (
                path: object.path,
                interface: ExportedInterface(
                    object.interface, properties: object.properties, methods: methods(of: object))
            )
        }
        if let advertisement {
            let services = discovered.isEmpty ? attributes.services : discovered
            let interface = ExportedInterface(
                Name.advertisement, properties: advertisement.properties(services: services), methods: [releaseMethod])
            objects.append((Self.advertisementPath(below: root), interface))
        }
        do throws(DBusConnectionError) {
            for object in objects { try await connection.export(object.path, [object.interface]) }
        } catch {
            throw BlueZError(classifying: error)
        }
        // Last, so that nothing is announced.
        await connection.exportObjectManager(at: Self.applicationPath(below: root))
        exporting = connection
        exportedPaths = objects.map { $0.path }
    }

    private func unexport(below root: ObjectPath) async {
        let paths = exportedPaths
        exportedPaths = []
        guard let connection = exporting else { return }
        exporting = nil
        await connection.unexportObjectManager(at: Self.applicationPath(below: root))
        // Where the connection is lost, nothing is exported.
        for path in paths { try? await connection.unexport(path) }
    }
}
