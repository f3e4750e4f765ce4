import Base
import Monitoring
import Vitals

/// Reports the few events that matter in the log of a background monitor: Bluetooth, connections, alarms and the
/// responses to them.
///
/// Values are in the store; a line for each would hide what matters. A pure value: time comes with the events.
public struct JournalReport: Sendable {
    /// What every line says of its session.
    public var context: SessionContext

    private var trouble: EnvironmentWarning?
    private var isUsable = false
    private var connections: [String: String] = [:]

    /// A line and its level.
    public struct Line: Hashable, Sendable {
        /// The level.
        public var level: Level
        /// The text: one line without control characters.
        public var text: String

        public init(level: Level, text: String) {
            (self.level, self.text) = (level, text)
        }
    }

    /// The level of a line; the raw value is the number in syslog(3) and sd-daemon(3).
    public enum Level: Int, Hashable, Sendable {
        /// An alarm of high priority.
        case critical = 2
        /// An alarm of medium priority.
        case error = 3
        /// An alarm of low priority, and trouble of the monitor itself.
        case warning = 4
        /// An action of a user, or the end of an alarm.
        case notice = 5
        /// The ordinary course of things.
        case information = 6
    }

    /// The most sensors whose last report is remembered; further ones are reported again.
    private static let sensorLimit = 2048

    public init(_ context: SessionContext) {
        self.context = context
    }

    /// A line as it is written.
    ///
    /// - Parameter moment: When, for its date and time; `nil` for the journal, which has the time, and takes a priority.
    public func text(_ line: Line, at moment: Moment?) -> String {
        let start = moment.map { "\(timeStamp($0)) " } ?? "<\(line.level.rawValue)>"
        // Sanitized, so that a sensor's name cannot add lines.
        return "\(start)\(context.isSimulated ? "SIMULATED " : "")\(sanitized(line.text, limit: 1000))\n"
    }

    /// The lines of an event and its effects.
    ///
    /// - Parameters:
    ///   - event: The event; `nil` when time passed, or a user did something.
    ///   - effects: The effects.
    ///   - state: The state after it.
    public mutating func lines(
        _ event: MonitorEvent?, _ effects: [Effect], _ state: MonitorState
    ) -> [Line] {
        var lines: [Line] = []
        func add(_ level: Level, _ text: String) {
            lines.append(Line(level: level, text: sanitized(text, limit: 500)))
        }
        switch event?.kind {
        case .bus, .daemon, .adapter: environment(state).map { add($0.level, $0.text) }
        case .connection(let sensor, let connection):
            guard
                let words = EventLabels.text(
                    connection, of: sensor.kind,
                    wasConnected: state.sensor(address: sensor.address)?.wasConnected == true),
                connections[sensor.address] != words
            else { break }
            if connections.count >= Self.sensorLimit { connections = [:] }
            connections[sensor.address] = words
            add(.information, "\(name(sensor, state)) \(words)")
        case .gap(let gap):
            add(.warning, EventLabels.text(gap, TimeText(now: state.now, timeZoneOffset: context.timeZoneOffset)))
        case .pairing(let sensor, let pairing):
            EventLabels.text(pairing).map { add(.information, "\(name(sensor, state)) \($0)") }
        default: break
        }
        for effect in effects {
            switch effect {
            case .alarm(let alarm, _):
                EventLabels.text(alarm, TimeText(now: state.now, timeZoneOffset: context.timeZoneOffset)).map {
                    add(alarm.state == .active ? Level(alarm.priority) : .notice, $0)
                }
            case .alarmAgain(let alarm, _):
                add(Level(alarm.priority), "ALARM again, \(alarm.priority.rawValue) priority: \(alarm.sentence)")
            case .unanswered(let alarm, _):
                let time = TimeText(now: state.now, timeZoneOffset: context.timeZoneOffset)
                add(Level(alarm.priority), EventLabels.unanswered(alarm, time))
            case .action(let record):
                add(.notice, "\(record.actor == .user ? "by a user" : "by itself"): \(record.kind.text)")
            // Manual entries are only in the store, because others may read the journal.
            case .latchReset, .reading, .entry, .soundBurst, .soundReminder, .deviceUsers, .calibrations: break
            }
        }
        return lines
    }

    /// The local date and time of a moment: "2026-03-01 13:54:02".
    public func timeStamp(_ moment: Moment) -> String {
        let time = TimeText(now: moment, timeZoneOffset: context.timeZoneOffset)
        return "\(time.fullDate(moment.wallMilliseconds)) \(time.dateAndTime(moment.wallMilliseconds).time)"
    }

    /// The state of Bluetooth if it has changed since the last report.
    private mutating func environment(_ state: MonitorState) -> Line? {
        let present = EnvironmentWarning(state)
        defer { trouble = present }
        if let present {
            isUsable = false
            if present == trouble { return nil }
            return Line(level: .warning, text: present.line)
        }
        guard let adapter = state.environment.adapter, !isUsable else { return nil }
        isUsable = true
        return Line(level: .information, text: "Bluetooth works, \(adapter.identifier ?? "adapter")")
    }

    private func name(_ sensor: SensorIdentity, _ state: MonitorState) -> String {
        let shown = state.shownIdentity(of: sensor)
        return shown.name.allSatisfy(\.isWhitespace) ? shown.address : shown.name
    }

    /// The monitor's state in one line for the service manager: "3 sensors connected, 1 alarm: FEVER …".
    public static func status(_ state: MonitorState) -> String {
        let connected = state.sensors.count(where: \.isConnected)
        let sensors = "\(connected) sensor\(connected == 1 ? "" : "s") connected"
        if let trouble = EnvironmentWarning(state) { return trouble.title }
        let alarms = state.shownAlarms
        guard let worst = alarms.first else { return "\(sensors), no alarm" }
        let count = "\(alarms.count) alarm\(alarms.count == 1 ? "" : "s")"
        return sanitized("\(sensors), \(count): \(state.text(of: worst))", limit: 200)
    }
}

extension JournalReport.Level {
    /// The level of an alarm's line.
    package init(_ priority: AlarmPriority) {
        switch priority {
        case .high: self = .critical
        case .medium: self = .error
        case .low: self = .warning
        }
    }
}
