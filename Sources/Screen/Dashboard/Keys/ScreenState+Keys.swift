import Appearance
import Base
import Monitoring
import Vitals
import Wording

extension ScreenState {
    /// Handles a key: changes the view, and returns the user's other requests.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - state: The monitor's state.
    ///   - now: The present moment; rows do not move for a while after a key. By default that of the newest event.
    /// - Returns: The intent for the program; `nil` if only the view changed, or nothing.
    public mutating func keyPressed(_ key: Key, in state: MonitorState, at now: Moment? = nil) -> Intent? {
        let now = now ?? state.now
        dialogs.message = nil
        defer { followMessage(in: state, at: now) }
        // The order stays as it was when the user saw it and pressed the key.
        list.keyPressed(at: now)
        list.arrange(state, at: now)
        // A question is answered first, because the lowest line asks it.
        if case .choice = dialogs.inputLine { return keyPressedInLine(key, in: state, at: now) }
        if let sensor = pairedSensor(in: state) { return keyPressedInPairing(key, sensor, in: state) }
        dialogs.pairingPrompt = nil
        if dialogs.inputLine != nil { return keyPressedInLine(key, in: state, at: now) }
        let before = self
        let command = keys.command(for: key, on: pages.current)
        // Any key closes the card; only the named ones do anything else.
        if dialogs.showsWelcome {
            dialogs.showsWelcome = false
            guard let command, WelcomeView.names(command) else { return nil }
        }
        let intent = command.flatMap { carryOut($0, in: state, at: now) }
        if intent == nil, self == before {
            dialogs.message = command.map { idleText(of: $0) } ?? unboundText(of: key)
        }
        return intent
    }

    private mutating func carryOut(_ command: Command, in state: MonitorState, at now: Moment) -> Intent? {
        if let wish = command.replayWish { return session.replay == nil ? nil : .replay(wish) }
        if session.replay != nil, command.isAboutThePresent {
            dialogs.message = "This is a replay: there is nothing to be done about sensors, sound or settings."
            return nil
        }
        if pages.help != nil { return keyPressedInHelp(command, in: state) }
        if pages.current == nil, keyPressedOnTrends(command, at: now) { return nil }
        defer { list.arrange(state, at: now) }
        guard let former = pages.current else { return perform(command, in: state) }
        let intent = performOnPage(command, in: state, at: now)
        // Whenever the page of a sensor is left, its inspection ends.
        return former == .sensor && pages.current != .sensor ? intent ?? .command(.inspect(address: nil)) : intent
    }

    mutating func perform(_ command: Command, in state: MonitorState) -> Intent? {
        switch command {
        case .selectPrevious, .selectNext, .selectPageUp, .selectPageDown, .selectFirst, .selectLast:
            let step = Self.step(command, page: max(1, list.rows - 1), count: list.order.count)
            if !list.moveSelection(by: step) { dialogs.message = idleText(of: command) }
        case .toggleTemperatureUnit:
            temperatureUnit = temperatureUnit.other
            dialogs.message = "Temperatures are in \(Vital.bodyTemperature.unitText(units, glyphs))."
        case .togglePulseTone: return togglePulseTone(in: state)
        case .speakValues: return .speakValues
        case .toggleOtherDevices:
            list.toggleOtherDevices()
            dialogs.message =
                list.showsOtherDevices ? "Other devices nearby are listed, too." : "Only sensors are listed."
        case .raiseStrengthFloor: list.raiseStrengthFloor()
        case .filter: dialogs.ask(.filter(TextPrompt("Filter", text: list.filter, limit: 40)))
        case .toggleHelp: pages.help = LineScroll()
        case .close: list.setFilter("")
        case .acknowledge: return acknowledge(in: state)
        case .toggleScanning:
            isScanWanted.toggle()
            return .command(.setScanning(isScanWanted))
        case .quit: return quit(in: state)
        case .powerAdapter: askForPower(in: state)
        case .chooseAdapter: chooseAdapter(in: state)
        case .rename, .forget, .pair, .connect, .disconnect, .pauseForCare, .showSensor, .assignVitals:
            guard let sensor = selectedSensor(in: state) else { return nil }
            list.selection = sensor.identity.address
            return perform(command, on: sensor, in: state)
        default: return performOnAlarms(command, in: state)
        }
        return nil
    }

