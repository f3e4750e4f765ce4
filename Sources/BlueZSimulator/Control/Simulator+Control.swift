import DBus

extension Simulator {
    /// Does what a line of the command language says; `help` lists the commands.
    ///
    /// - Returns: `ok`, a JSON text for `state`, or `error: ` and the reason. What takes a time is over when this
    ///   returns.
    public func perform(command line: String) async -> String {
        let command: Command
        do throws(CommandMistake) {
            command = try CommandLanguage(sensors: scenario.sensors).parse(line)
        } catch {
            return "error: \(error.reason)"
        }
        switch command {
        case .help: return CommandLanguage.help
        case .state: return StateReport.text(stage)
        case .action(let action):
            guard let stage else { return "error: the simulator does not run" }
            await withCheckedContinuation { continuation in
                stage.perform(action) { continuation.resume() }
            }
            return "ok"
        }
    }

    /// Offers `Do(s) → s`.
    func offerControl(on connection: DBusConnection) async throws {
        let method = ExportedMethod("Do", input: "s", output: "s") {
            [weak self] (call: IncomingCall) async throws(DBusFailure) -> [DBusValue] in
            guard let self else { throw .disconnected }
            return [.string(await self.perform(command: call.arguments.first?.text ?? ""))]
        }
        try await connection.export(Self.controlPath, [ExportedInterface(Self.controlInterface, methods: [method])])
        _ = try await connection.requestName(Self.controlName)
    }
}
