import Foundation

/// Checks the status that another program follows by the monitor's socket: numbers, how long they stand, alarms.
final class StatusAuditor {
    private let night: Night
    private unowned let auditor: NightAuditor
    private var start = 0.0
    /// The status that stands, and since when; `nil` without a connection.
    private var last: (status: Status, time: Double)?
    /// Since when an alarm of the screen is in no status, by its title.
    private var lacking: [String: Double] = [:]

    /// A status may be sent so long, in seconds, after what it is about: each second, and with the next value of a sensor.
    private static let pace = 2.0
    /// What the computer's sleep and the start of the program leave behind is put right within this time, in seconds.
    private static let recovery = 5.0
    /// The most alarms that a status has.
    private static let mostAlarms = 8

    init(_ night: Night, reportingTo auditor: NightAuditor) {
        (self.night, self.auditor) = (night, auditor)
    }

    /// Begins to read the tape of a run of the program.
    func begin(at time: Double) {
        (start, last, lacking) = (time, nil, [:])
    }

    /// Follows what happened.
    func follow(_ entry: Tape.Entry) {
        guard night.followsStatus else { return }
        switch entry.kind {
        case .status: receive(entry.octets, at: entry.time)
        case .output: compareAlarms(at: entry.time)
        default: break
        }
    }

    private func receive(_ octets: ArraySlice<UInt8>, at time: Double) {
        checkEnd(at: time)
        last = nil
        // The connection has ended.
        if octets.isEmpty { return }
        auditor.count("a status is an object of JSON")
        guard let status = Status(octets) else {
            return auditor.report(time, "a status is no object of JSON: \(String(decoding: octets, as: UTF8.self))")
        }
        last = (status, time)
        check(status, at: time)
        compareAlarms(at: time)
    }

    // MARK: Numbers

    private func check(_ status: Status, at time: Double) {
        for (kind, value) in status.numbers {
            auditor.count("a number of the status is true")
            if !isTrue(value, kind, at: time) {
                auditor.report(time, "the status has \(value) for \(kind.word), which it does not measure")
            }
            if !status.isSimulated { auditor.report(time, "a status is not labelled as simulated") }
        }
        for kind in SensorTruth.Kind.allCases where status.vitals.contains(kind) {
            auditor.count("the line of the status has its numbers")
            if status.lineNumbers(of: kind) != status.numbers[kind].map({ [$0] }) ?? [] {
                auditor.report(time, "the line of the status has another \(kind.word) than its fields: \(status.line)")
            }
        }
        guard let step = auditor.severeSaturation(at: time, since: start) else { return }
        auditor.count("a low saturation is an alarm of the status")
        if status.alarmCount <= Self.mostAlarms, !status.titles.contains(where: { $0.hasPrefix("SpO₂") }) {
            auditor.report(time, "the status has no alarm for a saturation of \(step.value) %")
        }
    }

    /// A status that has stood until now must not say that something is measured which is not any more.
    private func checkEnd(at time: Double) {
        guard let (status, since) = last, time - since > Self.pace, !isDisturbed(at: time) else { return }
        for (kind, value) in status.numbers {
            auditor.count("a number of the status is not left standing")
            if !isTrue(value, kind, at: time - Self.pace) {
                auditor.report(
                    time, "the status still has \(value) for \(kind.word), which it does not measure any more")
            }
        }
    }

    /// Whether some sensor of a kind has measured a number that may still be called present.
    private func isTrue(_ value: Double, _ kind: SensorTruth.Kind, at time: Double) -> Bool {
        night.truths.filter { $0.kind == kind }.contains { truth in
            truth.arriving.contains {
                $0.start <= time && $0.end >= time - truth.longestAge && Double($0.value) == value
            }
        }
    }

    /// Whether the computer has just slept, or the program has just begun.
    private func isDisturbed(at time: Double) -> Bool {
        time < start + Self.recovery
            || night.faults.contains { $0.stopsComputer && $0.start <= time && $0.end > time - Self.recovery }
    }

    // MARK: Alarms

    /// What is an alarm on the screen is one in the status.
    private func compareAlarms(at time: Double) {
        guard let status = last?.status, let frame = auditor.lastFrame, !isDisturbed(at: time) else {
            return lacking = [:]
        }
        guard status.alarmCount <= Self.mostAlarms else { return lacking = [:] }
        let shown = frame.alarms.named.filter { !$0.isShortened }.compactMap { $0.title?.rawValue }
        lacking = lacking.filter { shown.contains($0.key) }
        for title in shown {
            auditor.count("an alarm of the screen is in the status")
            if status.titles.contains(title) {
                lacking[title] = nil
            } else if let since = lacking[title] {
                if time - since > Self.pace { auditor.report(since, "the status lacks the alarm \(title)") }
            } else {
                lacking[title] = time
            }
        }
    }

    /// Checks what must be so at the end of a night.
    func end() {
        guard night.followsStatus else { return }
        checkEnd(at: night.length)
        for kind in SensorTruth.Kind.allCases {
            auditor.count("a vital is in the status at the end")
            // It is sent when it has changed.
            if last?.status.numbers[kind] == nil {
                auditor.report(night.length, "the status has no \(kind.word) at the end")
            }
        }
    }
}

/// The object that another program gets.
private struct Status {
    /// The line for a status bar.
    var line: String
    var isSimulated: Bool
    /// The vitals that it has, with or without a number.
    var vitals: Set<SensorTruth.Kind> = []
    /// The numbers that are present or should have been renewed.
    var numbers: [SensorTruth.Kind: Double] = [:]
    /// The titles of the alarms.
    var titles: [String]
    var alarmCount: Int

    /// Reads a line; `nil` where it is no status.
    init?(_ octets: ArraySlice<UInt8>) {
        guard let object = try? JSONSerialization.jsonObject(with: Data(octets)) as? [String: Any],
            object["v"] as? Int == 1, object["event"] as? String == "status", let line = object["text"] as? String,
            let vitals = object["vitals"] as? [[String: Any]], let alarms = object["alarms"] as? [[String: Any]],
            let alarmCount = object["alarm_count"] as? Int
        else { return nil }
        self.line = line
        self.alarmCount = alarmCount
        isSimulated = object["simulated"] as? Bool == true && line.hasPrefix("SIMULATED")
        titles = alarms.compactMap { $0["title"] as? String }
        for vital in vitals {
            guard let kind = (vital["vital"] as? String).flatMap({ MessageAuditor.vitals[Substring($0)] }) else {
                continue
            }
            self.vitals.insert(kind)
            numbers[kind] = (vital["value"] as? NSNumber)?.doubleValue
        }
    }

    /// The numbers that the line has for a vital, before its alarms.
    func lineNumbers(of kind: SensorTruth.Kind) -> [Double] {
        // Pieces are two spaces apart; an alarm comes behind the last number.
        let pieces = line.components(separatedBy: "  ")
        switch kind {
        case .strap: return pieces.compactMap { number(of: $0, after: "♥ ") }
        case .oximeter: return pieces.compactMap { number(of: $0, after: "SpO₂ ") }
        case .thermometer:
            return pieces.compactMap { piece in
                piece.firstIndex(of: "°").flatMap { Double(piece[..<$0]) }
            }
        }
    }

    private func number(of piece: String, after label: String) -> Double? {
        guard piece.hasPrefix(label) else { return nil }
        return Double(piece.dropFirst(label.count).prefix { $0.isNumber })
    }
}
