import Base
import Nights
import Vitals

extension StoredHistory {
    /// Passes nights to a closure, each with the courses of all its oximeters; those without one are left out.
    ///
    /// Each night's file is read once, however many nights there are. What came late, and values that were typed, are not
    /// part of a night.
    ///
    /// - Parameters:
    ///   - windows: The nights from noon to noon, as wall times in milliseconds since 1970 (UTC), the oldest first, disjoint.
    ///   - record: The times of the patient's record; others belong to another patient.
    ///   - body: Returns whether to continue.
    /// - Throws: ``StoreError``.
    public func forEachPatientNight(
        of windows: [Range<Int64>], in record: Range<Int64> = .min..<(.max), _ body: (PatientNight) -> Bool
    ) throws(StoreError) {
        guard let first = windows.first, let last = windows.last else { return }
        var waiting: [StoredNight] = []
        var place = 0
        // Passes on the windows that no later file can belong to.
        func pass(before start: Int64) throws(StoreError) -> Bool {
            while place < windows.count, windows[place].upperBound <= start {
                let window = windows[place]
                place += 1
                let night = PatientNight(
                    window: window, courses: try courses(in: window.clamped(to: record), waiting))
                waiting.removeAll { $0.end <= window.upperBound }
                if !night.parts.isEmpty, !body(night) { return false }
            }
            return true
        }
        var isWanted = true
        var failure: StoreError?
        try forEachNight(in: first.lowerBound..<max(first.lowerBound, last.upperBound)) { night in
            do throws(StoreError) {
                isWanted = try pass(before: night.start)
            } catch {
                (failure, isWanted) = (error, false)
            }
            waiting.append(night)
            return isWanted
        }
        if let failure { throw failure }
        if isWanted { _ = try pass(before: .max) }
    }

    /// When something was recorded that may be a night, as wall times in milliseconds since 1970 (UTC), in no order.
    ///
    /// - Throws: ``StoreError``.
    public func nightTimes(in record: Range<Int64> = .min..<(.max)) throws(StoreError) -> [Range<Int64>] {
        var times: [Range<Int64>] = []
        try database.forEach("SELECT start_wall_ms, interval_s, length(samples) FROM night") { row in
            let (start, interval) = (row.number(0), min(max(row.number(1), 1), 60))
            let length = (row.number(2) / Int64(NightSamples.size)).multipliedSaturated(by: interval * 1000)
            times.append(start..<max(start, start.addingSaturated(length)))
        }
        let kinds: [SensorKind] = [.oximeter, .other]
        for wearing in try wearings(in: record) where wearing.from <= wearing.to && kinds.contains(wearing.sensor.kind)
        {
            times.append(wearing.from..<wearing.to.addingSaturated(1))
        }
        return times.map { $0.clamped(to: record) }.filter { !$0.isEmpty }
    }

    /// The courses of a period, one for each address.
    private func courses(in window: Range<Int64>, _ nights: [StoredNight]) throws(StoreError) -> [NightCourse] {
        guard !window.isEmpty else { return [] }
        var builders: [String: NightBuilder] = [:]
        var order: [String] = []
        func builder(of sensor: SensorIdentity) -> NightBuilder {
            if let known = builders[sensor.address] { return known }
            order.append(sensor.address)
            return NightBuilder(of: window, sensor: sensor)
        }
        for night in nights where night.range.overlaps(window) {
            var builder = builder(of: night.sensor)
            builder.add(night)
            builders[night.sensor.address] = builder
        }
        try forEachNightReport(in: window) { sensor, reports in
            var builder = builder(of: sensor)
            for report in reports { builder.add(report.vital, report.outcome, at: report.wall, from: sensor) }
            builders[sensor.address] = builder
        }
        return order.sorted().compactMap { builders[$0]?.course() }
    }

    private struct NightReport {
        var vital: Vital
        var outcome: Reading.Outcome
        var wall: Int64
    }

    /// Passes the reports of each oximeter, in the order of time, to a closure.
    private func forEachNightReport(
        in window: Range<Int64>, _ body: (SensorIdentity, [NightReport]) -> Void
    ) throws(StoreError) {
        let vitals = meanings { Vital(rawValue: $0).flatMap { Self.nightVitals.contains($0) ? $0 : nil } }
        let wanted = vitals.indices.filter { vitals[$0] != nil }.map { "\($0)" }.joined(separator: ",")
        guard !wanted.isEmpty else { return }
        let qualities = meanings { Reading.Quality(rawValue: $0) }
        let reasons = meanings { AbsenceReason(rawValue: $0) }
        // A renamed oximeter has several numbers.
        var reports: [String: [NightReport]] = [:]
        var names: [String: SensorIdentity] = [:]
        var addresses: [Int64: SensorIdentity] = [:]
        let rows = try database.statement(
            """
            SELECT wall_ms, sensor, vital, value, quality, absence FROM reading
            WHERE wall_ms >= ?1 AND wall_ms < ?2 AND late IS NULL AND vital IN (\(wanted)) ORDER BY wall_ms, n
            """)
        defer { rows.reset() }
        try rows.bind([.integer(window.lowerBound), .integer(window.upperBound)])
        while try rows.step() {
            let number = rows.number(1)
            guard let vital = vitals.at(rows.number(2)), let sensor = addresses[number] ?? self.sensor(number) else {
                continue
            }
            if addresses[number] == nil { addresses[number] = sensor }
            let outcome: Reading.Outcome
            if let value = rows.value(3) {
                // The quality of a newer version counts as a questionable one.
                let quality = rows.integer(4).flatMap { qualities.at($0) } ?? .questionable
                outcome = .measured(value, quality)
            } else {
                outcome = .noMeasurement(rows.integer(5).flatMap { reasons.at($0) } ?? .unusable)
            }
            names[sensor.address] = sensor
            reports[sensor.address, default: []].append(
                NightReport(vital: vital, outcome: outcome, wall: rows.number(0)))
        }
        for (address, found) in reports where found.contains(where: { $0.vital == .oxygenSaturation }) {
            if let sensor = names[address] { body(sensor, found) }
        }
    }

    private static let nightVitals: Set<Vital> = [.oxygenSaturation, .pulseRate, .perfusionIndex]
}
