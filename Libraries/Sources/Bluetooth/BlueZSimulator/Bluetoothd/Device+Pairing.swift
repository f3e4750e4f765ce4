import DBus

extension Device {
    /// Seconds that a step of a pairing may take (Core Specification, Vol 3 Part H, 3.4).
    private static let pairingSeconds = 30.0

    /// Whether bluetoothd has a key for the device.
    var isPaired: Bool { world.memory.isBonded(address: address) }

    /// Whether bluetoothd has a key that the sensor has lost.
    var isBondStale: Bool { isPaired && peripheral.description.pairing != nil && !peripheral.hasBond }

    // MARK: Calls

    func pair(_ call: IncomingCall, _ answer: Answer) {
        if bonding != nil { return answer.fail(.notifyInProgress) }
        if isPaired { return answer.fail(.alreadyPaired) }
        let bonding = Bonding(answer: answer, agent: world.agent(of: call.sender), isOnOldLink: isConnected)
        self.bonding = bonding
        keep()
        if isConnected {
            exchangeSoon(bonding)
            return
        }
        connect(
            Answer { [weak self] result in
                guard let self, self.bonding === bonding else { return }
                switch result {
                case .success: self.exchangeSoon(bonding)
                case .failure: self.endBonding(.failed("le-connection-abort-by-local"))
                }
            })
    }

    func cancelPairing(_ answer: Answer) {
        guard let bonding else { return answer.fail(.doesNotExist) }
        takeBackQuestion(bonding)
        endBonding(.authenticationCancelled)
        answer.succeed()
        if isConnected {
            whileUnchanged(after: 0.045) { $0.losesLink(to: .connectionAborted) }
        } else {
            disconnect {}
        }
    }

    /// Defers an operation on a protected characteristic until the link is encrypted, and starts the encryption.
    ///
    /// - Returns: Whether it was deferred.
    func holdUntilPaired(
        _ characteristic: RemoteCharacteristic, _ answer: Answer, _ operation: @escaping (Device) -> Void
    ) -> Bool {
        guard characteristic.definition.isProtected, case .up(let link) = link, !link.isEncrypted else { return false }
        if bonding == nil {
            let bonding = Bonding(answer: nil, agent: world.standingAgent, isOnOldLink: true)
            self.bonding = bonding
            exchangeSoon(bonding)
        }
        bonding?.held.append((operation, answer))
        return true
    }

    // MARK: The exchange

    private func exchangeSoon(_ bonding: Bonding) {
        whileUnchanged(after: 0.15) { device in
            guard device.bonding === bonding else { return }
            device.exchange(bonding)
        }
    }

    private func exchange(_ bonding: Bonding) {
        whileUnchanged(after: Self.pairingSeconds) { device in
            if device.bonding === bonding { device.pairingIsLate(bonding) }
        }
        guard let behaviour = peripheral.description.pairing else {
            // The sensor does not support pairing.
            return endBonding(.authenticationFailed)
        }
        if peripheral.pairingConduct == .refuse { return keysDiffer() }
        guard let agent = bonding.agent else {
            // Quirk pairing-without-agent: without a call of `Pair`, the operations wait until the timeout.
            if bonding.answer != nil { endBonding(.authenticationFailed) }
            return
        }
        guard behaviour.method.isPossible(with: agent.capability) else { return endBonding(.authenticationFailed) }
        let device = DBusValue.objectPath(path)
        switch behaviour.method {
        case .justWorks:
            guard bonding.answer == nil else { return complete(bonding, isRight: true, after: 0.15) }
            ask(bonding, "RequestAuthorization", [device]) { $0.complete(bonding, isRight: true, after: 0.1) }
        case .passkeyDisplay:
            let passkey = world.air.noise.bits(at: epoch) % 1_000_000
            world.tree.call(agent, "DisplayPasskey", [device, .uint32(UInt32(passkey)), .uint16(0)]) { _ in }
            complete(bonding, isRight: true, after: 2.9)
        case .numericComparison:
            ask(bonding, "RequestConfirmation", [device, .uint32(UInt32(behaviour.passkey))]) {
                $0.complete(bonding, isRight: true, after: 0.1)
            }
        case .passkeyEntry:
            ask(bonding, "RequestPasskey", [device]) { device, values in
                let isRight = values.first?.integer == behaviour.passkey
                device.complete(bonding, isRight: isRight, after: isRight ? 1.9 : 0.09)
            }
        }
    }

    private func ask(
        _ bonding: Bonding, _ member: String, _ arguments: [DBusValue], _ proceed: @escaping (Device) -> Void
    ) {
        ask(bonding, member, arguments) { device, _ in proceed(device) }
    }

    private func ask(
        _ bonding: Bonding, _ member: String, _ arguments: [DBusValue],
        _ proceed: @escaping (Device, [DBusValue]) -> Void
    ) {
        guard let agent = bonding.agent else { return }
        bonding.isAsking = true
        world.tree.call(agent, member, arguments) { [weak self] result in
            guard let self, self.bonding === bonding else { return }
            bonding.isAsking = false
            switch result {
            case .success(let values): proceed(self, values)
            // The link stays; the next operation that needs the key starts another pairing.
            case .failure: self.endBonding(.authenticationFailed)
            }
        }
    }

