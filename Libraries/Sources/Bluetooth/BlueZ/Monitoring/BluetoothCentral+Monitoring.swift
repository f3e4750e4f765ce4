import DBus
import EventLoops

// Passive scanning by patterns, which BlueZ calls experimental.
extension BluetoothCentral {
    /// The most patterns of one monitor that the kernel takes.
    private static let mostPatterns = 16

    /// Has the daemon listen for advertisements by patterns, without a discovery.
    ///
    /// No scan requests are sent, and a controller that can does the listening itself, so it may go on for days. BlueZ
    /// calls this experimental: its versions since 5.56 offer it, most of them only as `bluetoothd --experimental`, and the
    /// controller must allow it. Where it is refused as `notSupported`, use ``peripherals(matching:)``.
    ///
    /// Source: BlueZ, `org.bluez.AdvertisementMonitorManager` and `org.bluez.AdvertisementMonitor`.
    ///
    /// Without thresholds a peripheral is found with its first advertisement, and lost when the daemon forgets it: 30 s after
    /// it was last heard, and never if it is paired.
    ///
    /// - Parameters:
    ///   - patterns: What to listen for, 1 to 16 of them; one that fits is enough.
    ///   - thresholds: How strong a peripheral must be; `nil` for any strength.
    ///   - adapter: The adapter's object; `nil` for the first one that is on.
    ///   - timeout: How long the daemon may take until it listens.
    /// - Returns: What is found and lost from now on.
    /// - Throws: ``BlueZError``: `notSupported` where the daemon does not offer it or gives it up at once,
    ///   `invalidArguments` for patterns that no advertisement can have or thresholds out of range, `timedOut`, `noAdapter`,
    ///   `unknownObject`.
    public func monitorAdvertisements(
        _ patterns: [AdvertisementPattern], within thresholds: AdvertisementThresholds? = nil,
        on adapter: ObjectPath? = nil, timeout: Duration = .seconds(10)
    ) async throws(BlueZError) -> AdvertisementMonitor {
        guard (1...Self.mostPatterns).contains(patterns.count), patterns.allSatisfy(\.isPossible) else {
            throw BlueZError(
                .invalidArguments,
                text: "a monitor has 1 to \(Self.mostPatterns) patterns, each with 1 to 31 octets of a field")
        }
        guard thresholds?.isPossible != false else {
            throw BlueZError(
                .invalidArguments,
                text: "a monitor's thresholds are -127 to 20 dBm, the upper one first, and its times 1 to 300 s")
        }
        try requireDaemon()
        let adapter = try resolve(adapter)
        guard let connection, let owner = daemon.owner else { throw BlueZError(.daemonGone) }
        lastMonitorNumber += 1
        let number = lastMonitorNumber
        let monitor = AdvertisementMonitorObject(number: number, adapter: adapter, daemon: owner)
        advertisementMonitors[number] = monitor
        let sequence = AdvertisementMonitor(
            elements: monitor.peripherals.subscribe(),
            lease: NotificationLease { [weak self] in
                guard let self else { return }
                Task(executorPreference: self.loop) { await self.endMonitor(number) }
            })
        let deadline = Self.deadline(after: timeout)
        do {
            try await connection.export(monitor.path, [interface(of: number, patterns, thresholds)])
            await connection.exportObjectManager(at: monitor.root)
        } catch {
            throw BlueZError(classifying: error)
        }
        // A failure releases the sequence, and the monitor with it.
        try await call(
            adapter, Name.monitorManager, "RegisterMonitor", [.objectPath(monitor.root)], timeout: timeout)
        try await wait(for: monitor.activation, until: deadline).get()
        return sequence
    }

