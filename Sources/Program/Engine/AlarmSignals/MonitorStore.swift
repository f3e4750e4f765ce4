import Configuration
import EventLoops
import Formats
import Monitoring
import Nights
import Recording
import Synchronization
import Vitals
import Wording

/// The store of a monitor on a separate thread, because a disk may be slow: readings, the log of alarms, and remembered
/// data.
///
/// Its owner's thread waits for it only within limits.
final class MonitorStore {
    /// The stream of records, for any thread; it buffers until the store is opened.
    let inbox: RecorderInbox
    /// The path of the opened store; `nil` before ``open(isSimulated:)`` and without a store.
    private(set) var path: String?

    private let patient: PatientName?
    private let settings: Settings.Recording
    private let start: Moment
    private let reporter: AsyncStream<AlarmDispatcher.Report>.Continuation
    private var recording: Recording?

    private let receptionLoop: EventLoop?

    private struct Recording {
        var recorder: Recorder
        var loop: EventLoop
    }

    /// How long the start of monitoring waits for the store; a disk may never answer.
    private static let openingLimit = Duration.seconds(2)
    /// How long the end of the program waits for the disk; longer, because unwritten data are lost.
    private static let storeLimit = Duration.seconds(20)

    /// Creates a store that is not open yet.
    ///
    /// - Parameters:
    ///   - settings: What is recorded.
    ///   - patient: The patient; `nil` for the unnamed patient.
    ///   - start: When the program started.
    ///   - receptionLoop: The loop where readings arrive; `nil` without readings.
    ///   - reporter: Receives changes.
    init(
        _ settings: Settings.Recording, patient: PatientName?, start: Moment, receptionLoop: EventLoop?,
        reporter: AsyncStream<AlarmDispatcher.Report>.Continuation
    ) {
        self.receptionLoop = receptionLoop
        (self.settings, self.patient, self.start, self.reporter) = (settings, patient, start, reporter)
        inbox = RecorderInbox(recordsReadings: settings.isEnabled)
    }

    /// Opens the store and begins to write the log.
    ///
    /// - Returns: The data of earlier runs; if the store does not open in time, they are reported later.
    func open(isSimulated: Bool) async -> AlarmDispatcher.EarlierRuns {
        let path: String
        do {
            path = try StorePath.current(of: patient, isSimulated: isSimulated)
        } catch {
            reporter.yield(.warning("Nothing is recorded: \(error)"))
            reporter.yield(.storage(.failed(reason: "there is no home folder for the store")))
            inbox.close()
            return AlarmDispatcher.EarlierRuns()
        }
        let loop = EventLoop()
        loop.startThread(named: "store")
        let (reporter, start, inbox) = (reporter, start, inbox)
        let recorder = Recorder(
            Recorder.Place(
                path: path, day: date(ofWallMilliseconds: start.wallMilliseconds), programVersion: Product.version,
                retention: Retention(settings)),
            inbox: inbox, loop: loop, receptionLoop: receptionLoop, onNotice: { reporter.yield(.warning($0)) },
            onLateOpening: { reporter.yield(.earlierRuns(Self.earlierRuns($0, to: inbox, reporter, start))) }
        ) { reporter.yield(.storage($0)) }
        recording = Recording(recorder: recorder, loop: loop)
        self.path = path
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
            return AlarmDispatcher.EarlierRuns()
        }
        return Self.earlierRuns(opening, to: inbox, reporter, start)
    }

    /// The data in the store when it was opened; also logs that the program was started again.
    private static func earlierRuns(
        _ opening: Recorder.Opening, to inbox: RecorderInbox,
        _ reporter: AsyncStream<AlarmDispatcher.Report>.Continuation,
        _ start: Moment
    ) -> AlarmDispatcher.EarlierRuns {
        if let trouble = opening.trouble { reporter.yield(.warning(trouble)) }
        var earlier = AlarmDispatcher.EarlierRuns(log: opening.log, alarms: opening.alarms, memory: opening.memory)
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

    /// The manual entries for this patient from earlier runs; none before ``open(isSimulated:)``.
    func recordEntries(until now: Moment) async -> [RecordEntry] {
        guard let recording else { return [] }
        let recorder = recording.recorder
        return await recording.loop.result(within: Self.openingLimit) {
            await recorder.recordEntries(until: now)
        } ?? []
    }

    /// What earlier runs have left about the persons of devices; nothing before ``open(isSimulated:)``.
    func deviceUsers() async -> DeviceUsers {
        guard let recording else { return DeviceUsers() }
        let recorder = recording.recorder
        return await recording.loop.result(within: Self.openingLimit) { await recorder.deviceUsers() } ?? DeviceUsers()
    }

    /// Keeps a night that a ring has handed over, with its file.
    ///
    /// - Returns: Why it is not kept, a clause; `nil` if it is.
    func keep(_ night: StoredNight, file octets: [UInt8]) async -> String? {
        guard settings.isEnabled else { return "recording is switched off" }
        guard let recording else { return "the store is not open" }
        let (recorder, inbox) = (recording.recorder, inbox)
        let result = await recording.loop.result(within: Self.storeLimit) {
            await recorder.keep(night, file: octets, by: inbox)
        }
        return result ?? "the disk does not answer"
    }

    /// The recording mark for a state of the store.
    func mark(for storage: StorageState) -> RecordingMark {
        settings.isEnabled ? Self.mark(whileRecordingIs: storage) : .off
    }

    /// The recording mark while there is a store.
    static func mark(whileRecordingIs storage: StorageState) -> RecordingMark {
        switch storage {
        case .working, .nearlyFull, .incomplete: .on
        case .full, .failed: .failing
        }
    }

    /// Writes waiting data and ends the thread; it never waits longer than a limit.
    ///
    /// - Returns: A sentence for the user when something could not be written.
    func close() async -> String? {
        guard let recording else { return nil }
        let recorder = recording.recorder
        let lost = await recording.loop.result(within: Self.storeLimit) { await recorder.close() }
        recording.loop.stop()
        guard let lost else { return "The disk did not take the last readings and lines of the alarm log in time." }
        return lost == 0 ? nil : "\(lost) readings and lines of the alarm log could not be written and are lost."
    }
}
