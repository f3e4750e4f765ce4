import DBus
import EventLoops
import Synchronization

/// The Bluetooth daemon of Linux, `org.bluez`, with its adapters, peripherals and their characteristics.
///
/// It keeps one connection to the message bus (quirk values-for-every-client), recovers when the bus or the daemon
/// stops and returns, and reports everything that happens as ``BlueZEvent``s. It runs on an event loop's thread,
/// together with its connection, so that a notification reaches a reader on the same thread without a hop.
///
/// ```swift
/// let central = BluetoothCentral()
/// await central.start()
/// for await event in await central.events() {
///     print(event.kind)
/// }
/// ```
public actor BluetoothCentral {
    /// The loop that runs this actor.
    public nonisolated let loop: EventLoop

    /// Runs this actor on its loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// The thread of the loop, if it was created for this object alone.
    private let thread: LoopThread?
    let busAddress: BusAddress
    let mark: String?
    let knownMark: Mutex<Bool?>
    let broadcast = Broadcast<BlueZEvent>(supersessionKey: { $0.supersessionKey })

    var isStarted = false
    var bus = BusWatch()
    var busTimer: LoopTimer?
    var daemon = DaemonWatch()
    var daemonTimer: LoopTimer?
    var answers = AnswerWatch()
    var answerTimer: LoopTimer?
    /// How long nothing must have come before bus and daemon are asked; `nil` for no watch.
    var answerQuiet: Duration?
    var countedGaps = 0

    // The daemon's objects.
    var tree = ObjectTree()
    var notifySessions = NotifySessions()
    var notificationReaders = NotificationReaders()
    var acquiredSockets = AcquiredSockets()
    /// The advertisement monitors that the daemon knows, by number, and the number of the last one.
    var advertisementMonitors: [UInt64: AdvertisementMonitorObject] = [:]
    var lastMonitorNumber: UInt64 = 0
    let discoveries: WantedDiscoveries
    var searches = PeripheralSearches()
    var waiters = EventWaiters()
    /// The pairing in progress.
    var pairing: PairingSession?
    /// The servers that have been started, by the paths above their objects.
    var servers: [ObjectPath: ServedApplication] = [:]
    var serverCount = 0

    let stateBroadcast = Broadcast<BluetoothState>()
    /// The state that the readers know.
    var reportedState: BluetoothState?
    /// What the kernel knows; `nil` for another bus than the computer's, whose adapters may be simulated.
    var kernel: KernelBluetooth?
    var radioSwitchWatch: RadioSwitchWatch?

    let warningBroadcast = Broadcast<InputWarning>()
    let operationBroadcast = Broadcast<PeripheralOperation>()

    /// Creates a client that does nothing before ``start()``.
    ///
    /// - Parameters:
    ///   - loop: The loop to run on; it must be running, or be started soon.
    ///   - bus: The bus of the daemon.
    ///   - mark: A well-known name that only buses of another kind have, such as a simulator's; `nil` for none.
    ///   - isMarked: Whether the bus must have the mark; `nil` to accept the kind of the first one reached.
    public init(loop: EventLoop, bus: BusAddress = .system, mark: String? = nil, isMarked: Bool? = nil) {
        thread = nil
        self.loop = loop
        discoveries = WantedDiscoveries(on: loop)
        busAddress = bus
        kernel = bus.isUsualSystemBus ? KernelBluetooth() : nil
        self.mark = mark
        knownMark = Mutex(isMarked)
    }

    /// Creates a client with a separate thread, which does nothing before ``start()``.
    ///
    /// - Parameter bus: The bus of the daemon.
    public init(bus: BusAddress = .system) {
        let thread = LoopThread(named: "bluetooth")
        self.thread = thread
        loop = thread.loop
        discoveries = WantedDiscoveries(on: loop)
        busAddress = bus
        kernel = bus.isUsualSystemBus ? KernelBluetooth() : nil
        mark = nil
        knownMark = Mutex(nil)
    }

    // MARK: Events

    /// Every event from now on, for one reader.
    ///
    /// It begins with the present state as if it had just come, so a late reader misses nothing. No event is dropped,
    /// except that of several unread advertisements of one peripheral only the newest stays. The sequence ends with
    /// ``stop()``.
    public func events() -> BroadcastSequence<BlueZEvent> {
        let now = Timestamp.now()
        var kinds: [BlueZEvent.Kind] = []
        if let state = bus.state { kinds.append(.bus(state)) }
        if let state = daemon.state { kinds.append(.daemon(state)) }
        kinds += tree.announcements()
        return broadcast.subscribe(startingWith: kinds.map { BlueZEvent(timestamp: now, kind: $0) })
    }

    /// The connection to the bus, while there is one.
    var connection: DBusConnection? { bus.connection }

    func emit(_ kind: BlueZEvent.Kind, at timestamp: Timestamp) {
        broadcast.send(BlueZEvent(timestamp: timestamp, kind: kind))
        if !notificationReaders.isEmpty { stopNotify(notificationReaders.handle(kind, at: timestamp)) }
        if !acquiredSockets.isEmpty { endSockets(after: kind) }
        if !advertisementMonitors.isEmpty { endMonitors(after: kind) }
        if !waiters.isEmpty { waiters.report(kind) }
        switch kind {
        case .bus, .daemon, .adapter: reportState()
        default: break
        }
    }

    /// Whether the bus has the mark; the same for the whole life of this object.
    ///
    /// Known when ``BlueZEvent/Kind/bus(_:)`` reports the connection; `nil` before.
    public nonisolated var isMarked: Bool? { knownMark.withLock { $0 } }

    // MARK: What is there

    /// The adapters, in the order of their names.
    public var adapters: [Adapter] { tree.sortedAdapters }

    /// The peripherals in the daemon's list, in the order of their paths.
    public var peripherals: [Peripheral] { tree.sortedPeripherals }

    /// A peripheral of the daemon's list; if several adapters know it, the connected one.
    public func peripheral(_ address: BluetoothAddress) -> Peripheral? {
        tree.peripheral(address)
    }

    /// The services of a peripheral with their characteristics, in the order of their handles.
    ///
    /// They stay for some 30 s after a disconnection; empty when they are not known.
    public func services(of address: BluetoothAddress, on adapter: ObjectPath? = nil) -> [Service] {
        tree.peripheral(address, on: adapter).map { tree.services(below: $0.path) } ?? []
    }

    /// The first characteristic of a kind that a peripheral has.
    ///
    /// - Parameters:
    ///   - uuid: Its type.
    ///   - service: The service that it must belong to; `nil` for any.
    ///   - address: The peripheral.
    public func characteristic(
        _ uuid: BluetoothUUID, service: BluetoothUUID? = nil, of address: BluetoothAddress
    ) -> Characteristic? {
        services(of: address).lazy
            .filter { service == nil || $0.uuid == service }
            .flatMap(\.characteristics)
            .first { $0.uuid == uuid }
    }
}

