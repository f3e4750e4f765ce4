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
    let discoveries: WantedDiscoveries
    var waiters = EventWaiters()
    /// The pairing in progress.
    var pairing: PairingSession?

    let warningBroadcast = Broadcast<InputWarning>()

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
        if !waiters.isEmpty { waiters.report(kind) }
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
