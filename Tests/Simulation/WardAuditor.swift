/// Checks what a ward is told: sessions, their order, heartbeats, values, alarms, and what its collector stores.
final class WardAuditor {
    private let night: Night
    private unowned let auditor: NightAuditor
    private let messages: MessageAuditor
    private var session: Substring?
    private var isOnline = false
    private var lastNumber = 0
    /// The numbers of a session that were left out, and since when they are missing: never, where messages may be lost.
    private var missing: [Int: Double] = [:]
    private var lastHeartbeat = 0.0
    private var start = 0.0
    /// The alarms that the ward knows of as not over.
    private var alarms: Set<Substring> = []
    /// Since when a heartbeat has counted other alarms than the ward knows.
    private var differsSince: Double?
    /// The rows that the collector has, by sensor, value and millisecond.
    private var collected: Set<Row> = []

    /// The events of the messages.
    var events: Set<String> { messages.events.union(collected.isEmpty ? [] : ["history"]) }

    /// A reading as a collector knows it.
    private struct Row: Hashable {
        var sensor: Int
        var hundredths: Int
        /// Milliseconds of the machine's clock.
        var time: Int
    }

    /// Words of a note, which never leaves the bed.
    static let note = "GjGkG"

    /// The longest time, in seconds, from the end of a disturbance to a heartbeat: an attempt that hangs (10 s), a wait
    /// (6 s), and two heartbeats.
    private static let recovery = 20.0
    /// The longest time, in seconds, from one heartbeat to the next one: two are 2 s apart.
    private static let longestPause = 4.5
    /// For this time, in seconds, a message may be overtaken by others.
    private static let overtaking = 2.0
    /// Within this time, in seconds, a value that the screen shows is at the ward.
    private static let valueLimit = 10.0
    /// Within this time, in seconds, a recorded value is at the collector: a batch each 30 s, and what it takes.
    private static let historyLimit = 45.0

    init(_ night: Night, reportingTo auditor: NightAuditor) {
        (self.night, self.auditor) = (night, auditor)
        messages = MessageAuditor(night, reportingTo: auditor)
    }

    /// Begins to read the tape of a run of the program.
    func begin(at time: Double) {
        (start, session, isOnline, missing, alarms, differsSince) = (time, nil, false, [:], [], nil)
    }

    /// Follows what happened.
    func follow(_ entry: Tape.Entry) {
        guard night.hasWard else { return }
        if entry.kind == .message { receive(entry) }
        checkHeartbeat(at: entry.time)
    }

    private func receive(_ entry: Tape.Entry) {
        guard let end = entry.octets.firstIndex(of: UInt8(ascii: "\n")) else { return }
        let topic = String(decoding: entry.octets[..<end], as: UTF8.self)
        let message = MessageText(octets: entry.octets[(end + 1)...])
        // The machine's own.
        if topic.hasSuffix("/history/ack") { return }
        if message.holds(Self.note) { auditor.report(entry.time, "a note leaves the bed: \(topic)") }
        if topic.contains("/history/") { return collect(message, at: entry.time) }
        messages.check(message, at: entry.time)
        switch message.field("event") {
        case "session":
            isOnline = message.field("state") == "online"
            // It is sent again from time to time.
            if isOnline, message.field("session") != session {
                (session, lastNumber, missing, alarms) = (message.field("session"), 0, [:], [])
            }
        case "alarm":
            checkOrder(message, at: entry.time)
            guard let number = message.field("id") else { break }
            if Self.isOver(message) { alarms.remove(number) } else { alarms.insert(number) }
        case "heartbeat":
            checkOrder(message, at: entry.time)
            lastHeartbeat = entry.time
            compareAlarms(message, at: entry.time)
        case "reading": checkOrder(message, at: entry.time)
        case "birth":
            checkOrder(message, at: entry.time)
            // It has all alarms, and those that are over are told of by their absence.
            let parts = message.parts.filter { $0.holds("\"event\":\"alarm\"") }
            alarms = Set(parts.filter { !Self.isOver($0) }.compactMap { $0.field("id") })
        default: break
        }
    }

    /// Whether an alarm is over, and a screen need not show it any more.
    private static func isOver(_ alarm: MessageText) -> Bool {
        alarm.field("state") == "ended" && alarm.field("latched") == nil
    }

