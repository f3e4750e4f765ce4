import CommandLineInterface
import Configuration

/// `bedside ward`: all beds of a ward, as their monitors report them to an MQTT broker.
enum WardCommand {
    /// Shows the ward until the user quits, or reports it in lines or in one line.
    ///
    /// - Throws: ``CommandError`` for an invalid value or configuration file.
    @ScreenActor
    static func run(_ arguments: CommandLineArguments) async throws(CommandError) -> ExitStatus {
        let settings = try Settings.toStart(arguments)
        let duration = try arguments[.duration]
        let feed = try WardFeed(arguments, settings)
        switch arguments.operands.first {
        case "status": return await WardStatus(feed, isJSON: arguments.has(.json)).run()
        case let word?:
            throw arguments.mistake("'\(word)' is not known; there is only status" + UsageError.hint(word, ["status"]))
        case nil: break
        }
        if arguments.has(.json) { return await WardLinesSession(feed, duration: duration).run() }
        if duration != nil { throw arguments.mistake("--for goes with --json") }
        return await show(feed, settings, stores: try CollectCommand.folder(arguments))
    }

    @ScreenActor
    private static func show(_ feed: WardFeed, _ settings: Settings, stores: String) async -> ExitStatus {
        let shown: ShownTerminal
        do {
            shown = try ShownTerminal(
                settings, ifKilled: "Bedside was killed: this screen of the ward has shown nothing since")
        } catch {
            complain(error.description)
            return .unavailable
        }
        let controller = WardController(feed, on: shown, settings, stores: stores)
        await feed.start()
        let status = await controller.run()
        shown.terminal.restore()
        await feed.stop()
        return status
    }
}