    mutating func perform(_ command: Command, on sensor: SensorState, in state: MonitorState) -> Intent? {
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
                .choice(Choice(question, ifYes: .command(.forget(address: address)))),
                sensor.isAtWork ? "It is disconnected, and no longer measures." : nil)
        case .pair:
            let warnings = [Self.pairingWarning(of: sensor), sensor.isAtWork ? Self.pairingEndsLink : nil]
                .compactMap { $0 }
            guard warnings.isEmpty else {
                dialogs.ask(
                    .choice(Choice("Pair \(sensor.identity.name)?", ifYes: .command(.pair(address: address)))),
                    warnings.joined(separator: " "))
                return nil
            }
            dialogs.reopenPairing(of: address)
            return .command(.pair(address: address))
        case .connect:
            if !opens(sensor) { return .command(.connect(address: address)) }
            guard pages.current == .sensor else { return showSensor(address) }
            dialogs.message = "This is the page of \(sensor.identity.name), which is connected."
        case .disconnect:
            guard sensor.isWanted else {
                dialogs.message = "\(sensor.identity.name) is not connected."
                return nil
            }
            guard sensor.isAtWork else { return .command(.disconnect(address: address)) }
            dialogs.ask(
                .choice(
                    Choice("Disconnect \(sensor.identity.name)?", ifYes: .command(.disconnect(address: address)))),
                "It no longer measures, until somebody connects it again.")
        case .pauseForCare: return Self.care(sensor.identity, in: state)
        case .showSensor: return showSensor(address)
        case .assignVitals: return assignVitals(of: sensor, in: state)
        default: break
        }
        return nil
    }

    private static let pairingEndsLink = "It is disconnected for that, and measures again once it is paired."

    /// The consequence of a pairing that the user must confirm first; `nil` without one.
    ///
    /// A sensor's own text comes first. A transmitter of glucose may serve only one app, which cannot be known before.
    private static func pairingWarning(of sensor: SensorState) -> String? {
        if case .needed(let reason)? = sensor.pairing { return sanitized(reason, limit: 200) }
        guard sensor.identity.kind == .continuousGlucose else { return nil }
        return "A transmitter may serve one app only: paired with this computer, it sends nothing more to the phone's."
    }

    /// Whether the key that connects opens the page of a sensor instead: it is connected already, or is being
    /// connected.
    func opens(_ sensor: SensorState) -> Bool {
        session.replay != nil || sensor.isWanted && sensor.connection?.phase != .waiting
    }

    /// Acknowledges all alarms.
    mutating func acknowledge(in state: MonitorState) -> Intent {
        if state.shownAlarms.allSatisfy({ $0.acknowledgedAt != nil }) {
            dialogs.message = "There is no alarm to acknowledge."
        }
        return .acknowledge
    }

    private mutating func chooseAdapter(in state: MonitorState) {
        let environment = state.environment
        let named = environment.adapters.prefix(9).filter { $0.identifier != nil }
        guard named.count > 1 else {
            dialogs.message = named.isEmpty ? "There is no Bluetooth adapter." : "There is only one Bluetooth adapter."
            return
        }
        let answers = named.enumerated().compactMap { index, adapter -> Choice.Answer? in
            guard let identifier = adapter.identifier, let key = Unicode.Scalar(UInt32(0x31 + index)) else {
                return nil
            }
            let isInUse = identifier == environment.adapter?.identifier
            let state = isInUse ? " (in use)" : adapter.power == .ready ? "" : " (\(adapter.power.rawValue))"
            return Choice.Answer(
                key, sanitized(identifier, limit: 12) + state, isInUse ? nil : .command(.useAdapter(identifier)))
        }
        dialogs.ask(
            .choice(Choice("Which adapter?", answers)),
            state.sensors.contains(where: \.isAtWork)
                ? "With another adapter all sensors are disconnected first, and connected again through it." : nil)
    }

    private mutating func askForPower(in state: MonitorState) {
        guard let adapter = state.environment.adapter, adapter.power == .off else {
            let trouble = EnvironmentWarning(state)
            dialogs.message = trouble.map { "\($0.sentence) \($0.remedy)" } ?? "The Bluetooth adapter is on."
            return
        }
        let name = adapter.identifier.map { " \(sanitized($0, limit: 12))" } ?? ""
        dialogs.ask(
            .choice(Choice("Switch the Bluetooth adapter\(name) on?", ifYes: .command(.setPowered(true)))))
    }

    /// In the help only closing and urgent keys work, so that no sensor is disconnected unseen.
    private mutating func keyPressedInHelp(_ command: Command, in state: MonitorState) -> Intent? {
        switch command {
        case .acknowledge: return acknowledge(in: state)
        case .pauseAudio: return performOnAlarms(.pauseAudio, in: state)
        case .selectPrevious, .selectNext, .selectPageUp, .selectPageDown, .selectFirst, .selectLast:
            let before = pages.help
            pages.help?.scroll(by: Self.step(command, page: 10, count: 1000))
            var fitted = self
            fitted.fitHelp(state.settings)
            if fitted.pages.help == before { dialogs.message = idleText(of: command) }
        case .toggleHelp, .close, .quit, .connect, .acknowledgeOne, .editLimit, .changeSetting:
            pages.help = nil
        default: break
        }
        return nil
    }
}
