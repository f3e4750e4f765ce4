import Foundation

/// Compares the exports of a night with what `sqlite3` reads in its store: each reading with its time, and its value or the
/// reason why there is none.
struct ExportAuditor {
    let commands: NightCommands
    let store: StoreReader

    /// A reading, as all formats have it.
    private struct Row: Hashable, CustomStringConvertible {
        /// The time of its arrival in milliseconds since 1970.
        var milliseconds: Int64
        var address: String
        var vital: String
        /// The value in hundredths, or why there is none.
        var content: String
        /// Whether it waited, or was in a sensor's memory; some formats date it otherwise, or leave it out.
        var isLate = false

        var description: String { "\(vital) \(content) of \(address) at \(milliseconds)" }
    }

    /// What does not hold.
    ///
    /// - Parameter check: Called with each rule that had something to check.
    func findings(_ check: (String) -> Void) throws -> [String] {
        let stored = try self.stored()
        if stored.isEmpty { return [] }
        let present = stored.filter { !$0.isLate }
        var findings: [String] = []
        func compare(_ format: String, _ rows: [Row], with stored: [Row]) {
            check("an export has what is stored")
            let (exported, wanted) = (counted(rows), counted(stored))
            if let lacking = stored.first(where: { exported[$0, default: 0] < wanted[$0, default: 0] }) {
                findings.append("the export \(format) lacks a reading: \(lacking)")
            }
            if let added = rows.first(where: { exported[$0, default: 0] > wanted[$0, default: 0] }) {
                findings.append("the export \(format) has a reading that is not stored: \(added)")
            }
        }
        compare("csv", try csv(), with: stored)
        compare("jsonl", try jsonLines(), with: stored)
        compare("fhir", try fhir(), with: present.map(withCode))
        compare("influx", try influx(), with: present)
        compare("csv-wide", try wide(), with: newestOfSeconds(present))
        let (intervals, wanted) = (try exportedIntervals(), try store.intervals())
        for (address, lists) in wanted {
            check("an export has the RR intervals that are stored")
            if intervals[address] != lists.flatMap(\.intervals) {
                findings.append("the export rr has other RR intervals of \(address) than are stored")
            }
        }
        return findings
    }

    private func counted(_ rows: [Row]) -> [Row: Int] { rows.reduce(into: [:]) { $0[$1, default: 0] += 1 } }

    // MARK: The store

    private func stored() throws -> [Row] {
        try store.rows(
            """
            SELECT r.wall_ms, s.address, w.text, ifnull(r.value, a.text), r.late IS NOT NULL
            FROM reading r JOIN sensor s ON s.id = r.sensor JOIN word w ON w.id = r.vital
            LEFT JOIN word a ON a.id = r.absence ORDER BY r.wall_ms, r.n
            """
        ).compactMap { row in
            guard row.count == 5, let time = Int64(row[0]) else { return nil }
            return Row(milliseconds: time, address: row[1], vital: row[2], content: row[3], isLate: row[4] == "1")
        }
    }

    /// The newest value of each second, sensor and vital, dated to the second's beginning.
    private func newestOfSeconds(_ rows: [Row]) -> [Row] {
        var newest: [Row: Row] = [:]
        for row in rows where Int(row.content) != nil {
            let second = row.milliseconds / 1000 * 1000
            let place = Row(milliseconds: second, address: row.address, vital: row.vital, content: "")
            newest[place] = row
            newest[place]?.milliseconds = second
        }
        return Array(newest.values)
    }

    // MARK: The formats

    private func export(_ format: String) throws -> String {
        try commands.output(["export", "--format", format, "--output", "-"])
    }

    private func csv() throws -> [Row] {
        try lines(of: export("csv")).dropFirst().compactMap { fields in
            // What a carer has entered is no reading.
            guard fields.count > 15, fields[4] != "note", let time = NightCommands.milliseconds(fields[0]) else {
                return nil
            }
            let value = NightCommands.hundredths(fields[5]).map(String.init)
            return Row(
                milliseconds: time, address: fields[2], vital: fields[4], content: value ?? fields[8],
                isLate: !fields[15].isEmpty)
        }
    }

    private func wide() throws -> [Row] {
        let lines = lines(of: try export("csv-wide"))
        guard let heads = lines.first else { return [] }
        return lines.dropFirst().flatMap { fields -> [Row] in
            zip(heads, fields).dropFirst().compactMap { head, field in
                guard let value = NightCommands.hundredths(field), let time = NightCommands.milliseconds(fields[0])
                else { return nil }
                let words = head.split(separator: " ").map(String.init)
                let address = words.first { $0.split(separator: ":").count == 6 }
                return Row(milliseconds: time, address: address ?? "", vital: words[0], content: String(value))
            }
        }
    }

