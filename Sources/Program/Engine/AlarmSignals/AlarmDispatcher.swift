import AlarmSignals
import Configuration
import EventLoops
import Formats
import Monitoring
import Recording
import Sounds
import UserFiles
import Vitals

/// Everything that alarms do beyond the screen: desktop notifications and the user's hook here, sounds in
/// ``AlarmSounds``, records in ``MonitorStore``.
///
/// It handles effects on its owner's thread and never waits. Desktop and hook share a separate thread; the store has
/// another one, because a disk may be slow. Their messages arrive through ``reports``.
final class AlarmDispatcher {
    /// The messages, to be read by the owner's task.
    let reports: AsyncStream<Report>
    /// What every output says of the session.
    var context: SessionContext { didSet { encoder.context = context } }

    /// The sounds.
    var sounds: AlarmSounds
    /// The records.
    let store: MonitorStore

    private let reporter: AsyncStream<Report>.Continuation
    private let signalLoop: EventLoop
    private var notifications: DesktopNotifications?
    private var hook: HookRunner?
    private let signals: OrderedWork<Signal>
    /// The tasks that finish the pending work of replaced outputs.
    private var replaced: [Task<Void, Never>] = []
    private var encoder: WatchEncoder
    /// The settings of notifications and hook.
    private var settings: Settings.Alarms
    /// Whether it stays silent whatever the settings.
    private var isMute = false

    private enum Signal: Sendable {
        case notification(DesktopNotifications, DesktopNotification?, key: String, isAgain: Bool)
        case hook(HookRunner, [UInt8])

        func perform() async {
            switch self {
            case .hook(let hook, let input): await hook.run(input: input)
            case .notification(let notifications, let notification, let key, let isAgain):
                // Unchanged notifications that the user has closed would otherwise not be shown again.
                if isAgain { await notifications.set(nil, for: key) }
                await notifications.set(notification, for: key)
            }
        }
    }

    /// Creates a dispatcher; the store is not open yet.
    ///
    /// - Parameters:
    ///   - settings: The settings of notifications and hook.
    ///   - recording: What is recorded.
    ///   - context: What every output says of the session.
    ///   - start: When the program started.
    ///   - bell: The terminal's bell; `nil` for none.
    ///   - speakers: Whether the sound system may be used.
    ///   - receptionLoop: The loop where readings arrive; `nil` without readings.
    init(
        _ settings: Settings.Alarms, recording: Settings.Recording, _ context: SessionContext, start: Moment,
        bell: AlarmBell?, speakers: SpeakerUse = .none, receptionLoop: EventLoop? = nil
    ) {
        self.context = context
        encoder = WatchEncoder(context)
        let (reports, reporter) = AsyncStream<Report>.makeStream()
        (self.reports, self.reporter) = (reports, reporter)
        let loop = EventLoop()
        loop.startThread(named: "signals")
        signalLoop = loop
        signals = OrderedWork(on: loop) { await $0.perform() }
        sounds = AlarmSounds(bell: bell, speakers, on: loop, reporter: reporter)
        store = MonitorStore(
            recording, patient: context.patient, start: start, receptionLoop: receptionLoop, reporter: reporter)
        self.settings = .silent
        follow(settings)
    }

