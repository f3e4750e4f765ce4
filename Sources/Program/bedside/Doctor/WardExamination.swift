import CommandLineInterface
import Configuration
import Doctor
import EventLoops
import Formats
import Glibc
import JSON
import MQTT
import Engine
import Vitals
import UserFiles
import WardMessages

/// Examines the configured broker, with a time limit for each answer.
///
/// It connects as another client beside a running monitor, and publishes only two messages that no screen and no
/// collector reads: one below its own bed, and one below a bed that does not exist.
@ScreenActor
final class WardExamination {
    /// How long the broker may take to accept the connection, in seconds.
    private static let connectionLimit = 8
    /// How long it may take to acknowledge a message.
    private static let answerLimit = Duration.seconds(3)
    /// How long it listens for heartbeats: all beds send one within this time.
    private static let hearing = Duration.milliseconds(2500)
    /// How long it waits for any message with a time if there are no heartbeats.
    private static let longerHearing = Duration.seconds(3)
    /// The greatest number of retained messages, and of senders, that are counted.
    private static let leftoverBound = 1000

    private var facts: BrokerFacts
    private let broker: BrokerAddress
    private let settings: Settings.Ward
    private let site: WardToken
    private let bed: WardToken?
    private let foreignTopic: String
    private var isSubscribed = false
    private var condition: () -> Bool = { false }
    private var waiter: CheckedContinuation<Void, Never>?

    /// Collects the facts; `nil` if no broker is named.
    static func run(_ arguments: CommandLineArguments) async -> BrokerFacts? {
        let settings = (try? ConfigurationFile(arguments)?.read()?.settings) ?? Settings()
        guard !settings.ward.broker.isEmpty else { return nil }
        let now = Timestamp.now().wallMilliseconds / 1000
        guard let broker = BrokerAddress(settings.ward.broker), let site = WardToken(settings.ward.site) else {
            var facts = BrokerFacts(
                address: settings.ward.broker, isEncrypted: false, isLocal: false, hasBed: false, now: now)
            facts.settingsProblem = "The setting ward.broker is no broker's address: \(settings.ward.broker)."
            return facts
        }
        let examination = WardExamination(broker, settings.ward, site, now: now)
        examination.examineSecrets()
        await examination.examineCertificates()
        await examination.examineBroker()
        return examination.facts
    }

    private init(_ broker: BrokerAddress, _ settings: Settings.Ward, _ site: WardToken, now: Int64) {
        (self.broker, self.settings, self.site) = (broker, settings, site)
        bed = WardToken(settings.bed)
        // No message of a bed has this last level, so no screen shows a bed of this name.
        foreignTopic = "\(WardTopic.root)/\(site)/doctor-\(WardToken.random().text.prefix(8))/probe"
        facts = BrokerFacts(
            address: broker.description, isEncrypted: broker.isEncrypted, isLocal: broker.isLocal,
            hasBed: bed != nil, now: now)
    }

    private var ownTopic: String? { bed.map { "\(WardTopic.root)/\(site)/\($0)/probe" } }

    // MARK: Files

    private func examineSecrets() {
        for path in [settings.key, settings.login] where path.contains("/") {
            do throws(SecretFileError) {
                try SecretFile.check(path)
                facts.secrets.append(SecretFacts(path: path))
            } catch {
                facts.secrets.append(SecretFacts(path: path, problem: error.description))
            }
        }
    }

    private func examineCertificates() async {
        guard broker.isEncrypted else { return }
        let files = [("this computer", settings.certificate), ("the authority", settings.authorities)]
        for (owner, path) in files where !path.isEmpty {
            facts.certificates.append(
                Self.certificate(owner, path) { () throws(MQTTError) in
                    try CertificateEnd.ofFile(path)
                })
        }
        let thread = LoopThread(named: "certificate")
        let (broker, seconds) = (broker, Self.connectionLimit)
        let shown = await thread.loop.result(within: .seconds(seconds + 1)) {
            Self.certificate("the broker", nil) { () throws(MQTTError) in
                try CertificateEnd.ofBroker(broker, within: seconds / 2)
            }
        }
        // An unreachable broker is the finding of another check.
        if let shown, (try? shown.end.get()) != nil { facts.certificates.append(shown) }
    }

