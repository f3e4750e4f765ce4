import BlueZ
import Configuration
import Recording
import Vitals

/// The feed of a screen that shows another monitor: nothing happens here, and what is wanted is done there.
struct ViewedFeed: MonitorFeed {
    private let broadcast = Broadcast<MonitorEvent>()
    private let send: @Sendable (SensorCommand) -> Void

    /// Makes a feed.
    ///
    /// - Parameter send: Tells the monitor what is wanted about sensors and the radio.
    init(send: @escaping @Sendable (SensorCommand) -> Void) {
        self.send = send
    }

    var isSimulated: Bool { false }

    func events() async -> BroadcastSequence<MonitorEvent> { broadcast.subscribe() }

    func complaints() async -> AsyncStream<String> { AsyncStream { _ in } }

    func record(_ settings: Settings.Recording, to inbox: RecorderInbox) async -> RecordingStream? { nil }

    func open() async -> SensorNotebook.Opened { SensorNotebook.Opened() }

    func begin(remembering sensors: [RememberedSensor], isScanning: Bool) async {}

    func carryOut(_ command: SensorCommand) { send(command) }

    func close() async {}
}
