import Configuration
import Dashboard
import EventLoops
import Engine
import Monitoring
import Sounds
import UserFiles
import Vitals
import Ward
import WardScreen
import Wording

/// Sounds the alarms of a ward at its screen, according to the configuration.
///
/// It does not depend on frames, so a hanging terminal silences nothing.
@ScreenActor
final class WardAlarmSound {
    /// Called when the means of sound changes, or a pause begins or ends.
    var onChange: () -> Void = {}
    /// Called when it may have changed whether alarms are certain to sound here.
    var onProof: () -> Void = {}

    private let feed: WardFeed
    private let sounder: WardSounder
    private let hasBell: Bool
    private var sound: RemoteAlarmSound
    private var timer: LoopTimer?
    /// When the sound system last proved that it can sound.
    private var proven: MonotonicTime?
    private var proofTimer: LoopTimer?
    /// How often it is asked while a bed relies on this screen.
    private static let probePace = Duration.seconds(2)
    /// How long a proof counts: the next one may be late by the time after which the sound system is given up.
    private static let proofTime = Duration.seconds(5)

    init(_ feed: WardFeed, on shown: ShownTerminal, _ settings: Settings) {
        self.feed = feed
        let bell = shown.bell()
        hasBell = bell != nil
        sounder = WardSounder(settings.alarms, bell: bell, speakers: .ofTerminal)
        sound = RemoteAlarmSound(settings.monitor.alarmSignals)
    }

    /// Begins to follow whether the sound system works.
    func begin() {
        sounder.begin {
            Task(executorPreference: ScreenActor.loop) { [weak self] in await self?.wasProven() }
        } _: { [weak self] output in
            Task(executorPreference: ScreenActor.loop) { await self?.changed(to: output) }
        }
        settle()
    }

    /// Stops all sound.
    func close() async {
        for timer in [timer, proofTimer].compactMap(\.self) { ScreenActor.loop.cancel(timer) }
        proofTimer = nil
        await sounder.close()
    }

    /// The means of sound, for the screen.
    var here: SoundHere {
        let signal = sound.signal
        if signal.isOff { return SoundHere(.off) }
        let otherwise: SoundMeans = hasBell ? .bellOnly : .notAvailable
        return switch sounder.output {
        case .working: SoundHere(.speakers, pausedUntil: signal.pausedUntil)
        case .unavailable(let reason), .lost(let reason):
            SoundHere(otherwise, reason: reason, pausedUntil: signal.pausedUntil)
        case nil: SoundHere(otherwise, pausedUntil: signal.pausedUntil)
        }
    }

    /// Pauses the sound here, or ends the pause.
    func togglePause() {
        sound.togglePause(at: .now())
        settle()
        onProof()
    }

    /// Sounds new alarms, repeats unacknowledged ones, and stops the sound of alarms that are over.
    func settle() {
        let (now, before) = (Moment.now(), here)
        let effects = sound.settle(feed.state.soundCauses, at: now)
        sounder.handle(effects, sounding: sound.signal.sounding) {
            feed.state.worstSoundingAlarm.map { SoundCategory($0) } ?? .equipment
        }
        if let timer { ScreenActor.loop.cancel(timer) }
        timer = sound.nextDeadline.map { deadline in
            ScreenActor.loop.schedule(at: deadline.nanoseconds) { [weak self] in
                ScreenActor.assumeIsolated { self?.settle() }
            }
        }
        if here != before { onChange() }
    }

    // MARK: Beds that are silent while this screen sounds

    /// Whether alarms are certain to sound here: through a loudspeaker that has just proved it, and without a pause.
    ///
    /// A terminal's bell proves nothing, nor do the speakers of a computer that the user reaches through a network; and nothing
    /// is proved while no bed asks.
    var isCertain: Bool {
        guard feed.state.isAskedToSound, !Environment.isRemote, here.means == .speakers, here.pausedUntil == nil,
            let proven
        else {
            return false
        }
        return Moment.now().monotonic.since(proven) < Self.proofTime
    }

    /// Asks the sound system for a proof every two seconds, as long as a bed relies on it.
    func proveWhileAsked() {
        guard proofTimer == nil, feed.state.isAskedToSound else { return }
        sounder.probe()
        proofTimer = ScreenActor.loop.schedule(after: Self.probePace) { [weak self] in
            ScreenActor.assumeIsolated {
                self?.proofTimer = nil
                self?.onProof()
                self?.proveWhileAsked()
            }
        }
    }

    private func wasProven() {
        proven = Moment.now().monotonic
        onProof()
    }

    private func changed(to output: SoundOutput) {
        sounder.changed(to: output, sounding: sound.signal.sounding)
        onChange()
        onProof()
    }
}