// Invalid input from the bus.
extension BluetoothCentral {
    /// All input that was ignored until now.
    public var ignored: IgnoredInput { tree.log.ignored }

    /// The first ignored input of each kind since the start, for one reader.
    ///
    /// The sequence ends with ``stop()``.
    public func warnings() -> BroadcastSequence<InputWarning> {
        warningBroadcast.subscribe(startingWith: tree.log.warnings)
    }

    /// Ignores input of the daemon.
    func ignore(_ kind: InputWarning.Kind, _ place: String?) {
        tree.log.record(kind, place)
        reportWarnings()
    }

    /// Counts an ignored message of another program.
    func ignoreForeign(_ place: String?) {
        tree.log.recordForeign(place, isDaemonKnown: daemon.owner != nil)
        reportWarnings()
    }

    func reportWarnings() {
        for warning in tree.log.takeUnreported() { warningBroadcast.send(warning) }
    }
}

extension Characteristic {
    /// The smallest possible ATT MTU (Core Specification, Vol 3 Part F, 3.2.8), in octets.
    public static let leastTransferUnit = 23
    /// The greatest length of a value (Core Specification, Vol 3 Part F, 3.2.9), in octets.
    public static let greatestValueLength = 512

    /// The longest value that one write can carry, in octets.
    ///
    /// With a response the daemon splits a value that is longer than one packet. Without one everything must fit into
    /// one packet.
    ///
    /// - Parameters:
    ///   - mode: The kind of write.
    ///   - transferUnit: The ATT MTU in octets; by default the one reported with the characteristic.
    public func greatestWriteLength(_ mode: WriteMode, transferUnit: Int? = nil) -> Int {
        guard mode == .withoutResponse else { return Self.greatestValueLength }
        return Self.greatestLengthWithoutResponse(transferUnit: transferUnit ?? mtu ?? 0)
    }

    /// The longest value that fits into one packet, in octets.
    static func greatestLengthWithoutResponse(transferUnit: Int) -> Int {
        // Less the octets of the opcode and the handle.
        min(greatestValueLength, max(leastTransferUnit, transferUnit) - 3)
    }
}