    /// Within a session no message is missing for long, unless it was lost where messages may be lost, and none comes twice.
    private func checkOrder(_ message: MessageText, at time: Double) {
        guard let number = message.number("seq").map({ Int($0) }) else {
            return auditor.report(time, "a message has no number: \(message)")
        }
        auditor.count("messages of a session come in their order")
        if message.field("session") != session || !isOnline {
            auditor.report(time, "a message is of no session that is online: \(message)")
        }
        // A message that waits for a broker is replaced by a newer one about the same thing.
        let isLossy = night.faults.contains {
            ($0.kind == .lossyBroker || $0.kind == .brokerSilence) && $0.start <= time && $0.end >= time - Self.recovery
        }
        if number <= lastNumber, missing.removeValue(forKey: number) == nil {
            auditor.report(time, "a message comes twice: \(number) after \(lastNumber)")
        }
        // Of those that a broker must confirm a few are on their way at a time, and others overtake them.
        for skipped in (lastNumber + 1)..<max(number, lastNumber + 1) {
            missing[skipped] = isLossy ? .infinity : time
        }
        if let (skipped, since) = missing.first(where: { time - $0.value > Self.overtaking }) {
            auditor.report(since, "a message of a session is missing: number \(skipped)")
        }
        lastNumber = max(number, lastNumber)
    }

    /// A heartbeat counts the alarms of which the ward was told; what has just begun may be on its way.
    private func compareAlarms(_ message: MessageText, at time: Double) {
        auditor.count("a heartbeat counts the alarms that the ward knows")
        guard let count = message.number("alarms").map({ Int($0) }), count != alarms.count else {
            return differsSince = nil
        }
        let since = differsSince ?? time
        differsSince = since
        if time - since > 3 { auditor.report(time, "the ward knows \(alarms.count) alarms, and the bed has \(count)") }
    }

    /// Whether something kept messages from the ward at a time, or a while before.
    private func isDisturbed(at time: Double) -> Bool {
        time < start + Self.recovery
            || night.faults.contains { fault in
                (fault.kind.isOfBroker || fault.stopsComputer)
                    && fault.start <= time && fault.end >= time - Self.recovery
            }
    }

    private func checkHeartbeat(at time: Double) {
        guard time - lastHeartbeat > Self.longestPause, !isDisturbed(at: time) else { return }
        auditor.report(time, "no heartbeat reaches the ward: since \(lastHeartbeat) s")
    }

    // MARK: The collector

    private func collect(_ batch: MessageText, at time: Double) {
        auditor.count("a batch of recorded rows is labelled as simulated")
        if !batch.holds("\"simulated\":true") { auditor.report(time, "a batch is not labelled as simulated") }
        for row in batch.parts.dropFirst() where row.holds("\"event\":\"reading\"") {
            guard let truth = messages.truth(of: row), let value = row.number("value"),
                let nanoseconds = row.number("monotonic_ns")
            else { continue }
            let time = Int((nanoseconds / 1e6).rounded())
            collected.insert(Row(sensor: truth.place, hundredths: Int((value * 100).rounded()), time: time))
        }
    }

    // MARK: At the end

    /// Checks what must be well at the end of a night.
    ///
    /// - Parameters:
    ///   - shown: What the screen has shown.
    ///   - stored: What the store holds.
    func end(shown: [Int: [NightAuditor.ShownValue]], stored: [StoreAuditor.Stored]) {
        guard night.hasWard else { return }
        // Of several sensors of a kind, one is shown.
        for kind in SensorTruth.Kind.allCases {
            auditor.count("a vital is live at the ward at the end")
            let last = night.truths.filter { $0.kind == kind }.compactMap { messages.sent[$0.place]?.last?.time }.max()
            if last.map({ $0 < night.length - 6 }) ?? true {
                auditor.report(night.length, "\(kind.word) is not live at the ward at the end")
            }
        }
        for (sensor, values) in shown {
            let kind = night.truths[sensor].kind
            for value in values where value.step.end > value.time + Self.valueLimit {
                let end = min(value.time + Self.valueLimit, night.length)
                if isDisturbed(at: value.time) || isDisturbed(at: end) || end == night.length { continue }
                auditor.count("a value on the screen is at the ward")
                if !messages.wasSent(value.step, of: kind, from: value.time - 3, to: end) {
                    let name = night.truths[sensor].name
                    auditor.report(value.time, "the ward does not get a value of \(name): \(value.step.value)")
                }
            }
        }
        // A power cut may take from the store what the collector has, and never the other way round.
        for reading in stored where !reading.isLate && reading.time < night.length - Self.historyLimit {
            auditor.count("a recorded value is at the collector")
            let time = Int(((reading.time + StoreAuditor.beginningOfClock) * 1000).rounded())
            let isCollected = (-2...2).contains { difference in
                collected.contains(Row(sensor: reading.sensor, hundredths: reading.hundredths, time: time + difference))
            }
            if !isCollected {
                let name = night.truths[reading.sensor].name
                auditor.report(reading.time, "the collector lacks a recorded value: \(name)")
                break
            }
        }
    }
}
