import Foundation
import Testing

/// A line of `bedside watch --json`, parsed.
struct WatchLine {
    let fields: [String: Any]

    init(_ text: String) throws {
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        fields = try #require(object as? [String: Any], "not an object: \(text)")
        #expect(fields["v"] as? Int == 1, "\(text)")
        let time = try #require(fields["t"] as? String, "no time: \(text)")
        #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(time)")
        #expect(Self.events.contains(event), "\(text)")
    }

    static let events: Set<String> = [
        "bus", "daemon", "adapter", "adapters", "peripheral", "connection", "reading", "battery", "malformed", "alarm",
        "gap", "pairing", "replay", "blood_pressure", "cuff_pressure", "weight", "beacon",
        "wave",
    ]

    var event: String { fields["event"] as? String ?? "" }
    var sensor: String { (fields["sensor"] as? [String: Any])?["name"] as? String ?? "" }

    func text(_ field: String) -> String? { fields[field] as? String }
    func number(_ field: String) -> Double? { fields[field] as? Double }

    /// Whether it reports what a sensor has sent, and not that one is silent, which a slow machine may bring about.
    var isFromSensor: Bool { event == "reading" && text("reason") != "silent" }

    func isReading(of vital: String, _ value: Double) -> Bool {
        event == "reading" && text("vital") == vital && text("state") == "measured" && number("value") == value
    }
}

extension ProgramWithPipes {
    /// Reads lines of `watch --json` until one meets a condition.
    nonisolated func next(
        _ description: String, within limit: Duration = Harness.timeout * 2,
        sourceLocation: SourceLocation = #_sourceLocation, where condition: (WatchLine) -> Bool
    ) async throws -> WatchLine {
        // Other lines may come for ever.
        let end = ContinuousClock.now.advanced(by: limit)
        while let text = try await nextLine(sourceLocation: sourceLocation) {
            let line = try WatchLine(text)
            if condition(line) { return line }
            if ContinuousClock.now > end { throw await failure("waited in vain for \(description)", sourceLocation) }
        }
        throw await failure("the output ended without \(description)", sourceLocation)
    }
}
