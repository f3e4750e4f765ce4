import Formats
import EventLoops
import Monitoring
import Recording
import TestSupport
import Vitals

/// What is recorded of a story in a real store, and read back from there and from an export.
final class StoreWitness {
    /// How many readings were found again, and how many unanswered alarms outlived a restart.
    private(set) var readings = 0
    private(set) var outlived = 0

    private let folder: ScratchFolder
    private let loop: EventLoop
    private var recorder: Recording.Recorder
    private var inbox: RecorderInbox
    private var ledger = RecordLedger()
    /// What the log was given in all runs.
    private var log: [AlarmLogEntry] = []
    /// How many items the last run could not write.
    private var unwritten = 0

    /// Makes a witness whose store does not exist yet; call ``begin(at:)``.
    init(on loop: EventLoop) throws {
        self.loop = loop
        folder = try ScratchFolder()
        inbox = RecorderInbox()
        recorder = Self.recorder(path: "\(folder.path)/store.sqlite", inbox, loop)
    }

    private var path: String { "\(folder.path)/store.sqlite" }

    private static func recorder(path: String, _ inbox: RecorderInbox, _ loop: EventLoop) -> Recording.Recorder {
        Recording.Recorder(
            .init(path: path, day: "2026-03-01", programVersion: "1.0"), inbox: inbox, loop: loop,
            now: { Story.start }, onState: { _ in })
    }

    /// Begins the first run.
    func begin(at start: Moment) async {
        _ = await recorder.open(at: start)
    }

    /// Records an input and what it brought about, as the program does.
    func record(_ input: MonitorInput, _ effects: [Effect]) {
        if case .event(let event) = input {
            inbox.append(event)
            if case .reading(let reading) = event.kind { ledger.say(reading) }
        }
        for effect in effects {
            if case .reading(let reading) = effect { inbox.append(reading) }
            guard let entry = AlarmLogEntry(effect) else { continue }
            log.append(entry)
            inbox.append(entry)
        }
    }

    /// The program is killed after all was written, and started again.
    ///
    /// - Returns: What the earlier runs leave to the new one.
    func restart(at start: Moment, _ settings: MonitorSettings.Fever) async -> EarlierRun {
        unwritten = await recorder.close()
        inbox = RecorderInbox()
        recorder = Self.recorder(path: path, inbox, loop)
        let opening = await recorder.open(at: start)
        let temperatures = await recorder.temperatures(
            from: opening.alarms.feverStart(at: start, settings), until: start)
        return EarlierRun(opening.alarms, temperatures: temperatures, settings: settings, at: start)
    }

    /// What a restart has lost of unanswered alarms, or which answer it has invented; `nil` for nothing.
    func restartFault(_ before: borrowing MonitorState, _ after: borrowing MonitorState) -> String? {
        if unwritten > 0 { return "the store did not take \(unwritten) items before a restart" }
        func isSame(_ alarm: Alarm, _ other: Alarm) -> Bool {
            alarm.kind == other.kind && alarm.vital == other.vital && alarm.sensor?.address == other.sensor?.address
                && (alarm.acknowledgedAt == nil) == (other.acknowledgedAt == nil)
        }
        let (old, new) = (before.shownAlarms + before.alarms, after.alarms + after.latchedAlarms)
        // Nothing in the log says whether an alarm stayed after its end.
        let latches = before.settings.answers.latchesHighPriority
        for alarm in old where alarm.alarmClass == .physiological && alarm.priority == .high {
            guard alarm.phase != .pending, alarm.acknowledgedAt == nil, latches else { continue }
            if !new.contains(where: { isSame(alarm, $0) }) {
                return "after a restart \"\(before.text(of: alarm))\" is missing or answered"
            }
            outlived += 1
        }
        for alarm in new where alarm.acknowledgedAt != nil && !old.contains(where: { isSame(alarm, $0) }) {
            return "after a restart \"\(after.text(of: alarm))\" has an invented answer"
        }
        return nil
    }

    /// Ends the last run; answers what the store or an export says that is not so, or leaves out.
    func end() async throws -> String? {
        if await recorder.close() > 0 { return "the store did not take everything" }
        guard let history = try StoredHistory.open(path) else { return "there is no store" }
        var encoder = ExportFormat.csv.encoder(
            sources: try history.sources(in: .min..<(.max)), isSimulated: true, patient: nil)
        encoder.begin()
        var lines: [RecordedLine] = []
        try history.forEachReading(in: .min..<(.max)) { recorded in
            lines.append(RecordedLine(recorded.reading))
            encoder.write(recorded)
            return true
        }
        encoder.end()
        readings = lines.count
        if let fault = ledger.fault(of: lines) { return "the store \(fault)" }
        let table = String(decoding: encoder.bytes, as: UTF8.self)
        guard let exported = RecordedLine.lines(ofTable: table) else { return "the export does not say simulated" }
        if let fault = ledger.fault(of: exported) { return "the export \(fault)" }
        return try logFault()
    }

    /// What the log of alarms in the store says that did not happen, or leaves out.
    private func logFault() throws -> String? {
        var stored: [AlarmLogEntry] = []
        try AlarmHistory.forEach(in: path) { stored.append($0) }
        // What was interrupted by the end of a run, the store finds out by itself.
        stored.removeAll { entry in
            if case .change(let change) = entry.content { change.state == .interrupted } else { false }
        }
        guard stored.count == log.count else { return "the log has \(stored.count) entries of \(log.count)" }
        for (entry, sent) in zip(stored, log) where entry.moment != sent.moment || entry.content != sent.content {
            return "the log says \(entry.content) where \(sent.content) happened"
        }
        return nil
    }
}
