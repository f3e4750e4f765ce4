import BlueZ
import SensorDrivers
import Vitals

// Sensors that need a bond: detected, paired at the user's request, and paired again when the bond is lost.
extension SensorSupervisor {
    /// How long to wait until a sensor that BlueZ has removed is heard again.
    private static let rediscoveryLimit = Duration.seconds(30)

    // MARK: Commands

    /// Pairs with a sensor at the user's request; its progress is reported as `MonitorEvent.Kind.pairing`.
    ///
    /// A bond that BlueZ has and the sensor has lost is removed first. After a success the sensor is wanted.
    public func pair(_ address: String) {
        guard !isShuttingDown, let address = BluetoothAddress(address) else { return }
        let session = session(for: address)
        guard !session.pairing.isUnderWay else { return }
        session.pairing.begin()
        reportPairing(.started, of: session)
        Task(executorPreference: loop) { await self.carryOutPairing(address) }
    }

    /// Passes on the user's answer to a pairing prompt; an answer that does not fit is ignored.
    public func answerPairing(_ address: String, _ reply: PairingReply) {
        guard let session = BluetoothAddress(address).flatMap({ sessions[$0] }),
            session.pairing.isAsking, let answer = PairingAnswer(reply, to: session.pairing.reported)
        else { return }
        reportPairing(.started, of: session)
        session.pairing.give(answer)
    }

    /// Cancels a pairing in progress.
    public func cancelPairing(_ address: String) async {
        guard let address = BluetoothAddress(address), let session = sessions[address], session.pairing.isUnderWay
        else { return }
        session.pairing.cancel()
        await central.cancelPairing(address)
    }

    // MARK: Carrying it out

    private func carryOutPairing(_ address: BluetoothAddress) async {
        guard let paired = sessions[address] else { return }
        var session = paired
        session.pairing.movedTo = nil
        // The machine must not connect during pairing; the wish is kept.
        send(.radioLost(.unknown), to: session, at: .now())
        let failure = await pairAnew(session)
        session.pairing.end()
        let now = Moment.now()
        if let failure {
            reportPairing(.failed(reason: failure.description), of: session)
        } else {
            session.pairing.bondWatch.servicesResolved()
            // A sensor that is awake for seconds connects by itself, often to transfer its measurements, which needs
            // trust. Without trust it is only slower: then it is connected to when it advertises.
            if session.identity.kind.isEpisodic { try? await central.trust(session.address, on: session.adapter) }
            reportPairing(.succeeded, of: session)
            // The pairing has resolved a private address; the sensor has another one from then on.
            if let address = paired.pairing.movedTo { session = self.session(for: address) }
            recordWish(true, about: session, at: now)
        }
        // While the radio is lost, only its return resumes the state machine.
        if radio.trouble == nil { send(.radioReturned, to: session, at: now) }
        if failure == nil {
            send(.wanted, to: session, at: now)
            // The link that BlueZ made for the pairing counts as made by this program.
            send(.claimed, to: session, at: now)
            await recordLink(to: session.address)
        }
        if session !== paired { dropIfForgettable(paired) }
        updateDiscovery()
    }

    private func pairAnew(_ session: SensorSession) async -> PairingError? {
        if session.pairing.isPaired {
            // A failure means that there is nothing to remove; the pairing itself will show any problem.
            try? await central.removeDevice(session.address, on: session.adapter, timeout: .seconds(15))
            session.pairing.isPaired = false
            send(.vanished, to: session, at: .now())
        }
        if !session.machine.isKnown, !(await hearAgain(session)) {
            return PairingError(session.pairing.isCancelled ? .authenticationCanceled : .connectionFailed)
        }
        updateDiscovery()
        // Quirk connect-waits-for-report: during a scan the link would take some 10 s.
        await settleDiscovery()
        if session.pairing.isCancelled { return PairingError(.authenticationCanceled) }
        let address = session.address
        do throws(PairingError) {
            try await central.pair(address, on: session.adapter) { [weak self] prompt in
                guard let self else { return .no }
                return await self.ask(prompt, address)
            }
            return nil
        } catch {
            return error
        }
    }

    /// Scans until a sensor is heard; returns whether it was.
    private func hearAgain(_ session: SensorSession) async -> Bool {
        session.pairing.beginSearch()
        updateDiscovery()
        let address = session.address
        let timer = loop.schedule(after: Self.rediscoveryLimit) { [weak self] in
            self?.assumeIsolated { $0.sessions[address]?.pairing.endSearch(isHeard: false) }
        }
        defer { loop.cancel(timer) }
        // Quirk resumed-through-the-pool: unless the task prefers another executor.
        return await withTaskExecutorPreference(loop) {
            await withCheckedContinuation { session.pairing.awaitSearch($0) }
        }
    }

    private func ask(_ prompt: PairingPrompt, _ address: BluetoothAddress) async -> PairingAnswer {
        guard let session = sessions[address], let state = PairingState(prompt) else { return .no }
        // Before the report, because the answer may come at once.
        session.pairing.ask(prompt)
        reportPairing(state, of: session)
        if prompt.isDisplay { return .yes }
        return await withTaskCancellationHandler {
            // Quirk resumed-through-the-pool: unless the task prefers another executor.
            await withTaskExecutorPreference(loop) {
                await withCheckedContinuation { continuation in
                    session.pairing.awaitAnswer(continuation, isTakenBack: Task.isCancelled)
                }
            }
        } onCancel: {
            Task(executorPreference: loop) { await self.takeBackQuestion(address) }
        }
    }

    private func takeBackQuestion(_ address: BluetoothAddress) {
        sessions[address]?.pairing.give(.no)
    }

    // MARK: What shows that a pairing is needed

    /// Records a failed subscription or read.
    ///
    /// Quirk pairing-without-agent: without an agent, BlueZ does not answer until the link is lost after 30 s, so a
    /// silent unpaired sensor counts as one that needs pairing.
    func recordRefusal(_ error: BlueZError, of session: SensorSession) {
        if error.wantsPairing {
            need(
                session,
                session.pairing.isPaired
                    ? Self.staleReason : Conversation.pairingReason)
        } else if error.kind == .timedOut, !session.pairing.isPaired {
            need(session, "The sensor does not answer; most likely it wants to be paired first.")
        }
    }

    /// Handles a new or changed peripheral.
    func recordPairing(_ peripheral: Peripheral, _ session: SensorSession) {
        session.pairing.isPaired = peripheral.isPaired
        if peripheral.rssi != nil { session.pairing.endSearch(isHeard: true) }
    }

    func recordPairingLink(down peripheral: Peripheral, _ session: SensorSession, at moment: Moment) {
        guard session.pairing.bondWatch.linkDown(isPaired: peripheral.isPaired, at: moment) else { return }
        need(session, Self.staleReason)
    }

    private static let staleReason =
        "The sensor has forgotten that it was paired with this computer, so it ends every connection."

    /// Reports that a sensor needs to be paired, or must not be used before.
    func askToPair(_ session: SensorSession, _ reason: String) { need(session, reason) }

    private func need(_ session: SensorSession, _ reason: String) {
        guard session.machine.isWanted, !session.pairing.isNeedKnown else { return }
        reportPairing(.needed(reason: reason), of: session)
    }

    private func reportPairing(_ state: PairingState, of session: SensorSession) {
        guard session.pairing.report(state) else { return }
        report(.pairing(session.identity, state), at: .now())
    }
}