    /// Completes the exchange when this side has done its part.
    private func complete(_ bonding: Bonding, isRight: Bool, after seconds: Double) {
        if peripheral.pairingConduct == .hang { return }
        whileUnchanged(after: seconds) { device in
            guard device.bonding === bonding else { return }
            guard isRight, device.peripheral.pairingConduct == .yes else { return device.keysDiffer() }
            device.succeed(bonding)
        }
    }

    private func succeed(_ bonding: Bonding) {
        peripheral.hasBond = true
        if bonding.isOnOldLink, let answer = bonding.answer { return secureOnly(bonding, answer) }
        world.memory.bond(Memory.KnownDevice(address: address, name: name))
        if case .up(let link) = link { link.isEncrypted = true }
        self.bonding = nil
        change([("Bonded", .boolean(true)), ("Paired", .boolean(true))])
        bonding.answer?.succeed()
        for held in bonding.held { held.operation(self) }
    }

    /// Quirk pair-on-a-link-hangs: the link can be used, but the call is never answered, and the key is not kept.
    private func secureOnly(_ bonding: Bonding, _ answer: Answer) {
        if case .up(let link) = link { link.isEncrypted = true }
        self.bonding = nil
        world.unanswered.append(answer)
        for held in bonding.held { held.operation(self) }
    }

    /// Fails the pairing because the keys differ or the sensor refuses; the sensor ends the link.
    private func keysDiffer() {
        if let bonding { takeBackQuestion(bonding) }
        endBonding(.authenticationFailed)
        whileUnchanged(after: 0.042) { $0.losesLink(to: .connectionAborted) }
    }

    /// Handles the kernel's timeout, which ends the link.
    private func pairingIsLate(_ bonding: Bonding) {
        guard bonding.agent == nil, bonding.answer == nil else { return losesLink(to: .connectionAborted) }
        // Quirk pairing-without-agent: the device is removed without a signal about its link, and pending calls are
        // never answered.
        world.unanswered += bonding.held.map(\.answer)
        bonding.held = []
        self.bonding = nil
        world.memory.forget(address: address)
        adapter?.remove(self)
    }

    /// Ends a pairing whose link was lost.
    func bondingLost() {
        guard let bonding else { return }
        takeBackQuestion(bonding)
        endBonding(.authenticationCancelled)
    }

    private func takeBackQuestion(_ bonding: Bonding) {
        guard bonding.isAsking, let agent = bonding.agent else { return }
        bonding.isAsking = false
        world.tree.call(agent, "Cancel", []) { _ in }
    }

    private func endBonding(_ failure: DBusConnectionError) {
        guard let bonding else { return }
        self.bonding = nil
        bonding.answer?.fail(failure)
        for held in bonding.held { held.answer.fail(isConnected ? .notPaired : .notConnected) }
        removeLaterUnlessLinked()
    }

    // MARK: A bond that the sensor has forgotten

    /// Loses the link at the start of encryption: `Connect` reports success, then the loss is signalled.
    func failToEncrypt(_ answer: Answer) {
        whileUnchanged(after: 0.138) { device in
            device.encryptionFailed()
            answer.succeed()
            device.whileUnchanged(after: 0.308) { device in
                guard device.isReachable, device.isBondStale, device.isDown else { return }
                device.change([("Connected", .boolean(true))])
                device.whileUnchanged(after: 0.138) { $0.encryptionFailed() }
            }
        }
    }

    private func encryptionFailed() {
        link = .down
        epoch += 1
        change([("Connected", .boolean(false))])
    }
}

/// A pairing of bluetoothd with a device.
final class Bonding {
    /// The pending call of `Pair`; `nil` for a pairing caused by a protected characteristic.
    let answer: Answer?
    /// The agent that is asked; `nil` without an agent.
    let agent: Agents.Agent?
    /// Whether the agent has an open question.
    var isAsking = false
    /// The operations that wait for encryption.
    var held: [(operation: (Device) -> Void, answer: Answer)] = []

    /// Whether the link existed before.
    let isOnOldLink: Bool

    init(answer: Answer?, agent: Agents.Agent?, isOnOldLink: Bool) {
        self.answer = answer
        self.isOnOldLink = isOnOldLink
        self.agent = agent
    }
}

extension DBusConnectionError {
    private static func authentication(_ name: String, _ message: String) -> DBusConnectionError {
        .remote(name: "org.bluez.Error.Authentication\(name)", message: message)
    }

    static let authenticationFailed = authentication("Failed", "Authentication Failed")
    static let authenticationCancelled = authentication("Canceled", "Authentication Canceled")
    static let authenticationRejected = authentication("Rejected", "Authentication Rejected")
    static let alreadyPaired = DBusConnectionError.remote(
        name: "org.bluez.Error.AlreadyExists", message: "Already Paired")
    static let notPaired = DBusConnectionError.notPermitted("Not paired")
}
