import BlueZ
import EventLoops
import KnownSensors
import SensorDrivers
import Vitals
import WaveAnalysis
import Waves

// The waves of sensors: started while somebody wants them, stopped on every way out.
extension SensorSupervisor {
    /// Every update of waves from now on, for one reader that only stores it (`UnreadWaves`).
    ///
    /// Values, alarms and their order do not depend on them: they pass by another way. The sequence ends with
    /// ``shutDown()``.
    public func waveUpdates() -> BroadcastSequence<WaveUpdate> { waves.subscribe() }

    /// Sets which waves somebody looks at or records; the others are not asked for, or stopped.
    public func use(waves kinds: Set<WaveKind>) {
        let changed = kinds.symmetricDifference(wantedWaves)
        wantedWaves = kinds
        for session in Array(sessions.values)
        where session.declaration?.allWaves.isDisjoint(with: changed) == false {
            session.areWavesOutdated = true
            renewWaves(of: session)
        }
    }

    /// Begins the waves of a sensor anew if the wish for them has changed since they were begun.
    ///
    /// Before it is ready there is nothing to do: they will be begun by the newest wish.
    func renewWaves(of session: SensorSession) {
        guard session.areWavesOutdated, session.machine.isReady else { return }
        let address = session.address
        afterOtherWork(onWavesOf: session) { await $0.beginWavesAnew(of: address) }
    }

    /// Works on the waves of a sensor after all earlier work on them has ended.
    ///
    /// At once a start could overtake the stop before it, and the sensor would be left in the state of an older wish.
    func afterOtherWork(
        onWavesOf session: SensorSession, _ work: @escaping @Sendable (isolated SensorSupervisor) async -> Void
    ) {
        let earlier = session.waveWork
        session.waveWork = Task(executorPreference: loop) {
            await earlier?.value
            await work(self)
        }
    }

    /// The waves that a sensor is asked for.
    func waves(wantedOf session: SensorSession) -> Set<WaveKind> { mayBeAskedForWaves(session) ? wantedWaves : [] }

    /// Whether a sensor may be asked for waves: not one whose link has ended by that, unless it is paired since.
    func mayBeAskedForWaves(_ session: SensorSession) -> Bool {
        session.fruitlessWaves < Self.mostFruitless || session.pairing.isPaired
    }

    private static let mostFruitless = 2
    private static let noLongerAsked =
        "Its link has ended twice when it was asked for its wave, so it is not asked again. Pairing it may help."

    /// Something has come of asking for a wave.
    func waveAnswered(by session: SensorSession) { (session.isWaveAwaited, session.fruitlessWaves) = (false, 0) }

    /// Counts a link that has ended before anything came of asking for a wave.
    private func countFruitless(_ session: SensorSession) {
        guard session.isWaveAwaited else { return }
        session.isWaveAwaited = false
        session.fruitlessWaves += 1
        if session.fruitlessWaves == Self.mostFruitless {
            notices.send("\(session.identity.name): \(Self.noLongerAsked)")
        }
    }

    /// Ends a conversation about waves that came to nothing, with what it may have started.
    func giveWavesUp(of session: SensorSession) {
        let (address, former) = (session.address, session.endedConversations)
        afterOtherWork(onWavesOf: session) { supervisor in
            guard let session = supervisor.sessions[address], session.endedConversations == former else { return }
            await supervisor.bidFarewell(to: session)
            if session.endedConversations == former { supervisor.endConversation(of: session) }
        }
    }

    /// Ends what a sensor does beside its values and begins it by the newest wish; only as work on its waves.
    func beginWavesAnew(of address: BluetoothAddress) async {
        guard let session = sessions[address], session.areWavesOutdated, session.machine.isReady else { return }
        // A transfer of nights goes on; its end renews the waves.
        if session.nights.report?.isTransferring == true { return }
        let link = session.link.number
        session.areWavesOutdated = false
        session.isWaveAwaited = false
        // What runs since an earlier link is up to the next conversation.
        if session.conversation != nil { await bidFarewell(to: session) }
        guard session.link.number == link, session.machine.isReady else { return }
        if session.declaration?.driver != nil {
            session.link.countSubscription()
            return await subscribeAndRead(address, on: link)
        }
        endConversation(of: session)
        await converseBeside(address, on: link)
    }

