import Configuration
import EventLoops
import MonitorLink
import Monitoring
import Recording
import SensorDrivers
import Sensors
import Synchronization
import Vitals
import Waves

@testable import Engine

/// A feed whose events a test sends, at times that the test sets.
final class ScriptedFeed: SensorFeed, PlaybackFeed, @unchecked Sendable {
    let provenance = Provenance.simulated
    private let broadcast = Broadcast<MonitorEvent>()
    private let (stream, report) = AsyncStream<FeedReport>.makeStream()
    private let clock = Mutex(Moment(monotonicNanoseconds: 0, wallMilliseconds: 1_772_373_000_000))
    private let wishes = Mutex<[SensorWish]>([])
    private let waves = Broadcast<WaveUpdate>()
    private let wanted = Mutex<Set<WaveKind>>([])
    private let nights = Broadcast<SensorNight>()
    private let handled = Mutex<[String: String?]>([:])

    /// Which nights were said to be stored, or why not.
    var handledNights: [String: String?] { handled.withLock { $0 } }

    /// Hands over a night.
    func send(_ night: SensorNight) { nights.send(night) }

    /// The wishes that reached the feed.
    var carriedOut: [SensorWish] { wishes.withLock { $0 } }

    /// Sends an event at a later time, within the call when the engine runs on this thread.
    func send(_ kind: MonitorEvent.Kind, after duration: Duration = .milliseconds(10)) {
        broadcast.send(MonitorEvent(moment: advance(by: duration), kind: kind))
    }

    /// The kinds of waves that the sensors are asked for.
    var wantedWaves: Set<WaveKind> { wanted.withLock { $0 } }

    /// Sends an update of a wave.
    func send(_ update: WaveUpdate) { waves.send(update) }

    /// Sends a report.
    func sendReport(_ news: FeedReport) { report.yield(news) }

    /// Lets time pass.
    @discardableResult
    func advance(by duration: Duration) -> Moment {
        clock.withLock { clock in
            clock = clock.advanced(by: duration)
            return clock
        }
    }

    func events() async -> BroadcastSequence<MonitorEvent> { broadcast.subscribe() }
    func reports() async -> AsyncStream<FeedReport> { stream }
    func open() async -> Provenance { provenance }
    func begin(isScanning: Bool) async {}
    func use(calibrations: [DatedCalibration]) {}

    func carryOut(_ wish: SensorWish) { wishes.withLock { $0.append(wish) } }
    func fetchedNights() async -> BroadcastSequence<SensorNight> { nights.subscribe() }
    func nightHandled(_ name: String, of address: String, problem: String?) {
        handled.withLock { $0[name] = .some(problem) }
    }
    func close() async {
        report.finish()
        nights.finish()
    }
    func now() -> Moment { clock.withLock { $0 } }
    func dueTime(of moment: Moment) -> Int64 { .max }

    // MARK: As sensors

    let remembersSensors = false
    func record(_ settings: Settings.Recording, to inbox: RecorderInbox) async -> RecordingStream? { nil }
    func recall(_ memory: StoredMemory, keepingLinksIn inbox: RecorderInbox) async {}
    func checkForStall() async {}
    func waveUpdates() async -> BroadcastSequence<WaveUpdate>? { waves.subscribe() }
    func use(waves kinds: Set<WaveKind>) async { wanted.withLock { $0 = kinds } }

    // MARK: As a recording

    let range: ClosedRange<Int64> = 0...1
    var mayContinue: () -> Bool = { true }
    var status: ReplayStatus { ReplayStatus(range: range, speed: "1") }
    func begin() async {}
    func resume() {}
    func carryOut(_ wish: ReplayWish) {}
}
