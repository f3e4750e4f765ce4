import BlueZ
import EventLoops
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

    /// Sets the identifier of the user's transmitter, six characters; `nil` for none.
    public func use(transmitter identifier: String?) { transmitter = identifier }

    /// Begins the conversation on a link whose services are resolved.
    func converse(_ driver: any SensorDriver.Type, with session: SensorSession, having offered: [Characteristic]) {
        endConversation(of: session)
        session.link.forgetSubscribed()
        session.hasNews = false
        var attributes: [BluetoothUUID: Characteristic] = [:]
        for characteristic in offered where attributes[characteristic.uuid] == nil {
            attributes[characteristic.uuid] = characteristic
        }
        session.attributes = attributes
        let context = DriverContext(
            session.identity, isPaired: session.pairing.isPaired, transmitter: transmitter,
            newestSequence: knownSequences[session.address])
        session.conversation = Conversation(driver.init(context), patience: driver.patience)
        let described = offered.map {
            DriverAttribute(
                uuid: $0.uuid, isNotifying: !$0.flags.isDisjoint(with: [.notify, .indicate]),
                isReadable: $0.flags.contains(.read), isWritable: $0.flags.contains(.write),
                isWritableWithoutResponse: $0.flags.contains(.writeWithoutResponse))
        }
        handle(.connected(described), of: session, at: .now())
    }

    /// Passes a value to the driver that has subscribed to it.
    func conversed(
        _ octets: [UInt8], _ reference: CharacteristicReference, with session: SensorSession, at moment: Moment
    ) {
        loop.checkForStall()
        session.recordValue(at: moment)
        if session.machine.isSilent, !backlog.isOpen { send(.valueCame, to: session, at: moment) }
        keep(octets, reference, from: session, at: moment)
        handle(.received(octets, from: reference.uuid), of: session, at: moment)
    }

    /// Ends the conversation; pending answers are ignored.
    func endConversation(of session: SensorSession) {
        let moment = Moment.now()
        for effect in session.conversation?.end(at: moment) ?? [] { perform(effect, for: session, at: moment) }
        session.conversation = nil
        session.decimator = Decimator()
        setConversationTimer(nil, of: session)
    }

    private func handle(_ event: Conversation.Event, of session: SensorSession, at moment: Moment) {
        guard let effects = session.conversation?.handle(event, at: moment) else { return }
        for effect in effects { perform(effect, for: session, at: moment) }
    }

    private func perform(_ effect: Conversation.Effect, for session: SensorSession, at moment: Moment) {
        switch effect {
        case .perform(let request, let number):
            let (address, link) = (session.address, session.link.number)
            Task(executorPreference: loop) { await self.ask(request, number: number, of: address, on: link) }
        case .setTimer(let due): setConversationTimer(due, of: session)
        case .report(let action): report(action, from: session, at: moment)
        case .changed(let state): changed(to: state, of: session, at: moment)
        }
    }

    private func changed(to state: Conversation.State, of session: SensorSession, at moment: Moment) {
        switch state {
        case .opening: break
        case .conversing, .streaming:
            guard session.machine.isSubscribing else { break }
            send(.subscribed(nil), to: session, at: moment)
            readDetails(of: session)
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
                deviceTime: details.deviceTime, late: details.late)
            for kept in session.decimator.take(reading) { pass(on: kept, at: moment) }
        case .entry(let content, let facts, let taken):
            guard session.handedOver.insert(content, facts) else {
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
        case .notice(let sentence): notices.send("\(session.identity.name): \(sentence)")
        case .malformed(let octets, let uuid, let error):
            let description = MalformedOctets(
                characteristic: uuid.description, octets: octets, reason: error.reason, offset: error.offset)
            report(.malformed(session.identity, description), at: moment)
        case .request, .setTimer, .cancelTimer, .streaming, .finish, .askToPair, .refuse: break
        }
    }

    // MARK: Requests

    private func ask(_ request: DriverRequest, number: Int, of address: BluetoothAddress, on link: Int) async {
        guard let session = sessions[address], session.link.number == link else { return }
        let answer = await answer(to: request, from: session)
        guard session.link.number == link else { return }
        handle(.answered(number: number, answer), of: session, at: .now())
    }

    private func answer(to request: DriverRequest, from session: SensorSession) async -> Conversation.Answer {
        guard let reference = session.attributes[request.uuid]?.reference else {
            return .failure(wantsPairing: false)
        }
        do throws(BlueZError) {
            switch request.kind {
            case .subscribe:
                try await central.startNotify(reference, timeout: Self.limit)
                session.link.addSubscribed(reference)
                return .success([])
            case .read: return .success(try await central.read(reference, timeout: Self.limit))
            case .write(let octets):
                try await central.write(octets, to: reference, .withResponse, timeout: Self.limit)
                return .success([])
            case .writeWithoutResponse(let octets):
                try await central.write(octets, to: reference, .withoutResponse, timeout: Self.limit)
                return .success([])
            }
        } catch {
            if !request.isOptional { recordRefusal(error, of: session) }
            return .failure(wantsPairing: error.wantsPairing)
        }
    }

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
