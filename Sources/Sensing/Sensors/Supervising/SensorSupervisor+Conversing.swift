import BlueZ
import EventLoops
import KnownSensors
import SensorDrivers
import VitalDecoders
import Vitals

// Conducts the conversations with sensors that have a driver.
extension SensorSupervisor {
    /// Restores the greatest sequence number of each sensor's recorded measurements; call it before ``start()``.
    public func remember(sequences: [String: Int]) {
        for (address, sequence) in sequences {
            guard let address = BluetoothAddress(address) else { continue }
            knownSequences[address] = sequence
        }
    }

    /// Restores what sensors without sequence numbers have transferred; call it before ``start()``.
    public func remember(handedOver entries: [RecordEntry]) {
        for entry in entries {
            guard let address = BluetoothAddress(entry.sensor.address) else { continue }
            _ = handedOver[address, default: HandedOverEntries()].insert(entry.content, entry.facts)
        }
    }

    /// Sets the identifier of the user's transmitter, six characters; `nil` for none.
    public func use(transmitter identifier: String?) { transmitter = identifier }

    /// Sets whether a transmitter may use a new sensor that it has detected; from its next link on.
    public func use(newSensors policy: NewSensorPolicy) { newSensors = policy }

    /// Passes on whether a transmitter may use the new sensor that it has detected; ignored without a question.
    public func answerNewSensor(_ address: String, isAccepted: Bool) {
        guard let session = BluetoothAddress(address).flatMap({ sessions[$0] }) else { return }
        handle(.newSensorAnswered(isAccepted: isAccepted), of: session, at: .now())
    }

    /// Sets the calibrations of glucose sensors, which replace the earlier ones; each newest count is reported anew.
    ///
    /// It is reported with the time at which it came, because it was measured then.
    public func use(calibrations new: [DatedCalibration]) {
        guard new != calibrations else { return }
        let old = calibrations
        calibrations = new
        let now = Moment.now()
        for session in sessions.values.sorted(by: { $0.address.description < $1.address.description }) {
            guard let reading = session.link.lastCount else { continue }
            let before = reading.calibrated(by: old, at: now.wallMilliseconds)
            let after = reading.calibrated(by: new, at: now.wallMilliseconds)
            if before != after { pass(on: after, at: now) }
        }
    }

    /// Begins the conversation on a link whose services are resolved.
    func converse(_ driver: any SensorDriver.Type, with session: SensorSession, having offered: [Characteristic]) {
        endConversation(of: session)
        session.link.forgetSubscribed()
        session.hasNews = false
        begin(driver, with: session, having: offered)
    }

    /// Begins what a sensor that is subscribed to has beside its present values, which go on.
    func converseBeside(_ address: BluetoothAddress, on link: Int) async {
        guard let session = sessions[address], session.link.number == link else { return }
        // A wish that came while the sensor was read has begun it already; its end would count as that of a link.
        if session.conversation != nil { return await beginWavesAnew(of: address) }
        session.areWavesOutdated = false
        let declared = session.declaration?.beside.filter { isWanted($0.work, of: session) } ?? []
        guard !declared.isEmpty else { return }
        let services = await central.services(of: session.address, on: session.adapter)
        // A link that was lost meanwhile has this number until the next one.
        guard session.link.number == link, session.machine.isReady else { return }
        for beside in declared {
            guard let service = services.first(where: { $0.uuid == beside.service }),
                service.characteristics.contains(where: { $0.uuid == beside.control })
            else { continue }
            endConversation(of: session)
            session.besideWork = beside.work
            switch beside.work {
            case .records: session.unansweredFetches += 1
            case .waves: session.isWaveAwaited = true
            }
            // Other services may have a control point of their own; the clock is in another one.
            return begin(
                beside.driver, with: session, having: service.characteristics + services.flatMap(\.characteristics))
        }
    }

