import AlarmSignals
import Configuration
import EventLoops
import Monitoring
import Sounds
import Speech

/// Everything that is heard of alarms and of the pulse: the sound system, the bell in its place, and speech.
///
/// Nothing here waits: speakers and speech have the thread of the signals.
struct AlarmSounds {
    /// Whether the sound is switched off here; a view's monitor may sound all the same, and asks for bursts.
    var isSwitchedOff = false
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

    /// Creates what is silent until it follows settings.
    ///
    /// - Parameters:
    ///   - bell: The terminal's bell; `nil` for none.
    ///   - speakerUse: Whether the sound system may be used.
    ///   - loop: The loop of the signals' thread.
    ///   - reporter: Receives what has changed.
    init(
        bell: AlarmBell?, _ speakerUse: SpeakerUse, on loop: EventLoop,
        reporter: AsyncStream<AlarmDispatcher.Report>.Continuation
    ) {
        (self.bell, self.speakerUse, self.loop, self.reporter) = (bell, speakerUse, loop, reporter)
    }

    /// Takes over what may be heard.
    ///
    /// - Returns: The ends of what is no longer heard.
    mutating func follow(_ new: Settings.Alarms) -> [Task<Void, Never>] {
        let ends = [followSpeakers(new), followSpeech(new)].compactMap(\.self)
        settings = new
        return ends
    }

    /// Takes over whether alarms are spoken; returns the end of a speech that is switched off.
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

    /// Takes over whether and how loud the sound system is used; returns the end of a speaker that is switched off.
    private mutating func followSpeakers(_ new: Settings.Alarms) -> Task<Void, Never>? {
        let isWanted = new.usesSpeakers && speakerUse != .none
        if isWanted, speaker == nil {
            let reporter = reporter
            speaker = SpeakerOrders(on: loop, volume: new.volume) { reporter.yield(.soundOutput($0)) }
        } else if !isWanted, let old = speaker {
            speaker = nil
            isSpeakerWorking = false
            reporter.yield(.soundOutput(.unavailable(reason: "switched off")))
            return Task(executorPreference: loop) { await old.close() }
        } else if new.volume != settings.volume {
            speaker?.append([.volume(SoundVolume(percent: new.volume))])
        }
        return nil
    }

    /// Takes over whether alarms are heard through the sound system; where they no longer are, the bell rings at once.
    ///
    /// - Parameter sounding: The priority that sounds now.
    /// - Returns: Whether it is so: a speaker that has been switched off meanwhile may report late.
    mutating func speakerChanged(to output: SoundOutput, sounding: AlarmPriority?) -> Bool {
        if speaker == nil, output == .working { return false }
        let wasWorking = isSpeakerWorking
        isSpeakerWorking = output == .working
        if wasWorking, !isSpeakerWorking, let sounding { bell?.burst(sounding) }
        return true
    }

    /// Whether a tone sounds for each pulse value.
    var hasPulseTone: Bool { settings.hasPulseTone && speaker != nil }

    /// Sounds the tone of a pulse, if the input is a pulse value.
    mutating func soundPulse(after input: MonitorInput, in state: borrowing MonitorState) {
        let orders = pulse.orders(after: input, in: state)
        if !orders.isEmpty { speaker?.append(orders) }
    }

    /// Sounds what effects ask for.
    ///
    /// - Parameters:
    ///   - effects: The effects of the state.
    ///   - sounding: The priority that sounds now; `nil` silences a burst at once.
    ///   - category: What the worst alarm that sounds is about.
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

    /// Silences the bell, at once.
    func stopBell() { bell?.stop() }

    /// Ends what has a process or a connection.
    var end: @Sendable () async -> Void {
        let (speaker, speech) = (speaker, speech)
        return {
            await speaker?.close()
            await speech?.close()
        }
    }
}
