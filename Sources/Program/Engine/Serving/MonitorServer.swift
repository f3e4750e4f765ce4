import Base
import DBus
import EventLoops
import Formats
import LineSocket
import Monitoring
import MonitorLink
import Status
import UserFiles
import Vitals
import Waves

/// Serves a monitor to other programs by its socket and, where there is one, the session bus: its status to those that
/// ask for or follow it, and everything to views, which send requests back.
///
/// It never waits, and reads the monitor only on request. Use it on the monitor's loop only.
final class MonitorServer: MonitorSubscriber {
    private let loop: EventLoop
    private let patient: PatientName?
    private let lock: HeldMonitorLock
    private let publisher: MonitorPublisher
    private weak var monitor: MonitorEngine?
    /// Shows each new status in this program, too.
    private var showStatus: ((StatusSummary) -> Void)?
    private var server: LineSocketServer?
    private var keeper: SocketKeeper?
    private var bus: BusPresence?
    private var busPacer = BusPacer()
    /// The timer for numbers that wait for the session bus.
    private var busTimer: LoopTimer?
    private var followers: [ObjectIdentifier: LineSocketConnection] = [:]
    private var last: StatusSummary?
    private var timer: LoopTimer?
    private var pacer = StatusPacer()
    /// The vitals with new values since the last other change, with their quality.
    private var known: [Vital: Reading.Quality] = [:]
    /// The timer for growing ages; it must not delay other changes.
    private var ageTimer: LoopTimer?
    private var isSimulated: Bool?

    /// Creates a server, and opens its socket.
    ///
    /// - Parameters:
    ///   - monitor: The monitor, which keeps this server as its subscriber.
    ///   - command: The name of the monitoring command.
    ///   - lock: The lock of the patient; released when the sensors turn out to be simulated, or the monitor has
    ///     closed.
    ///   - showStatus: Shows the status in this program, too; `nil` for nothing.
    init(
        _ monitor: isolated MonitorEngine, command: String, holding lock: HeldMonitorLock,
        showStatus: ((StatusSummary) -> Void)? = nil
    ) {
        let loop = monitor.loop
        let publisher = MonitorPublisher(on: loop, command: command) { [unowned monitor] in
            monitor.assumeIsolated { $0.snapshot }
        } refusal: { [unowned monitor] wish in
            monitor.assumeIsolated { $0.refusal(of: wish) }
        } carryOut: { [unowned monitor] wish in
            monitor.assumeIsolated { $0.carryOut(wish) }
        }
        (self.loop, self.patient, self.lock) = (loop, monitor.settings.patient.name, lock)
        (self.publisher, self.monitor, self.showStatus) = (publisher, monitor, showStatus)
        publisher.wantsWaves = { [weak self] in self?.read($0) }
        publisher.keeps = { [weak self] in self?.keep($0) ?? false }
        open(isSimulated: monitor.feed.isSimulated)
    }

    func receive(_ update: MonitorUpdate, from monitor: isolated MonitorEngine) {
        switch update {
        case .input(let input, let effects):
            publisher.publish(input)
            switch update.event?.kind {
            case .reading(let reading) where effects.isEmpty: received(reading)
            // RR intervals and a trace are not part of the status.
            case .rrIntervals where effects.isEmpty, .traced where effects.isEmpty: break
            default: changed(isUrgent: effects.contains(where: \.isUrgent))
            }
        case .replaced, .monitorLost:
            publisher.publishSnapshot()
            changed()
        case .notice(let sentence), .viewNotice(let sentence): publisher.publish(notice: sentence)
        case .provenance(let provenance):
            if provenance != .unknown { open(isSimulated: provenance == .simulated) }
        case .closing:
            publisher.close()
            close()
        // Only now may another program monitor the patient: this one writes nothing from here on.
        case .closed: lock.release()
        case .turnEnded: publisher.publish(waves: monitor.takeWaves(as: .views))
        case .context, .refused, .unavailable, .ready, .replayBegan, .replayEnded, .settingsChanged, .settingsKept,
            .reloading, .reloaded, .timePassed:
            break
        }
    }

    /// Reads the waves that some view wants.
    private func read(_ kinds: Set<WaveKind>) {
        guard let monitor else { return }
        Task(executorPreference: loop) { await monitor.readWaves(kinds, as: .views) }
    }

