import Monitoring
import Vitals

// What keys do about alarms, and on the pages.
extension ScreenState {
    /// Handles a key that does the same on every page and where none is.
    mutating func performOnAlarms(_ command: Command, in state: MonitorState) -> Intent? {
        switch command {
        case .pauseAudio:
            return .answer(state.signal.pausedUntil == nil ? .pauseAudio(nil) : .endAudioPause)
        case .toggleDistance: toggle(.distance)
        case .showAlarms: toggle(.alarms)
        case .showLog: toggle(.log)
        case .showLimits: toggle(.limits)
        case .showSettings: toggle(.settings)
        case .enterNeutrophils: beginEntry(.neutrophils)
        case .showEntries: toggle(.entries)
        case .newPatient:
            explanation =
                "Forgets trends, pauses, snoozes, changed limits, entries by hand and alarms about the patient. Sensors stay."
            inputLine = .choice(Choice("Another patient?", ifYes: .answer(.newPatient)))
        default: break
        }
        return nil
    }

    private mutating func toggle(_ page: Page) {
        guard self.page != page else { return closePage() }
        if self.page == .distance { returnsToDistance = true }
        if page == .distance { returnsToDistance = false }
        self.page = page
    }

    private mutating func closePage() {
        page = returnsToDistance ? .distance : nil
        returnsToDistance = false
    }

    /// Handles a key on a page.
    mutating func performOnPage(_ command: Command, in state: MonitorState) -> Intent? {
        switch (page, command) {
        case (.sensor, _): return performOnSensorPage(command, in: state)
        case (_, .close): closePage()
        case (.distance, _): return performInDistance(command, in: state)
        case (.alarms, _): return performOnAlarmsPage(command, in: state)
        case (.log, _): return performInLog(command, in: state)
        case (.limits, _): return performOnLimits(command, in: state)
        case (.settings, _): return performOnSettings(command, in: state)
        case (.entries, _): return performOnEntries(command, in: state)
        case (nil, _): break
        }
        return nil
    }

    // MARK: Alarms

    private mutating func performOnAlarmsPage(_ command: Command, in state: MonitorState) -> Intent? {
        let items = AlarmItem.all(in: state)
        let index = items.firstIndex { $0.id == selectedAlarm } ?? 0
        switch command {
        case .selectPrevious, .selectNext, .selectPageUp, .selectPageDown, .selectFirst, .selectLast:
            guard !items.isEmpty else { return nil }
            let step = Self.step(command, page: 5, count: items.count)
            selectedAlarm = items[min(max(0, index + step), items.count - 1)].id
            return nil
        case .acknowledgeOne, .snooze, .declareOver, .pauseForCare:
            guard items.indices.contains(index) else { return nil }
            selectedAlarm = items[index].id
            return perform(command, on: items[index], in: state)
        default: return perform(command, in: state)
        }
    }

    private mutating func perform(_ command: Command, on item: AlarmItem, in state: MonitorState) -> Intent? {
        switch (command, item) {
        case (.pauseForCare, _):
            if let sensor = item.sensor { return Self.care(sensor, in: state) }
            message = "This alarm comes from no sensor."
        case (.acknowledgeOne, .alarm(let alarm)):
            if alarm.phase != .pending { return .answer(.acknowledge(alarm.id)) }
            message = "It is only suspected: there is nothing to acknowledge yet."
        case (.acknowledgeOne, .snooze(let snooze)), (.snooze, .snooze(let snooze)):
            return .answer(.endSnooze(snooze.key))
        case (.acknowledgeOne, .care(let sensor, _)): return .answer(.endCarePause(address: sensor.address))
        case (.snooze, .alarm(let alarm)):
            if state.signal.snoozes.contains(where: { $0.key == alarm.snoozeKey }) {
                return .answer(.endSnooze(alarm.snoozeKey))
            }
            if alarm.phase != .pending, alarm.phase != .ended { return .answer(.snooze(alarm.id, nil)) }
            message = "It does not sound: there is nothing to snooze."
        case (.declareOver, .alarm(let alarm)) where alarm.kind.isFever && alarm.phase != .ended:
            inputLine = .choice(Choice("Declare this fever over?", ifYes: .answer(.clear(alarm.id))))
            explanation = "The next reading that meets the rule begins a new fever."
        case (.declareOver, _): message = "Only a fever can be declared over; other alarms end with their cause."
        default: break
        }
        return nil
    }

    /// Holds the alarms of a sensor for care, or ends that.
    static func care(_ sensor: SensorIdentity, in state: MonitorState) -> Intent {
        let isHeld = state.carePause(address: sensor.address) != nil
        return .answer(
            isHeld ? .endCarePause(address: sensor.address) : .pauseForCare(address: sensor.address, nil))
    }

    // MARK: Log

    private mutating func performInLog(_ command: Command, in state: MonitorState) -> Intent? {
        switch command {
        case .selectPrevious, .selectNext, .selectPageUp, .selectPageDown, .selectFirst, .selectLast:
            logView.scroll(by: Self.step(command, page: max(1, logView.rows - 1), count: log.entries.count), in: log)
        case .filterLog: inputLine = .logFilter(TextPrompt("Filter", text: logView.filter.text, limit: 40))
        case .nextLogSubject: logView.nextSubject()
        case .nextLogPriority: logView.nextPriority()
        case .pauseForCare: break
        default: return perform(command, in: state)
        }
        return nil
    }

    // MARK: Limits

    private mutating func performOnLimits(_ command: Command, in state: MonitorState) -> Intent? {
        let place = selectedLimit
        switch command {
        case .selectPrevious, .selectNext, .selectPageUp, .selectPageDown, .selectFirst, .selectLast:
            selectedLimit.move(rows: Self.step(command, page: 4, count: 4))
        case .selectLeft: selectedLimit.move(columns: -1)
        case .selectRight: selectedLimit.move(columns: 1)
        case .editLimit:
            guard let setting = state.currentLimits[place.vital]?[place.name] else { return nil }
            let text = LimitEntry.text(setting, of: place.vital, unit: temperatureUnit)
            inputLine = .limit(place, TextPrompt(glyphs.fit(place.text), text: text, limit: 32))
            explanation = LimitEntry.explanation(of: place.name)
        case .saveLimit:
            return state.currentLimits[place.vital].map { .saveLimit(place.vital, $0[place.name]) }
        case .resetLimits:
            inputLine = .choice(Choice("Take all changes of limits back?", ifYes: .answer(.resetLimits)))
        case .pauseForCare: break
        default: return perform(command, in: state)
        }
        return nil
    }

    /// How far a key moves a selection.
    static func step(_ command: Command, page: Int, count: Int) -> Int {
        switch command {
        case .selectPrevious: -1
        case .selectNext: 1
        case .selectPageUp: -page
        case .selectPageDown: page
        case .selectFirst: -count
        case .selectLast: count
        default: 0
        }
    }
}
