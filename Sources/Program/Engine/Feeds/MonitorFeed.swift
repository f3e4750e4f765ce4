import Configuration
import EventLoops
import Monitoring
import MonitorLink
import Recording
import Sensors
import Vitals
import Waves

/// What feeds a monitor: sensors, a recording, or the monitor of another process.
package enum MonitorFeed: Sendable {
    /// Sensors, real or simulated. This is the patient's monitor.
    case live(any SensorFeed)
    /// A recording: it is of the past, so nothing is written and nothing is signalled.
    case replay(any PlaybackFeed)
    /// Another monitor, which this shows.
    case view(ViewFeed)

    /// How alarms reach people beyond the screen.
    package enum AlarmSignals: Hashable, Sendable {
        /// By every means that the settings name.
        case all
        /// By the bell only: the viewed monitor uses the other means.
        case bell
        /// Not at all.
        case none
    }

    package var live: (any SensorFeed)? { if case .live(let feed) = self { feed } else { nil } }

    package var replay: (any PlaybackFeed)? { if case .replay(let feed) = self { feed } else { nil } }

    package var view: ViewFeed? { if case .view(let feed) = self { feed } else { nil } }

    /// Whether this is the patient's monitor: it keeps store and files, resumes earlier runs, and accepts views.
    package var isMonitor: Bool { live != nil }

    /// How alarms reach people beyond the screen.
    package var alarmSignals: AlarmSignals {
        switch self {
        case .live: .all
        case .replay: .none
        case .view: .bell
        }
    }

    /// Whether time passes by the feed's events from deadline to deadline, so that the result does not depend on when
    /// the computer finds the time for it.
    package var stepsThroughTime: Bool { replay != nil }

    /// Whether the user's choices about its sensors hold at the next start, too.
    package var remembersSensors: Bool { live?.remembersSensors ?? false }

    // MARK: What all of them have

    private var source: any EventFeed {
        switch self {
        case .live(let feed): feed
        case .replay(let feed): feed
        case .view(let feed): feed
        }
    }

    package var provenance: Provenance { source.provenance }

    /// Whether the data are known to be simulated, which every screen and every line must show.
    package var isSimulated: Bool { provenance == .simulated }

    package func events() async -> BroadcastSequence<MonitorEvent> { await source.events() }

    package func reports() async -> AsyncStream<FeedReport> { await source.reports() }

    package func waveUpdates() async -> BroadcastSequence<WaveUpdate>? { await source.waveUpdates() }

    package func use(waves kinds: Set<WaveKind>) async { await source.use(waves: kinds) }

    package func open() async -> Provenance { await source.open() }

    package func close() async { await source.close() }

    package func now() -> Moment { source.now() }

    package func dueTime(of moment: Moment) -> Int64 { source.dueTime(of: moment) }
}

/// A source of events, with its clock.
package protocol EventFeed: Sendable {
    /// Whether the data are simulated; may be unknown.
    var provenance: Provenance { get }

    /// The one stream of events; every reader gets all of them. They are sent on the engine's loop.
    func events() async -> BroadcastSequence<MonitorEvent>

    /// All other reports of the feed.
    func reports() async -> AsyncStream<FeedReport>

    /// Every update of waves from now on; `nil` for a source without them.
    func waveUpdates() async -> BroadcastSequence<WaveUpdate>?

    /// Sets which waves the source is asked for.
    func use(waves kinds: Set<WaveKind>) async

    /// Opens the connection to the source, and waits until it is known whether they are simulated.
    ///
    /// - Returns: `.unknown` when the feed was closed before.
    func open() async -> Provenance

    /// Ends everything.
    func close() async

    /// The present time of what happens.
    func now() -> Moment

    /// When a moment of the feed comes, in nanoseconds of the computer's monotonic clock; `Int64.max` when that is
    /// unknown, because the feed is paused or its time depends on the events.
    func dueTime(of moment: Moment) -> Int64
}

extension EventFeed {
    package func waveUpdates() async -> BroadcastSequence<WaveUpdate>? { nil }

    package func use(waves kinds: Set<WaveKind>) async {}

    package func now() -> Moment { .now() }

    package func dueTime(of moment: Moment) -> Int64 { moment.monotonicNanoseconds }
}

/// The events of sensors.
package protocol SensorFeed: EventFeed {
    /// Records every event that is sent; `nil` where nothing is recorded.
    func record(_ settings: Settings.Recording, to inbox: RecorderInbox) async -> RecordingStream?

    /// Whether the user's choices about its sensors hold at the next start, too.
    var remembersSensors: Bool { get }

    /// Restores the sensors and links of earlier runs, and the waves that those have not stopped.
    ///
    /// - Parameters:
    ///   - memory: The remembered data.
    ///   - inbox: Receives the links that are made later, and the waves that are started and stopped.
    func recall(_ memory: StoredMemory, keepingLinksIn inbox: RecorderInbox) async

    /// Begins to keep the wanted sensors connected.
    ///
    /// - Parameter isScanning: Whether to scan for other sensors.
    func begin(isScanning: Bool) async

    /// Every night that a ring hands over from now on.
    func fetchedNights() async -> BroadcastSequence<SensorNight>

    /// Says that a night is stored, or is not for a reason, a clause; without waiting.
    func nightHandled(_ name: String, of address: String, problem: String?)

    /// Carries out a wish about the sensors or the radio, without waiting.
    func carryOut(_ wish: SensorWish)

    /// Sets the user's calibrations of glucose sensors, without waiting.
    func use(calibrations: [DatedCalibration])

    /// Reports a gap, before this returns, if nothing was received because the program was suspended.
    func checkForStall() async
}

/// The events of a recording.
package protocol PlaybackFeed: EventFeed, AnyObject {
    /// The wall times between which is played, in milliseconds since 1970 (UTC).
    var range: ClosedRange<Int64> { get }

    /// Where the playing is, for the screen.
    var status: ReplayStatus { get }

    /// Asked before a batch of events is delivered; a subscriber that delays it calls ``resume()`` later.
    var mayContinue: () -> Bool { get set }

    /// Begins to play.
    func begin() async

    /// Continues after a subscriber has delayed the events.
    func resume()

    /// Carries out a wish of the user.
    func carryOut(_ wish: ReplayWish)
}

/// A report of a feed, other than an event.
package enum FeedReport: Sendable {
    /// A sentence for the user.
    case notice(String)
    /// A snapshot of the viewed monitor.
    indirect case snapshot(MonitorSnapshot)
    /// An input that the viewed monitor has handled.
    case input(MonitorInput)
    /// The viewed monitor cannot be relied on.
    case lost(MonitorLoss)
    /// The viewed monitor refuses views, for the reason in the sentence.
    case refused(String)
    /// The feed has ended.
    case ended
}

/// Why a viewed monitor is unreliable.
package struct MonitorLoss: Hashable, Sendable {
    /// The monitor's short name.
    package var name: String
    /// The reason, as a clause that follows the name.
    package var reason: String
    /// Whether it was connected before, so that there are old values.
    package var hadMonitor: Bool

    /// The loss as a clause for an alarm.
    package var clause: String { "\(name) \(reason)\(hadMonitor ? "; values are old" : "")" }
}
