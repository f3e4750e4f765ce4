import BlueZ
import CommandLineTool
import Configuration
import DBus
import EventLoop
import Glibc
import Monitoring
import Sensors
import Vitals

/// `bedside watch`: prints what happens in lines, of words or of JSON, on one thread, until it is interrupted.
///
/// It is an actor on the bus loop, so a notification becomes a line with one wake-up and without a hop.
actor WatchCommand {
    private let loop: EventLoop
    private let arguments: CommandLineArguments
    private let settings: Settings
    private let lineLimit: Int?
    private let duration: Duration?
    private var lines: WatchLines
    private var state: MonitorState
    private var output: LineOutput?
    private var readingCount = 0
    private var notebook = SensorNotebook()
    private var outlet: AlarmOutlet?
    private var timeZoneOffset = 0
    private var deadline: DeadlineTimer?
    private var status: ExitStatus?
    private var finish: CheckedContinuation<ExitStatus, Never>?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Makes the command.
    ///
    /// - Throws: ``CommandFailure`` for a value that cannot be understood, or a configuration file that is wrong.
    init(_ arguments: CommandLineArguments, loop: EventLoop) throws(CommandFailure) {
        self.loop = loop
        self.arguments = arguments
        duration = try Self.duration(.duration, arguments)
        let interval = try Self.duration(.interval, arguments)
        if interval != nil, arguments.has(.json) {
            throw Self.usage("--interval is for lines of words; with --json every event is a line")
        }
        if let text = arguments.value(of: .count) {
            guard let count = Int(text), count > 0 else {
                throw Self.usage("'\(text)' is no number of readings")
            }
            lineLimit = count
        } else {
            lineLimit = nil
        }
        settings = try Settings.toStart(arguments)
        lines = WatchLines(
            isJSON: arguments.has(.json), interval: interval ?? .seconds(10), settings,
            isSimulated: arguments.has(.simulate))
        state = MonitorState(settings: settings.monitorSettings, start: .now())
    }

    private static func duration(
        _ option: CommandLineTool.Option, _ arguments: CommandLineArguments
    ) throws(CommandFailure) -> Duration? {
        guard let text = arguments.value(of: option) else { return nil }
        guard let duration = DurationText.duration(text) else {
            throw usage("'\(text)' is no length of time such as 30s, 10m or 8h")
        }
        return duration
    }

    private static func usage(_ problem: String) -> CommandFailure {
        CommandFailure(UsageError(problem, subcommand: .watch).description, status: .usage)
    }

    /// Runs until the time, the count, a signal or the reader ends it.
    func run() async -> ExitStatus {
        let source: SensorSource
        do {
            source = try await SensorSource.open(arguments)
        } catch {
            complain(error.sentence)
            return error.status
        }
        let bluez = source.makeBlueZ(on: loop)
        self.bluez = bluez
        let supervisor = SensorSupervisor(bluez: bluez, policy: ConnectPolicy(settings.sensors.connect))
        output = LineOutput(descriptor: STDOUT_FILENO, loop: loop) { [weak self] failure in
            self?.assumeIsolated { $0.writingFailed(failure) }
        }
        let signals = SignalWatch([SIGINT, SIGTERM, SIGHUP], on: loop) { [weak self] number in
            self?.assumeIsolated { $0.end(number == SIGHUP ? .hangUp : .success) }
        }
        let timer = duration.map { duration in
            loop.schedule(after: duration) { [weak self] in self?.assumeIsolated { $0.end(.success) } }
        }
        deadline = DeadlineTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.timePassed() } }
        let delivery = await supervisor.events().deliver(to: self, on: loop) { $0.receive($1) }
        // Once in a turn: what came in the same breath (the two values of an oximeter) leaves in one write.
        loop.onEachTurn { [weak self, loop] in
            if let self { loop.assumeIsolated(to: self) { $0.turnEnds() } }
        }
        let outlet = AlarmOutlet(settings.alarms, recording: settings.recording, start: .now(), bell: nil)
        self.outlet = outlet
        let recording = await RecordingStream(settings.recording, supervisor, bluez, to: outlet.inbox)
        let reports = outlet.reports
        let reader = Task(executorPreference: loop) { await self.follow(reports) }
        followTimeZone(at: .now())
        // Each kind of them comes once, however often the service repeats it.
        let complaints = await bluez.complaints().deliver(to: self, on: loop) {
            complain(harmlessText($1.description, limit: 400))
        }
        await supervisor.useAdapter(settings.sensors.chosenAdapter)
        await bluez.start()
        let opened = await SensorNotebook.open(source, bluez)
        notebook = opened.notebook
        if let complaint = opened.complaint { complain(complaint) }
        outlet.isSimulated = source.isSimulated || SensorSource.isSimulated(bluez)
        let earlier = await outlet.open()
        // The screen's changes count here, too: both judge the same patient.
        let patient = PatientNotebook.open(isSimulated: outlet.isSimulated)
        if let complaint = patient.complaint { complain(complaint) }
        tell(state.resume(patient.memory, after: earlier.lastAlarm, at: .now()))
        let entries = await outlet.manualEntries(until: .now())
        tell(state.restore(entries, at: .now()))
        await supervisor.remember(opened.sensors)
        await supervisor.start()
        await supervisor.setScanning(true)
        let status = await withCheckedContinuation { continuation in
            if let status = self.status { continuation.resume(returning: status) } else { finish = continuation }
        }
        withExtendedLifetime((delivery, complaints, recording)) {}
        if let timer { loop.cancel(timer) }
        deadline?.cancel()
        await supervisor.shutDown()
        await bluez.stop()
        await source.close()
        // Notifications and the store have the time that a slow reader of our lines has not.
        let loss = await outlet.close(state.interruptions(at: .now()))
        await reader.value
        if let loss { complain(loss) }
        signals?.stop()
        output?.finish(within: .seconds(2))
        return status
    }

    private func receive(_ event: MonitorEvent) {
        if status != nil { return }
        if case .bus(.connected) = event.kind, let bluez, SensorSource.isSimulated(bluez) { lines.isSimulated = true }
        if let complaint = notebook.note(event) { complain(complaint) }
        let effects = state.apply(event)
        lines.write(event, effects, state)
        outlet?.take(effects, sounding: nil)
        switch event.kind {
        case .reading:
            readingCount += 1
            if readingCount == lineLimit { end(.success) }
        case .bus(.lost(let reason)) where !hasBeenConnected:
            complain("\(reason) Is dbus-daemon running? Without it, try: bedside watch --simulate")
            end(.unavailable)
        case .bus(.connected):
            hasBeenConnected = true
        default: break
        }
    }

    private var hasBeenConnected = false
    private var bluez: BlueZ?

    private func tell(_ effects: [Effect]) {
        lines.write(effects, state)
        outlet?.take(effects, sounding: nil)
    }

    /// Follows what the store, the desktop and the hook have to say.
    private func follow(_ reports: AsyncStream<AlarmOutlet.Report>) async {
        for await report in reports {
            switch report {
            case .storage(let storage): tell(state.apply(storage, at: .now()))
            case .complaint(let sentence): complain(sentence)
            }
        }
    }

    /// Takes over the local time's distance from UTC, by which the limits of day and night go.
    private func followTimeZone(at now: Moment) {
        let offset = now.localTimeOffset
        if offset == timeZoneOffset { return }
        timeZoneOffset = offset
        lines.timeZoneOffset = offset
        tell(state.apply(timeZoneOffset: offset, at: now))
    }

    private func flush() {
        lines.take { output?.write($0) }
    }

    private func writingFailed(_ failure: Int32) {
        if failure == EPIPE { return end(.success) }
        complain("cannot write: \(String(cString: strerror(failure)))")
        end(.inputOutputError)
    }

    private func turnEnds() {
        flush()
        deadline?.plan([state.nextDeadline, lines.nextDue].compactMap { $0 }.min())
    }

    private func timePassed() {
        let now = Moment.now()
        followTimeZone(at: now)
        tell(state.apply(MonitorEvent(moment: now, kind: .tick)))
    }

    private func end(_ status: ExitStatus) {
        if self.status != nil { return }
        self.status = status
        finish?.resume(returning: status)
        finish = nil
    }
}

extension ConnectPolicy {
    /// Makes a policy of the values of `--connect`.
    init(_ values: [String]) {
        if values.isEmpty {
            self = .none
        } else if values.contains(where: { $0.lowercased() == "all" }) {
            self = .everyVitalSensor
        } else {
            self = .listed(values)
        }
    }
}