    private func isWanted(_ work: BesideDeclaration.Work, of session: SensorSession) -> Bool {
        switch work {
        // Quirk pairing-without-agent: one that wants to be paired for them loses the link by being asked.
        case .records:
            session.maker.hasStoredRecords
                && (session.pairing.isPaired || session.unansweredFetches < Self.mostUnansweredFetches)
        case .waves:
            mayBeAskedForWaves(session) && !(wantedWaves.isEmpty && runningWaves[session.address] == nil)
        }
    }

    private static let mostUnansweredFetches = 2

    private func begin(_ driver: any SensorDriver.Type, with session: SensorSession, having offered: [Characteristic]) {
        session.offer(offered)
        session.areWavesOutdated = false
        let context = DriverContext(
            session.identity, isPaired: session.pairing.isPaired, transmitter: transmitter,
            newSensors: newSensors, waves: waves(wantedOf: session),
            runningWaves: runningWaves[session.address] ?? [], newestSequence: knownSequences[session.address],
            nights: nights(of: session))
        session.conversation = Conversation(driver.init(context), patience: driver.patience)
        handle(.connected(offered.map { DriverAttribute($0) }), of: session, at: .now())
    }

    /// Passes a value to the driver that has subscribed to it.
    func conversed(
        _ octets: [UInt8], _ reference: CharacteristicReference, with session: SensorSession, at moment: Moment
    ) {
        loop.checkForStall()
        // A wave shows nothing of the values: a strap whose heart rate is missing is silent, whatever its ECG does.
        if session.besideWork != .waves, session.declaration?.waveOnly.contains(reference.uuid) != true {
            session.recordValue(at: moment)
            if session.machine.isSilent, !backlog.isOpen { send(.valueCame, to: session, at: moment) }
        }
        keep(octets, reference, from: session, at: moment)
        handle(.received(octets, from: reference.uuid), of: session, at: moment)
    }

    /// Ends the conversation; pending answers are ignored.
    func endConversation(of session: SensorSession) {
        let moment = Moment.now()
        for effect in session.conversation?.end(at: moment) ?? [] { perform(effect, for: session, at: moment) }
        session.conversation = nil
        session.besideWork = nil
        session.endedConversations += 1
        endWaves(of: session)
        endNights(of: session)
        session.decimator = Decimator()
        setConversationTimer(nil, of: session)
    }

    func handle(_ event: Conversation.Event, of session: SensorSession, at moment: Moment) {
        guard let effects = session.conversation?.handle(event, at: moment) else { return }
        // Before a stream is started, so that a later run knows of it if this one is killed.
        if session.besideWork == .waves {
            recordRunningWaves(session.conversation?.runningWaves ?? [], on: session.address)
        }
        for effect in effects { perform(effect, for: session, at: moment) }
    }

    private func perform(_ effect: Conversation.Effect, for session: SensorSession, at moment: Moment) {
        switch effect {
        case .perform(let request, let number):
            let (address, former) = (session.address, session.endedConversations)
            Task(executorPreference: loop) { await self.ask(request, number: number, of: address, after: former) }
        case .setTimer(let due): setConversationTimer(due, of: session)
        case .report(let action): report(action, from: session, at: moment)
        case .changed(let state): changed(to: state, of: session, at: moment)
        }
    }

    /// Handles the end of a conversation beside the present values; the link does not depend on it.
    ///
    /// After a transfer that broke off, the conversation is kept: whatever arrives later of its characteristics is not
    /// taken for a present value.
    private func changedBeside(_ work: BesideDeclaration.Work, to state: Conversation.State, of session: SensorSession)
    {
        let name = session.identity.name
        switch (state, work) {
        case (.opening, _): break
        case (.conversing, .waves), (.streaming, .waves): waveAnswered(by: session)
        case (.conversing, .records), (.streaming, .records): session.unansweredFetches = 0
        case (.finished, _):
            session.isWaveAwaited = false
            if work == .records { session.unansweredFetches = 0 }
            endConversation(of: session)
        // It hands over nothing, so what it sends from now on is measured now.
        case (.failed(.pairing), .records):
            notices.send("\(name): \(Self.unpaired)")
            endConversation(of: session)
        case (.refused(let reason), _):
            notices.send("\(name): \(reason)")
            endConversation(of: session)
        case (.failed, .records): notices.send("\(name): \(Self.unfinished)")
        case (.failed, .waves):
            if !waves(wantedOf: session).isEmpty { notices.send("\(name): \(Self.withoutWave)") }
            giveWavesUp(of: session)
        }
    }

