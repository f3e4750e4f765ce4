extension Simulator {
    /// Carries out a line of the command language; `help` lists the commands.
    ///
    /// - Returns: `ok`, a JSON text for `state`, or `error: ` and the reason. Returns when the operation is complete.
    public func perform(command line: String) async -> String {
        let command: Command
        do throws(ControlCommandError) {
            command = try CommandLanguage(sensors: scenario.sensors).parse(line)
        } catch {
            return "error: \(error.reason)"
        }
        switch command {
        case .help: return CommandLanguage.help
        case .state: return StateReport.text(stage)
        case .events(let count): return StateReport.events(stage, count)
        case .statistics: return StateReport.statistics(stage)
        case .sleep(let seconds):
            guard let clock = stage?.air.clock else { return "error: the simulator does not run" }
            await withCheckedContinuation { continuation in
                _ = clock.after(seconds) { continuation.resume() }
            }
            return "ok"
        case .action(let action):
            guard let stage else { return "error: the simulator does not run" }
            stage.air.log.add("> \(line)")
            await withCheckedContinuation { continuation in
                stage.perform(action) { continuation.resume() }
            }
            return "ok"
        }
    }
}
