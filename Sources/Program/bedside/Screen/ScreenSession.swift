import CommandLineInterface
import Configuration
import Dashboard
import EventLoops
import Engine
import Status
import Terminal

/// A session of the full screen, for a monitor, a recording or a view.
@ScreenActor
struct ScreenSession {
    private let monitor: MonitorEngine
    private let controller: ScreenController

    /// Takes control of the terminal; `nil`, after a message, if it cannot be used.
    init?(
        _ feed: MonitorFeed, _ arguments: CommandLineArguments, _ settings: Settings, _ screen: ScreenState
    ) {
        let shown: ShownTerminal
        do {
            shown = try ShownTerminal(settings, ifKilled: Self.sentenceIfKilled(feed))
        } catch {
            complain(error.description)
            return nil
        }
        let monitor = MonitorEngine(
            feed, settings, keepingIn: ConfigurationFile(arguments), bell: shown.bell(),
            speakers: .ofTerminal, on: ScreenActor.loop)
        self.monitor = monitor
        controller = ScreenController(
            monitor, terminal: shown.terminal,
            screen: shown.screen(screen, settings, monitor.assumeIsolated { $0.settingItems }))
    }

    /// What stands on the terminal if the program is killed, before the time of day.
    private static func sentenceIfKilled(_ feed: MonitorFeed) -> String {
        if feed.view != nil { return "Bedside was killed: this view has shown nothing since" }
        if feed.replay != nil { return "Bedside was killed: the replay ended at" }
        return "Bedside was killed: nothing has been monitored here since"
    }

    /// Whether the user wants to monitor here, because the viewed monitor is lost.
    var takesOver: Bool { controller.takesOver }

    /// Serves other programs.
    ///
    /// - Parameters:
    ///   - command: The name of the command that monitors.
    ///   - lock: The claim to the patient, which the monitor releases when it has closed.
    func serve(command: String, holding lock: sending HeldMonitorLock) async {
        guard controller.terminal.hasTitle else { return await monitor.serve(command: command, holding: lock) }
        await monitor.serve(command: command, holding: lock) { [weak controller] summary in
            ScreenActor.assumeIsolated { controller?.showTitle(summary) }
        }
    }

    /// Shows the screen until it ends.
    func run() async -> ExitStatus {
        let (monitor, controller) = (monitor, controller)
        await monitor.subscribe(controller)
        await monitor.begin()
        let isScanning = controller.screen.isScanWanted
        // Concurrent with the screen, which must not wait for a bus that does not answer.
        let opening = Task(executorPreference: ScreenActor.loop) { await monitor.open(isScanning: isScanning) }
        let status = await controller.run()
        if let files = controller.trace?.files {
            controller.endTrace()
            await files.finish(on: ScreenActor.loop)
        }
        // The user sees the shell at once; the sensors are disconnected in the background.
        controller.terminal.restore()
        if let loss = await monitor.close(awaiting: opening) { complain(loss) }
        if let refusal = controller.refusal { complain(refusal) }
        return status
    }
}

extension ScreenController {
    /// Shows the status in the terminal's title.
    fileprivate func showTitle(_ summary: StatusSummary) {
        let line = StatusLine(summary, unit: screen.units, isASCII: screen.glyphs == .ascii)
        terminal.show(title: "\(line.text) - Bedside")
    }
}
