import BlueZ
import EventLoops
import KnownSensors
import VitalDecoders
import Vitals
import Waves

/// Keeps the wanted sensors connected, and reports everything that happens as one stream of events for many readers.
///
/// It runs on BlueZ's event loop, so a notification becomes a reading without a hop; a reader on the same loop costs no
/// system call. The user's wishes are stored here by address (quirk peripherals-vanish), so they outlive links, adapters,
/// bluetoothd and the bus.
///
/// ```swift
/// let supervisor = SensorSupervisor(bluez: bluez, policy: .everyVitalSensor)
/// let events = await supervisor.events()
/// await supervisor.start()
/// await supervisor.setScanning(true)
/// for await event in events { … }
/// ```
public actor SensorSupervisor {
    /// The loop that runs this actor.
    public nonisolated let loop: EventLoop

    /// Runs this actor on its loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let central: any Central
    let policy: ConnectPolicy
    let chance: @Sendable () -> Double
    let radioSwitch: RadioSwitch
    let adapterGrace: Duration
    let broadcast = Broadcast<MonitorEvent> { $0.supersessionKey }
    let notices = Broadcast<String>()
    let linkChanges = Broadcast<[OwnedLink]>()
    let waves = Broadcast<WaveUpdate>()
    let runningWaveChanges = Broadcast<[RunningWave]>()
    let fetched = Broadcast<SensorNight>()

    var sessions: [BluetoothAddress: SensorSession] = [:]
    var queues = ConnectQueues()
    var radio = RadioState()
    /// The user's choices about sensors.
    var memory = SensorMemory()
    /// The sensors that the policy wants, and those for which it has no place.
    var places = PolicyPlaces()
    var links = LinkRecords()
    /// The identifier of the user's transmitter; `nil` for none.
    var transmitter: String?
    /// The kinds of waves that somebody looks at or records.
    var wantedWaves: Set<WaveKind> = []
    /// The waves that may run on sensors, also on those without a link.
    var runningWaves: [BluetoothAddress: Set<WaveKind>] = [:]
    /// The user's calibrations of glucose sensors.
    var calibrations: [DatedCalibration] = []
    /// Whether a transmitter may use a new sensor.
    var newSensors = NewSensorPolicy.ask
    /// The greatest sequence number of each sensor's recorded measurements.
    var knownSequences: [BluetoothAddress: Int] = [:]
    /// The names of the nights that are stored of each sensor.
    var knownNights: [BluetoothAddress: Set<String>] = [:]
    /// Whether new nights are fetched unasked.
    var nightPolicy = NightPolicy.never
    /// The values that each sensor has transferred, on this link and earlier ones.
    var handedOver: [BluetoothAddress: HandedOverEntries] = [:]
    /// Sends CORE sensors the heart rate; `nil` unless the user wants that.
    var forwarder: HeartRateForwarder?
    var discovery = DiscoveryWish()
    /// The inspected sensor; `nil` for none.
    var inspection: Inspection?
    /// What is traced.
    var trace = SensorTrace()
    var nearbyTimer: LoopTimer?
    var silentDiscovery = SilentDiscovery()
    var hearingTimer: LoopTimer?
    private var clockWatch: ClockWatch?
    private var radioSwitchWatch: RadioSwitchWatch?
    private(set) var isStarted = false
    var delivery: BroadcastDelivery?
    var backlog = BacklogKeeper()
    /// When something came from BlueZ last.
    var lastHeard: Moment?
    /// The silence of bluetoothd after which it is asked for an answer; `nil` for never.
    var answerQuiet: Duration?
    /// Since when bus or bluetoothd do not answer.
    var silentSince: Moment?
    var isShuttingDown = false

    /// Creates a supervisor that does nothing before ``start()``.
    ///
    /// - Parameters:
    ///   - bluez: The client of BlueZ, whose loop is used; the caller starts and stops it.
    ///   - policy: Which sensors to connect to without a request.
    public init(bluez: BluetoothCentral, policy: ConnectPolicy = .none) {
        self.init(central: bluez, policy: policy)
    }

    init(
        central: any Central, policy: ConnectPolicy, radioSwitch: RadioSwitch = RadioSwitch(),
        adapterGrace: Duration = SensorSupervisor.adapterGrace,
        chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.central = central
        loop = central.loop
        self.policy = policy
        self.radioSwitch = radioSwitch
        self.adapterGrace = adapterGrace
        self.chance = chance
    }

    // MARK: Events

    /// Every event from now on, for one reader.
    ///
    /// It begins with the present state as events, so a late reader misses nothing but readings. No event is dropped,
    /// except that of several unread signal strengths of one peripheral only the newest stays. The sequence ends with
    /// ``shutDown()``.
    public func events() -> BroadcastSequence<MonitorEvent> {
        let now = Moment.now()
        return broadcast.subscribe(startingWith: standing().map { MonitorEvent(moment: now, kind: $0) })
    }

    /// Sentences for users about wishes that could not be fulfilled, from now on.
    ///
    /// The sequence ends with ``shutDown()``.
    public func warnings() -> BroadcastSequence<String> { notices.subscribe() }

    private func standing() -> [MonitorEvent.Kind] {
        var kinds = radio.standing + memory.sensors.map { .remembered($0) }
        if places.areSensorsLeftOut { kinds.append(.sensorsLeftOut(true)) }
        for session in sessions.values.sorted(by: { $0.address < $1.address }) {
            if session.signal.isNearby { kinds.append(session.nearby(at: .now())) }
            if let state = session.machine.reported { kinds.append(.connection(session.identity, state)) }
            if let pairing = session.pairing.reported { kinds.append(.pairing(session.identity, pairing)) }
            if let status = session.link.transmitter { kinds.append(.transmitter(session.identity, status)) }
            if let nights = session.nights.report { kinds.append(.nights(session.identity, nights)) }
            if let percent = session.link.batteryPercent { kinds.append(.battery(session.identity, percent: percent)) }
        }
        return kinds
    }

    /// The maker's details of a sensor, once read; `nil` for an unknown sensor.
    public func details(of address: String) -> SensorDetails? {
        BluetoothAddress(address).flatMap { sessions[$0]?.maker.details }
    }

    func report(_ kind: MonitorEvent.Kind, at moment: Moment) {
        broadcast.send(MonitorEvent(moment: moment, kind: kind))
    }

    // MARK: Commands

    /// Begins to watch the bus and the computer; sensors and an existing bus are reported only after ``start()``.
    public func prepare() async {
        watchComputer()
        delivery = await central.events().deliver(to: self, on: loop) { supervisor, event in
            if case .bus(let bus) = event.kind, bus != .connected { supervisor.handle(event) }
        }
    }

    /// Begins to follow BlueZ and to connect to the policy's sensors; connected sensors are adopted.
    public func start() {
        guard !isStarted else { return }
        isStarted = true
        watchComputer()
        Task(executorPreference: loop) { await self.followEvents() }
    }

    private func watchComputer() {
        if clockWatch != nil { return }
        clockWatch = ClockWatch(on: loop) { [weak self] jump in
            self?.assumeIsolated { $0.clockJumped(jump, at: .now()) }
        }
        loop.watchStalls(shortest: Self.shortestStall) { [weak self] nanoseconds in
            self?.assumeIsolated { $0.stalled(nanoseconds: nanoseconds, at: .now()) }
        }
        radioSwitchWatch = RadioSwitchWatch(radioSwitch, on: loop) { [weak self] in
            // At first it reports every switch, and no adapter is known yet.
            self?.assumeIsolated { if $0.radio.isAdapterReported { $0.reportAdapter(at: .now()) } }
        }
    }

    /// Begins to follow BlueZ from its present state, or begins again.
    func followEvents() async {
        delivery = await central.events().deliver(to: self, on: loop) { $0.handle($1) }
    }

    /// Connects to a sensor, and reconnects whenever the link is lost, until ``disconnect(_:)``.
    ///
    /// A sensor that BlueZ does not know is searched for. Text that is no Bluetooth address is ignored.
    public func connect(_ address: String) {
        guard !isShuttingDown, let address = BluetoothAddress(address) else { return }
        let (session, now) = (session(for: address), Moment.now())
        recordWish(true, about: session, at: now)
        reportPlaces(places.remove(address), at: now)
        queues.prefer(address)
        send(.wanted, to: session, at: now)
    }

    /// Disconnects a sensor; it stays disconnected until the user calls ``connect(_:)``.
    public func disconnect(_ address: String) {
        guard let session = BluetoothAddress(address).flatMap({ sessions[$0] }) else { return }
        let now = Moment.now()
        recordWish(false, about: session, at: now)
        reportPlaces(places.remove(session.address), at: now)
        reportRunningWaves(withoutLinkTo: session)
        send(.unwanted, to: session, at: now)
    }

    /// Disconnects a sensor, forgets the user's choices about it, and removes it from BlueZ with its pairing and cached
    /// services.
    public func forget(_ address: String) async {
        guard let address = BluetoothAddress(address) else { return }
        let now = Moment.now()
        // Read before the session may be dropped with its memory.
        let adapter = sessions[address]?.adapter
        if let session = sessions[address] {
            reportRunningWaves(withoutLinkTo: session)
            send(.unwanted, to: session, at: now)
        }
        dropMemory(of: address, at: now)
        await sessions[address]?.disconnecting?.value
        recordRunningWaves([], on: address)
        // An error needs no action: BlueZ has forgotten it already, or does not run.
        try? await central.removeDevice(address, on: adapter, timeout: .seconds(15))
    }

    /// Scans for peripherals continuously, or only while a wanted sensor must be found.
    ///
    /// The scan pauses while a connection is made.
    public func setScanning(_ isScanning: Bool) {
        discovery.ask(isScanning)
        updateDiscovery()
    }

    /// Ends this program's links, but not those of others, the scan and every reader's sequence.
    ///
    /// Quirk links-outlive-programs: without this no other program could connect to the sensors.
    ///
    /// Returns when BlueZ has answered, after some 2 s with connections, and after 6 s at the latest.
    public func shutDown() async {
        guard !isShuttingDown else { return }
        isShuttingDown = true
        discovery.ask(false)
        for session in Array(sessions.values) { endBurst(of: session) }
        endBacklog()
        let now = Moment.now()
        // Includes waiting sensors, which would otherwise connect while the others disconnect.
        for session in sessions.values {
            let machine = session.machine
            if machine.isWanted { reportRunningWaves(withoutLinkTo: session) }
            if machine.ownsLink || (machine.isWanted && !machine.isLinked) { send(.unwanted, to: session, at: now) }
        }
        updateDiscovery()
        for session in Array(sessions.values) { await session.disconnecting?.value }
        // On a link that another program has made, too.
        for session in Array(sessions.values) {
            await session.waveWork?.value
            await bidFarewell(to: session)
        }
        await settleDiscovery()
        for session in Array(sessions.values) {
            cancelTimer(of: session)
            endBurst(of: session)
        }
        for timer in [nearbyTimer, hearingTimer] { if let timer { loop.cancel(timer) } }
        clockWatch?.stop()
        loop.watchStalls(shortest: .zero) { _ in }
        radioSwitchWatch?.stop()
        delivery = nil
        endTrace()
        broadcast.finish()
        notices.finish()
        linkChanges.finish()
        runningWaveChanges.finish()
        waves.finish()
        fetched.finish()
    }
}

