/// Checks what messages say, lines of `bedside watch --json` as well as messages to a ward, against what was measured.
final class MessageAuditor {
    private let night: Night
    /// Where findings go.
    private unowned let auditor: NightAuditor
    private var count = 0
    /// The events that messages have named.
    private(set) var events: Set<String> = []
    /// The values that were sent of each sensor, by its place, and when.
    private(set) var sent: [Int: [(time: Double, value: Double)]] = [:]
    /// The places of sensors by their addresses.
    private let places: [Substring: Int]

    /// The words of vitals in messages.
    static let vitals: [Substring: SensorTruth.Kind] = [
        "body_temperature": .thermometer, "heart_rate": .strap, "spo2": .oximeter,
    ]

    init(_ night: Night, reportingTo auditor: NightAuditor) {
        (self.night, self.auditor) = (night, auditor)
        places = Dictionary(uniqueKeysWithValues: night.truths.map { (Substring($0.address), $0.place) })
    }

    /// The sensor that a message is about; `nil` for a vital that nights do not compare.
    func truth(of message: MessageText) -> SensorTruth? {
        guard let kind = message.field("vital").flatMap({ Self.vitals[$0] }),
            let place = message.field("address").flatMap({ places[$0] })
        else { return nil }
        return night.truths[place].kind == kind ? night.truths[place] : nil
    }

    /// Checks one message, except a batch of recorded rows.
    func check(_ message: MessageText, at time: Double) {
        count += 1
        if count % 50 == 1 {
            auditor.count("a message is an object of JSON")
            if !message.isObject { auditor.report(time, "a message is no object of JSON: \(message)") }
        }
        auditor.count("a message is labelled as simulated")
        if !message.holds("\"simulated\":true") {
            auditor.report(time, "a message is not labelled as simulated: \(message)")
        }
        if message.holds("\u{202E}") || message.octets.contains(where: { $0 < 0x20 }) {
            auditor.report(time, "a name from the air controls the reader of a message")
        }
        let event = message.field("event")
        events.insert(String(event ?? ""))
        switch event {
        case "reading": checkReading(message, at: time)
        case "alarm": checkAlarm(message, at: time)
        default: break
        }
    }

    private func checkReading(_ message: MessageText, at time: Double) {
        guard let truth = truth(of: message), let value = message.number("value"),
            message.field("state") == "measured", message.field("late") == nil
        else { return }
        auditor.count("a sent value is measured")
        let age = (message.number("age_ms") ?? 0) / 1000
        // A message may take a while on a slow bus.
        if !isMeasured(value, by: truth, from: time - age - truth.longestAge, to: time - age + 0.1) {
            auditor.report(
                time, "a message says that \(truth.name) is \(value), which it does not measure: age \(age) s")
        }
        sent[truth.place, default: []].append((time, value))
    }

    private func checkAlarm(_ message: MessageText, at time: Double) {
        guard message.field("state") == "active", message.field("class") == "physiological",
            let truth = truth(of: message), let value = message.number("value")
        else { return }
        auditor.count("the value of an alarm that is sent is measured")
        // An alarm keeps its last value while nothing newer arrives.
        if !isMeasured(value, by: truth, from: 0, to: time), !hasWaited(value, of: truth, until: time) {
            auditor.report(time, "an alarm says that \(truth.name) is \(value), which it never measured")
        }
    }

    /// Whether a value was measured, and could arrive, in some part of a time.
    private func isMeasured(_ value: Double, by truth: SensorTruth, from start: Double, to end: Double) -> Bool {
        truth.arriving.contains { $0.start <= end && $0.end >= start && Double($0.value) == value }
    }

    /// Whether a value was measured while the bus hung: a temperature that has waited there may be a fever.
    private func hasWaited(_ value: Double, of truth: SensorTruth, until end: Double) -> Bool {
        night.faults.contains { fault in
            fault.kind == .busHang && fault.end <= end
                && truth.steps.contains {
                    $0.start <= fault.end && $0.end >= fault.start && Double($0.value) == value
                }
        }
    }

    /// Whether a value was sent in some part of a time, of any sensor of a kind: a number on a screen does not tell of which.
    func wasSent(
        _ step: SensorTruth.Step, of kind: SensorTruth.Kind, from start: Double, to end: Double
    ) -> Bool {
        night.truths.filter { $0.kind == kind }.contains { truth in
            sent[truth.place, default: []].contains {
                $0.time >= start && $0.time <= end && $0.value == Double(step.value)
            }
        }
    }
}

extension MessageText: CustomStringConvertible {
    /// Its beginning.
    var description: String { String(decoding: octets.prefix(300), as: UTF8.self) }
}
