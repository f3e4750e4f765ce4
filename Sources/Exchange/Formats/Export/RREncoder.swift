import Monitoring
import Base
import Vitals

/// Writes a line of comma-separated values for each RR interval.
struct RREncoder: ReadingEncoder {
    /// The columns, in their order.
    static let columns = [
        "time", "sensor", "address", "interval_1024", "interval_ms", "after_gap", "run", "monotonic_ns", "simulated",
    ]

    private(set) var bytes: [UInt8] = []
    private let gaps: [RecordedGap]
    private let isSimulated: Bool
    private var time = TimestampText()
    private var sensors: [String: Series] = [:]

    /// The unbroken series of a sensor.
    private struct Series {
        var timeline = RRTimeline()
        /// The run of the program and the wall time of its newest notification.
        var run: Int64
        var wallMilliseconds: Int64
    }

    /// Creates an encoder.
    ///
    /// - Parameter gaps: The gaps of the record; a clock change is no gap.
    init(gaps: [RecordedGap], isSimulated: Bool) {
        self.gaps = gaps.filter { $0.reason != GapReason.clockSet.rawValue }
        self.isSimulated = isSimulated
    }

    mutating func begin() {
        bytes += Self.columns.joined(separator: ",").utf8
        bytes += CSVField.lineEnd
    }

    mutating func write(_ recorded: RecordedRRIntervals) {
        let intervals = recorded.intervals
        let moment = intervals.moment
        var series =
            sensors[intervals.sensor.address] ?? Series(run: recorded.run, wallMilliseconds: moment.wallMilliseconds)
        let isInterrupted =
            recorded.run != series.run
            || gaps.contains { $0.to > series.wallMilliseconds && $0.from < moment.wallMilliseconds }
        if isInterrupted { series = Series(run: recorded.run, wallMilliseconds: moment.wallMilliseconds) }
        series.wallMilliseconds = moment.wallMilliseconds
        series.timeline.place(intervals.intervals, arrivedAt: moment.monotonic) { beat in
            let age = moment.monotonic.nanoseconds(since: beat.time)
            time.append(moment.wallMilliseconds.subtractingSaturated(age / 1_000_000), to: &bytes)
            bytes.append(UInt8(ascii: ","))
            for text in [intervals.sensor.name, intervals.sensor.address] {
                CSVField.append(text, to: &bytes)
                bytes.append(UInt8(ascii: ","))
            }
            CSVField.append(Int64(beat.interval), to: &bytes)
            bytes.append(UInt8(ascii: ","))
            appendMilliseconds(of: beat.interval)
            bytes += (beat.followsGap ? ",true," : ",false,").utf8
            CSVField.append(recorded.run, to: &bytes)
            bytes.append(UInt8(ascii: ","))
            CSVField.append(beat.time.nanoseconds, to: &bytes)
            bytes += (isSimulated ? ",true" : ",false").utf8
            bytes += CSVField.lineEnd
        }
        sensors[intervals.sensor.address] = series
    }

    /// Writes an interval in milliseconds, exactly and without trailing zeros: 1024 units are 1000 ms.
    private mutating func appendMilliseconds(of interval: UInt16) {
        let (whole, rest) = (Int64(interval) * 125).quotientAndRemainder(dividingBy: 128)
        CSVField.append(whole, to: &bytes)
        guard rest > 0 else { return }
        // A 128th has seven decimals.
        let digits = String(rest * 78_125)
        var fraction = String(repeating: "0", count: 7 - digits.count) + digits
        while fraction.hasSuffix("0") { fraction.removeLast() }
        bytes += ".\(fraction)".utf8
    }

    mutating func write(_ recorded: RecordedReading) {}

    mutating func write(_ recorded: RecordedEntry) {}

    mutating func end() {}

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }
}
