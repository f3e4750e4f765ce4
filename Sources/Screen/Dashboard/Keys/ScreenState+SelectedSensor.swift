import Appearance
import Base
import Monitoring
import Vitals
import Wording

// What keys do about the selected sensor, in the list and on the pages that show it.
extension ScreenState {
    mutating func handleOnSensor(_ command: Command, in state: MonitorState, at now: Moment) -> Handling {
        let commands: [Command] = [
            .rename, .forget, .pair, .connect, .disconnect, .pauseForCare, .showSensor, .assignVitals,
        ]
        guard commands.contains(command) else { return .passed }
        guard pages.current?.type.showsSelectedSensor != false else {
            dialogs.message = "No sensor is selected here."
            return .handled()
        }
        guard let sensor = selectedSensor(in: state) else {
            dialogs.message = "No sensor is listed."
            return .handled()
        }
        list.selection = sensor.identity.address
        return .handled(perform(command, on: sensor, in: state, at: now))
    }

    /// Selects the sensor beside the selected one in the list.
    mutating func selectNeighbour(_ command: Command) {
        let isNext = command == .nextSensor
        if list.moveSelection(isNext ? .next : .previous) { return }
        dialogs.message = isNext ? "This is the last one." : "This is the first one."
    }

    private mutating func perform(
        _ command: Command, on sensor: SensorState, in state: MonitorState, at now: Moment
    ) -> ScreenWish? {
        let address = sensor.identity.address
        switch command {
        case .rename:
            let title = "Name for \(sensor.memory?.name ?? sensor.identity.name)"
            let text = sensor.memory?.label ?? ""
            dialogs.ask(
                .rename(address: address, TextPrompt(title, text: text, limit: RememberedSensor.labelLimit)))
        case .forget:
            let question = "Forget \(sensor.identity.name), with its pairing?"
            dialogs.ask(
                .choice(Choice(question, ifYes: .sensor(.forget(address: address)))),
                sensor.isAtWork ? "It is disconnected, and no longer measures." : nil)
        case .pair:
            if let newSensor = sensor.transmitter?.newSensor {
                askAboutNewSensor(newSensor, on: sensor.identity)
                return nil
            }
            if sensor.rawGlucose.newest != nil {
                askToCalibrate(sensor, in: state, at: now)
                return nil
            }
            let warnings = [SensorLabels.pairingWarning(of: sensor), sensor.isAtWork ? Self.pairingEndsLink : nil]
                .compactMap { $0 }
            guard warnings.isEmpty else {
                dialogs.ask(
                    .choice(Choice("Pair \(sensor.identity.name)?", ifYes: .sensor(.pair(address: address)))),
                    warnings.joined(separator: " "))
                return nil
            }
            dialogs.reopenPairing(of: address)
            return .sensor(.pair(address: address))
        case .connect:
            return opens(sensor) ? showSensor(address) : .sensor(.connect(address: address))
        case .disconnect:
            guard sensor.isWanted else {
                dialogs.message = "\(sensor.identity.name) is not connected."
                return nil
            }
            guard sensor.isAtWork else { return .sensor(.disconnect(address: address)) }
            dialogs.ask(
                .choice(
                    Choice("Disconnect \(sensor.identity.name)?", ifYes: .sensor(.disconnect(address: address)))),
                "It stops measuring until you connect it again.")
        case .pauseForCare: return Self.care(sensor.identity, in: state)
        case .showSensor: return showSensor(address)
        case .assignVitals: return assignVitals(of: sensor, in: state)
        default: break
        }
        return nil
    }

    /// Asks whether a transmitter may use the new sensor that it has detected.
    private mutating func askAboutNewSensor(_ newSensor: TransmitterStatus.NewSensor, on transmitter: SensorIdentity) {
        guard newSensor.isOpen else {
            dialogs.message = "A new sensor is \(SensorLabels.text(newSensor) ?? "")."
            return
        }
        func answer(_ isAccepted: Bool) -> ScreenWish {
            .sensor(.answerNewSensor(address: transmitter.address, isAccepted: isAccepted))
        }
        dialogs.ask(
            .choice(
                Choice(
                    "\(transmitter.name) is on a new sensor. Use it?",
                    [Choice.Answer("y", "yes", answer(true)), Choice.Answer("n", "no", answer(false))])),
            "Say yes only if this patient wears it. Until then nothing is measured.")
    }

    private static let pairingEndsLink = "It is disconnected for that, and measures again once it is paired."

    /// Whether the key that connects opens the page of a sensor instead: it is connected already, or is being
    /// connected.
    func opens(_ sensor: SensorState) -> Bool {
        session.replay != nil || sensor.isWanted && sensor.connection?.phase != .waiting
    }

    /// Opens the page of a sensor.
    private mutating func showSensor(_ address: String) -> ScreenWish? {
        if pages.current == .sensors { pages.push(.sensor) } else { pages.show(.sensor) }
        pages[SensorPage.self] = SensorPage()
        list.selection = address
        return .sensor(.inspect(address: address))
    }

