import Appearance
import Monitoring
import Vitals

// The keys for alarms, and on the pages.
extension ScreenState {
    /// Handles a key that does the same on every page and the main view.
    mutating func performOnAlarms(_ command: Command, in state: MonitorState) -> Intent? {
        switch command {
        case .pauseAudio:
            return .answer(state.signal.pausedUntil == nil ? .pauseAudio(nil) : .endAudioPause)
        case .toggleDistance: pages.toggle(.distance)
        case .showAlarms: pages.toggle(.alarms)
        case .showLog: pages.toggle(.log)
        case .showLimits: pages.toggle(.limits)
        case .showSettings: pages.toggle(.settings)
        case .enterNeutrophils: beginEntry(.neutrophils)
        case .showRhythm: showRhythm(in: state)
        case .showEntries: pages.toggle(.entries)
        case .showRecord: pages.toggle(.record)
        case .showContacts: pages.toggle(.contacts)
        case .showDays: pages.toggle(.days)
        case .newPatient:
            dialogs.ask(
                .choice(Choice("Another patient?", ifYes: .answer(.newPatient))),
                "Closes this record and begins an empty one: no trend, pause, limit, entry or alarm of this patient. Sensors stay."
            )
        default: break
        }
        return nil
    }

    /// Handles a key on a page.
    mutating func performOnPage(_ command: Command, in state: MonitorState, at now: Moment) -> Intent? {
        switch (pages.current, command) {
        case (.sensor, _): return performOnSensorPage(command, in: state)
        case (_, .close), (_, .quit): pages.close()
        case (.distance, _): return performInDistance(command, in: state)
        case (.alarms, _): return performOnAlarmsPage(command, in: state)
        case (.log, _): return performInLog(command, in: state)
        case (.limits, _): return performOnLimits(command, in: state)
        case (.settings, _): return performOnSettings(command, in: state)
        case (.rhythm, _): return performOnRhythm(command, in: state)
        case (.record, _): return performOnRecord(command, in: state)
        case (.entries, _): return performOnEntries(command, in: state)
        case (.contacts, _): return performOnContacts(command, in: state)
        case (.days, _): return performOnDays(command, in: state, at: now)
        case (nil, _): break
        }
        return nil
    }

    // MARK: Alarms

    private mutating func performOnAlarmsPage(_ command: Command, in state: MonitorState) -> Intent? {
        let items = AlarmItem.all(in: state)
        let index = items.firstIndex { $0.id == pages.selectedAlarm } ?? 0
        switch command {
        case .selectPrevious, .selectNext, .selectPageUp, .selectPageDown, .selectFirst, .selectLast:
            guard !items.isEmpty else { return nil }
            pages.selectedAlarm = items[moved(from: index, by: command, count: items.count)].id
            return nil
        case .acknowledgeOne, .snooze, .declareOver, .pauseForCare:
            guard items.indices.contains(index) else { return nil }
            pages.selectedAlarm = items[index].id
            return perform(command, on: items[index], in: state)
        default: return perform(command, in: state)
        }
    }

    private mutating func perform(_ command: Command, on item: AlarmItem, in state: MonitorState) -> Intent? {
        switch (command, item) {
        case (.pauseForCare, _):
            if let sensor = item.sensor { return Self.care(sensor, in: state) }
            dialogs.message = "This alarm comes from no sensor."
        case (.acknowledgeOne, .alarm(let alarm)):
            if alarm.acknowledgedAt != nil { dialogs.message = "It is acknowledged already." }
            if alarm.phase != .pending { return .answer(.acknowledge(alarm.id)) }
            dialogs.message = "It is only suspected: there is nothing to acknowledge yet."
        case (.acknowledgeOne, .snooze(let snooze)), (.snooze, .snooze(let snooze)):
            return .answer(.endSnooze(snooze.key))
        case (.acknowledgeOne, .care(let sensor, _)): return .answer(.endCarePause(address: sensor.address))
        case (.snooze, .alarm(let alarm)):
            if state.signal.snoozes.contains(where: { $0.key == alarm.snoozeKey }) {
                return .answer(.endSnooze(alarm.snoozeKey))
            }
            if alarm.phase != .pending, alarm.phase != .ended { return .answer(.snooze(alarm.id, nil)) }
            dialogs.message = "It does not sound: there is nothing to snooze."
        case (.declareOver, .alarm(let alarm)) where alarm.kind.isFever && alarm.phase != .ended:
            dialogs.ask(
                .choice(Choice("Declare this fever over?", ifYes: .answer(.clear(alarm.id)))),
                "The next reading that meets the rule begins a new fever.")
        case (.declareOver, _):
            dialogs.message = "Only a fever can be declared over; other alarms end with their cause."
        case (.snooze, .care): dialogs.message = "This pause for care is no alarm: there is nothing to snooze."
        default: break
        }
        return nil
    }

    /// Handles a key on the page of contacts, where nothing can be selected.
    private mutating func performOnContacts(_ command: Command, in state: MonitorState) -> Intent? {
        switch command {
        case .selectPrevious, .selectNext, .selectPageUp, .selectPageDown, .selectFirst, .selectLast:
            dialogs.message = "Nothing is selected here; \(keys.name(of: .close)) closes the page."
            return nil
        case .pauseForCare: return nil
        default: return perform(command, in: state)
        }
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
            pages.logView.scroll(
                by: Self.step(command, page: max(1, pages.logView.rows - 1), count: session.log.entries.count),
                in: session.log)
        case .filterLog:
            dialogs.ask(.logFilter(TextPrompt("Filter", text: pages.logView.filter.text, limit: 40)))
        case .nextLogSubject: pages.logView.nextSubject()
        case .nextLogPriority: pages.logView.nextPriority()
        case .pauseForCare: break
        default: return perform(command, in: state)
        }
        return nil
    }

    // MARK: Limits

    private mutating func performOnLimits(_ command: Command, in state: MonitorState) -> Intent? {
        let place = pages.selectedLimit
        switch command {
        case .selectPrevious, .selectNext, .selectPageUp, .selectPageDown, .selectFirst, .selectLast:
            pages.selectedLimit.move(rows: Self.step(command, page: 4, count: 4))
        case .selectLeft: pages.selectedLimit.move(columns: -1)
        case .selectRight: pages.selectedLimit.move(columns: 1)
        case .editLimit:
            guard let setting = state.currentLimits[place.vital]?[place.name] else { return nil }
            let text = LimitEntry.text(setting, of: place.vital, unit: units)
            dialogs.ask(
                .limit(place, TextPrompt(glyphs.fit(place.text), text: text, limit: 32)),
                LimitEntry.explanation(of: place.name))
        case .saveLimit:
            return state.currentLimits[place.vital].map { .saveLimit(place.vital, $0[place.name]) }
        case .resetLimits:
            dialogs.ask(.choice(Choice("Take all changes of limits back?", ifYes: .answer(.resetLimits))))
        case .pauseForCare: break
        default: return perform(command, in: state)
        }
        return nil
    }

    /// The distance by which a key moves a selection.
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
