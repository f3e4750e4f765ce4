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
    ///
    /// - Parameter part: What it sums up, if not an hour: `day`.
    public mutating func write(_ summary: ReadingSummary, by part: String = "hour") {
        begin("summary", milliseconds: summary.from, summary.sensor)
        text("by", summary.wearing == nil ? part : "wearing")
        if let wearing = summary.wearing {
            json.key("wearing")
            json.integer(wearing)
        }
        wallTime("from", milliseconds: summary.from)
        wallTime("to", milliseconds: summary.to)
        text("vital", summary.vital.rawValue)
        text("unit", summary.vital.unit)
        json.key("readings")
        json.integer(summary.count)
        for (key, value) in [
            ("minimum", summary.minimum), ("median", summary.median), ("maximum", summary.maximum),
        ] {
            guard let value else { continue }
            json.key(key)
            json.hundredths(value.hundredths)
        }
        flag("sums_only", summary.isOfSums)
        if !summary.isOfSums {
            json.key("covered_percent")
            json.integer(summary.coveredPercent)
            json.key("covered_s")
            json.hundredths(Int(summary.covered / 10))
        }
        if let outside = summary.outside {
            json.key("outside_limits_s")
            json.hundredths(Int(outside / 10))
        }
        end()
    }
}
