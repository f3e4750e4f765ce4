import Appearance
import Entries
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
    /// - Returns: The wish for the program; `nil` if only the view changed, or nothing.
    public mutating func keyPressed(_ key: Key, in state: MonitorState, at now: Moment? = nil) -> ScreenWish? {
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
        let command = keys.command(for: key, on: pages.current)
        // Any key closes the card; only the named ones do anything else.
        if dialogs.showsWelcome {
            dialogs.showsWelcome = false
            guard let command, WelcomeView.names(command) else { return nil }
            let sensors = sensorsOfTheBed(in: state)
            if command == .connect, sensors.count > 1 { return .connect(sensors.map(\.identity.address)) }
        }
        guard let command else {
            dialogs.message = unboundText(of: key)
            return nil
        }
        guard case .handled(let wish) = handle(command, in: state, at: now) else {
            dialogs.message = "\(key.name) does nothing on this page."
            return nil
        }
        return wish
    }

    /// Handles a command: that of a replay, of the help, of the open page or the main view, of the selected sensor, of the
    /// screen.
    mutating func handle(_ command: Command, in state: MonitorState, at now: Moment) -> Handling {
        if session.replay != nil, let wish = command.replayWish { return .handled(.replay(wish)) }
        if session.replay != nil, command.isAboutThePresent {
            dialogs.message = "This is a replay: there is nothing to be done about sensors, sound or settings."
            return .handled()
        }
        if pages.help != nil { return .handled(handleInHelp(command, in: state)) }
        // The key that freezes the trends lets the time of a replay stand still.
        if command.replayWish != nil, command != .freeze {
            dialogs.message = "Nothing is being replayed."
            return .handled()
        }
        defer { list.arrange(state, at: now) }
        let former = pages.current
        var handling =
            if let former {
                handle(command, on: former, in: state, at: now)
            } else {
                handleOnMain(command, in: state, at: now)
            }
        if handling == .passed { handling = handleOnSensor(command, in: state, at: now) }
        if handling == .passed { handling = handleEverywhere(command, in: state) }
        // However a page was left.
        if let former, former != pages.current, handling == .handled(), let wish = former.type.wishOnLeaving {
            return .handled(wish)
        }
        return handling
    }

    /// Gives a command to the open page.
    private mutating func handle(
        _ command: Command, on open: Page, in state: MonitorState, at now: Moment
    ) -> Handling {
        if command == .close, open == .sensors, !list.filter.isEmpty {
            list.setFilter("")
            return .handled()
        }
        if command == .close || command == .quit {
            pages.close()
            return .handled()
        }
        var page = pages[open]
        defer { pages[open] = page }
        guard let move = ListMove(command) else { return page.handle(command, &self, in: state, at: now) }
        let hasMoved = page.move(move, &self, in: state)
        if !hasMoved, dialogs.message == nil { dialogs.message = move.endText }
        return .handled()
    }

    /// In the help only closing and urgent keys work, so that no sensor is disconnected unseen.
    private mutating func handleInHelp(_ command: Command, in state: MonitorState) -> ScreenWish? {
        if let move = ListMove(command) {
            let last = HelpView(self, state.settings)?.lastTop(in: layout.body) ?? 0
            if pages.help?.move(move, page: 10, last: last) != true { dialogs.message = move.endText }
            return nil
        }
        switch command {
        case .acknowledge: return acknowledge(in: state)
        case .pauseAudio: return toggleAudioPause(in: state)
        case .toggleHelp, .close, .quit: pages.help = nil
        // Whatever Enter does on the page below.
        case _ where KeyMap.usual[command].contains(.enter): pages.help = nil
        default: dialogs.message = "The help is open; \(keys.name(of: .close)) closes it."
        }
        return nil
    }

    /// Where a key without effect here works; `nil` for a key without a command.
    func unboundText(of key: Key) -> String? {
        var places: [String] = []
        for binding in keys.bindings where binding.keys.contains(key) {
            let title = binding.context.title ?? "On the main page"
            let place = title.prefix(1).lowercased() + title.dropFirst()
            if !places.contains(place) { places.append(place) }
        }
        if places.count > 2 { return "\(key.name) does nothing on this page." }
        if !places.isEmpty { return "\(key.name) works only \(places.joined(separator: ", or "))." }
        guard case .character = key else { return nil }
        return "\(key.name) does nothing; \(keys.name(of: .toggleHelp)) shows all keys."
    }
}

extension KeyContext {
    /// Where the keys of a page, or of the main view, have their meaning.
    init(_ page: ScreenState.Page?) { self = page?.type.context ?? .main }
}

extension KeyBinding {
    /// Whether the keys work on a page, or on the main view.
    func isUsable(on page: ScreenState.Page?) -> Bool { context.overlaps(KeyContext(page)) }
}

extension KeyMap {
    /// The command of a key on a page, or on the main view, if any.
    func command(for key: Key, on page: ScreenState.Page? = nil) -> Command? {
        KeyBinding.table.first { $0.isUsable(on: page) && self[$0.command].contains(key) }?.command
    }
}

