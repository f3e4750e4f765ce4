import Foundation
import Testing
import TestSupport

extension Screen {
    /// The rows of the list of sensors, on the first page or on its own; of chips one each, in the words of the list.
    var sensorRows: [String] {
        let lines = lines
        guard let title = lines.firstIndex(where: { $0.contains("─ SENSORS") }) else { return [] }
        let rows = lines[(title + 1)...].dropLast().prefix { !$0.hasPrefix("╰") && !$0.contains("─ LATEST") }
        // The page has the values above the list.
        if showsSensorPage { return rows.filter { row in row.prefix(8).contains { Self.sensorMarks.contains($0) } } }
        guard showsChips else { return Array(rows) }
        return rows.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }.flatMap { row in
            row.dropFirst(2).components(separatedBy: "   ").filter { !$0.isEmpty }
                .map { " \($0.trimmingCharacters(in: .whitespaces)) \($0.hasPrefix("●") ? "connected " : "")" }
        }
    }

    /// Whether the sensors are chips, without a selected row.
    var showsChips: Bool {
        guard let title = lines.firstIndex(where: { $0.contains("─ SENSORS") }), lines.indices.contains(title + 1)
        else { return false }
        return lines[title + 1].hasPrefix("  ") && Self.sensorMarks.contains(lines[title + 1].dropFirst(2).first ?? " ")
    }

    private static let sensorMarks: [Character] = ["●", "◐", "!", "○"]

    /// Whether the list has a page of its own.
    var showsSensorPage: Bool { lines.contains { $0.hasPrefix("╭─ SENSORS") } }

    /// The row of a sensor in the list of sensors.
    func row(of sensor: String) -> String? {
        sensorRows.first { $0.contains(" \(sensor) ") }
    }

    /// Whether a sensor's row says something; a word counts only as a whole.
    func row(of sensor: String, says words: String) -> Bool {
        guard let row = row(of: sensor) else { return false }
        return row.contains(" \(words) ")
    }
}

/// What a person does in several steps.
extension ProgramInTerminal {
    /// Moves the selection to a sensor, on the page of all sensors if only chips are shown.
    func select(_ sensor: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        // A row of chips has only those that are connected.
        try await waitUntil("\(sensor) is listed", sourceLocation: sourceLocation) {
            $0.showsChips || $0.row(of: sensor) != nil
        }
        if screen.showsChips {
            type("K")
            try await waitUntil("\(sensor) is listed on the page", sourceLocation: sourceLocation) {
                $0.showsSensorPage && $0.row(of: sensor) != nil
            }
        }
        // Opens that page, too, if the list has become chips since.
        press(.home)
        for place in 0... {
            // One key at a time: the selection must have followed the one before.
            let screen = try await waitUntil("row \(place + 1) is selected", sourceLocation: sourceLocation) {
                $0.showsChips || $0.sensorRows.dropFirst(place).first?.contains("▶") == true
            }
            // A first value has made chips of the list meanwhile: once more, on the page.
            if screen.showsChips { return try await select(sensor, sourceLocation: sourceLocation) }
            if screen.sensorRows[place].contains(" \(sensor) ") { return }
            press(.down)
        }
    }

    /// Selects a sensor and connects it with Enter; the first page is shown afterwards.
    func connect(_ sensor: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await select(sensor, sourceLocation: sourceLocation)
        let wasPage = screen.showsSensorPage
        press(.enter)
        try await waitUntil("\(sensor) is connected, or the list is a page", sourceLocation: sourceLocation) {
            $0.row(of: sensor, says: "connected") || $0.showsSensorPage != wasPage
        }
        // A value of another sensor came just before the key, which then opened the list.
        if screen.showsSensorPage, !wasPage { press(.enter) }
        try await waitUntil("\(sensor) is connected", sourceLocation: sourceLocation) {
            $0.row(of: sensor, says: "connected")
        }
        try await closeSensorPage(sourceLocation: sourceLocation)
    }

    /// Selects a characteristic on the page of a sensor, once its services are known.
    func selectCharacteristic(_ uuid: String) async throws {
        for _ in 0..<20 where !screen.text.contains("▶ \(uuid)") {
            let before = screen.text.components(separatedBy: "▶ ").last?.prefix(4)
            press(.tab)
            try await waitUntil("another characteristic is selected") { screen in
                screen.text.contains("▶ ") && screen.text.components(separatedBy: "▶ ").last?.prefix(4) != before
            }
        }
    }

    /// Closes the page of all sensors, if it is open.
    func closeSensorPage(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        guard screen.showsSensorPage else { return }
        press(.escape)
        try await waitUntil("the list is closed", sourceLocation: sourceLocation) { !$0.showsSensorPage }
    }
}

/// The sensors of every world, the same in both back ends.
enum Steady {
    static let thermometer = "CORE [1A]"
    static let strap = "Polar H10 1234"
    static let oximeter = "e-Oximeter"
    static let all = [thermometer, strap, oximeter]
    /// The words for them, in the same order, in commands to a world.
    static let words = ["temp", "hr", "spo2"]

    /// A scenario with these sensors and another adapter.
    ///
    /// - Parameter strap: What the strap has besides.
    static func scenario(adapter: String = "{}", strap fields: String = "") -> String {
        """
        {
          adapter: \(adapter),
          sensors: [
            { name: '\(thermometer)', address: 'C0:52:49:00:00:01', kind: 'thermometer', rssi: -58, temperature: 36.8 },
            { name: '\(strap)', address: 'C0:52:49:00:00:02', kind: 'heartRateStrap', rssi: -58, heartRate: 72,
              \(fields) },
            { name: '\(oximeter)', address: 'C0:52:49:00:00:03', kind: 'oximeter', rssi: -58, oxygenSaturation: 98,
              pulseRate: 71 },
          ],
        }
        """
    }
}
