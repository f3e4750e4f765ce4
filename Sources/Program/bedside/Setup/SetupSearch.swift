import BlueZ
import Configuration
import Dashboard
import EventLoops
import Engine
import Monitoring
import SetupPage
import Vitals
import Wording

/// Searches for sensors without connecting to any, so that searching changes nothing.
@ScreenActor
final class SetupSearch {
    private let feed: LiveFeed
    private let loop = EventLoop()
    /// The sensors in range, by name and address; the alarms of this state are not signalled.
    private var nearby: MonitorState
    private let onChange: @ScreenActor (SetupSearch) -> Void
    private var tasks: [Task<Void, Never>] = []

    /// Whether the sensors are simulated; unknown until the message bus has answered.
    var provenance: Provenance { feed.provenance }

    /// The greatest number of shown sensors.
    private static let limit = 64

    /// - Parameters:
    ///   - source: The source of the sensors.
    ///   - settings: The adapter.
    ///   - onChange: Called when the sensors in range change, or a problem occurs.
    init(_ source: SensorSource, _ settings: Settings, onChange: @escaping @ScreenActor (SetupSearch) -> Void) {
        var passive = Settings()
        passive.sensors.adapter = settings.sensors.adapter
        feed = LiveFeed(source, passive, on: loop)
        nearby = MonitorState(start: .now())
        self.onChange = onChange
    }

    /// Begins the search.
    func begin() async {
        loop.startThread(named: "bus")
        let (feed, events) = (feed, await feed.events())
        tasks = [
            Task(executorPreference: ScreenActor.loop) { [weak self] in
                for await event in events { await self?.receive(event) }
            },
            Task(executorPreference: ScreenActor.loop) { [weak self] in
                _ = await feed.open()
                await feed.begin(isScanning: true)
                await self?.changed()
            },
        ]
    }

    /// Ends the search.
    func end() async {
        await feed.close()
        for task in tasks { task.cancel() }
        loop.stop()
    }

    private func receive(_ event: MonitorEvent) {
        _ = nearby.apply(.event(event))
        onChange(self)
    }

    private func changed() { onChange(self) }

    /// Why no sensors can be received, with the remedy.
    var trouble: String? {
        EnvironmentWarning(nearby.environment).map { "\($0.sentence) What helps: \($0.remedy). Or skip this step." }
    }

    /// The supported sensors, in the order of their first reception.
    var sensors: [SetupScreen.HeardSensor] {
        nearby.sensors.filter { $0.identity.kind.isRead && ($0.isNearby || Self.isTaken($0)) }.prefix(Self.limit).map {
            SetupScreen.HeardSensor($0.identity, strength: $0.signalStrength, isTaken: Self.isTaken($0))
        }
    }

    private static func isTaken(_ sensor: SensorState) -> Bool {
        sensor.connection.map { $0.isForeign && $0.phase != .disconnected } ?? false
    }
}
