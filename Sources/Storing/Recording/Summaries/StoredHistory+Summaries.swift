import Monitoring
import Base
import Vitals

/// Whether a value is outside the limits at a wall time; `nil` if the vital has no limits.
public typealias LimitEvaluation = (Vital, VitalValue, Int64) -> Bool?

extension StoredHistory {
    private struct Key: Hashable {
        /// The first number of the sensor.
        var sensor: Int64
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
        var parts: [Part] = []
        // A renamed sensor has several numbers, and one part.
        var places: [Int64: Int] = [:]
        func place(_ sensor: SensorIdentity, _ vital: Vital) -> Int {
            if let known = parts.firstIndex(where: { $0.vital == vital && $0.sensor.address == sensor.address }) {
                return known
            }
            parts.append(Part(sensor: sensor, vital: vital))
            return parts.count - 1
        }
        var present: Range<Int64>?
        func finish() {
            guard let present else { return }
            let from = max(present.lowerBound, range.lowerBound)
            let to = min(present.upperBound, range.upperBound)
            body(
                Self.sorted(
                    parts.map { part in
                        var part = part
                        return part.builder.summary(of: (part.sensor, part.vital), from: from, to: to)
                    }))
            parts.removeAll(keepingCapacity: true)
            places.removeAll(keepingCapacity: true)
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
            parts[place(sum.sensor, sum.vital)].builder.add(sum)
        }
        try forEachValue(
            in: max(range.lowerBound, readingsStart)..<max(range.upperBound, readingsStart), vitals: vitals
        ) { value in
            enter(value.wall)
            let key = value.sensor << 20 | value.vitalNumber
            if let known = places[key] { return parts[known].add(value, isOutside) }
            guard let sensor = sensor(value.sensor) else { return }
            let found = place(sensor, value.vital)
            places[key] = found
            parts[found].add(value, isOutside)
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
        let first = firstNumbers()
        var numbers: [String: Int64] = [:]
        for number in first.values { if let sensor = sensor(number) { numbers[sensor.address] = number } }
        // The first wear period that has not ended by then, of each sensor.
        var ofSensor: [Int64: (periods: [RecordedWearPeriod], next: Int)] = [:]
        for wearing in wearings {
            if let number = numbers[wearing.sensor.address] {
                ofSensor[number, default: ([], 0)].periods.append(wearing)
            }
        }
        var parts: [Key: Part] = [:]
        let readingsStart = try startOfReadings()
        try forEachMinute(in: range, before: readingsStart, vitals: vitals) { sum in
            let wall = sum.start
            // Wear periods of a sensor are more than a minute apart.
            guard let number = first[sum.sensorNumber],
                let wearing = ofSensor[number]?.periods.first(where: {
                    $0.to >= wall && $0.from < wall.addingSaturated(60_000)
                })
            else { return }
            let key = Key(sensor: number, vital: sum.vital, wearing: wearing.number)
            parts[key, default: Part(sensor: sum.sensor, vital: sum.vital)].builder.add(sum)
        }
        try forEachValue(
            in: max(range.lowerBound, readingsStart)..<max(range.upperBound, readingsStart), vitals: vitals
        ) { value in
            guard let number = first[value.sensor], var next = ofSensor[number]?.next,
                let count = ofSensor[number]?.periods.count
            else { return }
            while next < count, ofSensor[number]?.periods[next].to ?? .max < value.wall { next += 1 }
            ofSensor[number]?.next = next
            guard next < count, let wearing = ofSensor[number]?.periods[next], wearing.from <= value.wall else {
                return
            }
            let key = Key(sensor: number, vital: value.vital, wearing: wearing.number)
            if parts[key] == nil { parts[key] = Part(sensor: wearing.sensor, vital: value.vital) }
            parts[key]?.add(value, isOutside)
        }
        return wearings.flatMap { wearing -> [ReadingSummary] in
            let (from, to) = (max(wearing.from, range.lowerBound), min(wearing.to, range.upperBound))
            guard let number = numbers[wearing.sensor.address] else { return [] }
            return Vital.allCases.compactMap { vital -> ReadingSummary? in
                let key = Key(sensor: number, vital: vital, wearing: wearing.number)
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
    fileprivate mutating func add(_ value: RecordedValue, _ isOutside: LimitEvaluation) {
        builder.add(
            value.value, isOutside: value.value.flatMap { isOutside(value.vital, $0, value.wall) }, at: value.wall)
    }
}
