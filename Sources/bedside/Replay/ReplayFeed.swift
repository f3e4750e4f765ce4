import BlueZ
import CommandLineTool
import Configuration
import Dashboard
import EventLoop
import Recording
import Replay
import Vitals

/// A recording in the place of sensors: its events come when their time has come on a clock of its own.
///
/// Nothing that it tells is the present, so nothing of it is written anywhere, and nobody is called by it.
final class ReplayFeed: MonitorFeed, @unchecked Sendable {
    // `@unchecked Sendable`: it belongs to the loop's thread, which every use of it checks.
    private let loop: EventLoop
    private var player: ReplayPlayer
    private let broadcast = Broadcast<MonitorEvent>()
    private let (sentences, sentence) = AsyncStream<String>.makeStream()
    private var timer: LoopTimer?
    private var hasBegun = false

    /// What the recording is of.
    let provenance: Provenance
    /// Asked before a portion of events is handed out; whoever holds them up calls ``goOn()`` later.
    var mayGoOn: () -> Bool = { true }
    /// Called when a portion of events has been handed out, before anything else is done.
    var afterPortion: () -> Void = {}
    /// Called when nothing more will happen.
    var whenEnded: () -> Void = {}

    /// How many events are handed out before keys and lines have their turn.
    private static let portion = 256

    /// Makes a feed that plays from ``begin(remembering:isScanning:)`` on.
    ///
    /// - Parameter loop: The loop of whoever reads the events.
    init(_ player: ReplayPlayer, isSimulated: Bool, on loop: EventLoop) {
        self.loop = loop
        self.player = player
        provenance = isSimulated ? .simulated : .real
    }

    var replay: ReplayFeed? { self }

    func events() async -> BroadcastSequence<MonitorEvent> { broadcast.subscribe() }

    func complaints() async -> AsyncStream<String> { sentences }

    func record(_ settings: Settings.Recording, to inbox: RecorderInbox) async -> RecordingStream? { nil }

    func open() async -> Provenance { provenance }

    func remembered() async -> SensorNotebook.Opened { SensorNotebook.Opened() }

    func begin(remembering sensors: [RememberedSensor], isScanning: Bool) async {
        loop.checkIsolated()
        for complaint in player.complaints { sentence.yield(complaint) }
        // From now on, however long the opening has taken.
        player.begin(nanoseconds: Timestamp.monotonicNow())
        hasBegun = true
        plan()
    }

    func carryOut(_ command: SensorCommand) {
        // Looking at a sensor's page asks for its services, which no recording has.
    }

    func close() async {
        loop.checkIsolated()
        hasBegun = false
        if let timer { loop.cancel(timer) }
        sentence.finish()
        broadcast.finish()
    }

    func now() -> Moment {
        loop.checkIsolated()
        return hasBegun ? player.now(at: Timestamp.monotonicNow()) : player.position
    }

    func dueTime(of moment: Moment) -> Int64 {
        loop.checkIsolated()
        return hasBegun ? player.time(of: moment) ?? .max : .max
    }

    // MARK: Playing

    /// The wall times between which is played, in milliseconds since 1970 (UTC).
    var range: ClosedRange<Int64> { player.range }

    /// Where the playing is, for the screen.
    var status: ReplayStatus {
        var status = ReplayStatus(range: player.range, speed: player.speed.words)
        status.isPaused = player.isPaused
        status.isSeeking = player.isSeeking
        status.hasEnded = player.hasEnded
        return status
    }

    /// Goes on after somebody has held the events up.
    func goOn() { plan() }

    /// Does what the user wants.
    func carryOut(_ wish: ReplayWish) {
        loop.checkIsolated()
        let now = Timestamp.monotonicNow()
        do throws(ReplayFailure) {
            switch wish {
            case .togglePause: player.pause(!player.isPaused, nanoseconds: now)
            case .faster: player.play(at: player.speed.faster, nanoseconds: now)
            case .slower: player.play(at: player.speed.slower, nanoseconds: now)
            case .step: player.step(nanoseconds: now)
            case .jump(let seconds): try player.jump(by: Int64(seconds) * 1000, nanoseconds: now)
            }
        } catch {
            sentence.yield("\(error).")
        }
        plan()
    }

    private func plan() {
        if let timer { loop.cancel(timer) }
        timer = nil
        guard hasBegun, mayGoOn(), let due = player.nextDue(at: Timestamp.monotonicNow()) else { return }
        timer = loop.schedule(at: due) { [weak self] in self?.play() }
    }

    private func play() {
        timer = nil
        guard hasBegun, mayGoOn() else { return }
        do throws(ReplayFailure) {
            let broadcast = broadcast
            try player.due(at: Timestamp.monotonicNow(), limit: Self.portion) { broadcast.send($0) }
        } catch {
            // The signal is about to be read: it ends all.
            if error.kind == .interrupted { return }
            player.end()
            sentence.yield("\(error); what was read before has been played.")
        }
        afterPortion()
        if player.hasEnded { whenEnded() }
        plan()
    }
}