extension ScreenState {
    /// Handles a key while an input or question is open.
    mutating func keyPressedInLine(_ key: Key, in state: MonitorState, at now: Moment) -> ScreenWish? {
        switch dialogs.inputLine {
        case .filter(var prompt):
            switch prompt.keyPressed(key) {
            case .accepted: dialogs.closeInputLine()
            case .cancelled:
                dialogs.closeInputLine()
                list.setFilter("")
            case .edited, .ignored:
                dialogs.update(.filter(prompt))
                list.setFilter(prompt.text)
            }
            list.arrange(state, at: now)
        case .rename(let address, var prompt):
            switch prompt.keyPressed(key) {
            case .accepted:
                dialogs.closeInputLine()
                return .sensor(.rename(address: address, label: prompt.text))
            case .cancelled: dialogs.closeInputLine()
            case .edited, .ignored: dialogs.update(.rename(address: address, prompt))
            }
        case .logFilter(var prompt):
            switch prompt.keyPressed(key) {
            case .accepted: dialogs.closeInputLine()
            case .cancelled:
                dialogs.closeInputLine()
                pages[AlarmLogPage.self].setText("")
            case .edited, .ignored:
                dialogs.update(.logFilter(prompt))
                if pages[AlarmLogPage.self].filter.text != prompt.text {
                    pages[AlarmLogPage.self].setText(prompt.text)
                }
            }
        case .settingsFilter(var prompt):
            switch prompt.keyPressed(key) {
            case .accepted: dialogs.closeInputLine()
            case .cancelled:
                dialogs.closeInputLine()
                settings.filter = ""
            case .edited, .ignored:
                dialogs.update(.settingsFilter(prompt))
                settings.filter = prompt.text
            }
        case .setting(let name, let prompt): return keyPressed(key, inSetting: name, prompt)
        case .limit(let place, let prompt): return keyPressed(key, in: prompt, for: place, state)
        case .entry(let draft): return keyPressed(key, in: draft, state, at: now)
        case .reason(let draft): return keyPressed(key, in: draft)
        case .form(let draft): return keyPressed(key, in: draft, at: now)
        case .interval(let address, let prompt): return keyPressed(key, in: prompt, settingIntervalOf: address)
        case .octets(let address, let number, let withResponse, let prompt):
            return keyPressed(key, in: prompt, writingTo: number, of: address, withResponse)
        case .choice(let choice):
            if key == .escape {
                dialogs.closeInputLine()
            } else if let answer = choice.answer(to: key) {
                dialogs.closeInputLine()
                if case .monitor(.sensor(.pair(let address)))? = answer.wish { dialogs.reopenPairing(of: address) }
                if answer.next == .octets { askForOctets(answer.key, in: state) }
                explainRefusal(of: answer.wish, in: state)
                return answer.wish
            }
        case nil: break
        }
        return nil
    }

    /// Asks whether the pulse rate, by which an oximeter measures the same, gets the limit of the heart rate, too.
    private mutating func offerForPulse(_ setting: LimitSetting, _ place: LimitPlace, in state: MonitorState) {
        guard place.vital == .heartRate, let present = state.currentLimits[.pulseRate]?[place.name], present != setting,
            state.conflict(of: setting, for: .pulseRate) == nil
        else { return }
        let words = "\(place.name.text) \(LimitEntry.text(setting, of: .pulseRate, unit: units))"
        dialogs.ask(
            .choice(
                Choice("Set \(words) for the pulse rate, too?", ifYes: .patient(.change(.pulseRate, setting)))),
            "An oximeter measures the same as a pulse rate, which has limits of its own.")
    }

    /// Accepts only a consistent value; until then the line stays, with the error above it.
    private mutating func keyPressed(
        _ key: Key, in prompt: TextPrompt, for place: LimitPlace, _ state: MonitorState
    ) -> ScreenWish? {
        var prompt = prompt
        switch prompt.keyPressed(key) {
        case .accepted: break
        case .cancelled:
            dialogs.closeInputLine()
            return nil
        case .edited, .ignored:
            dialogs.update(.limit(place, prompt))
            return nil
        }
        guard let present = state.currentLimits[place.vital]?[place.name] else { return nil }
        do throws(LimitEntry.EntryError) {
            let setting = try LimitEntry.setting(prompt.text, of: place.vital, present: present, unit: units)
            if let conflict = state.conflict(of: setting, for: place.vital) {
                let isConverted = place.vital.isTemperature && temperatureUnit == .fahrenheit
                let isMolar = place.vital == .glucose && units.glucose == .millimolesPerLitre
                let hint = isConverted ? " (in °C)" : isMolar ? " (in mg/dL)" : ""
                dialogs.explain("Not changed: \(conflict)\(hint).")
                return nil
            }
            dialogs.closeInputLine()
            offerForPulse(setting, place, in: state)
            return .patient(.change(place.vital, setting))
        } catch {
            dialogs.explain(error.description)
            return nil
        }
    }
}