    private nonisolated static func certificate(
        _ owner: String, _ path: String?, _ end: () throws(MQTTError) -> Int64
    ) -> CertificateFacts {
        do throws(MQTTError) {
            let seconds = try end()
            let day = date(ofWallMilliseconds: seconds.multipliedReportingOverflow(by: 1000).partialValue)
            return CertificateFacts(owner: owner, path: path, end: .success(.init(seconds: seconds, day: day)))
        } catch {
            return CertificateFacts(owner: owner, path: path, end: .failure(.init(error.description)))
        }
    }

    // MARK: The broker

    private func examineBroker() async {
        let (broker, settings) = (broker, settings)
        let clientID = "bedside-doctor-\(WardToken.random())"
        let client = MQTTClient(on: ScreenActor.loop) { () throws(MQTTError) in
            try WardPlace.options(broker, settings, clientID: clientID)
        } report: { [weak self] event in
            ScreenActor.assumeIsolated { self?.received(event) }
        }
        await client.subscribe(to: filters)
        await client.start()
        await wait(.seconds(Self.connectionLimit)) { [self] in isSubscribed || facts.connection != .unasked }
        if !isSubscribed, facts.connection == .unasked { facts.connection = .timedOut(seconds: Self.connectionLimit) }
        if isSubscribed { await examineAccess(client) }
        await client.stop()
    }

    private func examineAccess(_ client: MQTTClient) async {
        facts.connection = .accepted
        facts.foreign = .unanswered
        if ownTopic != nil { facts.own = .unanswered }
        await client.publish(
            [foreignTopic, ownTopic].compactMap(\.self).map { MQTTMessage($0, Array("doctor".utf8), .atLeastOnce) })
        await wait(Self.answerLimit) { [self] in facts.foreign != .unanswered && facts.own != .unanswered }
        await wait(Self.hearing) { false }
        if facts.clocks.isEmpty { await wait(Self.longerHearing) { [self] in !facts.clocks.isEmpty } }
    }

    /// The topics of a ward's screen, a collector and this bed, and the message that should not come back.
    private var filters: [String] {
        let base = "\(WardTopic.root)/\(site)/+"
        return WardTopic.wardFilters(site: site) + ["\(base)/history/+", "\(base)/cmd/+/+", foreignTopic]
            + (bed.map { WardTopic.bedFilters(WardBed(site: site, bed: $0)) } ?? [])
    }

    private func received(_ event: MQTTClient.Event) {
        switch event {
        case .connected, .subscriptionRefused: break
        case .subscribed: isSubscribed = true
        case .disconnected(let error):
            // Facts from before the loss remain valid.
            if !isSubscribed { facts.connection = .failed(reason: error.description) }
        case .delivered(let topic): answered(topic, .silent)
        case .publishRefused(let topic): answered(topic, .refused)
        case .received(let message): received(message)
        }
        if condition() { resume() }
    }

    private func answered(_ topic: String, _ publication: BrokerFacts.Publication) {
        if topic == ownTopic { facts.own = publication }
        if topic == foreignTopic, facts.foreign != .echoed { facts.foreign = publication }
    }

    private func received(_ message: ReceivedMessage) {
        if message.topic == foreignTopic { return answered(message.topic, .echoed) }
        let topic = WardTopic(message.topic)
        guard !message.isRetained else {
            let isLeftover = topic.map { $0.subject != .session } ?? true
            if isLeftover, !message.payload.isEmpty, facts.leftovers.count < Self.leftoverBound {
                facts.leftovers.append(message.topic)
            }
            return
        }
        guard let topic else { return }
        switch topic.subject {
        // The monitor of this computer has its clock.
        case .heartbeat: if topic.bed.bed != bed { compare(message, topic.bed.label) }
        case .historyAcknowledgement: compare(message, "the collector")
        default: break
        }
    }

    private func compare(_ message: ReceivedMessage, _ sender: String) {
        guard let text = (try? JSON5Parser.parse(message.payload, .json))?["t"]?.text,
            let time = wallMilliseconds(ofTimestamp: text)
        else { return }
        guard facts.clocks.count < Self.leftoverBound else { return }
        facts.clocks[sender] = time - Timestamp.now().wallMilliseconds
    }

    // MARK: Waiting

    /// Waits until a condition holds, checked after each event.
    private func wait(_ limit: Duration, until condition: @escaping () -> Bool) async {
        if condition() { return }
        self.condition = condition
        let timer = ScreenActor.loop.schedule(after: limit) { [weak self] in
            ScreenActor.assumeIsolated { self?.resume() }
        }
        await withCheckedContinuation { waiter = $0 }
        ScreenActor.loop.cancel(timer)
        self.condition = { false }
    }

    private func resume() {
        waiter?.resume()
        waiter = nil
    }
}
