import AlarmSignals
import CommandLineInterface
import Configuration
import Dashboard
import EventLoops
import Formats
import Loudspeaker
import Monitoring
import Recording
import Sounds
import Speech
import Synchronization
import Vitals

/// Everything that alarms do beyond the screen: sound, the bell, desktop notifications, the user's hook, the store.
///
/// It handles effects on its owner's thread and never waits. Desktop and hook share a thread of their own, and the
/// store has another, because a disk may be slow. Their messages arrive by ``reports``.
final class AlarmDispatcher {
    /// The messages for the owner.
    enum Report: Sendable {
        /// It has changed whether the store can be written.
        case storage(StorageState)
        /// It has changed whether anything is heard through the sound system.
        case soundOutput(SoundOutput)
        /// It has changed whether anything is spoken.
        case speech(SpeechClient.State)
        /// Alarms that stand are to be spoken once more, because nobody may have heard them.
        case speechRepetition
        /// A sentence for the user.
        case warning(String)
        /// What earlier runs have left in a store that took its time to open.
        case earlierRuns(EarlierRuns)
    }

    /// What earlier runs have left in the store.
    struct EarlierRuns: Sendable {
        /// What the log on the screen begins with.
        var log: [AlarmLogEntry] = []
        /// The alarms that were not over.
        var alarms = OutstandingAlarms()
        /// What is remembered; `nil` when that is unknown.
        var memory: StoredMemory?
    }

    /// How long is waited for the store when monitoring begins; a disk may never answer.
    private static let openingLimit = Duration.seconds(2)

    /// The messages, to be read by the owner's task.
    let reports: AsyncStream<Report>
    /// Whether alarms are about simulated data, which every output shows.
    var isSimulated = false { didSet { encoder.isSimulated = isSimulated } }

    /// The stream of records, for any thread; it buffers until the store is opened.
    let inbox: RecorderInbox

    private let patient: PatientName?
    private let reporter: AsyncStream<Report>.Continuation
    private let start: Moment
    private let bell: AlarmBell?
    private let speakerUse: SpeakerUse
    private var speaker: SpeakerOrders?
    private var director = SoundDirector()
    private var pulse = PulseDirector()
    /// Whether alarms are heard through the sound system.
    private var isSpeakerWorking = false
    /// Speaks alarms; `nil` while they are not spoken.
    var speech: AlarmSpeech?
    private let signalLoop: EventLoop
    private var notifications: DesktopNotifications?
    private var hook: HookRunner?
    private let signals: OrderedWork<Signal>
    /// What has been replaced by a change of the settings, and has something to bring to an end.
    private var replaced: [Task<Void, Never>] = []
    private var encoder: WatchEncoder
    /// Which notifications and which hook there are.
    private var settings: Settings.Alarms
    private let recordingSettings: Settings.Recording
    private var recording: Recording?
    /// Whether it stays silent under all settings.
    private var isMute = false
    /// The path of the opened store; `nil` before ``open()`` and without a store.
    private(set) var storePath: String?

    private enum Signal: Sendable {
        case notification(DesktopNotifications, DesktopNotification?, key: String, isAgain: Bool)
        case hook(HookRunner, [UInt8])

        func perform() async {
            switch self {
            case .hook(let hook, let input): await hook.run(input: input)
            case .notification(let notifications, let notification, let key, let isAgain):
                // What the user closed, and what has not changed, would not be shown again otherwise.
                if isAgain { await notifications.set(nil, for: key) }
                await notifications.set(notification, for: key)
            }
        }
    }

    private struct Recording {
        var recorder: Recorder
        /// The loop of the store, and one that never waits for the disk.
        var loop, watchLoop: EventLoop
    }

    /// Creates a dispatcher that has not opened the store yet.
    ///
    /// - Parameters:
    ///   - settings: Which notifications and which hook.
    ///   - recording: What is recorded.
    ///   - patient: Whose alarms they are; `nil` for the one patient that has no name.
    ///   - start: When the program started.
    ///   - bell: The terminal's bell; `nil` for none.
    ///   - speakers: Whether the sound system may be used.
    init(
        _ settings: Settings.Alarms, recording: Settings.Recording, patient: PatientName? = nil, start: Moment,
        bell: AlarmBell?, speakers: SpeakerUse = .none
    ) {
        self.patient = patient
        encoder = WatchEncoder(isSimulated: false, patient: patient)
        let (reports, reporter) = AsyncStream<Report>.makeStream()
        (self.reports, self.reporter) = (reports, reporter)
        self.start = start
        self.bell = bell
        speakerUse = speakers
        recordingSettings = recording
        inbox = RecorderInbox(recordsReadings: recording.isEnabled)
        let loop = EventLoop()
        loop.startThread(named: "signals")
        signalLoop = loop
        signals = OrderedWork(on: loop) { await $0.perform() }
        self.settings = .silent
        follow(settings)
    }

