import Monitoring
import Base
import Vitals

extension StoredHistory {
    /// How long before the first day a fever that continues in it may have begun, in milliseconds.
    private static let longestFever: Int64 = 14 * 86_400_000

    /// The record and the fevers of some days, without the figures of the vitals, which take longer
    /// (``figures(of:now:entries:in:isOutside:)``).
    ///
    /// - Parameters:
    ///   - days: The days, the oldest first.
    ///   - record: The period of the patient's record, in milliseconds since 1970 (UTC); measurements at other times belong
    ///     to another patient.
    ///   - patient: The number of the patient's record, which selects entries whenever they were measured; `nil` selects
    ///     those of the record's time.
    /// - Throws: ``StoreError``.
    public func overview(
        of days: [Range<Int64>], in record: Range<Int64>, patient: Int? = nil
    ) throws(StoreError) -> PatientOverview {
        var overview = PatientOverview(days: days.map { PatientOverview.Day($0, isRead: false) })
        let range = overview.range.clamped(to: record)
        let entered = patient == nil ? record : .min..<(.max)
        overview.entries = try recordEntries(in: overview.range.clamped(to: entered), patient: patient)
        let earlier = (.min..<overview.range.lowerBound).clamped(to: entered)
        overview.earlier = try newestEntries(in: earlier, patient)
        var log: [AlarmLogEntry] = []
        let start = max(range.lowerBound.subtractingSaturated(Self.longestFever), record.lowerBound)
        try AlarmStore(database: database).forEach(since: start, isAboutPatient: true) { log.append($0) }
        // An entry within a fever may have been measured a day before it was typed.
        let measured = start.subtractingSaturated(2 * 86_400_000)..<max(range.upperBound, start)
        let temperatures = try recordEntries(
            in: measured.clamped(to: entered), kinds: [.bodyTemperature], patient: patient
        ).map(\.entry)
        overview.fevers = FeverEpisode.all(in: log, entered: temperatures).filter { fever in
            fever.start < range.upperBound && fever.end.map { $0 >= range.lowerBound } ?? true
        }
        // The log has the highest value of a change; a continuing fever may not have changed for hours.
        for place in overview.fevers.indices where overview.fevers[place].ending == .open {
            let period = (overview.fevers[place].start..<max(overview.fevers[place].start, range.upperBound))
                .clamped(to: record)
            let entered = overview.valid.filter { period.contains($0.taken.wallMilliseconds) && $0.facts.isTimeKnown }
                .compactMap { $0.sample(of: .bodyTemperature) }
                .filter {
                    Vital.bodyTemperature.measured(at: $0.site) == .bodyTemperature && $0.quality.countsInFigures
                }
                .map(\.value)
            overview.fevers[place].highest =
                (entered + [overview.fevers[place].highest, try highestTemperature(in: period)].compactMap(\.self))
                .max()
        }
        return overview
    }

    /// The highest body temperature that a sensor has measured in a period.
    private func highestTemperature(in range: Range<Int64>) throws(StoreError) -> VitalValue? {
        var highest: VitalValue?
        func record(_ value: VitalValue?) { highest = [highest, value].compactMap(\.self).max() }
        let readingsStart = try startOfReadings()
        try forEachMinute(in: range, before: readingsStart, vitals: [.bodyTemperature]) { record($0.maximum) }
        try forEachValue(in: max(range.lowerBound, readingsStart)..<max(range.upperBound, readingsStart)) { row in
            if row.vital.measured(at: row.site) == .bodyTemperature { record(row.value) }
        }
        try forEachLateValue(in: range) { if $0 == .bodyTemperature { record($1) } }
        return highest
    }

    /// The newest valid blood count, neutrophil count and risk index of a period.
    private func newestEntries(in range: Range<Int64>, _ patient: Int?) throws(StoreError) -> [RecordedEntry] {
        let found = try recordEntries(
            in: range, kinds: RecordEntry.Kind.forms.union([.lab, .neutrophils]), patient: patient
        )
        .filter { !$0.entry.isRetracted }
        let count = found.last { $0.entry.neutrophilCount != nil }
        let index = found.last { $0.entry.kind.map(RecordEntry.Kind.forms.contains) == true }
        return [count, index].compactMap(\.self).sorted { $0.entry.taken < $1.entry.taken }
    }

