import Base
import BlueZ
import Configuration
import DBus
import EventLoops
import Monitoring
import MonitorLink
import Recording
import Sensors
import Synchronization
import Vitals
import Waves

/// The feed of live sensors, by the system's Bluetooth service or a simulator.
package final class LiveFeed: SensorFeed {
    private let source: SensorSource
    private let settings: Settings
    private let loop: EventLoop
    private let bluez: BluetoothCentral
    private let supervisor: SensorSupervisor
    private let memoryDeliveries = MemoryDeliveries()

    /// Creates an idle feed.
    ///
    /// - Parameters:
    ///   - source: The source of the sensors; it is closed with the feed.
    ///   - settings: The adapter, and the sensors to connect automatically.
    ///   - loop: The loop on which everything happens; the caller runs and stops it.
    package init(_ source: SensorSource, _ settings: Settings, on loop: EventLoop) {
        self.source = source
        self.settings = settings
        self.loop = loop
        bluez = source.makeBlueZ(on: loop)
        supervisor = SensorSupervisor(bluez: bluez, policy: ConnectPolicy(settings.sensors.connect))
    }

    package var provenance: Provenance { bluez.isMarked.map { $0 ? .simulated : .real } ?? .unknown }

    package func events() async -> BroadcastSequence<MonitorEvent> { await supervisor.events() }

    package func reports() async -> AsyncStream<FeedReport> {
        let (reports, report) = AsyncStream<FeedReport>.makeStream()
        let delivery = await bluez.warnings().deliver {
            report.yield(.notice(sanitized($0.description, limit: 400)))
        }
        let refusals = await supervisor.warnings().deliver { report.yield(.notice(sanitized($0, limit: 400))) }
        report.onTermination = { _ in withExtendedLifetime((delivery, refusals)) {} }
        return reports
    }

    package func record(_ settings: Settings.Recording, to inbox: RecorderInbox) async -> RecordingStream? {
        await RecordingStream(settings, supervisor, bluez, to: inbox)
    }

    package func open() async -> Provenance {
        await supervisor.useAdapter(settings.sensors.chosenAdapter)
        await supervisor.use(transmitter: settings.sensors.transmitter.isEmpty ? nil : settings.sensors.transmitter)
        await supervisor.use(newSensors: settings.sensors.newGlucoseSensor)
        await supervisor.use(nights: settings.sensors.nights)
        await supervisor.forwardHeartRate(settings.sensors.forwardsHeartRate)
        await supervisor.prepare()
        await bluez.start()
        if provenance != .unknown { return provenance }
        for await event in await bluez.events() {
            if case .bus(.connected) = event.kind { break }
        }
        return provenance
    }

    /// The program's own simulation starts anew each time, unless it is a trial.
    package var remembersSensors: Bool { !source.isSimulated || source.isTrial }

    package func recall(_ memory: StoredMemory, keepingLinksIn inbox: RecorderInbox) async {
        await supervisor.remember(memory.sensors)
        await supervisor.remember(links: memory.links)
        await supervisor.remember(running: memory.runningWaves)
        await supervisor.remember(sequences: memory.sequences)
        await supervisor.remember(handedOver: memory.handedOver)
        await supervisor.remember(nights: memory.nights)
        memoryDeliveries.begin([
            await supervisor.ownedLinks().deliver { inbox.append(.links($0), at: .now()) },
            await supervisor.runningWaveLists().deliver { inbox.append(.runningWaves($0), at: .now()) },
        ])
    }

    package func begin(isScanning: Bool) async {
        await supervisor.start()
        await supervisor.setScanning(isScanning)
    }

    package func waveUpdates() async -> BroadcastSequence<WaveUpdate>? { await supervisor.waveUpdates() }

    package func fetchedNights() async -> BroadcastSequence<SensorNight> { await supervisor.fetchedNights() }

    package func nightHandled(_ name: String, of address: String, problem: String?) {
        Task(executorPreference: loop) { [supervisor] in
            await supervisor.nightHandled(name, of: address, problem: problem)
        }
    }

    package func use(waves kinds: Set<WaveKind>) async { await supervisor.use(waves: kinds) }

    package func use(calibrations: [DatedCalibration]) {
        Task(executorPreference: loop) { [supervisor] in await supervisor.use(calibrations: calibrations) }
    }

    package func checkForStall() async { await supervisor.checkForStall() }

    package func carryOut(_ wish: SensorWish) {
        Task(executorPreference: loop) { [supervisor] in await supervisor.carryOut(wish) }
    }

    /// How long disconnecting the sensors may take; two seconds are usual.
    private static let shutDownLimit = Duration.seconds(6)

    package func close() async {
        // A hanging bus does not answer; closing the connection resumes the calls that wait for it.
        _ = await loop.result(within: Self.shutDownLimit) { [supervisor] in await supervisor.shutDown() }
        await bluez.stop()
        await source.close()
    }
}

/// Keeps alive the deliveries of what only the next run needs: owned links, and waves that may run on.
private final class MemoryDeliveries: Sendable {
    private let deliveries = Mutex<[BroadcastDelivery]>([])

    func begin(_ new: [BroadcastDelivery]) { deliveries.withLock { $0 = new } }
}

extension ConnectPolicy {
    /// Creates a policy from the values of `--connect`.
    package init(_ values: [String]) {
        if values.isEmpty {
            self = .none
            return
        }
        let names = values.filter { $0.lowercased() != "all" }
        if names.count == values.count {
            self = .listed(names)
        } else {
            self = names.isEmpty ? .everyVitalSensor : .everyVitalSensorAndListed(names)
        }
    }
}

/// Where the sensors are: a message bus with a Bluetooth service, real or simulated.
package struct SensorSource: Sendable {
    /// The bus of bluetoothd.
    package let bus: BusAddress
    /// Whether the data are simulated, which every screen and line must show.
    package let isSimulated: Bool
    /// Whether they are simulated for a trial of the program, which may have a past and remembers its sensors.
    package let isTrial: Bool
    /// The name that a simulator has on its bus.
    private let simulatorName: String
    private let end: @Sendable () async -> Void

    /// Describes a source that is ready.
    ///
    /// - Parameters:
    ///   - bus: The bus of bluetoothd.
    ///   - isSimulated: Whether this program simulates the sensors.
    ///   - isTrial: Whether it simulates them for a trial.
    ///   - simulatorName: The name of a simulator on its bus.
    ///   - end: Ends the service on the bus.
    package init(
        bus: BusAddress, isSimulated: Bool, isTrial: Bool = false, simulatorName: String,
        end: @escaping @Sendable () async -> Void = {}
    ) {
        (self.bus, self.isSimulated, self.isTrial) = (bus, isSimulated, isTrial)
        (self.simulatorName, self.end) = (simulatorName, end)
    }

    /// Creates the BlueZ client on this source's bus; it must be started.
    ///
    /// A non-standard bus address may belong to a simulator started by `bedside simulate`; the bus itself says so. Data
    /// of the other kind are refused later.
    package func makeBlueZ(on loop: EventLoop) -> BluetoothCentral {
        BluetoothCentral(
            loop: loop, bus: bus, mark: simulatorName,
            isMarked: isSimulated ? true : bus.isUsualSystemBus ? false : nil)
    }

    /// Ends the service on the bus, if this program runs it.
    package func close() async { await end() }
}