    /// Ends what a sensor does for this program, before its link is ended.
    ///
    /// The conversation ends first, or it could start again what is being stopped.
    ///
    /// - Parameters:
    ///   - session: The sensor.
    ///   - isEndingLink: Whether its link is ended next; of another program's link only the own conversation is.
    func bidFarewell(to session: SensorSession, isEndingLink: Bool = false) async {
        let link = session.link.number
        let requests = await farewell(to: session, isEndingLink: isEndingLink)
        guard !requests.isEmpty, session.link.number == link else { return }
        session.isWaveAwaited = false
        endConversation(of: session)
        for request in requests {
            do throws(BlueZError) {
                try await makeLast(request, of: session)
            } catch {
                // With the link the reason to stop it may be gone, too.
                guard error.kind != .inProgress || session.link.number == link else { return }
                // A sensor carries commands out without a subscription; it only does not say so.
                if request.kind == .subscribe { continue }
                return notices.send("\(session.identity.name): \(PolarWaveDriver.notStopped)")
            }
            guard session.link.number == link else { return }
        }
        recordRunningWaves([], on: session.address)
    }

    private func makeLast(_ request: DriverRequest, of session: SensorSession) async throws(BlueZError) {
        guard let reference = session.attributes[request.uuid]?.reference else { throw BlueZError(.unknownObject) }
        switch request.kind {
        case .subscribe where session.link.subscribed.contains(reference): break
        case .subscribe: try await central.startNotify(reference, timeout: Self.farewellLimit)
        case .write(let octets): try await write(octets, to: reference, of: session, timeout: Self.farewellLimit)
        case .read, .writeWithoutResponse: break
        }
    }

    /// The requests that end what a sensor does: those of its conversation, or before that has begun, those for what runs
    /// since an earlier link.
    private func farewell(to session: SensorSession, isEndingLink: Bool) async -> [DriverRequest] {
        if let conversation = session.conversation { return conversation.farewell() }
        let (machine, link) = (session.machine, session.link.number)
        guard let running = runningWaves[session.address], machine.isLinked, machine.isWanted || isEndingLink,
            mayBeAskedForWaves(session),
            let beside = session.declaration?.beside.first(where: { $0.work == .waves })
        else { return [] }
        let services = await central.services(of: session.address, on: session.adapter)
        guard session.link.number == link, session.conversation == nil else { return [] }
        session.offer(services.flatMap(\.characteristics))
        return beside.driver.init(DriverContext(session.identity, runningWaves: running)).farewell()
    }

    /// The program's end must not wait long for a sensor that does not answer.
    private static let farewellLimit = Duration.seconds(1)

    /// Places samples on the monitor's clock, marks the beats of an electrocardiogram, and passes both on.
    func report(_ piece: WavePiece, from session: SensorSession, at moment: Moment) {
        if session.isWaveAwaited { waveAnswered(by: session) }
        let block = session.waves[piece.kind, default: WaveTimeline(session.identity, piece.kind)]
            .place(piece, at: moment)
        guard var block else { return }
        session.beatMarker.mark(&block)
        waves.send(.block(block))
    }

    /// Ends the waves of a link.
    func endWaves(of session: SensorSession) {
        countFruitless(session)
        for kind in session.waves.keys { waves.send(.state(session.identity, kind, .ended)) }
        (session.waves, session.beatMarker) = ([:], BeatMarker())
    }
}

// The waves that may run on sensors: remembered over links and starts, so that they are stopped where they could not be
// before. A strap whose stream runs on stays awake until its battery is empty.
extension SensorSupervisor {
    /// The waves that may run on sensors, after each change from now on; store them for a later run.
    ///
    /// A wave is listed before it is started. The sequence ends with ``shutDown()``.
    public func runningWaveLists() -> BroadcastSequence<[RunningWave]> { runningWaveChanges.subscribe() }

    /// Restores the waves that an earlier run has not stopped; call it before ``start()``.
    public func remember(running waves: [RunningWave]) {
        for wave in waves.prefix(SensorMemory.limit) {
            guard let address = BluetoothAddress(wave.address) else { continue }
            runningWaves[address, default: []].insert(wave.kind)
        }
    }

    /// Records which waves may run on a sensor.
    func recordRunningWaves(_ kinds: Set<WaveKind>, on address: BluetoothAddress) {
        guard kinds != runningWaves[address] ?? [] else { return }
        runningWaves[address] = kinds.isEmpty ? nil : kinds
        let list = runningWaves.sorted { $0.key < $1.key }.flatMap { address, kinds in
            WaveKind.allCases.filter(kinds.contains).map { RunningWave(address: address.description, kind: $0) }
        }
        runningWaveChanges.send(list)
    }

    /// Tells the user what runs on a sensor that is let go while there is no link to stop it by.
    func reportRunningWaves(withoutLinkTo session: SensorSession) {
        guard runningWaves[session.address] != nil, !session.machine.isLinked else { return }
        notices.send("\(session.identity.name): \(PolarWaveDriver.notStopped)")
    }
}
