/// Checks the lines of `bedside watch --json` in a night without a screen.
final class LineAuditor {
    private let night: Night
    private unowned let auditor: NightAuditor
    private let messages: MessageAuditor
    private var line: [UInt8] = []
    private var start = 0.0
    /// When a line has said that there is no measurement.
    private var absences: [Int: [Double]] = [:]
    /// The states of connections that lines have named.
    private(set) var connectionStates: Set<String> = []
    /// The events of the lines.
    var events: Set<String> { messages.events }

    /// Within this time, in seconds, after a sensor was lost a line says that nothing is measured: until the link is given
    /// up, or six intervals are over, with what a message may take.
    private static func absenceLimit(_ truth: SensorTruth) -> Double { truth.longestAge + 5 }

    init(_ night: Night, reportingTo auditor: NightAuditor) {
        (self.night, self.auditor) = (night, auditor)
        messages = MessageAuditor(night, reportingTo: auditor)
    }

    /// Begins to read the tape of a run of the program.
    func begin(at time: Double) {
        // A line may be cut by a power cut.
        (start, line) = (time, [])
    }

    /// Follows what was written.
    func follow(_ entry: Tape.Entry) {
        guard night.printsLines, entry.kind == .output else { return }
        for octet in entry.octets {
            if octet == UInt8(ascii: "\n") {
                receive(MessageText(octets: line[...]), at: entry.time)
                line = []
            } else {
                line.append(octet)
            }
        }
    }

    private func receive(_ message: MessageText, at time: Double) {
        messages.check(message, at: time)
        switch message.field("event") {
        case "reading" where message.field("state") == "no_measurement":
            guard let truth = messages.truth(of: message) else { return }
            absences[truth.place, default: []].append(time)
        case "connection":
            let state = message.field("state", after: "\"event\":\"connection\"") ?? ""
            let reason = message.field("reason").map { " (\($0))" } ?? ""
            connectionStates.insert("\(state)\(reason)")
        default: break
        }
    }

    /// Checks what must be so at the end of a night.
    func end() {
        guard night.printsLines else { return }
        for truth in night.truths {
            auditor.count("a present sensor is live in lines at the end")
            if messages.sent[truth.place]?.last.map({ $0.time < night.length - 6 }) ?? true {
                auditor.report(night.length, "no line has a value of \(truth.name) at the end")
            }
        }
        for fault in night.faults where !fault.stopsComputer {
            for truth in night.truths where fault.silences(truth) { checkAbsence(of: truth, fault) }
        }
    }

    /// A line says that nothing is measured, where a sensor that has measured does not any more.
    private func checkAbsence(of truth: SensorTruth, _ fault: Fault) {
        let limit = Self.absenceLimit(truth)
        let isLong = fault.end - fault.start > limit
        let hasMeasured = messages.sent[truth.place, default: []].contains {
            $0.time > fault.start - 3 && $0.time <= fault.start
        }
        // Another fault may have said it before, or may keep the program from noticing this one.
        let isAlone = !night.faults.contains {
            $0.start != fault.start && $0.end > fault.start - limit - 5 && $0.start < fault.start + limit
        }
        guard isLong, hasMeasured, isAlone, fault.start > start + 30 || start == 0 else { return }
        auditor.count("a line says that nothing is measured")
        if !absences[truth.place, default: []].contains(where: { $0 >= fault.start && $0 <= fault.start + limit }) {
            auditor.report(fault.start, "no line says that \(truth.name) is not measured any more: \(fault)")
        }
    }
}
