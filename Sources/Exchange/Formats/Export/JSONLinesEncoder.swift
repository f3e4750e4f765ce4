import Monitoring
import Vitals

/// Writes recorded readings as the lines of `bedside watch --json`, with the run and the monotonic clock.
struct JSONLinesEncoder: ReadingEncoder {
    private var encoder: WatchEncoder

    init(isSimulated: Bool) {
        encoder = WatchEncoder(isSimulated: isSimulated)
    }

    var bytes: [UInt8] { encoder.json.bytes }

    mutating func begin() {}

    mutating func write(_ recorded: RecordedReading) {
        encoder.write(recorded)
    }

    mutating func write(_ recorded: RecordedEntry) {
        encoder.write(recorded)
    }

    mutating func end() {}

    mutating func removeAll() {
        encoder.json.removeAll()
    }
}