    /// Takes over which notifications and which hook there are; alarms from now on go by them.
    func follow(_ new: Settings.Alarms) {
        if isMute { return }
        if new.showsNotifications != settings.showsNotifications {
            endReplaced(notifications, nil)
            notifications = new.showsNotifications ? DesktopNotifications(loop: signalLoop) : nil
        }
        if new.hook != settings.hook {
            endReplaced(nil, hook)
            let reporter = reporter
            hook =
                new.hook.isEmpty
                ? nil : HookRunner(command: new.hook, loop: signalLoop) { reporter.yield(.warning($0)) }
        }
        followSpeakers(new)
        followSpeech(new)
        settings = new
    }

    /// Takes over whether alarms are spoken.
    private func followSpeech(_ new: Settings.Alarms) {
        guard let language = SpeechLanguage(new.speech), speakerUse != .none else {
            guard let old = speech else { return }
            speech = nil
            replaced.append(Task(executorPreference: signalLoop) { await old.close() })
            return
        }
        if speech == nil {
            let reporter = reporter
            speech = AlarmSpeech(
                language, on: signalLoop, onChange: { reporter.yield(.speech($0)) },
                onRepetition: { reporter.yield(.speechRepetition) })
        }
        speech?.language = language
    }

    /// Takes over whether and how loud the sound system is used.
    private func followSpeakers(_ new: Settings.Alarms) {
        let isWanted = new.usesSpeakers && speakerUse != .none
        if isWanted, speaker == nil {
            let reporter = reporter
            speaker = SpeakerOrders(on: signalLoop, volume: new.volume) { reporter.yield(.soundOutput($0)) }
        } else if !isWanted, let old = speaker {
            speaker = nil
            isSpeakerWorking = false
            replaced.append(Task(executorPreference: signalLoop) { await old.close() })
            reporter.yield(.soundOutput(.unavailable(reason: "switched off")))
        } else if new.volume != settings.volume {
            speaker?.append([.volume(SoundVolume(percent: new.volume))])
        }
    }

    /// Takes over whether alarms are heard through the sound system; where they no longer are, the bell rings at once.
    ///
    /// - Parameter sounding: The priority that sounds now.
    /// - Returns: Whether it is so: a speaker that has been switched off meanwhile may report late.
    func speakerChanged(to output: SoundOutput, sounding: AlarmPriority?) -> Bool {
        if speaker == nil, output == .working { return false }
        let wasWorking = isSpeakerWorking
        isSpeakerWorking = output == .working
        if wasWorking, !isSpeakerWorking, let sounding { bell?.burst(sounding) }
        return true
    }

    /// Whether a tone sounds for each pulse value.
    var hasPulseTone: Bool { settings.hasPulseTone && speaker != nil }

    /// Sounds the tone of a pulse, if the input is a pulse value.
    func soundPulse(after input: MonitorInput, in state: borrowing MonitorState) {
        let orders = pulse.orders(after: input, in: state)
        if !orders.isEmpty { speaker?.append(orders) }
    }

    private var isBellNeeded: Bool { !isSpeakerWorking || speakerUse == .besideBell }

    /// Creates a dispatcher for a feed's traits: a recording signals nothing, and for a view, the monitor signals all
    /// but the bell.
    convenience init(
        for feed: any MonitorFeed, _ settings: Settings, bell: AlarmBell?, speakers: SpeakerUse = .none
    ) {
        var recording = settings.recording
        if !feed.traits.isMonitor { recording.isEnabled = false }
        let signals = feed.traits.alarmSignals
        self.init(
            signals == .all ? settings.alarms : .silent, recording: recording, patient: settings.patient.name,
            start: feed.now(), bell: signals == .none ? nil : bell, speakers: signals == .all ? speakers : .none)
        if feed.traits.isMonitor { return }
        inbox.close()
        isMute = true
    }

