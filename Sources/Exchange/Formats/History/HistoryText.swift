import Monitoring
import Base
import Vitals

/// Formats recorded data as tables of text.
public struct HistoryText {
    private var time = TimestampText()
    private let offset: (Int64) -> Int

    /// Creates a writer.
    ///
    /// - Parameter offset: The local time's offset from UTC at a wall time in milliseconds, in seconds to the east.
    public init(offset: @escaping (Int64) -> Int) {
        self.offset = offset
    }

    public mutating func table(_ wearings: [RecordedWearPeriod]) -> String {
        Self.table(
            ["Worn from", "To", "For", "Sensor", "Values", "Ended by"], rightAligned: [2, 4],
            wearings.map { wearing in
                [
                    minute(wearing.from), minute(wearing.to),
                    Self.length(wearing.to.subtractingSaturated(wearing.from)),
                    Self.name(of: wearing.sensor), "\(wearing.readings)", Self.text(wearing.ending?.rawValue),
                ]
            })
    }

    public mutating func table(_ gaps: [RecordedGap]) -> String {
        Self.table(
            ["Not recorded from", "To", "For", "Because of"], rightAligned: [2],
            gaps.map { gap in
                [
                    minute(gap.from), minute(gap.to), Self.length(of: gap), Self.cause(gap.reason),
                ]
            })
    }

    /// The length of a gap, or how far the clock was set in which direction.
    private static func length(of gap: RecordedGap) -> String {
        let step = gap.to.subtractingSaturated(gap.from)
        guard gap.reason == GapReason.clockSet.rawValue else { return length(step) }
        return "\(length(Int64(clamping: step.magnitude))) \(step < 0 ? "back" : "forward")"
    }

    public mutating func table(_ summaries: [ReadingSummary]) -> String {
        Self.table(
            ["From", "To", "Vital", "Sensor", "Lowest", "Median", "Highest", "Unit", "Measured", "Outside limits"],
            rightAligned: [4, 5, 6, 8, 9],
            summaries.map { summary in
                func value(_ value: VitalValue?) -> String { value?.text(of: summary.vital) ?? "-" }
                let (from, to) = (minute(summary.from), minute(summary.to))
                return [
                    from, from.prefix(10) == to.prefix(10) ? String(to.suffix(5)) : to, summary.vital.text,
                    Self.name(of: summary.sensor), value(summary.minimum), value(summary.median),
                    value(summary.maximum), summary.vital.unitText,
                    summary.isOfSums
                        ? "-" : PercentText.text(summary.coveredPercent, isSome: summary.covered > 0, isAll: true),
                    summary.outside.map { Self.length($0) } ?? "-",
                ]
            }) + (summaries.contains(where: \.isOfSums) ? Self.sumsNote : "")
    }

    private static let sumsNote = """
        Where the median is missing, only the lowest and the highest value of each minute are left; the readings were \
        removed to save room.

        """

    /// The table of entries, typed and transferred, including retracted ones.
    ///
    /// - Parameter text: An entry as text; by default in the units of the store.
    public mutating func table(
        _ entries: [RecordedEntry], text: (RecordEntry) -> String = { $0.text }
    ) -> String {
        Self.table(
            ["Measured", "Entry", "Entered by", "Entered at", ""], rightAligned: [],
            entries.map { recorded in
                let entry = recorded.entry
                return [
                    entry.facts.isTimeKnown ? minute(entry.taken.wallMilliseconds) : RecordEntry.unknownTime,
                    text(entry),
                    Self.author(of: entry), minute(entry.enteredAt.wallMilliseconds),
                    fate(of: entry),
                ]
            })
    }

    /// What became of an entry, and what is known of it beside its value.
    mutating func fate(of entry: RecordEntry) -> String {
        func because(_ reason: String) -> String { reason.isEmpty ? "" : ": \(reason)" }
        var parts: [String] = []
        if let retracted = entry.retractedAt {
            parts.append(
                "taken back at \(minute(retracted.wallMilliseconds)) as a mistake\(because(entry.retractionReason))")
        }
        if let correction = entry.correction {
            parts.append(
                "corrects an entry of \(minute(correction.corrected.wallMilliseconds))\(because(correction.reason))")
        }
        // What somebody needs to compute the calibrated values again.
        if entry.kind == .calibration, let details = entry.kind?.traits.details(entry.content) { parts.append(details) }
        if let remark = entry.remark { parts.append(remark) }
        return parts.joined(separator: "; ")
    }

    /// Such as `2026-01-02 03:04`, local.
    mutating func minute(_ wall: Int64) -> String {
        var bytes: [UInt8] = []
        time.append(wall.addingSaturated(Int64(offset(wall)) * 1000), to: &bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
    }

    /// The length as text, such as `4 d 1 h`, `3 h 12 min`, `4 min 5 s` or `12 s`; `-` if the clock was set back
    /// during that time, because the length is unknown.
    static func length(_ milliseconds: Int64) -> String {
        milliseconds < 0 ? "-" : Duration.milliseconds(milliseconds).exactText
    }

    /// The source of an entry: typed, a file, or the sensor that transferred it.
    static func author(of entry: RecordEntry) -> String {
        if entry.source != .typed { return name(of: entry.sensor) }
        guard let origin = entry.origin else { return "hand" }
        return origin.source.isEmpty ? "import" : "import of \(origin.source)"
    }

    static func name(of sensor: SensorIdentity) -> String {
        sensor.name.isEmpty ? sensor.address : sensor.name
    }

    private static func text(_ word: String?) -> String {
        (word ?? "").split(separator: "_").joined(separator: " ")
    }

    private static func cause(_ reason: String) -> String {
        switch GapReason(rawValue: reason) {
        case .asleep: "the computer slept"
        case .clockSet: "the clock was set"
        case .daemon: "bluetoothd was not there"
        case .bus: "the message bus was not there"
        case .busSilent: "the message bus did not answer"
        case .daemonSilent: "bluetoothd did not answer"
        case .adapter: "there was no adapter, or it was off"
        case .program: "Bedside did not run"
        case nil: reason == "storage" ? "the store could not be written" : text(reason)
        }
    }

    /// Columns separated by two blanks; empty without rows.
    static func table(_ titles: [String], rightAligned: Set<Int>, _ rows: [[String]]) -> String {
        guard !rows.isEmpty else { return "" }
        let all = [titles] + rows.map { $0.map { sanitized($0, limit: 256) } }
        let widths = titles.indices.map { column in all.map { $0[column].unicodeScalars.count }.max() ?? 0 }
        let lines = all.map { row in
            var line = row.indices.map { column in
                let text = row[column]
                let room = String(repeating: " ", count: widths[column] - text.unicodeScalars.count)
                return rightAligned.contains(column) ? room + text : text + room
            }.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }
        return lines.joined()
    }
}
