import Base
import Configuration
import EventLoops
import Formats
import MQTT
import Monitoring
import UserFiles
import Vitals
import WardMessages

/// Publishes a monitor to a broker for a ward, as a subscriber that only reads the monitor.
///
/// It belongs to the monitor's loop, as its connection does, and never waits: messages that the broker does not accept
/// are dropped.
final class WardPublisher: MonitorSubscriber {
    private let loop: EventLoop
    private var publication: WardPublication
    private let connection: WardConnection
    private let history: HistorySender?
    private let filters: [String]
    private weak var monitor: MonitorEngine?
    private var heart: LoopTimer?
    private var lastBeat: Moment?
    /// How soon after a heartbeat the next one may be sent together with values.
    private static let earliestBeat = Duration.milliseconds(1600)
    private var areAlarmsChanged = false
    private var isChanged = false
    /// Whether sensors, limits or the patient may have changed.
    private var isPictureChanged = false
    private var isOpened = false
    /// Whether a silence was wanted, and in force, when it last changed.
    private var wasSilent = (false, false)
    /// Since when the broker is disconnected; `nil` while it is connected.
    private var lostSince: Moment?
    private var lastReason: String?

    /// Creates a publisher, which connects once it is known whether the data are simulated.
    init(_ monitor: isolated MonitorEngine, _ place: WardPlace) {
        let (loop, settings) = (monitor.loop, monitor.settings)
        self.monitor = monitor
        self.loop = loop
        let facts = WardFacts(
            isSimulated: monitor.isSimulated, since: monitor.feed.now().wallMilliseconds,
            program: "bedside \(Product.version)", host: Environment.computerName)
        publication = WardPublication(
            place.bed, facts: facts, patient: settings.ward.sendsPatient ? settings.patient.name?.text : nil,
            remoteAcknowledge: settings.ward.remoteAcknowledge,
            announcesToHomeAssistant: settings.ward.announcesToHomeAssistant,
            staleFactor: settings.monitor.freshness.staleFactor)
        filters =
            WardTopic.bedFilters(place.bed)
            + HomeAssistantAnnouncer.filters(place.bed, isWanted: settings.ward.announcesToHomeAssistant)
        connection = WardConnection(place, facts, on: loop) { [weak monitor] report in
            Task(executorPreference: loop) { await monitor?.handle(report) }
        }
        let sendsHistory = settings.ward.sendsHistory && settings.recording.isEnabled
        history = sendsHistory ? HistorySender(place.bed, connection) : nil
    }

    // MARK: The monitor

    func receive(_ update: MonitorUpdate, from monitor: isolated MonitorEngine) {
        switch update {
        case .input(let input, let effects):
            isChanged = true
            if !effects.isEmpty { areAlarmsChanged = true }
            if case .wish = input { areAlarmsChanged = true }
            if input.mayChangePicture || effects.contains(where: \.changesLimits) { isPictureChanged = true }
        case .replaced, .monitorLost, .settingsChanged:
            (isChanged, areAlarmsChanged, isPictureChanged) = (true, true, true)
        case .provenance(let provenance):
            publication.setSimulated(provenance == .simulated)
            connection.setSimulated(provenance == .simulated)
            open(monitor)
        case .ready: history?.begin(storePath: monitor.storePath, isSimulated: monitor.isSimulated)
        case .turnEnded: publishChanges(of: monitor)
        case .closing: close(monitor)
        case .context, .closed, .timePassed, .refused, .unavailable, .notice, .viewNotice, .replayBegan, .replayEnded,
            .settingsKept, .reloading, .reloaded:
            break
        }
    }

    private func open(_ monitor: isolated MonitorEngine) {
        if isOpened { return }
        isOpened = true
        lostSince = monitor.feed.now()
        connection.open(filters)
        planBeat()
    }

    private func publishChanges(of monitor: isolated MonitorEngine) {
        guard isChanged, publication.session != nil else { return }
        let now = monitor.feed.now()
        // A listener is asked at once, and a ward is told at once that it must sound no more.
        let isSilent = monitor.readState { ($0.needsListener, $0.isSilentAsPlanned) }
        if isSilent != wasSilent {
            wasSilent = isSilent
            return beat(monitor)
        }
        // A heartbeat that is due soon is sent with the values, so that no thread wakes up only for it.
        if let lastBeat, now.since(lastBeat) >= Self.earliestBeat { return beat(monitor) }
        let (includingAlarms, includingPicture) = (areAlarmsChanged, isPictureChanged)
        (isChanged, areAlarmsChanged, isPictureChanged) = (false, false, false)
        connection.publish(
            monitor.readState {
                publication.changes(
                    $0, at: now, includingAlarms: includingAlarms, includingPicture: includingPicture)
            })
    }

    private func close(_ monitor: isolated MonitorEngine) {
        if let heart { loop.cancel(heart) }
        heart = nil
        let last = publication.farewell(at: monitor.feed.now())
        publication.end()
        history?.end()
        monitor.wardClosing = Task(executorPreference: loop) { [connection] in
            await connection.close(after: last)
        }
    }

    // MARK: Time

    /// Sends a heartbeat every two seconds, by a timer of the monitor's loop, so that it stops if the loop hangs.
    private func planBeat() {
        if let heart { loop.cancel(heart) }
        heart = loop.schedule(after: .seconds(WardTiming.heartbeatSeconds), tolerance: .milliseconds(200)) {
            [weak monitor] in monitor?.assumeIsolated { $0.beatForWard() }
        }
    }