    /// Opens the store and begins to write the log.
    ///
    /// - Returns: What earlier runs left; what a store that does not open in time holds comes with ``reports``.
    func open() async -> EarlierRuns {
        let (path, earlierFolder): (String, String)
        do {
            path = try StorePath.current(of: patient, isSimulated: isSimulated)
            earlierFolder = try StorePath.earlierFolder(of: patient, isSimulated: isSimulated)
        } catch {
            reporter.yield(.warning("Nothing is recorded: \(error)"))
            reporter.yield(.storage(.failed(reason: "there is no home folder for the store")))
            inbox.close()
            return EarlierRuns()
        }
        let (loop, watchLoop) = (EventLoop(), EventLoop())
        loop.startThread(named: "store")
        watchLoop.startThread(named: "store watch")
        let (reporter, start, inbox) = (reporter, start, inbox)
        let recorder = Recorder(
            Recorder.Place(
                path: path, day: date(ofWallMilliseconds: start.wallMilliseconds), programVersion: Product.version,
                retention: Retention(recordingSettings), earlierFolder: earlierFolder),
            inbox: inbox, loop: loop, watchLoop: watchLoop, onNotice: { reporter.yield(.warning($0)) },
            onLateOpening: { reporter.yield(.earlierRuns(Self.earlierRuns($0, to: inbox, reporter, start))) }
        ) { reporter.yield(.storage($0)) }
        recording = Recording(recorder: recorder, loop: loop, watchLoop: watchLoop)
        storePath = path
        let isLate = Mutex(false)
        let opening = await loop.result(within: Self.openingLimit) {
            let opening = await recorder.open(at: start)
            if isLate.withLock({ $0 }) {
                reporter.yield(.earlierRuns(Self.earlierRuns(opening, to: inbox, reporter, start)))
            }
            return opening
        }
        guard let opening else {
            isLate.withLock { $0 = true }
            reporter.yield(
                .warning("The disk of \(path) does not answer yet. What happens is recorded as soon as it does."))
            return EarlierRuns()
        }
        return Self.earlierRuns(opening, to: inbox, reporter, start)
    }

    /// What the store knew when it was opened; the log says that the program was started again.
    private static func earlierRuns(
        _ opening: Recorder.Opening, to inbox: RecorderInbox, _ reporter: AsyncStream<Report>.Continuation,
        _ start: Moment
    ) -> EarlierRuns {
        if let trouble = opening.trouble { reporter.yield(.warning(trouble)) }
        var earlier = EarlierRuns(log: opening.log, alarms: opening.alarms, memory: opening.memory)
        if !opening.log.isEmpty,
            let entry = AlarmLogEntry(.action(ActionRecord(moment: start, actor: .program, kind: .restarted)))
        {
            inbox.append(entry)
            earlier.log.append(entry)
        }
        return earlier
    }

    /// The alarms to resume from earlier runs, with the recorded temperatures that the fever rules need.
    func earlierRun(_ alarms: OutstandingAlarms, _ fever: MonitorSettings.Fever, at now: Moment) async -> EarlierRun {
        var temperatures: [Reading]?
        if let recording {
            let (recorder, start) = (recording.recorder, alarms.feverStart(at: now, fever))
            temperatures = await recording.loop.result(within: Self.openingLimit) {
                await recorder.temperatures(from: start, until: now)
            }
        }
        return EarlierRun(alarms, temperatures: temperatures ?? [], settings: fever, at: now)
    }

    /// What was typed for this patient in earlier runs; nothing before ``open()``.
    func recordEntries(until now: Moment) async -> [RecordEntry] {
        guard let recording else { return [] }
        let recorder = recording.recorder
        return await recording.loop.result(within: Self.openingLimit) {
            await recorder.recordEntries(until: now)
        } ?? []
    }

    /// The recording mark for a state of the store.
    func mark(for storage: StorageState) -> RecordingMark {
        recordingSettings.isEnabled ? Self.mark(whileRecordingIs: storage) : .off
    }

    /// The recording mark while there is a store.
    static func mark(whileRecordingIs storage: StorageState) -> RecordingMark {
        switch storage {
        case .working, .nearlyFull: .on
        case .full, .failed: .failing
        }
    }

