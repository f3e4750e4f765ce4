import BlueZ
import Configuration
import Recording
import Vitals

/// The feed of a screen that shows another monitor: nothing happens here, and wishes go to the monitor.
struct ViewedFeed: MonitorFeed {
    private let broadcast = Broadcast<MonitorEvent>()

    var provenance: Provenance { .unknown }

    func events() async -> BroadcastSequence<MonitorEvent> { broadcast.subscribe() }

    func complaints() async -> AsyncStream<String> { AsyncStream { _ in } }

    func record(_ settings: Settings.Recording, to inbox: RecorderInbox) async -> RecordingStream? { nil }

    func open() async -> Provenance { provenance }

    func remembered() async -> SensorNotebook.Opened { SensorNotebook.Opened() }

    func begin(remembering sensors: [RememberedSensor], isScanning: Bool) async {}

    func carryOut(_ command: SensorCommand) {}

    func close() async {}
}