extension SensorSupervisor {
    /// Carries out a wish about sensors and the radio.
    public func carryOut(_ wish: SensorWish) async {
        switch wish {
        case .connect(let address): connect(address)
        case .disconnect(let address): disconnect(address)
        case .rename(let address, let label): rename(address, to: label)
        case .forget(let address): await forget(address)
        case .inspect(let address): inspect(address)
        case .explore(let address, let number, let exploration):
            await explore(address, characteristic: number, exploration)
        case .trace(let scope, let seconds): await trace(scope, seconds: seconds)
        case .setInterval(let address, let seconds): await setInterval(of: address, to: seconds)
        case .assign(let address, let vitals): assign(vitals, to: address)
        case .useAdapter(let identifier): await useAdapter(identifier)
        case .pair(let address): pair(address)
        case .answerPairing(let address, let reply): answerPairing(address, reply)
        case .answerNewSensor(let address, let isAccepted): answerNewSensor(address, isAccepted: isAccepted)
        case .fetchNights(let address): fetchNights(of: address)
        case .cancelPairing(let address): await cancelPairing(address)
        case .setScanning(let isWanted): setScanning(isWanted)
        case .setPowered(let isPowered): await setPowered(isPowered)
        }
    }
}

// The sessions of peripherals; the number of strangers with changing addresses is unlimited.
extension SensorSupervisor {
    /// The most sessions; far fewer sensors are wanted or remembered.
    static let sessionLimit = 1024

