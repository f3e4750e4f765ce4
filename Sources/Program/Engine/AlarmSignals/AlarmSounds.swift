import AlarmSignals
import Configuration
import EventLoops
import Loudspeaker
import Monitoring
import Sounds
import Speech
import Vitals
import Waves

/// All sounds of alarms and of the pulse: the sound system, the bell as its replacement, and speech.
///
/// Nothing here blocks: speakers and speech use the signals' thread.
struct AlarmSounds {
    /// Whether sound is switched off here; the monitor of a view may still sound, and asks for bursts.
    var isSwitchedOff = false
    /// The volume in percent of the schedule's entry in force; `nil` for the usual one.
    var scheduledVolume: Int? {
        didSet { if scheduledVolume != oldValue { speaker?.append([.volume(volume)]) } }
    }
    /// Speaks alarms; `nil` while they are not spoken.
    var speech: AlarmSpeech?

    private let bell: AlarmBell?
    private let speakerUse: SpeakerUse
    private let loop: EventLoop
    private let reporter: AsyncStream<AlarmDispatcher.Report>.Continuation
    private var speaker: SpeakerOrders?
    private var director = SoundDirector()
    private var pulse = PulseDirector()
    private var settings = Settings.Alarms.silent
    /// Whether alarms are heard through the sound system.
    private var isSpeakerWorking = false

    /// Creates silent sounds, which wait for settings.
    ///
    /// - Parameters:
    ///   - bell: The terminal's bell; `nil` for none.
    ///   - speakerUse: Whether the sound system may be used.
    ///   - loop: The loop of the signals' thread.
    ///   - reporter: Receives changes.
    init(
        bell: AlarmBell?, _ speakerUse: SpeakerUse, on loop: EventLoop,
        reporter: AsyncStream<AlarmDispatcher.Report>.Continuation
    ) {
        (self.bell, self.speakerUse, self.loop, self.reporter) = (bell, speakerUse, loop, reporter)
    }

    private var volume: SoundVolume { SoundVolume(percent: scheduledVolume ?? settings.volume) }

    /// Applies new settings.
    ///
    /// - Returns: Tasks that end what was switched off.
    mutating func follow(_ new: Settings.Alarms) -> [Task<Void, Never>] {
        let old = settings
        settings = new
        let ends = [followSpeakers(new, insteadOf: old), followSpeech(new)].compactMap(\.self)
        return ends
    }

    /// Applies whether alarms are spoken; returns how to end a speech that is switched off.
    private mutating func followSpeech(_ new: Settings.Alarms) -> Task<Void, Never>? {
        guard let language = SpeechLanguage(new.speech), speakerUse != .none else {
            guard let old = speech else { return nil }
            speech = nil
            return Task(executorPreference: loop) { await old.close() }
        }
        if speech == nil {
            let reporter = reporter
            speech = AlarmSpeech(
                language, on: loop, onChange: { reporter.yield(.speech($0)) },
                onRepetition: { reporter.yield(.speechRepetition) })
        }
        speech?.language = language
        return nil
    }

    /// Applies the use and the volume of the sound system; returns how to end a speaker that is switched off.
    private mutating func followSpeakers(
        _ new: Settings.Alarms, insteadOf old: Settings.Alarms
    ) -> Task<Void, Never>? {
        let isWanted = new.usesSpeakers && speakerUse != .none
        if isWanted, speaker == nil {
            let reporter = reporter
            speaker = SpeakerOrders(on: loop, volume: volume) {
                reporter.yield(.soundProven)
            } onChange: {
                reporter.yield(.soundOutput($0))
            }
        } else if !isWanted, let former = speaker {
            speaker = nil
            isSpeakerWorking = false
            reporter.yield(.soundOutput(.unavailable(reason: "switched off")))
            return Task(executorPreference: loop) { await former.close() }
        } else if new.volume != old.volume {
            speaker?.append([.volume(volume)])
        }
        return nil
    }

