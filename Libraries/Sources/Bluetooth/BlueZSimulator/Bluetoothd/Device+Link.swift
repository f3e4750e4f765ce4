import DBus
import EventLoops

extension Device {
    /// Calls a closure after a delay, unless the link has changed meanwhile.
    func whileUnchanged(after seconds: Double, _ body: @escaping (Device) -> Void) {
        let epoch = epoch
        world.clock.after(seconds) { [weak self] in
            guard let self, self.epoch == epoch else { return }
            body(self)
        }
    }

    // MARK: Connecting

    func connect(_ answer: Answer) {
        guard adapter?.isPowered == true else { return answer.fail(.inputOutput) }
        switch link {
        case .up: return answer.succeed()
        case .connecting: return answer.fail(.failed("Operation already in progress"))
        case .down: break
        }
        // BlueZ signals the end of a link when the kernel has confirmed it, which takes two more packets.
        if let disconnectedAt, world.clock.now - disconnectedAt < 0.05 { return answer.fail(.inputOutput) }
        link = .connecting(answer)
        epoch += 1
        keep()
        whileUnchanged(after: 40) { $0.connectingFailed(.connectionAborted) }
        tryToConnect()
    }

    /// Establishes a pending link, if the sensor can be heard.
    ///
    /// - Parameter isJustHeard: Whether a report of the sensor has just come. While a discovery runs and the controller
    ///   reports a device only once in a scan, a connection waits for the next report.
    func tryToConnect(isJustHeard: Bool = false) {
        guard case .connecting(let answer) = link, let adapter, isReachable else { return }
        if adapter.isDiscovering, world.air.filtersDuplicates, !isJustHeard { return }
        let begin = max(world.clock.now, adapter.isEstablishingUntil)
        adapter.isEstablishingUntil = begin + 0.2
        let epoch = epoch
        world.clock.at(begin + 0.2) { [weak self] in
            guard let self, self.epoch == epoch, self.isReachable else { return }
            self.establish(answer)
        }
    }

    private func connectingFailed(_ failure: DBusConnectionError) {
        guard case .connecting(let answer) = link else { return }
        link = .down
        epoch += 1
        answer.fail(failure)
        removeLater()
    }

    /// The link is established, but its services are not resolved yet.
    private func establish(_ answer: Answer) {
        epoch += 1
        world.air.count("connections")
        change([("Connected", .boolean(true))])
        if peripheral.refusals > 0 {
            peripheral.refusals -= 1
            whileUnchanged(after: 0.24) { device in
                device.connectingFailed(.connectionAborted)
                device.change([("Connected", .boolean(false))])
            }
            return
        }
        if isBondStale { return failToEncrypt(answer) }
        let established = Link()
        established.isEncrypted = isPaired
        link = .up(established)
        peripheral.conversation.nights?.beginLink()
        world.air.log.add("\(peripheral.name) connected")
        whileUnchanged(after: world.air.packets(0.045)) { device in
            answer.succeed()
            // Each step starts the next one, so that their order holds on a busy machine.
            if device.isKnown { device.resumeKnownServices() } else { device.discoverServices() }
        }
    }

    /// The first connection: reads all services, then the device's name and appearance, then the battery.
    private func discoverServices() {
        whileUnchanged(after: world.air.packets(0.46)) { device in
            device.addServices()
            let uuids = device.peripheral.database.serviceUUIDs
            device.resolved([("UUIDs", .strings(uuids)), ("ServicesResolved", .boolean(true))], isBusyFor: 0.15)
            device.readAppearance()
        }
    }

    private func readAppearance() {
        whileUnchanged(after: world.air.packets(0.16)) { device in
            if let appearance = device.peripheral.description.appearance {
                device.change([("Appearance", .uint16(appearance))])
            }
            device.whileUnchanged(after: device.world.air.packets(0.09)) { $0.addBattery() }
        }
    }