    /// Holds the alarms of a sensor for care, or ends that.
    static func care(_ sensor: SensorIdentity, in state: MonitorState) -> ScreenWish {
        let isHeld = state.carePause(address: sensor.address) != nil
        return .patient(
            isHeld ? .endCarePause(address: sensor.address) : .pauseForCare(address: sensor.address, nil))
    }

    /// Assigns a vital to a sensor, or leaves the choice to the program again, or asks which of several.
    private mutating func assignVitals(of sensor: SensorState, in state: MonitorState) -> ScreenWish? {
        let assigned = sensor.memory?.assignedVitals ?? []
        let shared = Vital.allCases.filter { vital in
            sensor.condition(of: vital) != nil
                && (assigned.contains(vital)
                    || state.sensors.contains { $0.ordinal != sensor.ordinal && $0.condition(of: vital) != nil })
        }
        let address = sensor.identity.address
        func toggled(_ vital: Vital) -> ScreenWish {
            .sensor(.assign(address: address, assigned.symmetricDifference([vital])))
        }
        if shared.isEmpty {
            dialogs.message = "No other sensor gives what \(sensor.identity.name) gives: there is nothing to choose."
        } else if shared.count == 1 {
            let isTaken = !assigned.contains(shared[0])
            dialogs.message =
                isTaken
                ? "The \(shared[0].text) is taken from \(sensor.identity.name) whenever it measures it."
                : "Bedside chooses again which sensor the \(shared[0].text) is taken from."
            return toggled(shared[0])
        } else {
            let answers = shared.enumerated().compactMap { index, vital in
                Unicode.Scalar(UInt32(0x31 + index)).map {
                    Choice.Answer($0, vital.text + (assigned.contains(vital) ? ": no longer" : ""), toggled(vital))
                }
            }
            dialogs.ask(.choice(Choice("Take which from \(sensor.identity.name)?", answers)))
        }
        return nil
    }
}

// How often the thermometer measures whose page is open.
extension ScreenState {
    /// Asks for the seconds from one measurement to the next, where the thermometer lets them be set.
    mutating func askForInterval(in state: MonitorState) {
        guard let sensor = selectedSensor(in: state) else {
            dialogs.message = "No sensor is listed."
            return
        }
        guard let announced = sensor.announcedInterval else {
            dialogs.message = "\(sensor.identity.name) does not say how often it measures."
            return
        }
        guard announced.isSettable, sensor.isConnected else {
            dialogs.message =
                announced.isSettable
                ? "It can be set once \(sensor.identity.name) is connected."
                : "\(sensor.identity.name) \(SensorLabels.text(announced)), and does not let that be set."
            return
        }
        let title = "Seconds between values (0 = on request)"
        let prompt = TextPrompt(title, text: String(announced.seconds), limit: 5)
        dialogs.ask(
            .interval(address: sensor.identity.address, prompt),
            "A value is old after three intervals, lost after six: with longer ones you learn later that it fails.")
    }

    /// Handles a key while the seconds are typed.
    mutating func keyPressed(_ key: Key, in prompt: TextPrompt, settingIntervalOf address: String) -> ScreenWish? {
        var prompt = prompt
        switch prompt.keyPressed(key) {
        case .accepted:
            guard let seconds = Int(prompt.text), AnnouncedInterval.range.contains(seconds) else {
                dialogs.explain(
                    "Not set: expected seconds from 0 to \(AnnouncedInterval.range.upperBound), such as 60.")
                return nil
            }
            dialogs.closeInputLine()
            return .sensor(.setInterval(address: address, seconds: seconds))
        case .cancelled: dialogs.closeInputLine()
        case .edited, .ignored: dialogs.update(.interval(address: address, prompt))
        }
        return nil
    }
}

// The stored nights of the ring whose page is open.
extension ScreenState {
    /// Has its nights fetched; asks first while it measures.
    mutating func fetchNights(in state: MonitorState) -> ScreenWish? {
        guard let sensor = selectedSensor(in: state) else {
            dialogs.message = "No sensor is selected."
            return nil
        }
        let name = sensor.identity.name
        guard let nights = sensor.nights else {
            dialogs.message = "\(name) is not known to store nights."
            return nil
        }
        guard !nights.isTransferring else {
            dialogs.message = "The nights of \(name) are being fetched."
            return nil
        }
        let wish = ScreenWish.sensor(.fetchNights(address: sensor.identity.address))
        guard sensor.vitals.contains(where: { $0.condition.isMeasured }) else { return wish }
        let count = max(1, nights.wanted.count)
        dialogs.ask(
            .choice(Choice("Fetch the stored nights of \(name) now?", ifYes: wish)),
            "Its values and their alarms pause meanwhile: about \(Scene.count(count, "minute")), 10 at most.")
        return nil
    }
}
