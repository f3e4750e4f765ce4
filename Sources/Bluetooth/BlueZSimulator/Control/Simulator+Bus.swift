import DBus

// The message bus can be stopped and started, and its policy can forbid calls.
extension Simulator {
    func perform(_ action: BusAction, _ done: LoopClosure) async {
        // If the bus does not start, the simulator is unusable, and clients notice that.
        switch action {
        case .stop: stopBus()
        case .start: try? await startBus()
        case .permit(let isPermitted): try? await permitCalls(isPermitted)
        }
        done.body()
    }

    /// Stops the bus: all clients lose the connection, and bluetoothd ends.
    private func stopBus() {
        bluetoothd?.loseBus()
        forgetDaemon()
        control?.assumeIsolated { $0.close() }
        control = nil
        bus?.stop()
    }

    /// Starts the bus at the same address, without a bluetoothd.
    private func startBus() async throws {
        guard let bus, bus.process == nil else { return }
        try bus.start()
        try await offerControl()
    }

    /// Sets whether clients may call bluetoothd; the bus applies the changed policy at once.
    private func permitCalls(_ isPermitted: Bool) async throws {
        try bus?.permitCalls(isPermitted)
        try await control?.call(
            "org.freedesktop.DBus", ObjectPath.root.child("org").child("freedesktop").child("DBus"),
            "org.freedesktop.DBus", "ReloadConfig")
    }

    /// Exports `Do(s) → s`, and lets programs connect: its name identifies the bus as a simulator's.
    func offerControl() async throws {
        guard let bus else { return }
        let connection = try await DBusConnection.connect(to: .address(bus.privateAddress), on: loop)
        control = connection
        let method = ExportedMethod("Do", input: "s", output: "s") {
            [weak self] (call: IncomingCall) async throws(DBusConnectionError) -> [DBusValue] in
            guard let self else { throw .disconnected }
            return [.string(await self.perform(command: call.arguments.first?.text ?? ""))]
        }
        try await connection.export(Self.controlPath, [ExportedInterface(Self.controlInterface, methods: [method])])
        _ = try await connection.requestName(Self.controlName)
        try bus.publish()
    }
}
