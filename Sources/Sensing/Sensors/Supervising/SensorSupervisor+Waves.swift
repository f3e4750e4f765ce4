import BlueZ
import EventLoops
import SensorDrivers
import Vitals
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
        for session in Array(sessions.values) where session.machine.isReady {
            guard session.declaration?.allWaves.isDisjoint(with: changed) == false else { continue }
            let (address, link) = (session.address, session.link.number)
            Task(executorPreference: loop) { await self.beginWavesAnew(of: address, on: link) }
        }
    }

    /// The waves that a sensor is asked for: none of one whose link has ended by that, unless it is paired since.
    func waves(wantedOf session: SensorSession) -> Set<WaveKind> {
        session.fruitlessWaves < Self.mostFruitless || session.pairing.isPaired ? wantedWaves : []
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

    /// Ends a conversation about a wave that came to nothing, with what it may have started.
    func giveWaveUp(of address: BluetoothAddress) async {
        guard let session = sessions[address], session.besideWork == .waves else { return }
        await bidFarewell(to: session)
        if session.besideWork == .waves { endConversation(of: session) }
    }

    private func beginWavesAnew(of address: BluetoothAddress, on link: Int) async {
        guard let session = sessions[address], session.link.number == link else { return }
        session.isWaveAwaited = false
        await bidFarewell(to: session)
        guard session.link.number == link, session.machine.isWanted else { return }
        if session.declaration?.driver != nil { return subscribe(session) }
        endConversation(of: session)
        await converseBeside(session, on: link)
    }

    /// Ends what a sensor does for this program, before its link is ended.
    ///
    /// The conversation ends first, or it could start again what is being stopped.
    func bidFarewell(to session: SensorSession) async {
        guard let requests = session.conversation?.farewell(), !requests.isEmpty else { return }
        let link = session.link.number
        session.isWaveAwaited = false
        endConversation(of: session)
        for request in requests {
            guard let reference = session.attributes[request.uuid]?.reference, case .write(let octets) = request.kind
            else { continue }
            guard session.link.number == link else { return }
            do throws(BlueZError) {
                try await write(octets, to: reference, of: session, timeout: Self.farewellLimit)
            } catch {
                // With the link the reason to stop it may be gone, too.
                guard error.kind != .inProgress || session.link.number == link else { return }
                notices.send("\(session.identity.name): \(Self.notStopped)")
            }
        }
    }

    /// The program's end must not wait long for a sensor that does not answer.
    private static let farewellLimit = Duration.seconds(1)

    private static let notStopped =
        "Its wave could not be stopped. It may stay awake until its battery is empty: take it out of its strap for a minute."

    /// Places samples on the monitor's clock, and passes them on.
    func report(_ piece: WavePiece, from session: SensorSession, at moment: Moment) {
        if session.isWaveAwaited { waveAnswered(by: session) }
        let block = session.waves[piece.kind, default: WaveTimeline(session.identity, piece.kind)]
            .place(piece, at: moment)
        if let block { waves.send(.block(block)) }
    }

    /// Ends the waves of a link.
    func endWaves(of session: SensorSession) {
        countFruitless(session)
        for kind in session.waves.keys { waves.send(.state(session.identity, kind, .ended)) }
        session.waves = [:]
    }
}
