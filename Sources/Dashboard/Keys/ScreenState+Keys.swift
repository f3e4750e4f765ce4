import Monitoring
import Vitals

extension ScreenState {
    /// Handles a key: changes the view, and says what else the user asked for.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - state: What is known.
    ///   - now: When; rows do not change places for a while after a key. Without it, the moment of the newest event.
    /// - Returns: What the program has to do; `nil` when only the view changed, or nothing.
    public mutating func keyPressed(_ key: Key, in state: MonitorState, at now: Moment? = nil) -> Intent? {
        message = nil
        if inputLine == nil { explanation = nil }
        // The order is kept as it was when the user saw it and reached for the key.
        list.keyPressed(at: now ?? state.now)
        arrange(state, at: now ?? state.now)
        // A question is answered first, for it is what the lowest line asks.
        if case .choice = inputLine { return keyPressedInLine(key, in: state, at: now ?? state.now) }
        if let sensor = pairedSensor(in: state) { return keyPressedInPairing(key, sensor, in: state) }
        pairingPrompt = nil
        if inputLine != nil { return keyPressedInLine(key, in: state, at: now ?? state.now) }
        let command = keys.command(for: key, on: page)
        if isWelcomeShown(in: state) {
            showsWelcome = false
            // Alarms are answered at once, whatever stands in the way.
            guard command == .acknowledge || command == .pauseAudio || command == .showAlarms else { return nil }
        }
        guard let command else { return nil }
        if let wish = command.replayWish { return replay == nil ? nil : .replay(wish) }
        if replay != nil, command.isAboutThePresent {
            message = "This is a replay: there is nothing to be done about sensors, sound or settings."
            return nil
        }
        if isHelpShown { return keyPressedInHelp(command, in: state) }
        if page == nil, keyPressedOnTrends(command, at: now ?? state.now) { return nil }
        defer { arrange(state, at: now ?? state.now) }
        guard let former = page else { return perform(command, in: state) }
        let intent = performOnPage(command, in: state)
        // However the page of a sensor was left, nobody looks at the sensor any more.
        return former == .sensor && page != .sensor ? intent ?? .command(.inspect(address: nil)) : intent
    }

    mutating func perform(_ command: Command, in state: MonitorState) -> Intent? {
        switch command {
        case .selectPrevious: moveSelection(by: -1, in: state)
        case .selectNext: moveSelection(by: 1, in: state)
        case .selectPageUp: moveSelection(by: -max(1, list.rows - 1), in: state)
        case .selectPageDown: moveSelection(by: max(1, list.rows - 1), in: state)
        case .selectFirst: moveSelection(by: -list.order.count, in: state)
        case .selectLast: moveSelection(by: list.order.count, in: state)
        case .toggleTemperatureUnit: temperatureUnit = temperatureUnit.other
        case .toggleOtherDevices:
            showsOtherDevices.toggle()
            list.mustSort()
        case .raiseStrengthFloor:
            strengthFloor = Self.strengthFloor(after: strengthFloor)
            list.mustSort()
        case .filter: inputLine = .filter(TextPrompt("Filter", text: filter, limit: 40))
        case .toggleHelp:
            isHelpShown = true
            helpTop = 0
        case .close: clearFilter()
        case .acknowledge: return .acknowledge
        case .toggleScanning:
            isScanWanted.toggle()
            return .command(.setScanning(isScanWanted))
        case .quit: return quit(in: state)
        case .powerAdapter: askForPower(in: state)
        case .chooseAdapter: chooseAdapter(in: state)
        case .rename, .forget, .pair, .toggleConnection, .pauseForCare, .showSensor, .assignVitals:
            guard let sensor = selectedSensor(in: state) else { return nil }
            selection = sensor.identity.address
            return perform(command, on: sensor, in: state)
        default: return performOnAlarms(command, in: state)
        }
        return nil
    }

    mutating func perform(_ command: Command, on sensor: SensorState, in state: MonitorState) -> Intent? {
        let address = sensor.identity.address
        switch command {
        case .rename:
            inputLine = .rename(
                address: address,
                TextPrompt(
                    "Name for \(sensor.memory?.name ?? sensor.identity.name)", text: sensor.memory?.label ?? "",
                    limit: RememberedSensor.labelLimit))
        case .forget:
            inputLine = .choice(
                Choice("Forget \(sensor.identity.name), with its pairing?", ifYes: .command(.forget(address: address))))
        case .pair:
            closedPairings[address] = nil
            return .command(.pair(address: address))
        case .toggleConnection:
            return sensor.isWanted ? .command(.disconnect(address: address)) : .command(.connect(address: address))
        case .pauseForCare: return Self.care(sensor.identity, in: state)
        case .showSensor: return showSensor(address)
        case .assignVitals: return assignVitals(of: sensor, in: state)
        default: break
        }
        return nil
    }

    /// The floors that one key steps through; the last is about an arm's length from the antenna.
    static let strengthFloors = [-90, -80, -70, -60]

    private static func strengthFloor(after floor: Int?) -> Int? {
        strengthFloors.first { $0 > floor ?? .min }
    }

    private mutating func chooseAdapter(in state: MonitorState) {
        let environment = state.environment
        let named = environment.adapters.prefix(9).filter { $0.identifier != nil }
        guard named.count > 1 else {
            message = named.isEmpty ? "There is no Bluetooth adapter." : "There is only one Bluetooth adapter."
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
        inputLine = .choice(Choice("Which adapter?", answers))
    }

    private mutating func askForPower(in state: MonitorState) {
        guard let adapter = state.environment.adapter, adapter.power == .off else {
            let trouble = EnvironmentWarning(state.environment)
            message = trouble.map { "\($0.sentence) \($0.remedy)" } ?? "The Bluetooth adapter is on."
            return
        }
        let name = adapter.identifier.map { " \(sanitized($0, limit: 12))" } ?? ""
        inputLine = .choice(Choice("Switch the Bluetooth adapter\(name) on?", ifYes: .command(.setPowered(true))))
    }

    /// In the help only what closes it and what cannot wait works, so that no sensor is disconnected unseen.
    private mutating func keyPressedInHelp(_ command: Command, in state: MonitorState) -> Intent? {
        switch command {
        case .acknowledge: return .acknowledge
        case .pauseAudio: return performOnAlarms(.pauseAudio, in: state)
        case .selectNext: helpTop += 1
        case .selectPrevious: helpTop = max(0, helpTop - 1)
        case .selectPageDown: helpTop += 10
        case .selectPageUp: helpTop = max(0, helpTop - 10)
        case .selectFirst: helpTop = 0
        case .selectLast: helpTop = 1000
        case .toggleHelp, .close, .quit, .toggleConnection, .acknowledgeOne, .editLimit, .changeSetting:
            isHelpShown = false
        default: break
        }
        return nil
    }

    mutating func moveSelection(by step: Int, in state: MonitorState) {
        let order = list.order
        guard !order.isEmpty else { return }
        let index = order.firstIndex { $0 == selection } ?? 0
        selection = order[min(max(0, index + step), order.count - 1)]
    }
}