    private static let withoutWave =
        "It does not take the commands for its wave, so none is drawn. Its values do not depend on that."
    private static let unpaired = "It hands over its stored measurements only once it is paired with this computer."
    private static let unfinished =
        "It did not hand over all stored measurements. They are asked for again on the next link."

    private func changed(to state: Conversation.State, of session: SensorSession, at moment: Moment) {
        if let work = session.besideWork { return changedBeside(work, to: state, of: session) }
        switch state {
        case .opening: break
        case .conversing, .streaming:
            guard session.machine.isSubscribing else { break }
            send(.subscribed(nil), to: session, at: moment)
            readDetails(of: session)
            // The wish may have changed since the driver was asked.
            renewWaves(of: session)
        case .finished: endLink(of: session, at: moment)
        case .failed(.pairing(let reason)):
            askToPair(session, reason)
            endLink(of: session, because: .notAuthorised, at: moment)
        case .failed(.refusedRequest): endLink(of: session, because: .noServices, at: moment)
        case .failed(.silence): endLink(of: session, because: .notReached, at: moment)
        case .refused(let reason):
            notices.send("\(session.identity.name): \(reason)")
            send(.unusable(reason), to: session, at: moment)
        }
    }

    private func endLink(of session: SensorSession, because failure: ConnectFailure? = nil, at moment: Moment) {
        send(.conversationEnded(failure, hasNews: session.hasNews), to: session, at: moment)
    }

    private static let repeated =
        "It handed over the same value as before, without a time, which is not entered again. If it is a new one, type it."

    private func report(_ action: DriverAction, from session: SensorSession, at moment: Moment) {
        switch action {
        case .reading(let vital, let outcome, let details):
            let reading = Reading(
                sensor: session.identity, vital: vital, outcome: outcome, moment: moment, site: details.site,
                deviceTime: details.deviceTime, late: details.late, raw: details.raw)
            if vital == .glucose, reading.late == nil { session.link.recordCount(reading.raw == nil ? nil : reading) }
            let calibrated = reading.calibrated(by: calibrations, at: moment.wallMilliseconds)
            for kept in session.decimator.take(calibrated) { pass(on: kept, at: moment) }
        case .entry(let content, let facts, let taken):
            guard handedOver[session.address, default: HandedOverEntries()].insert(content, facts) else {
                guard facts.mayBeStored else { break }
                notices.send("\(session.identity.name): \(Self.repeated)")
                break
            }
            session.hasNews = true
            let entry = RecordEntry(content, from: .sensor(session.identity), facts, taken: taken, enteredAt: moment)
            report(.entry(entry), at: moment)
        case .remember(let sequence): knownSequences[session.address] = sequence
        case .cuffPressure(let pressure): report(.cuffPressure(session.identity, pressure), at: moment)
        case .battery(let percent):
            guard session.link.recordBattery(percent) else { break }
            report(.battery(session.identity, percent: percent), at: moment)
        case .transmitter(let status):
            guard session.link.recordTransmitter(status) else { break }
            report(.transmitter(session.identity, status), at: moment)
        case .wave(let piece): report(piece, from: session, at: moment)
        case .waveState(let kind, let state):
            if state == .wanted, session.declaration?.mayLoseLinkByWave == true {
                session.isWaveAwaited = true
            } else if state != .wanted {
                waveAnswered(by: session)
            }
            waves.send(.state(session.identity, kind, state))
        case .nights(let nights): report(nights, from: session, at: moment)
        case .notice(let sentence): notices.send("\(session.identity.name): \(sentence)")
        case .malformed(let octets, let uuid, let error):
            let description = MalformedOctets(
                characteristic: uuid.description, octets: octets, reason: error.reason, offset: error.offset)
            report(.malformed(session.identity, description), at: moment)
        case .request, .setTimer, .cancelTimer, .streaming, .finish, .askToPair, .refuse: break
        }
    }

