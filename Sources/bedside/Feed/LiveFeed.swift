import BlueZ
import Configuration
import EventLoop
import Recording
import Sensors
import Vitals

/// What sensors tell now: those that the system's Bluetooth service hears, or those of a simulator.
struct LiveFeed: MonitorFeed {
    private let source: SensorSource
    private let settings: Settings
    private let loop: EventLoop
    private let bluez: BlueZ
    private let supervisor: SensorSupervisor
    private let links = LinkKeeper()

    /// Makes a feed that does nothing yet.
    ///
    /// - Parameters:
    ///   - source: Where the sensors are; it is closed with this.
    ///   - settings: Which adapter is used and which sensors are connected unasked.
    ///   - loop: The loop on which everything happens; the caller's to run and to stop.
    init(_ source: SensorSource, _ settings: Settings, on loop: EventLoop) {
        self.source = source
        self.settings = settings
        self.loop = loop
        bluez = source.makeBlueZ(on: loop)
        supervisor = SensorSupervisor(bluez: bluez, policy: ConnectPolicy(settings.sensors.connect))
    }

    var provenance: Provenance { bluez.isMarked.map { $0 ? .simulated : .real } ?? .unknown }

    func events() async -> BroadcastSequence<MonitorEvent> { await supervisor.events() }

    func complaints() async -> AsyncStream<String> {
        let (sentences, sentence) = AsyncStream<String>.makeStream()
        let delivery = await bluez.complaints().deliver {
            sentence.yield(harmlessText($0.description, limit: 400))
        }
        let refusals = await supervisor.complaints().deliver { sentence.yield(harmlessText($0, limit: 400)) }
        sentence.onTermination = { _ in withExtendedLifetime((delivery, refusals)) {} }
        return sentences
    }

    func record(_ settings: Settings.Recording, to inbox: RecorderInbox) async -> RecordingStream? {
        await RecordingStream(settings, supervisor, bluez, to: inbox)
    }

    func open() async -> Provenance {
        await supervisor.useAdapter(settings.sensors.chosenAdapter)
        await supervisor.prepare()
        await bluez.start()
        if provenance != .unknown { return provenance }
        for await event in await bluez.events() {
            if case .bus(.connected) = event.kind { break }
        }
        return provenance
    }

    func remembered() async -> SensorNotebook.Opened {
        // What the program simulates itself begins anew each time.
        if source.isSimulated || provenance == .unknown { return SensorNotebook.Opened() }
        let isSimulated = provenance == .simulated
        await links.begin(supervisor, of: settings.patient.name, isSimulated: isSimulated)
        return await SensorNotebook.open(of: settings.patient.name, isSimulated: isSimulated)
    }

    func begin(remembering sensors: [RememberedSensor], isScanning: Bool) async {
        await supervisor.remember(sensors)
        await supervisor.start()
        await supervisor.setScanning(isScanning)
    }

    func checkForStall() async { await supervisor.checkForStall() }

    func carryOut(_ command: SensorCommand) {
        // On the thread of the sensors, not of whoever asks.
        Task(executorPreference: loop) { await supervisor.carryOut(command) }
    }

    /// How long sensors may take to be disconnected; two seconds are usual.
    private static let shutDownLimit = Duration.seconds(6)

    func close() async {
        // A bus that hangs answers nothing, and what waits for it goes on when the connection is closed.
        _ = await loop.result(within: Self.shutDownLimit) { [supervisor] in await supervisor.shutDown() }
        await links.finish(within: .seconds(2))
        await bluez.stop()
        await source.close()
    }
}

extension ConnectPolicy {
    /// Makes a policy of the values of `--connect`.
    init(_ values: [String]) {
        if values.isEmpty {
            self = .none
        } else if values.contains(where: { $0.lowercased() == "all" }) {
            self = .everyVitalSensor
        } else {
            self = .listed(values)
        }
    }
}
