import Monitoring

/// What nights have reached, and why some things can be reached by none.
struct Coverage: Sendable {
    /// The kinds of alarms in stores, as they are named there.
    var alarms: Set<String> = []
    /// What went wrong.
    var faults: Set<Fault.Kind> = []
    /// The states of connections that lines have named, with the reason in parentheses.
    var connections: Set<String> = []
    /// The events of lines and of messages to a ward.
    var events: Set<String> = []

    /// Adds what another night has reached.
    mutating func formUnion(_ other: Coverage) {
        alarms.formUnion(other.alarms)
        faults.formUnion(other.faults)
        connections.formUnion(other.connections)
        events.formUnion(other.events)
    }

    /// Alarms that no night raises, with the reason.
    static let absentAlarms: [AlarmKind: String] = [
        .fall: "off unless the settings want it", .rise: "off unless the settings want it",
        .flatLine: "off unless the settings want it", .weakPulse: "off unless the settings want it",
        .equipment: "no sensor of a night reports a fault of its own",
        .calibrationWanted: "no sensor of a night measures glucose",
        .soundLost: "the machine has no sound system", .labDue: "nobody enters a blood count",
        .readingsDropped: "a night has twelve sensors at most", .tooManySensors: "a night has twelve sensors at most",
        .nothingMonitored: "each run wants sensors", .monitorLost: "no view is started",
    ]

    /// The states of connections in lines, with their reasons (`watch --json`).
    ///
    /// Not "disconnected", because nobody types where lines are printed, and not "waiting (unknown)", because each failure of a
    /// simulated bluetoothd has a reason.
    private static let connectionStates =
        ["connecting", "connected", "ready"]
        + ["adapter", "bus", "daemon", "link_lost", "refused", "removed", "timeout"].map { "waiting (\($0))" }

    /// The events of lines and messages that a night can have.
    private static let eventWords = [
        "adapter", "alarm", "battery", "birth", "bus", "connection", "daemon", "gap", "heartbeat", "history",
        "malformed", "peripheral", "reading", "session",
    ]

    /// Sentences about what was reached, and what was not.
    var description: String {
        func line(_ what: String, _ wanted: [String], _ reached: Set<String>) -> String {
            let missing = wanted.filter { !reached.contains($0) }
            return "\(what): \(wanted.count - missing.count) of \(wanted.count) reached"
                + (missing.isEmpty ? "" : "; not \(missing.joined(separator: ", "))")
        }
        let alarmWords = AlarmKind.allCases.filter { Self.absentAlarms[$0] == nil }.map(\.rawValue)
        let reasons = AlarmKind.allCases.compactMap { kind in
            Self.absentAlarms[kind].map { "no night can raise \(kind.rawValue): \($0)" }
        }
        return
            ([
                line("alarms", alarmWords, alarms),
                line("faults", Fault.Kind.allCases.map(\.rawValue), Set(faults.map(\.rawValue))),
                line("states of connections", Self.connectionStates, connections),
                line("events of lines and messages", Self.eventWords, events),
            ] + reasons).joined(separator: "\n")
    }

    /// The alarms that a night has raised although none can.
    var unexpectedAlarms: [String] { Self.absentAlarms.keys.map(\.rawValue).filter(alarms.contains) }
}
