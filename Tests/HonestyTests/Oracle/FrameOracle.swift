import Dashboard
import Monitoring
import TextGrid
import Vitals

/// Reads a drawn screen as a person would, and compares every number of a vital with what its sensors give.
struct FrameOracle {
    /// The sizes that are read, from the smallest terminal to a whole screen.
    static let sizes = [(20, 4), (30, 6), (45, 20), (60, 16), (80, 24), (200, 60)]

    let ledger: Ledger
    let now: Moment
    /// How many live numbers were read.
    private(set) var liveNumbers = 0

    init(_ ledger: Ledger, at now: Moment) {
        (self.ledger, self.now) = (ledger, now)
    }

    /// What is not so on a screen; `nil` when all is.
    mutating func fault(of grid: Grid, _ state: borrowing MonitorState) -> String? {
        let rows = (0..<grid.rows).map { grid.text(row: $0) }
        let size = "\(grid.columns) × \(grid.rows)"
        if !rows.contains(where: { $0.contains("SIMULATED") }) { return "\(size) does not say SIMULATED" }
        if let cell = grid.cells.first(where: { $0.scalar.value < 0x20 || $0.scalar.value == 0x7F }) {
            return "\(size) has the control character \(cell.scalar.value)"
        }
        for (index, row) in rows.enumerated() {
            if let comparison = Comparisons.firstFalse(in: row) { return "\(size) says \(comparison): \(row)" }
            for number in Self.numbers(in: row) {
                // Smaller panels have a line for the name of the source, and one for the freshness; the next vital's
                // word says nothing of this one.
                let below = rows[(index + 1)..<min(rows.count, index + 3)].prefix { !Self.showsVital($0) }
                let words = ([row] + below).joined(separator: " ")
                if let fault = fault(of: number, in: words) { return "\(size) \(fault): \(row)" }
            }
        }
        return alarmFault(rows, state).map { "\(size) \($0)" }
    }

    // MARK: Numbers

    /// A number with the vitals that its name may stand for.
    private struct Number {
        var vitals: [Vital]
        var text: String
    }

    private static let names: [(String, [Vital])] = [
        ("HEART RATE", [.heartRate]), ("PULSE RATE", [.pulseRate]), ("SpO₂", [.oxygenSaturation]),
        ("SKIN TEMPERATURE", [.skinTemperature]), ("TEMPERATURE", [.bodyTemperature]),
        ("SKIN TEMP", [.skinTemperature]), ("TEMP", [.bodyTemperature]), ("SKIN", [.skinTemperature]),
        ("HR", [.heartRate]), ("PULSE", [.pulseRate]), ("CORE", [.bodyTemperature]),
    ]

    /// Whether a row shows a number of a vital; the name of a sensor, such as "CORE 1A2B", is none.
    private static func showsVital(_ row: String) -> Bool {
        numbers(in: row).contains { Double($0.text.filter { $0 != "?" && $0 != "m" }) != nil }
    }

    /// The numbers beside the names of vitals, without what alarms say: those have a relation after the number.
    ///
    /// Nor those of the list of the sensors, whose lines have a sign for the connection: there stand batteries and ages.
    private static func numbers(in row: String) -> [Number] {
        if row.contains(where: { "●◐○".contains($0) }) || row.contains(" ! ") { return [] }
        // The bands of NEWS2 stand beside the same names, and are no values.
        let values = row.firstRange(of: "NEWS2 ").map { row[..<$0.lowerBound] } ?? row[...]
        let words = values.split(separator: " ").map(String.init)
        var found: [Number] = []
        for index in words.indices {
            guard let (vitals, after) = name(at: index, in: words) else { continue }
            guard after < words.count, words[after].first?.isNumber == true else { continue }
            let rest = words[(after + 1)...].prefix(2)
            if rest.contains(where: { [">", "<", "≥", "≤", "unchanged", "fell", "rose"].contains($0) }) { continue }
            found.append(Number(vitals: vitals, text: words[after]))
        }
        return found
    }

    private static func name(at index: Int, in words: [String]) -> ([Vital], Int)? {
        for (name, vitals) in names {
            let parts = name.split(separator: " ").map(String.init)
            guard index + parts.count <= words.count, Array(words[index..<index + parts.count]) == parts else {
                // "TEMPERATURE, ARMPIT 38.4"
                if name == "TEMPERATURE", words[index] == "TEMPERATURE,", index + 2 < words.count {
                    return (vitals, index + 2)
                }
                continue
            }
            // "SKIN TEMPERATURE" and "SKIN TEMP" are no body temperatures.
            if vitals == [.bodyTemperature], index > 0, words[index - 1] == "SKIN" { continue }
            return (vitals, index + parts.count)
        }
        return nil
    }

    private mutating func fault(of number: Number, in words: String) -> String? {
        let isMarked =
            number.text.hasSuffix("?") || number.text.hasSuffix("m")
            || ["STAL", "old", "last", "manual", "at cursor"].contains { words.contains($0) }
        guard !isMarked, let shown = Double(number.text) else { return nil }
        for sensor in StorySensors.all {
            for vital in number.vitals {
                guard case .measured(let value, _)? = ledger.live(sensor.address, vital, at: now)?.outcome else {
                    continue
                }
                let isTemperature = vital == .bodyTemperature || vital == .skinTemperature
                if abs(Double(value.hundredths) / 100 - shown) <= (isTemperature ? 0.0501 : 0.501) {
                    liveNumbers += 1
                    return nil
                }
            }
        }
        return "shows \(number.text) as if it were live"
    }

    // MARK: Alarms

    /// Where an alarm that does not go on is named, the word that says so stands with it.
    private func alarmFault(_ rows: [String], _ state: borrowing MonitorState) -> String? {
        guard let alarm = state.shownAlarms.first, !alarm.isOngoing else { return nil }
        let line = rows.first { Self.isAlarmLine($0) }
        guard let line else { return nil }
        let words = ["over", "susp", "ended", "✓", "ack", "care", "snooze"]
        return words.contains { line.contains($0) } ? nil : "hides that an alarm does not go on: \(line)"
    }

    /// The line of the worst alarm begins with its marks; panels and rules have a frame or a name before.
    private static func isAlarmLine(_ row: String) -> Bool { row.drop { $0 == " " }.first == "▲" }
}

extension Alarm {
    /// Whether its condition is met, or was a moment ago.
    var isOngoing: Bool {
        switch phase {
        case .active, .clearing: true
        case .pending, .suspended, .ended: false
        }
    }
}
