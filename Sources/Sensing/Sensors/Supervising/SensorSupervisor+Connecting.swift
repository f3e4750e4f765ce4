import BlueZ
import EventLoops
import Vitals

// Performs the actions of the connection machines.
extension SensorSupervisor {
    /// Passes an event to a state machine, and performs its actions.
    func send(_ event: ConnectionMachine.Event, to session: SensorSession, at moment: Moment) {
        if event == .wanted { reportPlaces(places.lose(session.address), at: moment) }
        let actions = session.handle(event, at: moment, random: chance())
        for action in actions { perform(action, for: session, at: moment) }
        if actions.isEmpty { return }
        updateDiscovery()
        updateAnswerWatch()
    }

    /// Has bus and bluetoothd asked whether they are there, as often as it matters to the sensors.
    private func updateAnswerWatch() {
        let machines = sessions.values.lazy.map(\.machine)
        let quiet: Duration? =
            machines.contains(where: \.isReady)
            ? Self.quietWhileReady : machines.contains(where: \.isWanted) ? Self.quietWhileWaiting : nil
        guard quiet != answerQuiet else { return }
        answerQuiet = quiet
        Task(executorPreference: loop) { await self.central.watchAnswers(after: quiet) }
    }

    private func perform(_ action: ConnectionMachine.Action, for session: SensorSession, at moment: Moment) {
        switch action {
        case .requestTurn: requestTurn(session)
        case .releaseTurn: giveTurn(queues.release(session.address))
        case .connect(let attempt): connect(session, attempt: attempt)
        case .disconnect: disconnect(session)
        case .subscribe: subscribe(session)
        case .rearm: rearm(session)
        case .setTimer(let due): setTimer(due, of: session)
        case .cancelTimer: cancelTimer(of: session)
        case .report(let state): report(state, of: session, at: moment)
        }
    }

    /// Reports the state of a connection; at the start, a radio that is not known yet does not count as a reason.
    private func report(_ state: ConnectionState, of session: SensorSession, at moment: Moment) {
        guard !radio.isKnown, state.reason?.isOfRadio == true else {
            session.endHoldingBack(with: state)
            return report(.connection(session.identity, state), at: moment)
        }
        session.holdBack(state)
    }

    /// Reports the held states, once the state of the radio is known.
    func reportHeldBack(at moment: Moment) {
        guard radio.isKnown else { return }
        for session in Array(sessions.values) {
            if let state = session.heldBack { report(state, of: session, at: moment) }
        }
    }

    private func requestTurn(_ session: SensorSession) {
        // For a peripheral that BlueZ has forgotten, `Connect` fails at once.
        guard let adapter = session.adapter else { return giveTurn(session.address) }
        giveTurn(
            queues.request(
                session.address, of: session.identity.kind, on: adapter, isPreferred: session.memory != nil))
    }

    /// Lets a sensor connect, after the present event was handled.
    private func giveTurn(_ address: BluetoothAddress?) {
        guard let address else { return }
        Task(executorPreference: loop) { await self.turnCame(address) }
    }

    private func turnCame(_ address: BluetoothAddress) {
        guard let session = sessions[address] else { return }
        send(.turnCame, to: session, at: .now())
    }

    private func connect(_ session: SensorSession, attempt: Int) {
        let address = session.address
        Task(executorPreference: loop) { await self.carryOutConnect(address, attempt: attempt) }
    }

    private func carryOutConnect(_ address: BluetoothAddress, attempt: Int) async {
        await settleDiscovery()
        // Before there is a link, so that a later run knows of it if this one is killed.
        await recordLink(to: address)
        // Since then the user may have changed the wish, or the radio may be lost.
        guard let session = sessions[address], session.machine.isConnecting(attempt: attempt) else { return }
        var failure: ConnectFailure?
        do throws(BlueZError) {
            // The machine's own limit is shorter, and cancels correctly.
            try await central.connect(address, on: session.adapter, timeout: .seconds(60))
        } catch {
            failure = ConnectFailure(error)
            if !session.machine.isLinked { forgetLink(to: address) }
        }
        send(.connectAnswered(attempt: attempt, failure), to: session, at: .now())
    }

    private func disconnect(_ session: SensorSession) {
        let (address, adapter) = (session.address, session.adapter)
        session.disconnecting = Task(executorPreference: loop) { await self.carryOutDisconnect(address, on: adapter) }
    }

    private func carryOutDisconnect(_ address: BluetoothAddress, on adapter: AdapterPath?) async {
        await sessions[address]?.waveWork?.value
        if let session = sessions[address] { await bidFarewell(to: session, isEndingLink: true) }
        // The end of the link shows the success; an error means that there was nothing to end.
        let hasEnded: Void? = try? await central.disconnect(
            address, on: adapter, timeout: ConnectionMachine.disconnectLimit)
        if hasEnded != nil { forgetLink(to: address) }
        guard let session = sessions[address] else { return }
        session.disconnecting = nil
        send(.disconnectAnswered, to: session, at: .now())
    }

    // MARK: Timers

    private func setTimer(_ due: Moment, of session: SensorSession) {
        cancelTimer(of: session)
        let address = session.address
        // On a working link the timer checks for silence: it is not urgent, so it fires with a value of any sensor.
        let tolerance = session.machine.isReady ? Duration.seconds(1) : .zero
        session.timer = loop.schedule(at: due.monotonicNanoseconds, tolerance: tolerance) { [weak self] in
            self?.assumeIsolated { $0.timerFired(address) }
        }
    }

    func cancelTimer(of session: SensorSession) {
        guard let timer = session.timer else { return }
        session.timer = nil
        loop.cancel(timer)
    }

    private func timerFired(_ address: BluetoothAddress) {
        guard let session = sessions[address] else { return }
        session.timer = nil
        // While nothing can be heard, a sensor that sends nothing is none.
        send(session.machine.isReady && radio.silence != nil ? .stalled : .timerFired, to: session, at: .now())
    }
}