    /// A later connection: the services are known, and notify sessions take effect first.
    private func resumeKnownServices() {
        setTransferUnit(isConnected: true)
        whileUnchanged(after: world.air.packets(0.23)) { device in
            device.rearm()
            device.whileUnchanged(after: device.world.air.packets(0.02)) { device in
                device.addBattery()
                device.whileUnchanged(after: device.world.air.packets(0.05)) { $0.resolveKnownServices() }
            }
        }
    }

    private func resolveKnownServices() {
        if services.isEmpty { addServices() }
        resolved([("ServicesResolved", .boolean(true))], isBusyFor: 0)
    }

    private func resolved(_ values: [(String, DBusValue)], isBusyFor seconds: Double) {
        guard case .up(let link) = link else { return }
        link.isResolved = true
        link.isBusyUntil = world.clock.now + seconds
        isKnown = true
        world.memory.remember(Memory.KnownDevice(address: address, name: name))
        change(values)
    }

    // MARK: Disconnecting

    /// Ends the link or the attempt; then calls `done`.
    func disconnect(_ done: @escaping () -> Void) {
        switch link {
        case .down: done()
        case .connecting:
            world.air.count("cancelled")
            connectingFailed(.connectionCancelled)
            done()
        case .up(let link):
            link.disconnections = (link.disconnections ?? []) + [done]
            guard link.disconnections?.count == 1 else { return }
            removeBattery()
            // Values still arrive until the link ends.
            whileUnchanged(after: 2) { $0.endLink() }
        }
    }

    private func endLink() {
        guard case .up(let ended) = link else { return }
        if ended.isResolved { change([("ServicesResolved", .boolean(false))]) }
        disconnectedAt = world.clock.now
        dropLink(ended)
        for done in ended.disconnections ?? [] { done() }
        // Sent after the answer, as a separate signal.
        _ = world.clock.loop.schedule(after: .milliseconds(1)) { [weak self] in
            guard let self, !self.isConnected else { return }
            self.change([("Connected", .boolean(false))])
        }
    }

    /// Ends a lost link or a failed attempt: one signal reports both properties.
    ///
    /// - Parameters:
    ///   - failure: The error of a pending `Connect`.
    ///   - isDeviceStaying: Whether the device stays on the bus; otherwise `Battery1` is removed with it.
    func losesLink(to failure: DBusConnectionError, isDeviceStaying: Bool = true) {
        switch link {
        case .down: return
        case .connecting: connectingFailed(failure)
        case .up(let lost):
            if lost.isResolved {
                change([("ServicesResolved", .boolean(false)), ("Connected", .boolean(false))])
            } else {
                change([("Connected", .boolean(false))])
                // BlueZ has forgotten the advertised services and has not found the others yet.
                if !isKnown { world.tree.changeSilently(path, Self.interface, [("UUIDs", .strings([]))]) }
            }
            dropLink(lost)
            if isDeviceStaying { removeBattery() }
            for done in lost.disconnections ?? [] { done() }
        }
    }

    private func dropLink(_ ended: Link) {
        world.air.log.add("\(peripheral.name) disconnected")
        link = .down
        epoch += 1
        world.clock.cancel(ended.measurement)
        for operation in ended.operations { operation.fail(.notConnected) }
        for service in services {
            for characteristic in service.characteristics { characteristic.isArmed = false }
        }
        releaseSockets()
        setTransferUnit(isConnected: false)
        bondingLost()
        removeLater()
    }
}

/// The state of the link to a device.
enum LinkState {
    case down
    /// A `Connect` waits for its answer.
    case connecting(Answer)
    case up(Link)
}

final class Link {
    /// Whether the services are known.
    var isResolved = false
    /// Whether both sides use the key of their bond.
    var isEncrypted = false
    /// Until when the sensor is busy with BlueZ's own reads, in simulated seconds; it does one thing at a time.
    var isBusyUntil = 0.0
    /// The callers that wait for the end of the link; `nil` before a local disconnect.
    var disconnections: [() -> Void]?
    /// Calls that the sensor has not answered yet.
    var operations: [Answer] = []
    /// The timer of the next measurement, while there is a listener.
    var measurement: LoopTimer?
    var isMeasuring = false
    /// The names of the waves that have a timer of their next frame.
    var sending: Set<String> = []
}
