import DBus
import EventLoops
import Formats
import LineSocket
import Status
import UserFiles
import Vitals

/// Answers other programs that ask for or follow a monitor's status, by its socket and, where there is one, the session
/// bus.
///
/// It never waits, and reads the monitor only on request. Use it on its loop's thread only.
final class StatusServer {
    /// Called with each new status summary, for displays in this program; `nil` for none.
    var shown: ((StatusSummary) -> Void)?
    /// Handles a line that is not a request for the status; returns whether it was understood.
    var understands: (([UInt8], LineSocketConnection) -> Bool)?

    private let loop: EventLoop
    private let patient: PatientName?
    private let hold: HeldMonitorLock
    private let complain: (String) -> Void
    private let look: () -> StatusSummary
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

    /// Creates a server that is not started yet.
    ///
    /// - Parameters:
    ///   - hold: The lock of the patient; released when the sensors turn out to be simulated.
    ///   - patient: The patient; `nil` for the unnamed patient.
    ///   - loop: The loop on which everything happens.
    ///   - complain: Tells the user a sentence about a problem.
    ///   - look: Returns the present state of the monitor.
    init(
        _ hold: HeldMonitorLock, of patient: PatientName?, on loop: EventLoop, complain: @escaping (String) -> Void,
        look: @escaping () -> StatusSummary
    ) {
        (self.hold, self.patient, self.loop, self.complain, self.look) = (hold, patient, loop, complain, look)
    }

    /// Starts to answer, or moves to another socket once it is known whether the sensors are simulated.
    func open(isSimulated: Bool) {
        if self.isSimulated == nil, let warning = hold.warning { complain(warning) }
        guard self.isSimulated != isSimulated else { return }
        self.isSimulated = isSimulated
        // Simulated sensors must not keep another program from monitoring the patient.
        if isSimulated { hold.release() }
        bus?.close()
        busPacer = BusPacer()
        bus =
            BusAddress.hasSessionBus
            ? BusPresence(name: BusPresence.name(of: patient, isSimulated: isSimulated), on: loop) : nil
        keeper?.stop()
        server?.close()
        do {
            let directories = try UserDirectories.current()
            let path =
                isSimulated
                ? MonitorPaths.simulatedSocket(directories) : MonitorPaths(of: patient, in: directories).socket
            // A new view receives a large snapshot.
            let server = try LineSocketServer(path: path, loop: loop, limits: MonitorPublisher.limits) {
                [weak self] in self?.answer($0, $1)
            }
            self.server = server
            keeper = SocketKeeper(
                server, paths: [path, MonitorPaths.fallback(for: path, in: directories)], on: loop,
                moved: { [hold] in hold.socketMoved(to: $0) }, complain: complain)
        } catch {
            (server, keeper) = (nil, nil)
            complain("bedside status cannot ask this monitor. \(error)")
        }
        changed()
    }

    /// Schedules one status for all recent changes.
    ///
    /// - Parameter isUrgent: Whether it must not be delayed: an alarm has begun or worsened.
    func changed(isUrgent: Bool = false) {
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
    func received(_ reading: Reading) {
        guard case .measured(_, let quality) = reading.outcome else { return changed() }
        if followers.isEmpty, shown == nil, known[reading.vital] == quality {
            return planNumbers(at: busPacer.numbersDue)
        }
        known[reading.vital] = quality
        schedule()
    }

    /// Stops answering, without waiting for the session bus, which may hang.
    func close() {
        for timer in [timer, ageTimer, busTimer].compactMap(\.self) { loop.cancel(timer) }
        (timer, ageTimer, busTimer) = (nil, nil, nil)
        (pacer, busPacer) = (StatusPacer(), BusPacer())
        shown = nil
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
    func keep(_ connection: LineSocketConnection, reserve: Int = 0) -> Bool {
        server?.keep(connection, reserve: reserve) ?? false
    }

    // MARK: Steps

    /// The number of connections reserved for views, which matter more than followers of the status.
    private static let placesForViews = 8

    /// The tolerated delay of a status without an alarm, so that it is sent with the next value of a sensor.
    private static let tolerance = Duration.milliseconds(400)

    private var isWatched: Bool { !followers.isEmpty || bus != nil || shown != nil }

    private func report() {
        timer = nil
        pacer.sent(now: Timestamp.monotonicNow())
        let summary = look()
        planAge(of: summary)
        let fingerprint = summary.fingerprint
        if fingerprint == last { return }
        last = fingerprint
        shown?(summary)
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
        let summary = look()
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
            if understands?(line, connection) == true { return }
            connection.send(StatusQuestion.refusal)
        }
    }

    private func send(to connection: LineSocketConnection) {
        let summary = look()
        connection.send(StatusEncoder.line(summary, text: StatusLine(summary).text))
    }
}