    // MARK: Status

    /// Starts to answer, or moves to another socket once it is known whether the sensors are simulated.
    private func open(isSimulated: Bool) {
        if self.isSimulated == nil, let warning = lock.warning { complain(warning) }
        guard self.isSimulated != isSimulated else { return }
        self.isSimulated = isSimulated
        // Simulated sensors must not keep another program from monitoring the patient.
        if isSimulated { lock.release() }
        bus?.close()
        busPacer = BusPacer()
        bus =
            BusAddress.hasSessionBus
            ? BusPresence(name: BusPresence.name(of: patient, isSimulated: isSimulated), on: loop) : nil
        keeper?.stop()
        server?.close()
        do {
            let place = MonitorFinder(of: patient, in: try UserDirectories.current())
            let path = isSimulated ? place.simulatedSocket() : place.socket
            // A new view receives a large snapshot.
            let server = try LineSocketServer(path: path, loop: loop, limits: MonitorPublisher.limits) {
                [weak self] in self?.answer($0, $1)
            }
            self.server = server
            keeper = SocketKeeper(
                server, paths: [path, place.fallback(for: path)], on: loop,
                moved: { [lock] in lock.socketMoved(to: $0) },
                complain: { [weak self] in self?.complain("bedside status can no longer ask this monitor. \($0)") })
        } catch {
            (server, keeper) = (nil, nil)
            complain("bedside status cannot ask this monitor. \(error)")
        }
        changed()
    }

    /// Schedules one status for all recent changes.
    ///
    /// - Parameter isUrgent: Whether it must not be delayed: an alarm has begun or worsened.
    private func changed(isUrgent: Bool = false) {
        known = [:]
        schedule(isUrgent: isUrgent)
    }

    private func schedule(isUrgent: Bool = false) {
        guard isWatched, let time = pacer.changed(now: Timestamp.monotonicNow(), isUrgent: isUrgent) else { return }
        if let timer { loop.cancel(timer) }
        // Only an alarm justifies a separate wake-up.
        timer = loop.schedule(at: time, tolerance: isUrgent ? .zero : Self.tolerance) { [weak self] in self?.report() }
    }

    /// Schedules a status for a reading without effects, unless only its number differs from a status that is already
    /// due.
    ///
    /// If only the session bus listens, a summary each second would be wasted: it is made when it is sent.
    private func received(_ reading: Reading) {
        guard case .measured(_, let quality) = reading.outcome else { return changed() }
        if followers.isEmpty, showStatus == nil, known[reading.vital] == quality {
            return planNumbers(at: busPacer.numbersDue)
        }
        known[reading.vital] = quality
        schedule()
    }

    /// Stops answering, without waiting for the session bus, which may hang.
    private func close() {
        for timer in [timer, ageTimer, busTimer].compactMap(\.self) { loop.cancel(timer) }
        (timer, ageTimer, busTimer) = (nil, nil, nil)
        (pacer, busPacer) = (StatusPacer(), BusPacer())
        showStatus = nil
        bus?.close()
        bus = nil
        followers = [:]
        keeper?.stop()
        keeper = nil
        server?.close()
        server = nil
    }

    /// Reserves a connection for later messages.
    ///
    /// - Parameter reserve: The number of connections left for others.
    private func keep(_ connection: LineSocketConnection, reserve: Int = 0) -> Bool {
        server?.keep(connection, reserve: reserve) ?? false
    }

    /// The number of connections reserved for views, which matter more than followers of the status.
    private static let placesForViews = 8

    /// The tolerated delay of a status without an alarm, so that it is sent with the next value of a sensor.
    private static let tolerance = Duration.milliseconds(400)

    private var isWatched: Bool { !followers.isEmpty || bus != nil || showStatus != nil }

    private func report() {
        timer = nil
        pacer.sent(now: Timestamp.monotonicNow())
        let summary = self.summary
        planAge(of: summary)
        let fingerprint = summary.fingerprint
        if fingerprint == last { return }
        last = fingerprint
        showStatus?(summary)
        publish(summary)
        if followers.isEmpty { return }
        let line = StatusEncoder.line(summary, text: StatusLine(summary).text)
        for follower in Array(followers.values) { follower.send(line) }
    }