    private func interface(
        of number: UInt64, _ patterns: [AdvertisementPattern], _ thresholds: AdvertisementThresholds?
    ) -> ExportedInterface {
        ExportedInterface(
            Name.monitor,
            properties: [
                ("Type", .string("or_patterns")),
                (
                    "Patterns",
                    .array(patterns.map(\.value), of: .structure([.byte, .byte, .bytes]))
                ),
            ] + (thresholds?.properties ?? []),
            methods: [
                monitorMethod("Activate", of: number) { _, monitor, _ in monitor.activation.finish(.success(())) },
                monitorMethod("Release", of: number) { central, monitor, _ in
                    monitor.activation.finish(
                        .failure(BlueZError(.notSupported, text: "the daemon cannot listen for these patterns")))
                    Task(executorPreference: central.loop) { await central.endMonitor(number) }
                },
                monitorMethod("DeviceFound", "o", of: number) { central, monitor, call in
                    central.report(call, of: monitor) { monitor.found($0) }
                },
                monitorMethod("DeviceLost", "o", of: number) { central, monitor, call in
                    central.report(call, of: monitor) { monitor.lost($0) }
                },
            ])
    }

    private func monitorMethod(
        _ name: String, _ input: String = "", of number: UInt64,
        _ react: @escaping @Sendable (isolated BluetoothCentral, AdvertisementMonitorObject, IncomingCall) -> Void
    ) -> ExportedMethod {
        ExportedMethod(name, input: input) { [weak self] call async throws(DBusConnectionError) in
            await self?.monitorCalled(number, call, react)
            return []
        }
    }

    private func monitorCalled(
        _ number: UInt64, _ call: IncomingCall,
        _ react: @Sendable (isolated BluetoothCentral, AdvertisementMonitorObject, IncomingCall) -> Void
    ) {
        // Any program on the bus can call; only the daemon is heard.
        guard let monitor = advertisementMonitors[number], monitor.daemon == call.sender else {
            ignoreForeign(call.path.description)
            return
        }
        react(self, monitor, call)
    }

    private func report(
        _ call: IncomingCall, of monitor: AdvertisementMonitorObject, _ report: (Peripheral) -> Void
    ) {
        guard let path = call.arguments.first?.path, let peripheral = tree.peripherals[path],
            peripheral.adapter == monitor.adapter
        else {
            ignore(.object, call.arguments.first?.text)
            return
        }
        report(peripheral)
    }

    // MARK: The end

    /// Has the daemon stop to listen, because the reader has gone.
    private func endMonitor(_ number: UInt64) async {
        guard let monitor = forgetMonitor(number) else { return }
        // It may have been refused, and no caller waits.
        _ = try? await call(
            monitor.adapter, Name.monitorManager, "UnregisterMonitor", [.objectPath(monitor.root)],
            timeout: .seconds(10))
    }

    /// Ends a monitor for its reader, and takes its objects from the bus.
    @discardableResult
    private func forgetMonitor(_ number: UInt64) -> AdvertisementMonitorObject? {
        guard let monitor = advertisementMonitors.removeValue(forKey: number) else { return nil }
        monitor.peripherals.finish()
        let (root, path) = (monitor.root, monitor.path)
        connection?.assumeIsolated { connection in
            connection.unexportObjectManager(at: root)
            try? connection.unexport(path)
        }
        return monitor
    }

    /// Ends the monitors that an event concerns; `nil` for all of them.
    func endMonitors(after kind: BlueZEvent.Kind?) {
        if case .peripheral(.removed, let peripheral)? = kind {
            for monitor in advertisementMonitors.values { monitor.forgotten(peripheral) }
        }
        for (number, monitor) in advertisementMonitors {
            let isOver =
                switch kind {
                case .adapter(.removed, let adapter)?: adapter.path == monitor.adapter
                case .daemon(.gone)?, .daemon(.unusable)?, .bus(.lost)?, .bus(.foreign)?, nil: true
                default: false
                }
            guard isOver else { continue }
            monitor.activation.finish(.failure(BlueZError(.daemonGone)))
            forgetMonitor(number)
        }
    }
}
