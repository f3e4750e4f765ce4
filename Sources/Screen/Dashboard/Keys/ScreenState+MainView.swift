import Appearance
import Base
import Monitoring
import Vitals
import Wording

// What keys do where no page is open: about the list of sensors, the trends and the adapter.
extension ScreenState {
    mutating func handleOnMain(_ command: Command, in state: MonitorState, at now: Moment) -> Handling {
        if handleFrozenWaves(command) { return .handled() }
        if layout.hasChips, openList(for: command, in: state) { return .handled() }
        if let move = ListMove(command) {
            if !list.moveSelection(move) { dialogs.message = move.endText }
            return .handled()
        }
        let handling = handleInList(command, in: state)
        guard handling == .passed else { return handling }
        switch command {
        case .zoomIn, .zoomOut: zoom(longer: command == .zoomOut, now)
        case .fitScale:
            trends.isFitted.toggle()
            dialogs.message =
                trends.cells == 0
                ? "There is no room for trends here."
                : trends.isFitted ? "The scales of the trends fit the values." : "The trends have their usual scales."
        case .freeze where waves.frozen != nil || waves.isDrawn && !trends.isPast: waves.toggleFrozen(at: now)
        case .freeze:
            if !trends.freeze(glyphs: glyphs, now: now) { dialogs.message = "There is no room for trends here." }
        case .markEvent:
            // It is found in the record, in exports, and in the log of what was entered.
            dialogs.message = "Marked in the record: \(keys.name(of: .showRecord)) shows it."
            return .handled(.patient(.enter(RecordEntry(.note("Event marked"), enteredAt: now))))
        case .cursorLeft: sayWhyStill(trends.moveCursor(cells: -1, glyphs: glyphs, now: now), isBack: true, now)
        case .cursorRight: sayWhyStill(trends.moveCursor(cells: 1, glyphs: glyphs, now: now), isBack: false, now)
        case .scrollBack: sayWhyStill(trends.scroll(back: true, now: now), isBack: true, now)
        case .scrollForward: sayWhyStill(trends.scroll(back: false, now: now), isBack: false, now)
        case .toggleWaves: toggleWaves()
        case .close:
            if waves.frozen != nil {
                waves.frozen = nil
            } else if trends.isPast {
                trends.goToNow()
            } else if !list.filter.isEmpty {
                list.setFilter("")
            } else {
                dialogs.message = "Nothing is open; \(keys.name(of: .quit)) quits."
            }
        case .quit: return .handled(quit(in: state))
        default: return .passed
        }
        return .handled()
    }

    // MARK: List

    /// What keys do where sensors are listed, here and on the page of all sensors: about what is listed, and the adapter.
    mutating func handleInList(_ command: Command, in state: MonitorState) -> Handling {
        switch command {
        case .filter: dialogs.ask(.filter(TextPrompt("Filter", text: list.filter, limit: 40)))
        case .raiseStrengthFloor: list.raiseStrengthFloor()
        case .toggleOtherDevices:
            list.toggleOtherDevices()
            dialogs.message =
                list.showsOtherDevices ? "Other devices nearby are listed, too." : "Only sensors are listed."
        case .toggleScanning:
            isScanWanted.toggle()
            return .handled(.sensor(.setScanning(isScanWanted)))
        case .chooseAdapter: chooseAdapter(in: state)
        case .powerAdapter: askForPower(in: state)
        default: return .passed
        }
        return .handled()
    }

    /// Opens the page of all sensors for a command about one of them, because no row of the list is selected in sight.
    ///
    /// - Returns: Whether that was all: a command that asks first, or that only lists others, is carried out there.
    private mutating func openList(for command: Command, in state: MonitorState) -> Bool {
        switch command {
        case .connect:
            pages.show(.sensors)
            return true
        case .pauseForCare, .assignVitals:
            // They act at once: on which sensor must be seen before.
            guard state.sensors.count(where: \.isWanted) > 1 else { return false }
            pages.show(.sensors)
            dialogs.message = "Select the sensor, then press \(keys.name(of: command)) once more."
            return true
        case .disconnect, .rename, .forget, .pair, .filter, .toggleOtherDevices, .raiseStrengthFloor:
            pages.show(.sensors)
        case _ where ListMove(command) != nil: pages.show(.sensors)
        default: break
        }
        return false
    }

    // MARK: Trends

    private mutating func zoom(longer isLonger: Bool, _ now: Moment) {
        let before = trends.window
        trends.zoom(longer: isLonger, now: now)
        if trends.cells == 0 {
            dialogs.message = "Trends show \(trends.window.text); there is no room for them here."
        } else if trends.window == before {
            dialogs.message = "\(before.text) is the \(isLonger ? "longest" : "shortest") time of the trends."
        }
    }

    /// Shows why nothing has moved.
    private mutating func sayWhyStill(_ hasMoved: Bool, isBack: Bool, _ now: Moment) {
        if trends.cells == 0 {
            dialogs.message = "There is no room for trends here."
        } else if !hasMoved {
            dialogs.message = isBack ? endOfThePast(now) : "These are the newest values."
        }
    }

    /// The message when there is nothing to scroll back to.
    private func endOfThePast(_ now: Moment) -> String {
        guard let since = trends.recordedSince else { return "This is as far back as anything is known." }
        let time = TimeText(now: now, timeZoneOffset: session.timeZoneOffset)
        return "Nothing was recorded before \(time.point(since, isExact: false))."
    }

    // MARK: Adapter

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
                key, sanitized(identifier, limit: 12) + state, isInUse ? nil : .sensor(.useAdapter(identifier)))
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
            .choice(Choice("Switch the Bluetooth adapter\(name) on?", ifYes: .sensor(.setPowered(true)))))
    }
}