    // MARK: Requests

    /// Makes a request of the conversation after so many former ones.
    private func ask(_ request: DriverRequest, number: Int, of address: BluetoothAddress, after former: Int) async {
        guard let session = sessions[address], session.endedConversations == former else { return }
        let answer = await answer(to: request, from: session)
        guard session.endedConversations == former else { return }
        handle(.answered(number: number, answer), of: session, at: .now())
    }

    private func answer(to request: DriverRequest, from session: SensorSession) async -> Conversation.Answer {
        guard let reference = session.attributes[request.uuid]?.reference else {
            return .failure(wantsPairing: false)
        }
        do throws(BlueZError) {
            switch request.kind {
            case .subscribe:
                if session.link.subscribed.contains(reference) { return .success([]) }
                try await central.startNotify(reference, timeout: Self.limit)
                session.link.addSubscribed(reference)
                return .success([])
            case .read: return .success(try await central.read(reference, timeout: Self.limit))
            case .write(let octets):
                try await write(octets, to: reference, of: session, timeout: Self.limit)
                return .success([])
            case .writeWithoutResponse(let octets):
                try await central.write(octets, to: reference, .withoutResponse, timeout: Self.limit)
                return .success([])
            }
        } catch {
            // An oximeter that wants to be paired for its stored records streams without that.
            if !request.isOptional, session.besideWork == nil { recordRefusal(error, of: session) }
            return .failure(wantsPairing: error.wantsPairing)
        }
    }

    /// Writes, again for a while where another write of the same link is under way still; what a conversation wrote that has
    /// ended by then, is not.
    func write(
        _ octets: [UInt8], to reference: CharacteristicReference, of session: SensorSession, timeout: Duration
    ) async throws(BlueZError) {
        let former = session.endedConversations
        var attempts = 0
        while true {
            attempts += 1
            do throws(BlueZError) {
                return try await central.write(octets, to: reference, .withResponse, timeout: timeout)
            } catch {
                guard error.kind == .inProgress, attempts < Self.mostWrites else { throw error }
                await pause(Self.writePause)
                guard session.endedConversations == former else { throw error }
            }
        }
    }

    private static let mostWrites = 10
    private static let writePause = Duration.milliseconds(100)

    /// Reads the optional data of every sensor: its battery and the maker's details.
    private func readDetails(of session: SensorSession) {
        let (address, link) = (session.address, session.link.number)
        Task(executorPreference: loop) { await self.readDetails(of: address, on: link) }
    }

    private func readDetails(of address: BluetoothAddress, on link: Int) async {
        guard let session = sessions[address], session.link.number == link else { return }
        let known = session.attributes.values.compactMap { characteristic in
            ReadCharacteristic(uuid: characteristic.uuid).map { ($0, characteristic) }
        }
        await readOnce(known, of: session, on: link)
    }

    // MARK: Timers

    private func setConversationTimer(_ due: MonotonicTime?, of session: SensorSession) {
        if let timer = session.conversationTimer { loop.cancel(timer) }
        session.conversationTimer = nil
        guard let due else { return }
        let address = session.address
        session.conversationTimer = loop.schedule(at: due.nanoseconds) { [weak self] in
            self?.assumeIsolated { $0.conversationTimerFired(address) }
        }
    }

    private func conversationTimerFired(_ address: BluetoothAddress) {
        guard let session = sessions[address] else { return }
        session.conversationTimer = nil
        handle(.timerFired, of: session, at: .now())
    }
}
