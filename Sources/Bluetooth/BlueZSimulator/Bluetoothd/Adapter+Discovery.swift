import DBus

extension Adapter {
    /// Seconds after which the kernel restarts a scan, so that the controller reports every device again.
    private static let scanSeconds = 10.7

    func setDiscoveryFilter(_ call: IncomingCall, _ answer: Answer) {
        guard isPowered else { return answer.fail(.notReady) }
        guard let values = call.arguments.first?.namedValues else { return answer.fail(.invalidArguments) }
        guard let filter = DiscoveryFilter(values) else { return answer.fail(.invalidArguments) }
        filters[call.sender] = values.isEmpty ? nil : filter
        answer.succeed()
    }

    func startDiscovery(_ call: IncomingCall, _ answer: Answer) {
        guard isPowered else { return answer.fail(.notReady) }
        if discoveries.contains(call.sender) { return answer.fail(.inProgress) }
        if world.memory.isKernelScanning(at: world.clock.now) { return answer.fail(.inProgress) }
        discoveries.insert(call.sender)
        guard discoveries.count == 1 else { return answer.succeed() }
        world.clock.after(0.006) { [weak self] in
            if let self, self.isPowered, !self.discoveries.isEmpty, !self.isDiscovering {
                self.isDiscovering = true
                self.world.tree.change(self.path, Self.interface, [("Discovering", .boolean(true))])
                self.startScan()
            }
            answer.succeed()
        }
    }

    func stopDiscovery(_ call: IncomingCall, _ answer: Answer) {
        guard isPowered else { return answer.fail(.notReady) }
        guard discoveries.remove(call.sender) != nil else { return answer.fail(.failed("No discovery started")) }
        guard discoveries.isEmpty else { return answer.succeed() }
        world.clock.after(0.006) { [weak self] in
            if let self, self.discoveries.isEmpty { self.endDiscovery() }
            answer.succeed()
        }
    }

    /// The last client has stopped its discovery: signal strengths become unknown.
    func endDiscovery() {
        guard isDiscovering else { return }
        stopScanning()
        for device in devices { device.clearSignalStrength() }
        world.tree.change(path, Self.interface, [("Discovering", .boolean(false))])
        // The kernel now scans for devices with a pending connection.
        for device in devices { device.tryToConnect() }
    }

    func stopScanning() {
        if isDiscovering { world.air.count("scan_off") }
        scan += 1
        isDiscovering = false
    }

    /// Reports every sensor that can be heard, and again with the next scan.
    private func startScan() {
        scan += 1
        scanBegin = world.clock.now
        world.air.count("scan_on")
        let scan = scan
        for (index, peripheral) in world.air.peripherals.enumerated() {
            let spread = (world.air.noise.stream(index).value(at: scan) + 1) / 2
            world.clock.after(0.02 + 0.12 * spread) { [weak self] in
                if self?.scan == scan { self?.report(peripheral) }
            }
        }
        world.clock.after(Self.scanSeconds) { [weak self] in
            if self?.scan == scan { self?.startScan() }
        }
    }

    /// A sensor's advertisement has changed, or the sensor is back.
    func advertisementChanged(_ peripheral: SimulatedPeripheral) {
        let scan = scan
        world.clock.after(0.04) { [weak self] in
            guard let self else { return }
            if self.isDiscovering, self.scan == scan { self.report(peripheral) }
            self.device(of: peripheral)?.tryToConnect()
        }
    }

    /// The controller has heard a sensor.
    private func report(_ peripheral: SimulatedPeripheral) {
        guard isDiscovering, isPowered, peripheral.isHeard else { return }
        if devices.contains(where: { $0.peripheral === peripheral && $0.isConnected }) { return }
        world.air.count("reports")
        let strength = peripheral.nextSignalStrength()
        if let device = device(of: peripheral) {
            device.heard(signalStrength: strength, isEveryReportSent: !filters.isEmpty)
        } else if isWanted(peripheral, strength) {
            add(peripheral, name: peripheral.name, signalStrength: strength)
        }
    }

    /// Whether a sensor matches the merged filters of all clients.
    private func isWanted(_ peripheral: SimulatedPeripheral, _ strength: Int) -> Bool {
        discoveries.contains { client in
            filters[client].map { $0.matches(peripheral, signalStrength: strength) } ?? true
        }
    }
}
