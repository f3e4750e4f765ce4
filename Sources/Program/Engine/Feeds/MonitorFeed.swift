import BlueZ
import Configuration
import EventLoops
import MonitorLink
import Monitoring
import Recording
import Vitals

/// The source of events, with its clock, which also carries out requests about the sensors.
///
/// The engine uses only this protocol, so it works the same with every feed.
package protocol MonitorFeed: Sendable {
    /// The permitted uses of its data.
    var traits: FeedTraits { get }

    /// Whether the data are simulated; may be unknown.
    var provenance: Provenance { get }

    /// The loop on which events are sent, so that actors on it receive them within the sending call.
    func delivers(on loop: EventLoop) -> Bool

    /// The loop on whose thread sensor data are received; `nil` for a feed without sensors.
    var receptionLoop: EventLoop? { get }

    /// The one stream of events; every reader gets all of them.
    func events() async -> BroadcastSequence<MonitorEvent>

    /// All other reports of the feed.
    func reports() async -> AsyncStream<FeedReport>

    /// Starts to record all events; `nil` for a feed that is not recorded.
    func record(_ settings: Settings.Recording, to inbox: RecorderInbox) async -> RecordingStream?

    /// Opens the connection to the sensors, and waits until it is known whether they are simulated.
    ///
    /// - Returns: `.unknown` when the feed was closed before.
    func open() async -> Provenance

    /// Whether the user's choices of sensors are remembered for the next start.
    var remembersSensors: Bool { get }

    /// Restores the sensors and links of earlier runs.
    ///
    /// - Parameters:
    ///   - memory: The remembered data.
    ///   - inbox: Receives the links that are made later.
    func recall(_ memory: StoredMemory, keepingLinksIn inbox: RecorderInbox) async

    /// Begins to keep the wanted sensors connected.
    ///
    /// - Parameter isScanning: Whether to scan for other sensors.
    func begin(isScanning: Bool) async

    /// Carries out a wish about the sensors, the radio, or the feed's monitor, without waiting.
    func carryOut(_ wish: Wish)

    /// Disconnects the sensors and ends.
    func close() async

    /// The present time of the events.
    func now() -> Moment

    /// Reports a gap, before this returns, if nothing was received because the program was suspended.
    func checkForStall() async

    /// When a moment of the feed arrives, in nanoseconds of the computer's monotonic clock; `Int64.max` when that is
    /// unknown, because the feed is paused or its time depends on its events.
    func dueTime(of moment: Moment) -> Int64

    /// The feed as a recording; `nil` for live data.
    var replay: ReplayFeed? { get }

    /// The feed as a view; `nil` for other feeds.
    var view: ViewFeed? { get }
}

extension MonitorFeed {
    /// Whether the data are known to be simulated, which every screen and every line must show.
    package var isSimulated: Bool { provenance == .simulated }

    package var receptionLoop: EventLoop? { nil }

    package func record(_ settings: Settings.Recording, to inbox: RecorderInbox) async -> RecordingStream? { nil }

    package var remembersSensors: Bool { false }

    package func recall(_ memory: StoredMemory, keepingLinksIn inbox: RecorderInbox) async {}

    package func now() -> Moment { .now() }

    package func checkForStall() async {}

    package func dueTime(of moment: Moment) -> Int64 { moment.monotonicNanoseconds }

    package var replay: ReplayFeed? { nil }

    package var view: ViewFeed? { nil }
}
