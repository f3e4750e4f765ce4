import DBus
import EventLoops

/// A simulated bluetoothd: it owns `org.bluez` on a private bus and plays a scenario's sensors.
///
/// The article <doc:BlueZSimulator> lists what it imitates; all of it was observed on BlueZ 5.66. The bus can be
/// reached only by the address that ``start()`` returns.
///
/// Threading: an actor on its own loop; the loop must be running when ``start()`` is called, and its thread must live
/// as long as the simulator, because the kernel ends the private bus with that thread.
public actor Simulator {
    /// The loop that runs this actor.
    public nonisolated let loop: EventLoop

    /// Runs this actor on its loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// The semantic version of the package that this is part of.
    public static let version = "0.1.0"

    /// The path of the object that controls the simulator.
    public static let controlPath = ObjectPath.root.child("bedside").child("simulator")
    /// The interface of ``controlPath``; its method `Do(s) → s` takes a line of the command language.
    public static let controlInterface = "io.bedside.Simulator1"
    /// The name on the bus that offers ``controlPath``; unlike `org.bluez` it survives a killed bluetoothd.
    public static let controlName = "io.bedside.Simulator"
    /// The parent of the temporary folder of each simulator's bus.
    public static var temporaryFolder: String { TemporaryDirectory.parent }

    let scenario: Scenario
    /// The thread of the loop, if it was created for this object alone.
    private let thread: LoopThread?
    private let timeScale: Double
    private(set) var bus: PrivateBus?
    var control: DBusConnection?
    private var socket: ControlSocket?
    private(set) var daemonConnection: DBusConnection?
    private(set) var stage: Stage?
    private var isStopped = false
    private var isStartingDaemon = false
    /// The start of the bus, while it lasts.
    private var startingBus: Task<Void, Never>?

    /// Creates a simulator that does nothing yet.
    ///
    /// - Parameters:
    ///   - loop: The loop that drives it.
    ///   - scenario: The scenario.
    ///   - timeScale: The real seconds per simulated second: 1 for real time, 0.01 for tests; more than 0.
    public init(loop: EventLoop, scenario: Scenario, timeScale: Double = 1) {
        precondition(timeScale > 0 && timeScale.isFinite, "time goes forward")
        thread = nil
        self.loop = loop
        self.scenario = scenario
        self.timeScale = timeScale
    }

    /// Creates a simulator with a separate thread; it does nothing yet.
    ///
    /// - Parameters:
    ///   - scenario: The scenario.
    ///   - timeScale: The real seconds per simulated second: 1 for real time, 0.01 for tests; more than 0.
    public init(_ scenario: Scenario, timeScale: Double = 1) {
        precondition(timeScale > 0 && timeScale.isFinite, "time goes forward")
        let thread = LoopThread(named: "simulator")
        self.thread = thread
        loop = thread.loop
        self.scenario = scenario
        self.timeScale = timeScale
    }

    // MARK: Starting and stopping

    /// Starts the private bus and bluetoothd, and begins the scenario.
    ///
    /// - Returns: The address of the bus, for `DBUS_SYSTEM_BUS_ADDRESS` or `BusAddress.address(_:)`.
    /// - Throws: ``PrivateBusError``, or a `DBusConnectionError` when the bus cannot be reached.
    public func start() async throws -> String {
        let bus = try PrivateBus()
        self.bus = bus
        do {
            let clock = SimulationClock(loop: loop, scale: timeScale)
            let stage = Stage(scenario, clock: clock) { [weak self] action, done in
                self?.assumeIsolated { $0.perform(action, done) }
            }
            self.stage = stage
            try await offerControl()
            socket = try ControlSocket(path: bus.directory.path + "/control", of: self)
            try await startDaemon(atOnce: true)
            stage.play()
            return bus.address
        } catch {
            stop()
            throw error
        }
    }

    /// Ends bluetoothd and the private bus; every client loses its connection.
    public func stop() {
        isStopped = true
        killDaemon()
        socket?.close()
        socket = nil
        control?.assumeIsolated { $0.close() }
        control = nil
        stage = nil
        bus?.remove()
        bus = nil
    }

    // MARK: bluetoothd

    /// The running bluetoothd, if any.
    var bluetoothd: Bluetoothd? { stage?.bluetoothd }

    private func perform(_ action: SimulatedAction, _ done: LoopClosure) {
        switch action {
        case .daemon(let action): perform(action, done)
        case .bus(let action): Task(executorPreference: loop) { await self.perform(action, done) }
        default: done.body()
        }
    }

    private func perform(_ action: DaemonAction, _ done: LoopClosure) {
        switch action {
        case .start: startDaemonLater(done)
        case .kill:
            killDaemon()
            done.body()
        case .stop: stopDaemon(done)
        case .restart:
            stopDaemon(
                LoopClosure { [weak self] in
                    self?.assumeIsolated { $0.startDaemonLater(done) }
                })
        }
    }

    private func startDaemonLater(_ done: LoopClosure) {
        Task(executorPreference: loop) {
            // If the bus is lost, the simulator is unusable, and clients notice that.
            try? await self.startDaemon(atOnce: false)
            done.body()
        }
    }

    private func startDaemon(atOnce isAtOnce: Bool) async throws {
        // It would not find the bus yet.
        await startingBus?.value
        guard !isStopped, !isStartingDaemon, let bus, bus.process != nil, let stage, stage.bluetoothd == nil else {
            return
        }
        isStartingDaemon = true
        defer { isStartingDaemon = false }
        let connection = try await DBusConnection.connect(to: .address(bus.address), on: loop)
        daemonConnection = connection
        await connection.exportObjectManager(at: .root)
        try await connection.handleSignals(
            matching: SignalMatch(
                sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged"),
            in: self
        ) { simulator, signal in
            var arguments = signal.arguments()
            let (name, _, newOwner) = (arguments.readText(), arguments.readText(), arguments.readText())
            if let name, name.hasPrefix(":"), newOwner?.isEmpty == true { simulator.bluetoothd?.clientLeft(name) }
        }
        let world = World(
            tree: BusTree(connection: connection), air: stage.air, memory: stage.memory, methods: MethodTable(self))
        let bluetoothd = Bluetoothd(world: world)
        stage.bluetoothd = bluetoothd
        if isAtOnce { bluetoothd.appearAtOnce() }
        guard try await connection.requestName("org.bluez") else {
            throw PrivateBusError.cannotStart(reason: "another program owns org.bluez on it")
        }
        if !isAtOnce { bluetoothd.appear() }
    }

    private func stopDaemon(_ done: LoopClosure) {
        guard let stopping = bluetoothd else { return done.body() }
        stopping.terminate { [weak self] in
            self?.assumeIsolated { $0.releaseName(done) }
        }
    }

    /// Releases the name; the answer also confirms that all earlier signals have been sent.
    private func releaseName(_ done: LoopClosure) {
        guard let connection = daemonConnection else { return done.body() }
        stage?.bluetoothd = nil
        daemonConnection = nil
        Task(executorPreference: loop) { await self.leave(connection, done) }
    }

    private func leave(_ connection: DBusConnection, _ done: LoopClosure) async {
        // On a lost bus there is no name to release.
        try? await connection.releaseName("org.bluez")
        await connection.close()
        done.body()
    }

    private func killDaemon() {
        bluetoothd?.die { [weak stage] peripheral in stage?.bluetoothd?.keptLinkEnded(peripheral) }
        forgetDaemon()
    }

    /// Releases an ended bluetoothd, so that it leaves the bus.
    func forgetDaemon() {
        stage?.bluetoothd = nil
        daemonConnection?.assumeIsolated { $0.close() }
        daemonConnection = nil
    }

    // MARK: Answering

    /// Handles a call with a closure on the simulator.
    func answer(
        _ call: IncomingCall, _ body: @Sendable (isolated Simulator, IncomingCall, Answer) -> Void
    ) async throws(DBusConnectionError) -> [DBusValue] {
        try await withCheckedContinuation { body(self, call, Answer($0)) }.get()
    }

    /// Sets a property with a closure on the simulator.
    func set(
        _ name: String, _ value: DBusValue,
        _ body: @Sendable (isolated Simulator, String, DBusValue, Answer) -> Void
    ) async throws(DBusConnectionError) {
        _ = try await withCheckedContinuation { body(self, name, value, Answer($0)) }.get()
    }
}

/// A closure that is called on the loop's thread only.
struct LoopClosure: @unchecked Sendable {
    // `@unchecked Sendable`: it is created and called on the simulator's loop, and only passed through its tasks.
    let body: () -> Void

    init(_ body: @escaping () -> Void) {
        self.body = body
    }
}

extension Simulator {
    /// Carries out a line of the command language; `help` lists the commands.
    ///
    /// - Returns: `ok`, a JSON text for `state`, or `error: ` and the reason. Returns when the operation is complete.
    public func perform(command line: String) async -> String {
        let command: Command
        do throws(ControlCommandError) {
            command = try CommandLanguage(sensors: scenario.sensors).parse(line)
        } catch {
            return "error: \(error.reason)"
        }
        switch command {
        case .help: return CommandLanguage.help
        case .state: return StateReport.text(stage)
        case .events(let count): return StateReport.events(stage, count)
        case .statistics: return StateReport.statistics(stage)
        case .sleep(let seconds):
            guard let clock = stage?.air.clock else { return "error: the simulator does not run" }
            await withCheckedContinuation { continuation in
                _ = clock.after(seconds) { continuation.resume() }
            }
            return "ok"
        case .action(let action):
            guard let stage else { return "error: the simulator does not run" }
            stage.air.log.add("> \(line)")
            await withCheckedContinuation { continuation in
                stage.perform(action) { continuation.resume() }
            }
            return "ok"
        }
    }
}

// The message bus can be stopped and started, and its policy can forbid calls.
extension Simulator {
    func perform(_ action: BusAction, _ done: LoopClosure) async {
        // If the bus does not start, the simulator is unusable, and clients notice that.
        switch action {
        case .stop: stopBus()
        case .start:
            let starting = Task(executorPreference: loop) { _ = try? await self.startBus() }
            startingBus = starting
            await starting.value
            startingBus = nil
        case .permit(let isPermitted): try? await permitCalls(isPermitted)
        }
        done.body()
    }

    /// Stops the bus: all clients lose the connection, and bluetoothd ends.
    private func stopBus() {
        bluetoothd?.loseBus()
        forgetDaemon()
        control?.assumeIsolated { $0.close() }
        control = nil
        bus?.stop()
    }

    /// Starts the bus at the same address, without a bluetoothd.
    private func startBus() async throws {
        guard let bus, bus.process == nil else { return }
        try bus.start()
        try await offerControl()
    }

    /// Sets whether clients may call bluetoothd; the bus applies the changed policy at once.
    private func permitCalls(_ isPermitted: Bool) async throws {
        try bus?.permitCalls(isPermitted)
        try await control?.call(
            "org.freedesktop.DBus", ObjectPath.root.child("org").child("freedesktop").child("DBus"),
            "org.freedesktop.DBus", "ReloadConfig")
    }

    /// Exports `Do(s) → s`, and lets programs connect: its name identifies the bus as a simulator's.
    func offerControl() async throws {
        guard let bus else { return }
        let connection = try await DBusConnection.connect(to: .address(bus.privateAddress), on: loop)
        control = connection
        let method = ExportedMethod("Do", input: "s", output: "s") {
            [weak self] (call: IncomingCall) async throws(DBusConnectionError) -> [DBusValue] in
            guard let self else { throw .disconnected }
            return [.string(await self.perform(command: call.arguments.first?.text ?? ""))]
        }
        try await connection.export(Self.controlPath, [ExportedInterface(Self.controlInterface, methods: [method])])
        _ = try await connection.requestName(Self.controlName)
        try bus.publish()
    }
}
