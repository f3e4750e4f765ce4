import CommandLineInterface
import Configuration

/// `bedside ward`: all beds of a ward on one screen, as their monitors report them to an MQTT broker.
enum WardCommand {
    /// Shows the ward until the user quits.
    ///
    /// - Throws: ``CommandError`` for an invalid value or configuration file.
    @ScreenActor
    static func run(_ arguments: CommandLineArguments) async throws(CommandError) -> ExitStatus {
        let settings = try Settings.toStart(arguments)
        let feed = try WardFeed(arguments, settings)
        let shown: ShownTerminal
        do {
            shown = try ShownTerminal(settings)
        } catch {
            complain(error.description)
            return .unavailable
        }
        let controller = WardController(feed, on: shown, settings)
        await feed.start()
        let status = await controller.run()
        shown.terminal.restore()
        await feed.stop()
        return status
    }
}