extension BluetoothCentral {
    /// The present ATT MTU of a characteristic's link, in octets.
    ///
    /// Quirk mtu-without-signal: the daemon does not report changes, so ``Characteristic/mtu`` can be that of a former
    /// link.
    ///
    /// - Throws: ``BlueZError``: `notConnected` without a link, `notSupported` where the daemon does not report it.
    public func transferUnit(
        of characteristic: CharacteristicReference, timeout: Duration = .seconds(10)
    ) async throws(BlueZError) -> Int {
        let path = try object(of: characteristic)
        guard tree.peripheral(characteristic.peripheral)?.isConnected == true else { throw BlueZError(.notConnected) }
        let value: DBusValue
        do throws(BlueZError) {
            value = try await property("MTU", of: path, Name.characteristic, timeout: timeout)
        } catch {
            // Before BlueZ 5.62 the daemon has no such property.
            throw error.kind == .invalidArguments
                ? BlueZError(.notSupported, name: error.name, text: error.text) : error
        }
        guard let octets = value.integer, (Characteristic.leastTransferUnit...0xFFFF).contains(octets)
        else { throw BlueZError(.unexpectedAnswer) }
        tree.characteristics[path]?.mtu = octets
        return octets
    }
}

extension BluetoothCentral {
    /// Subscribes to a characteristic; one reader receives its values.
    ///
    /// Nothing is lost between this call and the first iteration, and unread values are not dropped. Several
    /// readers of one characteristic share its notify session.
    ///
    /// ```swift
    /// for try await value in try await bluez.notifications(of: measurement.reference) {
    ///     print(value.octets)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - characteristic: Which one; its peripheral must be connected.
    ///   - timeout: The limit for the subscription.
    /// - Returns: The values; the iteration throws ``NotificationsEndedError`` when the link, the characteristic, the daemon
    ///   or the bus is lost.
    /// - Throws: ``BlueZError``, as ``startNotify(_:timeout:)``, and `notConnected` without a link.
    public func notifications(
        of characteristic: CharacteristicReference, timeout: Duration = .seconds(35)
    ) async throws(BlueZError) -> NotificationSequence {
        _ = try object(of: characteristic)
        guard tree.peripheral(characteristic.peripheral)?.isConnected == true else { throw BlueZError(.notConnected) }
        let (values, serial) = notificationReaders.join(
            characteristic, hasSession: notifySessions.hasSession(at: characteristic.path.description))
        let sequence = NotificationSequence(
            elements: values,
            lease: NotificationLease { [weak self] in
                guard let self else { return }
                Task(executorPreference: self.loop) { await self.leave(characteristic, serial) }
            })
        // A failure releases the sequence with its state.
        try await beginSession(of: characteristic, timeout: timeout)
        return sequence
    }

    private func leave(_ characteristic: CharacteristicReference, _ serial: UInt64) {
        if notificationReaders.leave(characteristic, serial: serial) { stopNotify([characteristic]) }
    }

    /// Ends unused notify sessions.
    func stopNotify(_ unneeded: [CharacteristicReference]) {
        for characteristic in unneeded
        where notifySessions.hasSession(at: characteristic.path.description) {
            // Nothing may be left to end, and no caller waits for it.
            Task(executorPreference: loop) { try? await self.stopNotify(characteristic) }
        }
    }
}

/// The client, daemon and bus of a session; their names are unique for the life of the bus.
public struct BusIdentity: Hashable, Sendable {
    /// The identifier of the bus, which it chooses at each start.
    public var bus: String
    /// The unique name of the daemon.
    public var daemon: String
    /// The unique name of this client.
    public var client: String

    public init(bus: String, daemon: String, client: String) {
        (self.bus, self.daemon, self.client) = (bus, daemon, client)
    }
}

extension BluetoothCentral {
    /// The names of this client, the daemon and the bus; `nil` without a daemon, or when the bus does not report them.
    public func identity() async -> BusIdentity? {
        guard let connection, let owner = daemon.owner else { return nil }
        if bus.identifier == nil {
            let identifier = try? await connection.busIdentifier()
            guard self.connection === connection, daemon.owner == owner else { return nil }
            bus.recordIdentifier(identifier)
        }
        return bus.identifier.map { BusIdentity(bus: $0, daemon: owner, client: connection.uniqueName) }
    }

    /// Whether a program is on the bus; `true` when unknown.
    ///
    /// - Parameter name: The program's unique name.
    public func isOnBus(_ name: String) async -> Bool {
        guard let connection else { return true }
        do throws(DBusConnectionError) {
            return try await connection.owner(of: name) != nil
        } catch {
            return true
        }
    }

    /// Returns when everything that the daemon and the bus sent before this call has been handled.
    ///
    /// Messages on a bus keep their order, so the answer to a call follows what its sender sent before. Without an
    /// answer, nothing is pending.
    ///
    /// - Parameter limit: How long to wait at most.
    public func handleBacklog(within limit: Duration) async {
        guard let connection else { return }
        restartAnswerWatch()
        await ping(daemon.owner ?? Name.bus, on: connection, timeout: limit)
    }
}
