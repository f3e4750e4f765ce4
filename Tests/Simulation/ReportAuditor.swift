import Foundation

/// Compares the days of `bedside report`, printed just after a night, with what `sqlite3` reads in its store: of each vital
/// the number of values, the lowest, the middle one and the highest.
struct ReportAuditor {
    let run: NightRun
    let store: StoreReader

    /// As many as a night can touch, with a clock that is set.
    private static let days = "3"

    /// What does not hold.
    ///
    /// - Parameter check: Called with each rule that had something to check.
    func findings(_ check: (String) -> Void) async throws -> [String] {
        // A reading may be from before the clock was set back.
        let newest = try store.rows("SELECT ifnull(max(wall_ms), 0) FROM reading").first?.first.flatMap(Int64.init)
        guard let newest, newest > 0 else { return [] }
        let text = try await run.output(
            of: ["report", "--json", "--days", Self.days], wallMilliseconds: newest + 1000)
        let summaries = NightCommands.objects(text).filter { $0["event"] as? String == "summary" }
        var findings: [String] = []
        var reported = 0
        for summary in summaries {
            guard let from = (summary["from"] as? String).flatMap(NightCommands.milliseconds),
                let to = (summary["to"] as? String).flatMap(NightCommands.milliseconds),
                let vital = summary["vital"] as? String, let count = (summary["readings"] as? NSNumber)?.intValue
            else {
                findings.append("a summary of the report has no day, vital or number")
                continue
            }
            check("the report has the sums of what is stored")
            reported += count
            if !Self.isMidnight(from) { findings.append("a day of the report does not begin at midnight: \(from)") }
            let values = try store.rows(
                """
                SELECT r.value FROM reading r JOIN word w ON w.id = r.vital WHERE w.text = '\(vital)'
                AND r.value IS NOT NULL AND r.wall_ms >= \(from) AND r.wall_ms < \(to) ORDER BY r.value
                """
            ).compactMap { Int($0[0]) }
            if values.count != count {
                findings.append("the report counts \(count) values of \(vital), and \(values.count) are stored")
            }
            guard let lowest = values.first, let highest = values.last else { continue }
            let middle = [values[(values.count - 1) / 2], values[values.count / 2]]
            let median = NightCommands.hundredths(summary["median"]) ?? 0
            let isRight =
                NightCommands.hundredths(summary["minimum"]) == lowest
                && NightCommands.hundredths(summary["maximum"]) == highest
                && (middle[0]...middle[1]).contains(median)
            if !isRight { findings.append("the report has other values of \(vital) than the store: from \(from)") }
        }
        let stored = try store.rows("SELECT count(*) FROM reading WHERE value IS NOT NULL").first?.first
        if stored != String(reported) {
            findings.append("the days of the report have \(reported) values, and \(stored ?? "none") are stored")
        }
        return findings
    }

    /// Whether a day of the nights' time zone begins then.
    private static func isMidnight(_ milliseconds: Int64) -> Bool {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = NightCommands.zone
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        return calendar.startOfDay(for: date) == date
    }
}