    /// Applies new settings to all later alarms.
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
            if Landlock.isInForce, !new.hook.isEmpty { warnOfConfinement("The command for alarms") }
        }
        let wasSpoken = sounds.speech != nil
        replaced += sounds.follow(new)
        if Landlock.isInForce, !wasSpoken, sounds.speech != nil { warnOfConfinement("Speech") }
        settings = new
    }

    /// Warns that a user's program, which would have kept this process from restricting itself if it had been
    /// configured at the start, now runs under those restrictions.
    private func warnOfConfinement(_ program: String) {
        reporter.yield(
            .warning(
                "\(program) reaches none of your own files until Bedside is started again: restart it, and try an alarm."
            ))
    }

    /// Creates a dispatcher for a feed: a recording has no signals, and a view has only the bell, because the monitor has
    /// all others.
    convenience init(
        for feed: MonitorFeed, _ settings: Settings, _ context: SessionContext, bell: AlarmBell?,
        speakers: SpeakerUse = .none, on loop: EventLoop
    ) {
        var recording = settings.recording
        if !feed.isMonitor { recording.isEnabled = false }
        let signals = feed.alarmSignals
        self.init(
            signals == .all ? settings.alarms : .silent, recording: recording, context,
            start: feed.now(), bell: signals == .none ? nil : bell, speakers: signals == .all ? speakers : .none,
            receptionLoop: loop)
        if feed.isMonitor { return }
        store.inbox.close()
        isMute = true
    }

    /// Carries out effects.
    ///
    /// - Parameters:
    ///   - effects: The effects.
    ///   - sounding: The priority that sounds now; `nil` silences a burst at once.
    ///   - category: The category of the worst sounding alarm.
    /// - Returns: The resulting lines of the log.
    @discardableResult
    func handle(
        _ effects: [Effect], sounding: AlarmPriority?, category: () -> SoundCategory = { .general }
    ) -> [AlarmLogEntry] {
        sounds.handle(effects, sounding: sounding, category: category)
        var entries: [AlarmLogEntry] = []
        for effect in effects {
            switch effect {
            case .alarm(let alarm, _), .unanswered(let alarm, _):
                notify(DesktopNotification(AlarmReport(alarm), context), alarm)
            case .alarmAgain(let alarm, let moment):
                let again = DesktopNotification(again: alarm, at: moment, context)
                notify(again, alarm, isAgain: true)
            case .latchReset(let alarm, _): notify(nil, alarm)
            case .reading(let reading): store.inbox.append(reading)
            case .entry(let entry): store.inbox.append(entry)
            case .deviceUsers(let change, let moment): store.inbox.append(.deviceUsers(change), at: moment)
            case .action, .soundBurst, .soundReminder, .calibrations: break
            }
            guard let entry = AlarmLogEntry(effect) else { continue }
            entries.append(entry)
            store.inbox.append(entry)
            runHook(effect)
        }
        return entries
    }

    /// Removes notifications, delivers and writes pending work, and ends the threads.
    ///
    /// It never waits longer than a limit.
    ///
    /// - Parameter interruptions: The log entries for alarms that are active when the program ends.
    /// - Returns: A sentence for the user when something could not be delivered or written.
    func close(_ interruptions: [AlarmLogEntry]) async -> String? {
        sounds.stopBell()
        for entry in interruptions { store.inbox.append(entry) }
        let (signals, notifications, hook, replaced) = (signals, notifications, hook, replaced)
        let endSounds = sounds.end
        let areDelivered: Void? = await signalLoop.result(within: Self.signalLimit) {
            await endSounds()
            await signals.finish()
            await hook?.finish(within: AlarmDispatcher.hookLimit)
            await notifications?.close()
            for end in replaced { await end.value }
        }
        signalLoop.stop()
        var trouble: [String] = []
        if areDelivered == nil { trouble.append("The desktop or the hook did not take the last alarms in time.") }
        if let loss = await store.close() { trouble.append(loss) }
        reporter.finish()
        return trouble.isEmpty ? nil : trouble.joined(separator: " ")
    }

    /// Reports a sentence for the user through ``reports``; usable from any thread.
    var complain: @Sendable (String) -> Void {
        let reporter = reporter
        return { reporter.yield(.warning($0)) }
    }

    /// How long the program waits for the hook's commands before it ends.
    private static let hookLimit = Duration.seconds(2)
    /// How long desktop and hook together may delay the end of the program.
    private static let signalLimit = Duration.seconds(4)

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

extension AlarmDispatcher {
    /// The messages for the owner.
    enum Report: Sendable {
        /// Whether the store can be written has changed.
        case storage(StorageState)
        /// Whether the sound system works has changed.
        case soundOutput(SoundOutput)
        /// A probe of the sound system was answered: a sound could be played now.
        case soundProven
        /// Whether speech works has changed.
        case speech(SpeechClient.State)
        /// The present alarms are to be spoken once more, because speech may have failed.
        case speechRepetition
        /// A sentence for the user.
        case warning(String)
        /// The data of earlier runs, from a store that was slow to open.
        case earlierRuns(EarlierRuns)
    }

    /// The data of earlier runs from the store.
    struct EarlierRuns: Sendable {
        /// The newest entries of the log, for the screen.
        var log: [AlarmLogEntry] = []
        /// The alarms that had not ended.
        var alarms = OutstandingAlarms()
        /// The remembered data; `nil` when they are unknown.
        var memory: StoredMemory?
    }
}

/// A serial queue of work on another thread; callers never wait.
struct OrderedWork<Piece: Sendable>: Sendable {
    private enum Step: Sendable {
        case piece(Piece)
        case mark(CheckedContinuation<Void, Never>)
    }

    private let steps: AsyncStream<Step>.Continuation
    private let worker: Task<Void, Never>

    /// Begins to work.
    ///
    /// - Parameters:
    ///   - loop: The loop on whose thread the work is done.
    ///   - perform: Does one piece of work.
    init(on loop: EventLoop, _ perform: @escaping @Sendable (Piece) async -> Void) {
        let (stream, continuation) = AsyncStream<Step>.makeStream()
        steps = continuation
        worker = Task(executorPreference: loop) {
            for await step in stream {
                switch step {
                case .piece(let piece): await perform(piece)
                case .mark(let waiter): waiter.resume()
                }
            }
        }
    }

    /// Adds a piece of work.
    func append(_ piece: Piece) {
        steps.yield(.piece(piece))
    }

    /// Waits until all work added so far is done.
    func catchUp() async {
        await withCheckedContinuation { waiter in
            if case .terminated = steps.yield(.mark(waiter)) { waiter.resume() }
        }
    }

    /// Accepts no more work and waits until all is done.
    func finish() async {
        steps.finish()
        await worker.value
    }
}