    fileprivate func beat(_ monitor: isolated MonitorEngine) {
        let now = monitor.feed.now()
        lastBeat = now
        (isChanged, areAlarmsChanged, isPictureChanged) = (false, false, false)
        connection.publish(monitor.readState { publication.beat($0, at: now) })
        reportLoss(in: monitor)
        planBeat()
    }

    // MARK: The broker

    fileprivate func handle(_ report: WardConnection.Report, _ monitor: isolated MonitorEngine) {
        let now = monitor.feed.now()
        switch report {
        case .connected(let session):
            (lostSince, lastReason) = (nil, nil)
            connection.publish(monitor.readState { publication.begin(session, $0, at: now) })
            (isChanged, areAlarmsChanged, isPictureChanged) = (false, false, false)
            monitor.fold(.ward(.connected, at: now))
            history?.connected()
        case .disconnected(let reason):
            publication.end()
            history?.disconnected()
            if lostSince == nil { lostSince = now }
            lastReason = reason
            reportLoss(in: monitor)
        case .received(let message): receive(message, monitor)
        case .refused(let reason): monitor.send(.notice("Ward: \(reason)."))
        }
    }

    /// Records that the broker is disconnected, once per reason.
    private func reportLoss(in monitor: isolated MonitorEngine) {
        guard let since = lostSince, let reason = lastReason else { return }
        let link = WardLink.lost(reason: sanitized(reason, limit: 60), since: since)
        if monitor.readState({ $0.environment.wardLink }) == link { return }
        monitor.fold(.ward(link, at: monitor.feed.now()))
    }

    private func receive(_ message: ReceivedMessage, _ monitor: isolated MonitorEngine) {
        if message.topic.hasPrefix("homeassistant/") {
            return connection.publish(publication.handleHomeAssistant(message))
        }
        // A retained request is a mistake of its sender, and may be a week old.
        guard !message.isRetained, let topic = WardTopic(message.topic), topic.bed == publication.bed else { return }
        guard let decoded = try? WardDecoder.decode(topic.subject, message.payload) else { return }
        switch (topic.subject, decoded) {
        case (.command(_, let request), .command(let command)):
            let now = monitor.feed.now()
            let outcome = monitor.readState { publication.handle(command, request, $0, at: now) }
            if let listener = outcome.listener, monitor.readState({ $0.needsListener }) {
                monitor.fold(.listener(listener, at: now))
            }
            if let alarm = outcome.acknowledges { monitor.fold(.wish(.acknowledge(alarm), at: now)) }
            if let report = outcome.report {
                monitor.fold(.recorded(.answeredFromWard(report.alarm, report.words), at: now))
                let text = monitor.readState { state in
                    (state.alarms + state.latchedAlarms).first { $0.id == report.alarm }?.text
                }
                let sentence = text.map { "\($0): \(report.words)." } ?? "\(report.words)."
                monitor.send(.notice(sentence))
                monitor.send(.viewNotice(sentence))
            }
            connection.publish(outcome.messages)
            isChanged = true
        case (.historyAcknowledgement, .historyAcknowledgement(let answer)):
            history?.acknowledged(answer.stored)
            if answer.refusedCount > 0 {
                let rows = answer.refusedCount == 1 ? "a row" : "\(answer.refusedCount) rows"
                let reason = answer.reason.map { ", because \($0)" } ?? ""
                monitor.send(
                    .notice("The collector cannot take \(rows) of this record\(reason); it goes on with the rest."))
            }
        default: break
        }
    }
}

extension MonitorEngine {
    /// Sends the publisher's next heartbeat.
    fileprivate func beatForWard() {
        if !isClosing { wardPublisher?.beat(self) }
    }

    /// Handles what the connection to a ward's broker reports.
    fileprivate func handle(_ report: WardConnection.Report) {
        if !isClosing { wardPublisher?.handle(report, self) }
    }

    /// Publishes this monitor to the broker in the settings, if there is one.
    func publishToWard() {
        do throws(WardSettingsError) {
            guard let place = try WardPlace(settings.ward) else { return }
            let publisher = WardPublisher(self, place)
            wardPublisher = publisher
            subscribe(publisher)
        } catch {
            subscribe(WardSettingsNotice(sentence: "This bed is not published to a ward: \(error)."))
        }
    }
}

extension MonitorInput {
    /// Whether it may change sensors, limits or the patient; most inputs are values, which change none of them.
    fileprivate var mayChangePicture: Bool {
        guard case .event(let event) = self else { return true }
        switch event.kind {
        case .battery, .connection, .entry, .forgotten, .gone, .pairing, .remembered, .restarted, .sensorsLeftOut:
            return true
        case .adapter, .adapters, .advertised, .beacon, .bus, .cuffPressure, .daemon, .gap, .malformed,
            .announcedInterval, .transmitter, .nearby, .nights, .octets, .reading, .rrIntervals, .services, .tick,
            .traced:
            return false
        }
    }
}

extension Effect {
    /// Whether other limits hold from now on, although only time has passed.
    fileprivate var changesLimits: Bool {
        if case .action(let record) = self { record.kind.name == .scheduleChanged } else { false }
    }
}

/// Reports an error in the settings as soon as all subscribers listen.
private final class WardSettingsNotice: MonitorSubscriber {
    private let sentence: String

    init(sentence: String) { self.sentence = sentence }

    func receive(_ update: MonitorUpdate, from monitor: isolated MonitorEngine) {
        if case .ready = update { monitor.send(.notice(sentence)) }
    }
}