    /// The session of a peripheral, created if needed.
    func session(for address: BluetoothAddress) -> SensorSession {
        if let session = sessions[address] { return session }
        if sessions.count >= Self.sessionLimit { dropLeastMissed() }
        let session = SensorSession(address: address)
        session.memory = memory[address]
        sessions[address] = session
        if let trouble = radio.trouble { send(.radioLost(trouble), to: session, at: .now()) }
        return session
    }

    /// Drops the state of an unwanted peripheral.
    func dropIfForgettable(_ session: SensorSession) {
        if isForgettable(session) { drop(session) }
    }

    private func isForgettable(_ session: SensorSession) -> Bool {
        let machine = session.machine
        return !machine.isWanted && !machine.isRefusedByUser && machine.phase == .idle && !session.pairing.isUnderWay
    }

    private func drop(_ session: SensorSession) {
        cancelTimer(of: session)
        sessions[session.address] = nil
        reportPlaces(places.remove(session.address), at: .now())
    }

    /// Drops the session of the unknown sensor that was not heard for the longest time; unsupported ones first.
    private func dropLeastMissed() {
        let strangers = sessions.values.lazy.filter { $0.memory == nil && self.isForgettable($0) }
        guard let least = strangers.min(by: { $0.isMissedLess(than: $1) }) else { return }
        forgetNearby(least, at: .now())
        drop(least)
    }
}

extension SensorSession {
    fileprivate func isMissedLess(than other: SensorSession) -> Bool {
        let (isRead, isOtherRead) = (
            SupportedSensors.isRead(identity.kind), SupportedSensors.isRead(other.identity.kind)
        )
        if isRead != isOtherRead { return isOtherRead }
        switch (signal.lastHeard, other.signal.lastHeard) {
        case (nil, nil): return address < other.address
        case (nil, _): return true
        case (_, nil): return false
        case (let mine?, let others?): return mine < others
        }
    }
}