    /// Does what effects ask for.
    ///
    /// - Parameters:
    ///   - effects: The effects of the state.
    ///   - sounding: The priority that sounds now; `nil` silences a burst at once.
    ///   - category: What the worst alarm that sounds is about.
    /// - Returns: The lines of the log that they make.
    @discardableResult
    func handle(
        _ effects: [Effect], sounding: AlarmPriority?, category: () -> SoundCategory = { .general }
    ) -> [AlarmLogEntry] {
        if sounding == nil { bell?.stop() }
        if let speaker {
            let orders = director.orders(for: effects, sounding: sounding, category: category)
            if !orders.isEmpty { speaker.append(orders) }
        }
        var entries: [AlarmLogEntry] = []
        for effect in effects {
            switch effect {
            case .soundBurst(let priority, _): if isBellNeeded { bell?.burst(priority) }
            case .soundReminder: if isBellNeeded { bell?.remind() }
            case .alarm(let alarm, _), .unanswered(let alarm, _):
                notify(DesktopNotification(alarm, of: patient, isSimulated: isSimulated), alarm)
            case .alarmAgain(let alarm, let moment):
                let again = DesktopNotification(again: alarm, at: moment, of: patient, isSimulated: isSimulated)
                notify(again, alarm, isAgain: true)
            case .latchReset(let alarm, _): notify(nil, alarm)
            case .reading(let reading): inbox.append(reading)
            case .entry(let entry): inbox.append(entry)
            case .action: break
            }
            guard let entry = AlarmLogEntry(effect) else { continue }
            entries.append(entry)
            inbox.append(entry)
            runHook(effect)
        }
        return entries
    }

    /// Takes notifications away, delivers and writes what waits, and ends the threads.
    ///
    /// It never waits longer than a limit.
    ///
    /// - Parameter interruptions: The log entries for alarms that are active when the program ends.
    /// - Returns: A sentence for the user when something could not be delivered or written.
    func close(_ interruptions: [AlarmLogEntry]) async -> String? {
        bell?.stop()
        for entry in interruptions { inbox.append(entry) }
        let (signals, notifications, hook, replaced) = (signals, notifications, hook, replaced)
        let (speaker, speech) = (speaker, speech)
        let areDelivered: Void? = await signalLoop.result(within: Self.signalLimit) {
            await speaker?.close()
            await speech?.close()
            await signals.finish()
            await hook?.finish(within: AlarmDispatcher.hookLimit)
            await notifications?.close()
            for end in replaced { await end.value }
        }
        signalLoop.stop()
        var trouble: [String] = []
        if areDelivered == nil { trouble.append("The desktop or the hook did not take the last alarms in time.") }
        if let loss = await closeRecording() { trouble.append(loss) }
        reporter.finish()
        return trouble.isEmpty ? nil : trouble.joined(separator: " ")
    }

    /// Reports a sentence for the user by ``reports``; from any thread.
    var complain: @Sendable (String) -> Void {
        let reporter = reporter
        return { reporter.yield(.warning($0)) }
    }

    /// How long the program waits for the hook's commands at its end.
    private static let hookLimit = Duration.seconds(2)
    /// How long desktop and hook may hold up the end of the program together.
    private static let signalLimit = Duration.seconds(4)
    /// How long the program waits for the disk at its end; longer, because unwritten data are lost.
    private static let storeLimit = Duration.seconds(20)

    private func closeRecording() async -> String? {
        guard let recording else { return nil }
        let recorder = recording.recorder
        let lost = await recording.loop.result(within: Self.storeLimit) { await recorder.close() }
        recording.loop.stop()
        recording.watchLoop.stop()
        guard let lost else { return "The disk did not take the last readings and lines of the alarm log in time." }
        return lost == 0 ? nil : "\(lost) readings and lines of the alarm log could not be written and are lost."
    }

    /// Ends outputs that the settings have switched off, after their pending work.
    private func endReplaced(_ notifications: DesktopNotifications?, _ hook: HookRunner?) {
        if notifications == nil, hook == nil { return }
        let signals = signals
        let end = Task(executorPreference: signalLoop) {
            await signals.catchUp()
            await notifications?.close()
            await hook?.finish(within: AlarmDispatcher.hookLimit)
        }
        replaced.append(end)
    }

    private func notify(_ notification: DesktopNotification?, _ alarm: Alarm, isAgain: Bool = false) {
        guard let notifications else { return }
        signals.append(.notification(notifications, notification, key: String(alarm.id), isAgain: isAgain))
    }

    private func runHook(_ effect: Effect) {
        guard let hook else { return }
        if case .alarmAgain(let alarm, let moment) = effect {
            encoder.write(.alarm(alarm, moment))
        } else {
            encoder.write(effect)
        }
        if encoder.isEmpty { return }
        encoder.takeLines { signals.append(.hook(hook, $0)) }
    }
}
