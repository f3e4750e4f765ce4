import Base
import CommandLineInterface
import Configuration
import EventLoops
import Glibc
import MQTT
import Engine
import UserFiles
import Vitals
import Ward
import WardMessages

/// The state of a ward from its broker: messages and passing time change it, and requests are sent.
///
/// It belongs to the screen's loop.
@ScreenActor
final class WardFeed {
    /// The state of the ward.
    private(set) var state: WardState
    /// Called after each change, with the bed of the message, or `nil` if any bed may have changed.
    var onChange: (_ effects: [WardEffect], _ bed: WardBed?) -> Void = { _, _ in }

    private let broker: BrokerAddress
    private let site: WardToken?
    private let settings: Settings.Ward
    private var client: MQTTClient?
    private var encoder = WardEncoder()
    /// The broker's retained messages that arrive before all subscriptions are granted.
    private var early: [ReceivedMessage] = []
    /// More than a ward remembers; a bed whose presence finds no room is known when it is heard.
    private static let mostEarly = 2048
    private var timer: LoopTimer?
    private var plannedTime: MonotonicTime?

    /// Creates an empty ward.
    ///
    /// - Throws: ``CommandError`` when no broker is named, or the name of the site is invalid.
    init(_ arguments: CommandLineArguments, _ settings: Settings) throws(CommandError) {
        broker = try BrokerAddress.named(in: settings, arguments)
        site = try arguments[.site]
        self.settings = settings.ward
        var ward = WardSettings()
        ward.showsSimulated = arguments.has(.simulatedBeds)
        ward.mayAcknowledge = settings.ward.remoteAcknowledge != .off
        ward.freshness = settings.monitor.freshness
        ward.who = Environment.value("USER").map { sanitized($0, limit: 40) } ?? ward.who
        let computer = sanitized(Environment.computerName, limit: WardListener.nameLimit)
        if !computer.isEmpty { ward.computer = computer }
        state = WardState(settings: ward, name: .random(), start: .now())
    }

    /// Begins to connect.
    func start() async {
        let (broker, settings, clientID) = (broker, settings, "bedside-ward-\(WardToken.random())")
        let client = MQTTClient(on: ScreenActor.loop) { () throws(MQTTError) in
            try WardPlace.options(broker, settings, clientID: clientID)
        } report: { [weak self] event in
            ScreenActor.assumeIsolated { self?.receive(event) }
        }
        self.client = client
        await client.subscribe(to: WardTopic.wardFilters(site: site))
        await client.start()
    }

    /// Ends the connection.
    func stop() async {
        if let timer { ScreenActor.loop.cancel(timer) }
        await client?.stop()
    }

    // MARK: Changes

    /// Changes the state for a request of the user.
    func change(_ body: (inout WardState, Moment) -> [WardEffect]) { apply(body(&state, .now()), nil) }

    /// Advances the state to the present.
    func advance() {
        let now = Moment.now()
        guard let deadline = state.nextDeadline, deadline <= now else { return }
        apply(state.advance(to: now), nil)
    }

    private func receive(_ event: MQTTClient.Event) {
        let now = Moment.now()
        switch event {
        case .connected: early = []
        case .delivered: break
        // Only now does every message arrive.
        case .subscribed:
            apply(state.brokerChanged(.connected, at: now), nil)
            for message in early { receive(message, at: now) }
            early = []
        case .received(let message) where state.broker != .connected:
            if message.isRetained, early.count < Self.mostEarly { early.append(message) }
        case .received(let message): receive(message, at: now)
        case .disconnected(let error): apply(state.brokerChanged(.lost(error.description), at: now), nil)
        case .subscriptionRefused(let topic):
            let reason = "its access list forbids to read \(sanitized(topic, limit: 60))"
            apply(state.brokerChanged(.lost(reason), at: now), nil)
        case .publishRefused(let topic):
            apply([.warning("The broker's access list forbids to write \(sanitized(topic, limit: 60)).")], nil)
        }
    }

    private func receive(_ message: ReceivedMessage, at now: Moment) {
        let effects = state.receive(
            topic: message.topic, payload: message.payload, isRetained: message.isRetained, at: now)
        apply(effects, state.newestBed)
    }

    private func apply(_ effects: [WardEffect], _ bed: WardBed?) {
        for case .publish(let topic, let command) in effects {
            let payload = encoder.encode(command, wallMilliseconds: state.now.wallMilliseconds)
            let message = MQTTMessage(topic.text, payload, .atLeastOnce, expirySeconds: 15)
            client?.assumeIsolated { $0.publish([message]) }
        }
        for case .warning(let sentence) in effects { state.show(sentence) }
        plan()
        onChange(effects, bed)
    }

    /// Schedules the next change by time alone.
    private func plan() {
        let time = state.nextDeadline?.monotonic
        if time == plannedTime, timer != nil { return }
        if let timer { ScreenActor.loop.cancel(timer) }
        plannedTime = time
        timer = time.map { time in
            ScreenActor.loop.schedule(at: time.nanoseconds) { [weak self] in
                ScreenActor.assumeIsolated { self?.timeHasCome() }
            }
        }
    }

    private func timeHasCome() {
        timer = nil
        advance()
        // The deadline may still be a moment ahead.
        if timer == nil { plan() }
    }
}

extension BrokerAddress {
    /// The broker of the configuration.
    ///
    /// - Throws: ``CommandError`` when none is named.
    static func named(in settings: Settings, _ arguments: CommandLineArguments) throws(CommandError) -> BrokerAddress {
        guard let broker = BrokerAddress(settings.ward.broker) else {
            throw arguments.mistake(
                "no broker is named: set broker in [ward] of the configuration, or give --set ward.broker=mqtts://…")
        }
        return broker
    }
}