    /// Sends a status to the session bus, or schedules it if only numbers have changed.
    private func publish(_ summary: StatusSummary) {
        guard let bus else { return }
        if let time = busPacer.delay(summary, now: Timestamp.monotonicNow()) {
            planNumbers(at: time)
        } else {
            if let busTimer { loop.cancel(busTimer) }
            busTimer = nil
            let text = StatusLine(summary).text
            bus.publish(summary, text: text, json: StatusEncoder.line(summary, text: text))
        }
    }

    private func planNumbers(at time: Int64) {
        guard bus != nil, busTimer == nil else { return }
        busTimer = loop.schedule(at: time, tolerance: Self.tolerance) { [weak self] in self?.publishNumbers() }
    }

    private func publishNumbers() {
        busTimer = nil
        let summary = self.summary
        planAge(of: summary)
        publish(summary)
    }

    /// Schedules a status for the time at which an age grows, even if nothing happens.
    private func planAge(of summary: StatusSummary) {
        if let ageTimer { loop.cancel(ageTimer) }
        ageTimer = nil
        guard isWatched, let seconds = summary.secondsUntilChange else { return }
        ageTimer = loop.schedule(after: .seconds(seconds)) { [weak self] in self?.changed() }
    }

    private func answer(_ connection: LineSocketConnection, _ line: [UInt8]) {
        switch StatusQuestion(line) {
        case .once: send(to: connection)
        case .follow:
            guard keep(connection, reserve: Self.placesForViews) else {
                connection.send(StatusQuestion.noPlace)
                return connection.finish()
            }
            let key = ObjectIdentifier(connection)
            followers[key] = connection
            connection.closed = { [weak self] in self?.followers[ObjectIdentifier($0)] = nil }
            send(to: connection)
            changed()
        case nil:
            if publisher.handle(line, from: connection) { return }
            connection.send(StatusQuestion.refusal)
        }
    }

    private func send(to connection: LineSocketConnection) {
        let summary = self.summary
        connection.send(StatusEncoder.line(summary, text: StatusLine(summary).text))
    }

    /// The present status of the monitor.
    private var summary: StatusSummary {
        monitor?.assumeIsolated { [patient] monitor in
            let (provenance, now) = (monitor.feed.provenance, monitor.feed.now())
            return monitor.readState { StatusSummary($0, patient: patient, provenance: provenance, now: now) }
        } ?? StatusSummary(wallMilliseconds: 0)
    }

    /// Tells the user a sentence about a problem.
    private func complain(_ sentence: String) {
        monitor?.assumeIsolated { $0.send(.notice(sentence)) }
    }
}

extension MonitorEngine {
    /// Serves other programs until the monitor closes.
    ///
    /// - Parameters:
    ///   - command: The name of the monitoring command.
    ///   - lock: The lock of the patient, released when the monitor has closed.
    ///   - showStatus: Shows the status in this program, too; `nil` for nothing.
    package func serve(
        command: String, holding lock: sending HeldMonitorLock,
        showStatus: (@Sendable (StatusSummary) -> Void)? = nil
    ) {
        subscribe(MonitorServer(self, command: command, holding: lock, showStatus: showStatus))
        publishToWard()
    }
}

/// Decides when followers of a monitor receive a new status: soon after an alarm, else at most once a second.
struct StatusPacer {
    /// The delay in which changes are collected, in nanoseconds; it also applies to alarms.
    static let pause: Int64 = 100_000_000

    /// The shortest interval between changes of values: a reader needs no more, and each change wakes the bus
    /// and its listeners.
    private var pace = Pace(interval: .seconds(1))
    private var due: Int64?

    /// Handles a possible change.
    ///
    /// - Parameters:
    ///   - now: The monotonic time.
    ///   - isUrgent: Whether the interval does not apply: an alarm has begun or worsened.
    /// - Returns: The new time to send; `nil` when the previous one is early enough.
    mutating func changed(now: Int64, isUrgent: Bool) -> Int64? {
        let time = isUrgent ? now + Self.pause : max(now + Self.pause, pace.next)
        if let due, due <= time { return nil }
        due = time
        return time
    }

    /// Records that the status was sent.
    mutating func sent(now: Int64) {
        pace.count(at: now)
        due = nil
    }
}