    /// The lines of a table as their fields; nothing in a night's table has a comma or a line feed within.
    private func lines(of table: String) -> [[String]] {
        // Carriage return and line feed are one character.
        table.split(whereSeparator: \.isNewline).map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// The RR intervals of each sensor, by its address.
    private func exportedIntervals() throws -> [String: [Int]] {
        lines(of: try export("rr")).dropFirst().reduce(into: [:]) { intervals, fields in
            guard fields.count > 3, let interval = Int(fields[3]) else { return }
            intervals[fields[2], default: []].append(interval)
        }
    }

    private func jsonLines() throws -> [Row] {
        try commands.objects(["export", "--format", "jsonl", "--output", "-"]).compactMap { object in
            guard let time = (object["t"] as? String).flatMap(NightCommands.milliseconds),
                let sensor = object["sensor"] as? [String: Any], let address = sensor["address"] as? String,
                let vital = object["vital"] as? String
            else { return nil }
            let value = NightCommands.hundredths(object["value"]).map(String.init)
            return Row(
                milliseconds: time, address: address, vital: vital,
                content: value ?? object["reason"] as? String ?? "", isLate: object["late"] != nil)
        }
    }

    private func influx() throws -> [Row] {
        try export("influx").split(separator: "\n").compactMap { line -> Row? in
            // A space within a name has a backslash before it.
            let parts = line.replacingOccurrences(of: "\\ ", with: "_").split(separator: " ").map(String.init)
            guard parts.count == 3, let time = Int64(parts[2]), !parts[0].contains(",late="),
                !parts[1].hasPrefix("note_text=")
            else { return nil }
            let address = parts[0].split(separator: ",").first { $0.hasPrefix("address=") }?.dropFirst(8)
            let field = parts[1].split(separator: "=").map(String.init)
            guard field.count == 2 else { return nil }
            let value = NightCommands.hundredths(field[1]).map(String.init)
            // Values within a millisecond are a nanosecond apart.
            return Row(
                milliseconds: time / 1_000_000, address: String(address ?? ""),
                vital: field[0].replacingOccurrences(of: "_absence", with: ""),
                content: value ?? field[1].filter { $0 != "\"" })
        }
    }

    private func fhir() throws -> [Row] {
        guard let bundle = try JSONSerialization.jsonObject(with: Data(export("fhir").utf8)) as? [String: Any],
            let entries = bundle["entry"] as? [[String: Any]]
        else { return [] }
        var addresses: [String: String] = [:]
        for entry in entries {
            guard let resource = entry["resource"] as? [String: Any], resource["resourceType"] as? String == "Device",
                let identifiers = resource["identifier"] as? [[String: Any]], let url = entry["fullUrl"] as? String
            else { continue }
            addresses[url] = (identifiers.first?["value"] as? String)?.replacingOccurrences(of: "-", with: ":")
        }
        return entries.compactMap { entry -> Row? in
            guard let resource = entry["resource"] as? [String: Any],
                let time = (resource["effectiveDateTime"] as? String).flatMap(NightCommands.milliseconds),
                resource["issued"] == nil, let device = resource["device"] as? [String: Any],
                let reference = device["reference"] as? String
            else { return nil }
            let coded = codings(resource["code"])
            let vital = Self.vitals.first { coded.contains($0.code) }?.vital
            let quantity = resource["valueQuantity"] as? [String: Any]
            let value = NightCommands.hundredths(quantity?["value"]).map(String.init)
            return Row(
                milliseconds: time, address: addresses[reference] ?? "", vital: vital ?? "",
                content: value ?? codings(resource["dataAbsentReason"]).first ?? "")
        }
    }

    private func codings(_ concept: Any?) -> [String] {
        let list = (concept as? [String: Any])?["coding"] as? [[String: Any]] ?? []
        return list.compactMap { $0["code"] as? String }
    }

    /// The codes of vitals, as the article *Exports* lists them; the pulse rate has two, of which one is the heart rate's.
    private static let vitals: [(code: String, vital: String)] = [
        ("8889-8", "pulse_rate"), ("8867-4", "heart_rate"), ("2708-6", "spo2"),
        ("8310-5", "body_temperature"), ("61006-3", "perfusion_index"),
    ]

    /// A reading with the code for why it has no value, as that article lists them.
    private func withCode(_ row: Row) -> Row {
        guard Int(row.content) == nil else { return row }
        var row = row
        row.content =
            switch row.content {
            case "off_body", "no_contact", "demo", "test": "not-performed"
            case "not_a_number": "not-a-number"
            case "equipment", "out_of_range": "error"
            default: "temp-unknown"
            }
        return row
    }
}
