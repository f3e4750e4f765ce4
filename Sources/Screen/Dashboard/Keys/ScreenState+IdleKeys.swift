import Appearance

// The message when a key has no effect.
extension ScreenState {
    /// The index after a key that moves a selection; shows a message if there is no other one.
    mutating func moved(from index: Int, by command: Command, count: Int) -> Int {
        let next = min(max(0, index + Self.step(command, page: 5, count: count)), count - 1)
        if next == index { dialogs.message = idleText(of: command) }
        return next
    }

    /// Why a command changes nothing now.
    func idleText(of command: Command) -> String? {
        let isFirst = [.selectPrevious, .selectPageUp, .selectFirst].contains(command)
        let isLast = [.selectNext, .selectPageDown, .selectLast].contains(command)
        if pages.help != nil, !isFirst, !isLast { return "The help is open; \(keys.name(of: .close)) closes it." }
        switch command {
        case _ where command.replayWish != nil: return "Nothing is being replayed."
        case _ where (isFirst || isLast) && pages.current == .distance:
            return "Nothing is selected in the distance view; \(keys.name(of: .close)) closes it."
        case _ where isFirst: return "This is the beginning."
        case _ where isLast: return "This is the end."
        case .previousSensor, .selectLeft: return "This is the first one."
        case .nextSensor, .selectRight: return "This is the last one."
        case .zoomIn: return "\(trends.window.text) is the shortest time of the trends."
        case .zoomOut: return "\(trends.window.text) is the longest time of the trends."
        case .close: return "Nothing is open; \(keys.name(of: .quit)) quits."
        case .editLimit, .saveLimit: return "There is no such limit."
        case .changeSetting, .settingDown, .settingUp, .resetSetting: return "There are no settings here."
        case .acknowledgeOne, .snooze, .declareOver: return "There is no alarm here."
        case .connect, .disconnect, .pair, .rename, .forget, .showSensor, .assignVitals, .pauseForCare:
            if pages.current == nil || pages.current == .sensor { return "No sensor is listed." }
            return pages.current == .alarms ? "There is no alarm here." : "No sensor is selected here."
        default: return nil
        }
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
