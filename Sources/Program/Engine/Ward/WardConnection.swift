import Configuration
import EventLoops
import Glibc
import MQTT
import Synchronization
import UserFiles
import Vitals
import WardMessages

/// Why publishing to a ward is impossible, as a sentence: a setting is missing or invalid.
package struct WardSettingsError: Error, CustomStringConvertible {
    package let description: String
}

/// The broker, the bed and the files of the settings, checked.
package struct WardPlace: Hashable, Sendable {
    /// The address of the broker.
    package var broker: BrokerAddress
    /// The bed in the topics; its name is the site's if no bed is needed.
    package var bed: WardBed
    /// The settings of the connection.
    package var settings: Settings.Ward

    /// Checks the settings.
    ///
    /// - Returns: `nil` if no broker is named.
    /// - Throws: ``WardSettingsError``.
    package init?(_ settings: Settings.Ward) throws(WardSettingsError) {
        if settings.broker.isEmpty { return nil }
        guard let broker = BrokerAddress(settings.broker) else {
            throw WardSettingsError(description: "the setting ward.broker is no broker's address: \(settings.broker)")
        }
        guard let site = WardToken(settings.site), let bed = WardToken(settings.bed) else {
            throw WardSettingsError(
                description: "the setting ward.bed is needed beside ward.broker; it is \(WardToken.rule)")
        }
        (self.broker, self.bed, self.settings) = (broker, WardBed(site: site, bed: bed), settings)
    }

    /// The options of the connection.
    ///
    /// - Parameter clientID: The name at the broker.
    /// - Throws: `MQTTError` when a file cannot be used.
    package func options(clientID: String) throws(MQTTError) -> MQTTOptions {
        try Self.options(broker, settings, clientID: clientID)
    }

    /// The options of a connection without a bed.
    ///
    /// - Throws: `MQTTError` when a file cannot be used.
    package static func options(
        _ broker: BrokerAddress, _ settings: Settings.Ward, clientID: String
    ) throws(MQTTError) -> MQTTOptions {
        var options = MQTTOptions(broker: broker, clientID: clientID)
        options.isVersion5 = settings.version == .five
        func path(_ text: String) -> String? { text.isEmpty ? nil : text }
        options.files = MQTTOptions.TLSFiles(
            authorities: path(settings.authorities), certificate: path(settings.certificate), key: path(settings.key))
        if !settings.login.isEmpty {
            let credentials = Environment.value("CREDENTIALS_DIRECTORY")
            options.login = try MQTTOptions.Login(fileNamed: settings.login, credentials: credentials)
        }
        return options
    }
}

/// The MQTT client of a bed's monitor, on its loop: no thread wakes up to send, and nothing ever waits for the broker.
final class WardConnection: Sendable {
    /// A report to the monitor, on its loop.
    enum Report: Sendable {
        case connected(WardToken)
        case disconnected(String)
        case received(ReceivedMessage)
        case refused(String)
    }

    private let loop: EventLoop
    private let client: MQTTClient
    private let sessions: SessionBox

    /// Creates a connection that is not opened yet.
    ///
    /// - Parameters:
    ///   - facts: The bed's facts: patient, program, time.
    ///   - loop: The monitor's loop.
    ///   - report: Called on the loop's thread.
    init(_ place: WardPlace, _ facts: WardFacts, on loop: EventLoop, report: @escaping @Sendable (Report) -> Void) {
        // One name for all connections of this run: a new connection ends the previous one, whose last will is
        // delivered first.
        let clientID = "bedside-" + WardToken.random().text
        let box = SessionBox(place.bed, facts)
        sessions = box
        self.loop = loop
        client = MQTTClient(on: loop) { () throws(MQTTError) in
            var options = try place.options(clientID: clientID)
            options.will = box.nextWill()
            return options
        } report: { event in
            switch event {
            case .connected: report(.connected(box.session))
            case .disconnected(let error): report(.disconnected(error.description))
            case .received(let message): report(.received(message))
            case .subscriptionRefused(let topic):
                // If nothing was announced, nothing is missing.
                if topic == HomeAssistantDevice.statusTopic {
                    report(.refused("the broker's access list does not let this bed hear when Home Assistant starts"))
                } else if !HomeAssistantDevice.topics(place.bed).contains(topic) {
                    report(.refused("the broker's access list forbids this bed to receive requests"))
                }
            case .publishRefused(let topic):
                report(
                    .refused(
                        HomeAssistantDevice.topics(place.bed).contains(topic)
                            ? "the broker's access list does not let this bed announce itself to Home Assistant"
                            : "the broker's access list forbids this bed to publish"))
            case .subscribed, .delivered: break
            }
        }
    }

    /// Sets in later last wills whether the data are simulated.
    func setSimulated(_ isSimulated: Bool) { sessions.setSimulated(isSimulated) }

    /// Opens the connection, and reopens it whenever it is lost.
    ///
    /// - Parameter filters: The topics to receive.
    func open(_ filters: [String]) {
        client.assumeIsolated { client in
            client.subscribe(to: filters)
            client.start()
        }
    }

    /// Publishes messages, on the loop's thread; messages that the broker does not accept in time are dropped.
    func publish(_ messages: [MQTTMessage]) {
        if messages.isEmpty { return }
        client.assumeIsolated { $0.publish(messages) }
    }

    /// Publishes messages from another thread.
    func publish(fromElsewhere messages: [MQTTMessage]) {
        Task(executorPreference: loop) { self.publish(messages) }
    }

    /// Ends the connection after last messages, without waiting for long.
    func close(after messages: [MQTTMessage]) async {
        await client.stop(after: messages)
    }
}

/// The session of the next connection, with its last will.
private final class SessionBox: Sendable {
    private let bed: WardBed
    private let facts: Mutex<WardFacts>
    private let newest: Mutex<WardToken>

    init(_ bed: WardBed, _ facts: WardFacts) {
        self.bed = bed
        self.facts = Mutex(facts)
        newest = Mutex(bed.bed)
    }

    var session: WardToken { newest.withLock { $0 } }

    func setSimulated(_ isSimulated: Bool) { facts.withLock { $0.isSimulated = isSimulated } }

    func nextWill() -> MQTTMessage {
        let session = WardToken.random()
        newest.withLock { $0 = session }
        return WardPublication.will(of: session, bed, facts.withLock { $0 }, at: Timestamp.now().wallMilliseconds)
    }
}

extension WardToken {
    /// A unique random name.
    package static func random() -> WardToken {
        var generator = SystemRandomNumberGenerator()
        return WardToken(random: &generator)
    }
}
