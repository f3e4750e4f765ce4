import Monitoring
import Base
import Vitals

/// Whether a value is outside the limits at a wall time; `nil` if the vital has no limits.
public typealias LimitEvaluation = (Vital, VitalValue, Int64) -> Bool?

extension StoredHistory {
    private struct Key: Hashable {
        var address: String
        var vital: Vital
        var wearing: Int64 = 0
    }

    fileprivate struct Part {
        var sensor: SensorIdentity
        var vital: Vital
        var builder = SummaryBuilder()
    }

    /// Summarizes hour by hour, with the memory of one hour.
    ///
    /// - Parameters:
    ///   - range: Wall times in milliseconds since 1970 (UTC).
    ///   - vitals: The vitals to summarize; `nil` for all.
    ///   - hour: The hour of a wall time; hours of local time may begin at any minute.
    ///   - isOutside: Evaluates values.
    ///   - body: Called with the summaries of an hour, in the order of vitals, then of addresses.
    /// - Throws: ``StoreError``.
    public func forEachHour(
        in range: Range<Int64>, vitals: Set<Vital>? = nil, hour: (Int64) -> Range<Int64>,
        isOutside: LimitEvaluation, _ body: ([ReadingSummary]) -> Void
    ) throws(StoreError) {
        var parts: [Key: Part] = [:]
        var present: Range<Int64>?
        func finish() {
            guard let present else { return }
            let from = max(present.lowerBound, range.lowerBound)
            let to = min(present.upperBound, range.upperBound)
            body(
                Self.sorted(
                    parts.values.map { part in
                        var part = part
                        return part.builder.summary(of: (part.sensor, part.vital), from: from, to: to)
                    }))
            parts.removeAll(keepingCapacity: true)
        }
        func enter(_ wall: Int64) {
            if present?.contains(wall) == true { return }
            finish()
            present = hour(wall)
        }
        // Minutes without readings are older than those with.
        let readingsStart = try startOfReadings()
        try forEachMinute(in: range, before: readingsStart, vitals: vitals) { sum in
            enter(max(sum.start, range.lowerBound))
            let key = Key(address: sum.sensor.address, vital: sum.vital)
            parts[key, default: Part(sensor: sum.sensor, vital: sum.vital)].builder.add(sum)
        }
        try forEachReading(
            in: max(range.lowerBound, readingsStart)..<max(range.upperBound, readingsStart), vitals: vitals
        ) { recorded in
            let reading = recorded.reading
            // Summaries do not count late values.
            if reading.late != nil { return true }
            enter(reading.moment.wallMilliseconds)
            let key = Key(address: reading.sensor.address, vital: reading.vital)
            parts[key, default: Part(sensor: reading.sensor, vital: reading.vital)].add(reading, isOutside)
            return true
        }
        finish()
    }

    /// Summarizes by wear period.
    ///
    /// - Parameters:
    ///   - range: Wall times in milliseconds since 1970 (UTC); other data are not counted.
    ///   - vitals: The vitals to summarize; `nil` for all.
    ///   - isOutside: Evaluates values.
    /// - Returns: The summaries in the order in which the wear periods began, each in the order of vitals.
    /// - Throws: ``StoreError``.
    public func summariesByWearPeriod(
        in range: Range<Int64>, vitals: Set<Vital>? = nil, isOutside: LimitEvaluation
    ) throws(StoreError) -> [ReadingSummary] {
        let wearings = try wearings(in: range)
        var ofSensor: [String: ArraySlice<RecordedWearPeriod>] = [:]
        for wearing in wearings { ofSensor[wearing.sensor.address, default: []].append(wearing) }
        var parts: [Key: Part] = [:]
        let readingsStart = try startOfReadings()
        try forEachMinute(in: range, before: readingsStart, vitals: vitals) { sum in
            let (address, wall) = (sum.sensor.address, sum.start)
            // Wear periods of a sensor are more than a minute apart.
            let wearing = ofSensor[address]?.first { $0.to >= wall && $0.from < wall.addingSaturated(60_000) }
            guard let wearing else { return }
            let key = Key(address: address, vital: sum.vital, wearing: wearing.number)
            parts[key, default: Part(sensor: sum.sensor, vital: sum.vital)].builder.add(sum)
        }
        try forEachReading(
            in: max(range.lowerBound, readingsStart)..<max(range.upperBound, readingsStart), vitals: vitals
        ) { recorded in
            let reading = recorded.reading
            if reading.late != nil { return true }
            let address = reading.sensor.address
            let wall = reading.moment.wallMilliseconds
            while let first = ofSensor[address]?.first, first.to < wall { ofSensor[address]?.removeFirst() }
            guard let wearing = ofSensor[address]?.first, wearing.from <= wall else { return true }
            let key = Key(address: address, vital: reading.vital, wearing: wearing.number)
            parts[key, default: Part(sensor: reading.sensor, vital: reading.vital)].add(reading, isOutside)
            return true
        }
        return wearings.flatMap { wearing in
            let (from, to) = (max(wearing.from, range.lowerBound), min(wearing.to, range.upperBound))
            return Vital.allCases.compactMap { vital in
                let key = Key(address: wearing.sensor.address, vital: vital, wearing: wearing.number)
                return parts[key]?.builder.summary(
                    of: (wearing.sensor, vital), from: from, to: to, wearing: wearing.number)
            }
        }
    }

    private static func sorted(_ summaries: [ReadingSummary]) -> [ReadingSummary] {
        func place(_ summary: ReadingSummary) -> (Int, String) {
            (Vital.allCases.firstIndex(of: summary.vital) ?? 0, summary.sensor.address)
        }
        return summaries.sorted { place($0) < place($1) }
    }
}

extension SummaryBuilder {
    fileprivate mutating func add(_ sum: RecordedMinute) {
        add(count: sum.count, minimum: sum.minimum, maximum: sum.maximum)
    }
}

extension StoredHistory.Part {
    fileprivate mutating func add(_ reading: Reading, _ isOutside: LimitEvaluation) {
        let wall = reading.moment.wallMilliseconds
        if let value = reading.outcome.figure {
            builder.add(value, isOutside: isOutside(reading.vital, value, wall), at: wall)
        } else {
            builder.add(nil, isOutside: nil, at: wall)
        }
    }
}
