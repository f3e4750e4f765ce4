import Foundation

/// Compares what `bedside alarms` and `bedside history` print of a night with what `sqlite3` reads in its store: each change
/// of an alarm, each action, each gap, and the sums of each hour.
struct LogAuditor {
    let commands: NightCommands
    let store: StoreReader

    /// What does not hold.
    ///
    /// - Parameter check: Called with each rule that had something to check.
    func findings(_ check: (String) -> Void) throws -> [String] {
        try alarms(check) + pairs(check) + history(check)
    }

    /// Each line of the log is printed, with its time and content, in its order.
    private func alarms(_ check: (String) -> Void) throws -> [String] {
        let stored = try store.rows(
            """
            SELECT wall_ms, ifnull(kind, action), ifnull(state, actor), ifnull(priority, ''), ifnull(value, ''),
            ifnull(peak, '') FROM alarm_log ORDER BY id
            """)
        if stored.isEmpty { return [] }
        check("the log is printed as it is stored")
        let printed = try commands.objects(["alarms", "--json"]).map { object in
            let value = NightCommands.hundredths(object["value"]).map(String.init)
            let peak = NightCommands.hundredths(object["peak"]).map(String.init)
            return [
                (object["t"] as? String).flatMap(NightCommands.milliseconds).map(String.init) ?? "",
                object["kind"] as? String ?? object["action"] as? String ?? "",
                object["state"] as? String ?? object["by"] as? String ?? "", object["priority"] as? String ?? "",
                value ?? "", peak ?? "",
            ]
        }
        // Where the clock was set back, the order of times is another one.
        let (wanted, got) = (stored.map { $0.joined(separator: " ") }, printed.map { $0.joined(separator: " ") })
        if wanted.sorted() == got.sorted() { return [] }
        let difference = Set(wanted).symmetricDifference(got).min() ?? "\(got.count) instead of \(wanted.count) lines"
        return ["the printed log differs from the stored one: \(difference)"]
    }

    /// An alarm that is over began before, in this run or an earlier one.
    private func pairs(_ check: (String) -> Void) throws -> [String] {
        let rows = try store.rows(
            """
            SELECT ifnull(e.run, e.id), a.episode, a.kind, a.state FROM alarm_log a JOIN epoch e ON e.id = a.epoch
            WHERE a.kind IS NOT NULL ORDER BY a.id
            """)
        var begun: Set<[String]> = []
        for row in rows where row.count == 4 {
            let (episode, state) = (Array(row[1...2]), row[3])
            check("a stored end of an alarm has its beginning")
            if state == "ended", !begun.contains(episode) {
                return ["the log has an end without a beginning: \(row[2])"]
            }
            begun.insert(episode)
        }
        return []
    }

    /// The gaps, and of each hour the number of values, the lowest and the highest.
    private func history(_ check: (String) -> Void) throws -> [String] {
        // It ends now, unless somebody says otherwise; some nights are yet to come.
        let printed = try commands.objects(["history", "--json", "--to", "2027-01-02"])
        var findings: [String] = []
        let gaps = try store.rows("SELECT from_wall_ms, to_wall_ms FROM gap").map { $0.joined(separator: " ") }
        let printedGaps = printed.filter { $0["event"] as? String == "gap" }.map { gap in
            ["from", "to"].map { key in
                (gap[key] as? String).flatMap(NightCommands.milliseconds).map(String.init) ?? ""
            }.joined(separator: " ")
        }
        check("the history has the stored gaps")
        if gaps.sorted() != printedGaps.sorted() {
            let difference = Set(gaps).symmetricDifference(printedGaps).min() ?? ""
            findings.append("the history has other gaps than the store: \(difference)")
        }
        let sums = try store.rows(
            """
            SELECT r.wall_ms / 3600000, s.address, w.text, count(*), min(r.value), max(r.value)
            FROM reading r JOIN sensor s ON s.id = r.sensor JOIN word w ON w.id = r.vital
            WHERE r.value IS NOT NULL AND r.late IS NULL GROUP BY 1, 2, 3
            """
        ).map { $0.joined(separator: " ") }
        let printedSums = printed.filter { $0["event"] as? String == "summary" }.compactMap { sum -> String? in
            guard let time = (sum["from"] as? String).flatMap(NightCommands.milliseconds),
                let sensor = sum["sensor"] as? [String: Any], let address = sensor["address"] as? String,
                let vital = sum["vital"] as? String, let count = (sum["readings"] as? NSNumber)?.intValue,
                let minimum = NightCommands.hundredths(sum["minimum"]),
                let maximum = NightCommands.hundredths(sum["maximum"])
            else { return nil }
            return "\(time / 3_600_000) \(address) \(vital) \(count) \(minimum) \(maximum)"
        }
        check("the history has the sums of what is stored")
        if Set(sums) != Set(printedSums) {
            let difference = Set(sums).symmetricDifference(printedSums).min() ?? ""
            findings.append("the history has other sums than the store: \(difference)")
        }
        return findings
    }
}
