import BlueZ
import Configuration
import Recording
import Vitals

/// Where what happens comes from, what time it is there, and who does what the user wants of the sensors.
///
/// The screen and `watch` know nothing else of it, so they show in the same way whatever feeds them.
protocol MonitorFeed: Sendable {
    /// Whether the data are simulated, as far as that is known yet.
    var provenance: Provenance { get }

    /// The one stream of what happens; every reader gets all of it.
    func events() async -> BroadcastSequence<MonitorEvent>

    /// Sentences for the user about input that was ignored; each kind of it comes once.
    func complaints() async -> AsyncStream<String>

    /// Has everything that happens recorded, too; `nil` where nothing is to be.
    func record(_ settings: Settings.Recording, to inbox: RecorderInbox) async -> RecordingStream?

    /// Opens the way to the sensors, and waits until it is known whether they are simulated.
    ///
    /// - Returns: `.unknown` when the feed was closed before.
    func open() async -> Provenance

    /// Finds out what is remembered of the sensors; to be called when it is known whether they are simulated.
    func remembered() async -> SensorNotebook.Opened

    /// Begins to keep the wanted sensors connected.
    ///
    /// - Parameters:
    ///   - sensors: What is remembered of them.
    ///   - isScanning: Whether others are looked for.
    func begin(remembering sensors: [RememberedSensor], isScanning: Bool) async

    /// Has something done about sensors or the radio; does not wait for it.
    func carryOut(_ command: SensorCommand)

    /// Lets the sensors go, and ends.
    func close() async

    /// The present time of what happens.
    func now() -> Moment

    /// Has it told, before this returns, if nothing was received until now because the program stood still.
    func checkForStall() async

    /// When a moment of what happens comes, in nanoseconds of the computer's monotonic clock; `Int64.max` when nobody can
    /// say, because time stands still there or goes with what is told.
    func dueTime(of moment: Moment) -> Int64

    /// The recording that this is; `nil` for what happens now.
    ///
    /// Of a recording nothing is written anywhere, nobody is called by it, and time passes in it from deadline to deadline,
    /// so that the same comes of it at any speed.
    var replay: ReplayFeed? { get }
}

extension MonitorFeed {
    /// Whether the data are known to be simulated, which every screen and every line must say.
    var isSimulated: Bool { provenance == .simulated }

    func now() -> Moment { .now() }

    func checkForStall() async {}

    func dueTime(of moment: Moment) -> Int64 { moment.monotonicNanoseconds }

    var replay: ReplayFeed? { nil }
}
