import Configuration
import Dashboard
import EventLoops
import Engine
import Monitoring
import Sounds
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

    private let feed: WardFeed
    private let sounder: WardSounder
    private let hasBell: Bool
    private var sound: RemoteAlarmSound
    private var timer: LoopTimer?

    init(_ feed: WardFeed, on shown: ShownTerminal, _ settings: Settings) {
        self.feed = feed
        let bell = shown.bell()
        hasBell = bell != nil
        sounder = WardSounder(settings.alarms, bell: bell, speakers: .ofTerminal)
        sound = RemoteAlarmSound(settings.monitor.alarmSignals)
    }

    /// Begins to follow whether the sound system works.
    func begin() {
        sounder.begin { [weak self] output in
            Task(executorPreference: ScreenActor.loop) { await self?.changed(to: output) }
        }
        settle()
    }

    /// Stops all sound.
    func close() async {
        if let timer { ScreenActor.loop.cancel(timer) }
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

    private func changed(to output: SoundOutput) {
        sounder.changed(to: output, sounding: sound.signal.sounding)
        onChange()
    }
}