    /// The figures of each vital of a day, from all readings, which takes a fraction of a second.
    ///
    /// - Parameters:
    ///   - day: The day.
    ///   - now: The present wall time, or the last one of a closed record: the day ends there.
    ///   - entries: The record; entries of other days are ignored.
    ///   - record: The period of the patient's record; measurements at other times belong to another patient.
    ///   - isOutside: Evaluates values.
    /// - Throws: ``StoreError``.
    public func figures(
        of day: Range<Int64>, now: Int64, entries: [RecordedEntry], in record: Range<Int64>,
        isOutside: LimitEvaluation
    ) throws(StoreError) -> PatientOverview.Day {
        var builders: [Vital: VitalDayBuilder] = [:]
        let end = min(day.upperBound, max(day.lowerBound, now.addingSaturated(1)))
        let range = (day.lowerBound..<end).clamped(to: record)
        let readingsStart = try startOfReadings()
        try forEachMinute(in: range, before: readingsStart, vitals: nil) { sum in
            builders[sum.vital, default: VitalDayBuilder(sum.vital)]
                .add(count: sum.count, minimum: sum.minimum, maximum: sum.maximum)
        }
        try addReports(
            in: max(range.lowerBound, readingsStart)..<max(range.upperBound, readingsStart), isOutside, to: &builders)
        // A late value was measured then, but it is unknown how long it held.
        try forEachLateValue(in: range) { vital, value in
            builders[vital, default: VitalDayBuilder(vital)].add(single: value)
        }
        for recorded in entries where !recorded.entry.isRetracted {
            guard range.contains(recorded.entry.taken.wallMilliseconds) else { continue }
            for vital in Vital.allCases {
                guard let sample = recorded.entry.sample(of: vital), sample.quality.countsInFigures else { continue }
                let measured = vital.measured(at: sample.site)
                builders[measured, default: VitalDayBuilder(measured)].add(single: sample.value)
            }
        }
        return PatientOverview.Day(
            day,
            vitals: Vital.allCases.compactMap { builders[$0]?.figures(from: day.lowerBound, to: end) })
    }

    /// Adds the reports of a period, condensed where that is possible.
    private func addReports(
        in range: Range<Int64>, _ isOutside: LimitEvaluation, to builders: inout [Vital: VitalDayBuilder]
    ) throws(StoreError) {
        var start = range.lowerBound
        func addValues(until end: Int64) throws(StoreError) {
            guard start < end else { return }
            try forEachValue(in: start..<end) { row in
                let vital = row.vital.measured(at: row.site)
                builders[vital, default: VitalDayBuilder(vital)].add(
                    row.value, from: row.sensor, isOutside: row.value.flatMap { isOutside(vital, $0, row.wall) },
                    at: row.wall)
            }
        }
        let length = QuarterTable.length
        // Whole quarters only.
        let first = QuarterTable.quarter(of: range.lowerBound.subtractingSaturated(1)).addingSaturated(1)
        let end = max(first, QuarterTable.quarter(of: range.upperBound))
        try forEachQuarter(in: first..<end) { (quarter, reports) throws(StoreError) in
            let begin = quarter.multipliedSaturated(by: length)
            // Limits that change by the time of day make the readings count one by one.
            let moments = [begin, begin.addingSaturated(length / 2), begin.addingSaturated(length - 1)]
            var outside: [Vital: [VitalValue: Bool]] = [:]
            for (vital, reports) in reports {
                for value in reports.tallies.keys {
                    let answers = moments.map { isOutside(vital, value, $0) }
                    guard answers[0] == answers[1], answers[0] == answers[2] else { return }
                    if let answer = answers[0] { outside[vital, default: [:]][value] = answer }
                }
            }
            try addValues(until: begin)
            for (vital, reports) in reports {
                builders[vital, default: VitalDayBuilder(vital)].add(reports) { outside[vital]?[$0] }
            }
            start = begin.addingSaturated(length)
        }
        try addValues(until: range.upperBound)
    }

    /// Passes the late values that were measured in a period to a closure.
    private func forEachLateValue(
        in range: Range<Int64>, _ body: (Vital, VitalValue) -> Void
    ) throws(StoreError) {
        guard !range.isEmpty else { return }
        let vitals = meanings { Vital(rawValue: $0) }
        let sites = meanings { BodySite(rawValue: $0) }
        let counted = CountedQualities(self)
        let rows = try database.statement(
            """
            SELECT vital, value, site, quality FROM reading
            WHERE late IS NOT NULL AND late_ms >= ?1 AND late_ms < ?2
            """)
        defer { rows.reset() }
        try rows.bind([.integer(range.lowerBound), .integer(range.upperBound)])
        while try rows.step() {
            guard let vital = rows.integer(0).flatMap({ vitals.at($0) }), let value = rows.value(1),
                counted.allow(rows.integer(3))
            else { continue }
            body(vital.measured(at: rows.integer(2).flatMap { sites.at($0) }), value)
        }
    }
}

extension Vital {
    /// The vital of a value by its site: a temperature at the skin is never a body temperature.
    func measured(at site: BodySite?) -> Vital {
        self == .bodyTemperature && site == .skin ? .skinTemperature : self
    }
}