    /// Handles whether the sound system works; if it has failed, the bell rings at once.
    ///
    /// - Parameter sounding: The priority that sounds now.
    /// - Returns: Whether the report applies: a speaker may still report after it was switched off.
    mutating func speakerChanged(to output: SoundOutput, sounding: AlarmPriority?) -> Bool {
        if speaker == nil, output == .working { return false }
        let wasWorking = isSpeakerWorking
        isSpeakerWorking = output == .working
        if wasWorking, !isSpeakerWorking, let sounding { bell?.burst(sounding) }
        return true
    }

    /// Asks the sound system whether a sound could be played now.
    func probe() { speaker?.append([.probe]) }

    /// Whether a tone sounds for each pulse value.
    var hasPulseTone: Bool { settings.hasPulseTone && speaker != nil }

    /// Sounds the pulse tone if the input is a pulse value.
    mutating func soundPulse(after input: MonitorInput, in state: borrowing MonitorState) {
        let orders = pulse.orders(after: input, in: state)
        if !orders.isEmpty { speaker?.append(orders) }
    }

    /// Sounds the pulse tone for the beats that are marked in a wave.
    mutating func soundPulse(of block: WaveBlock, at now: Moment, in state: borrowing MonitorState) {
        let orders = pulse.orders(for: block, at: now, in: state)
        if !orders.isEmpty { speaker?.append(orders) }
    }

    /// Sounds effects.
    ///
    /// - Parameters:
    ///   - effects: The effects.
    ///   - sounding: The priority that sounds now; `nil` silences a burst at once.
    ///   - category: The category of the worst sounding alarm.
    mutating func handle(_ effects: [Effect], sounding: AlarmPriority?, category: () -> SoundCategory) {
        let sounding = isSwitchedOff ? nil : sounding
        if sounding == nil { bell?.stop() }
        if isSwitchedOff { return }
        if let speaker {
            let orders = director.orders(for: effects, sounding: sounding, category: category)
            if !orders.isEmpty { speaker.append(orders) }
        }
        guard !isSpeakerWorking || speakerUse == .besideBell else { return }
        for effect in effects {
            switch effect {
            case .soundBurst(let priority, _): bell?.burst(priority)
            case .soundReminder: bell?.remind()
            default: break
            }
        }
    }

    /// Silences the bell at once.
    func stopBell() { bell?.stop() }

    /// Ends outputs that have a process or a connection.
    var end: @Sendable () async -> Void {
        let (speaker, speech) = (speaker, speech)
        return {
            await speaker?.close()
            await speech?.close()
        }
    }
}

/// Whether alarms may sound through the computer's sound system.
package enum SpeakerUse: Hashable, Sendable {
    /// The sound system is not used.
    case none
    /// The sound system is used, and the terminal's bell where it does not work.
    case insteadOfBell
    /// Both are used: the terminal is on another computer.
    case besideBell
}

/// The orders for a speaker, given without waiting.
struct SpeakerOrders: Sendable {
    private let speaker: Speaker
    private let work: OrderedWork<[SoundOrder]>

    /// Starts a speaker.
    ///
    /// - Parameters:
    ///   - loop: The loop on whose thread it works.
    ///   - volume: The volume in percent.
    ///   - onProof: Called on the loop's thread when a probe was answered.
    ///   - onChange: Called on the loop's thread when sound begins to work or fails.
    init(
        on loop: EventLoop, volume: SoundVolume, onProof: @escaping @Sendable () -> Void,
        onChange: @escaping @Sendable (SoundOutput) -> Void
    ) {
        let speaker = Speaker(loop: loop, volume: volume, onProof: onProof) { state in
            switch state {
            case .untried: break
            case .working: onChange(.working)
            case .unavailable(let reason): onChange(.unavailable(reason: reason))
            case .lost(let reason): onChange(.lost(reason: reason))
            }
        }
        self.speaker = speaker
        work = OrderedWork(on: loop) { await speaker.carryOut($0) }
        Task(executorPreference: loop) { await speaker.begin() }
    }

    /// Gives orders.
    func append(_ orders: [SoundOrder]) { work.append(orders) }

    /// Ends the sound.
    func close() async {
        await work.finish()
        await speaker.close()
    }
}
