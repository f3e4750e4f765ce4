import CommandLineInterface
import Configuration
import Glibc
import MQTT
import Monitor
import Terminal
import Vitals
import Ward
import WardMessages

/// `bedside ward`: all beds of a ward on one screen, as their monitors report them to an MQTT broker.
enum WardCommand {
    /// Shows the ward until the user quits.
    ///
    /// - Throws: ``CommandError`` for an invalid value or configuration file.
    @ScreenActor
    static func run(_ arguments: CommandLineArguments) async throws(CommandError) -> ExitStatus {
        let settings = try Settings.toStart(arguments)
        let broker = try BrokerAddress.named(in: settings, arguments)
        let site = try WardToken.site(arguments)
        var ward = WardSettings()
        ward.showsSimulated = arguments.has(.simulatedBeds)
        ward.mayAcknowledge = settings.ward.remoteAcknowledge != .off
        ward.freshness = settings.monitor.freshness
        ward.who = getenv("USER").map { sanitized(String(cString: $0), limit: 40) } ?? ward.who
        let shown: ShownTerminal
        do {
            shown = try ShownTerminal(settings)
        } catch {
            complain(error.description)
            return .unavailable
        }
        let controller = WardController(
            WardState(settings: ward, name: .random(), start: .now()), on: shown, settings)
        let clientID = "bedside-ward-\(WardToken.random())"
        let client = MQTTClient(on: ScreenActor.loop) { () throws(MQTTError) in
            try WardPlace.options(broker, settings.ward, clientID: clientID)
        } report: { [weak controller] event in
            ScreenActor.assumeIsolated { controller?.received(event) }
        }
        await client.subscribe(to: WardTopic.wardFilters(site: site))
        controller.send = { messages in client.assumeIsolated { $0.publish(messages) } }
        await client.start()
        let status = await controller.run()
        shown.terminal.restore()
        await client.stop()
        return status
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

extension WardToken {
    /// The site of the command line; `nil` for all.
    ///
    /// - Throws: ``CommandError`` for what cannot be a site.
    static func site(_ arguments: CommandLineArguments) throws(CommandError) -> WardToken? {
        guard let text = arguments.value(of: .site) else { return nil }
        guard let site = WardToken(text) else { throw arguments.mistake("--site takes \(rule)") }
        return site
    }

    /// A name that nobody else has.
    static func random() -> WardToken {
        var generator = SystemRandomNumberGenerator()
        return WardToken(random: &generator)
    }
}
