import Vitals

extension MonitorState {
    /// Whether the viewed monitor is lost, so that nothing here is current.
    public var hasNoMonitor: Bool { board.contains(AlarmKey(.computer, kind: .monitorLost)) }

    /// Handles the loss of the viewed monitor that sent this state.
    ///
    /// Nothing is current from now on: values are lost, their alarms cannot be evaluated, and an alarm of high priority
    /// reports that the monitor is lost. The state can only be shown; a new one arrives with the monitor.
    ///
    /// - Parameters:
    ///   - detail: What has happened to which monitor: "bedside record has ended; values are old".
    ///   - moment: When the loss was detected.
    /// - Returns: The effects.
    public mutating func loseMonitor(_ detail: String, at moment: Moment) -> [Effect] {
        var effects: [Effect] = []
        if moment >= now { now = moment }
        environment = MonitorEnvironment()
        for row in sensors.indices {
            table[row].connection = nil
            table[row].isNearby = false
            let changes = table[row].lose()
            table.followDeadline(row: row)
            for change in changes { effects += conditionChanged(row: row, change) }
        }
        return effects + evaluateComputer(.monitorLost, (detail, .high), delay: .zero) + settle()
    }
}

extension SensorState {
    /// Marks all its values as lost.
    fileprivate mutating func lose() -> [Change] {
        link = .unknown
        deadline = nil
        return vitals.indices.compactMap { place in
            let before = vitals[place].standing
            vitals[place].lose()
            return Change(place: place, vital: vitals[place].vital, before: before, after: vitals[place].standing)
        }
    }
}
