import Monitoring
import Vitals

extension WatchEncoder {
    /// Writes the line of a wearing.
    public mutating func write(_ wearing: RecordedWearPeriod) {
        begin("wearing", milliseconds: wearing.from, wearing.sensor)
        json.key("wearing")
        json.integer(wearing.number)
        wallTime("from", milliseconds: wearing.from)
        wallTime("to", milliseconds: wearing.to)
        json.key("readings")
        json.integer(wearing.readings)
        text("ending", wearing.ending?.rawValue)
        end()
    }

    /// Writes the line of a gap.
    public mutating func write(_ gap: RecordedGap) {
        begin("gap", milliseconds: gap.to, nil)
        wallTime("from", milliseconds: gap.from)
        wallTime("to", milliseconds: gap.to)
        text("reason", gap.reason)
        end()
    }

    /// Writes the line of a summary.
    public mutating func write(_ summary: ReadingSummary) {
        begin("summary", milliseconds: summary.from, summary.sensor)
        text("by", summary.wearing == nil ? "hour" : "wearing")
        if let wearing = summary.wearing {
            json.key("wearing")
            json.integer(wearing)
        }
        wallTime("from", milliseconds: summary.from)
        wallTime("to", milliseconds: summary.to)
        writeFigures(
            summary.vital, count: summary.count, values: (summary.minimum, summary.median, summary.maximum),
            isOfSums: summary.isOfSums, coveredPercent: summary.coveredPercent, covered: summary.covered,
            outside: summary.outside)
        end()
    }

    /// Writes the figures of a vital in a period.
    mutating func writeFigures(
        _ vital: Vital, count: Int, values: (minimum: VitalValue?, median: VitalValue?, maximum: VitalValue?),
        isOfSums: Bool, coveredPercent: Int?, covered: Int64, outside: Int64?
    ) {
        text("vital", vital.rawValue)
        text("unit", vital.unit)
        json.key("readings")
        json.integer(count)
        for (key, value) in [("minimum", values.minimum), ("median", values.median), ("maximum", values.maximum)] {
            guard let value else { continue }
            json.key(key)
            json.hundredths(value.hundredths)
        }
        flag("sums_only", isOfSums)
        if !isOfSums {
            number("covered_percent", coveredPercent)
            json.key("covered_s")
            json.hundredths(Int(covered / 10))
        }
        if let outside {
            json.key("outside_limits_s")
            json.hundredths(Int(outside / 10))
        }
    }
}
