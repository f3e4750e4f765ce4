import Foundation
import Testing

/// The lines of `bedside watch --json`, as another program reads them.
@Suite("bedside watch --json")
struct WatchTests {
    /// A line as it was parsed.
    struct Line {
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
            "bus", "daemon", "adapter", "peripheral", "connection", "reading", "battery", "malformed", "alarm", "gap",
        ]

        var event: String { fields["event"] as? String ?? "" }
        var sensor: String { (fields["sensor"] as? [String: Any])?["name"] as? String ?? "" }

        func text(_ field: String) -> String? { fields[field] as? String }
        func number(_ field: String) -> Double? { fields[field] as? Double }

        func isReading(of vital: String, _ value: Double) -> Bool {
            event == "reading" && text("vital") == vital && text("state") == "measured" && number("value") == value
        }
    }

    /// Reads lines until one meets a condition.
    private func next(
        of program: ProgramWithPipes, _ description: String, sourceLocation: SourceLocation = #_sourceLocation,
        where condition: (Line) -> Bool
    ) async throws -> Line {
        while let text = try await program.nextLine(sourceLocation: sourceLocation) {
            let line = try Line(text)
            if condition(line) { return line }
        }
        throw await program.failure("the output ended without \(description)", sourceLocation)
    }

    @Test("tells what the sensors measure, that a strap is off, what is malformed and that a link is lost")
    func events() async throws {
        let bus = try await SimulatedBus.start("steady")
        let watch = try await ProgramWithPipes.start(["watch", "--json", "--connect", "all"], on: bus)
        let bare = try await next(of: watch, "the bus") { $0.event == "bus" }
        #expect(bare.text("state") == "connected")

        var missing = ["heart_rate": 72.0, "pulse_rate": 71, "spo2": 98, "body_temperature": 36.8]
        while !missing.isEmpty {
            let reading = try await next(of: watch, "\(missing)") { line in
                missing.contains { line.isReading(of: $0.key, $0.value) }
            }
            let vital = try #require(reading.text("vital"))
            let units = ["heart_rate": "/min", "pulse_rate": "/min", "spo2": "%", "body_temperature": "Cel"]
            #expect(reading.text("unit") == units[vital])
            missing[vital] = nil
        }

        try await bus.please("contact off")
        let absence = try await next(of: watch, "the strap off the body") {
            $0.event == "reading" && $0.text("state") == "no_measurement"
        }
        #expect(absence.text("vital") == "heart_rate")
        #expect(absence.text("reason") == "no_contact")
        #expect(absence.fields["value"] == nil)
        #expect(absence.sensor == Steady.strap)

        try await bus.please("raw spo2 1F")
        let malformed = try await next(of: watch, "the malformed octets") { $0.event == "malformed" }
        #expect(malformed.text("characteristic") == "2A5F")
        #expect(malformed.text("octets")?.uppercased() == "1F")
        #expect(malformed.sensor == Steady.oximeter)

        try await bus.please("drop temp")
        let lost = try await next(of: watch, "the lost link") {
            $0.event == "connection" && $0.sensor == Steady.thermometer && $0.text("reason") == "link_lost"
        }
        #expect(["waiting", "disconnected"].contains(lost.text("state")))
        _ = try await next(of: watch, "the thermometer again") { $0.isReading(of: "body_temperature", 36.8) }

        await watch.send(signal: SIGTERM)
        #expect(try await watch.waitForExit().status == .exited(0))
        try await bus.waitUntilNothingIsConnected()
    }

    @Test("ends after as many readings as --count says, and labels what is simulated")
    func count() async throws {
        let outcome = try await ProgramWithPipes.run([
            "watch", "--json", "--simulate=steady", "--connect", "all", "--count", "5",
        ])
        #expect(outcome.status == .exited(0))
        let lines = try outcome.output.split(separator: "\n").map { try Line(String($0)) }
        #expect(lines.count { $0.event == "reading" } == 5)
        #expect(lines.allSatisfy { $0.fields["simulated"] as? Bool == true })
    }

    @Test("ends when nobody reads any more")
    func closedPipe() async throws {
        let bus = try await SimulatedBus.start("steady")
        let watch = try await ProgramWithPipes.start(["watch", "--json", "--connect", "all"], on: bus)
        _ = try await next(of: watch, "a reading") { $0.event == "reading" }
        await watch.closeOutput()
        #expect(try await watch.waitForExit().status == .exited(0))
        try await bus.waitUntilNothingIsConnected()
    }

    @Test("leaves nothing out and tells nothing twice in a burst")
    func burst() async throws {
        let bus = try await SimulatedBus.start("steady")
        let watch = try await ProgramWithPipes.start(["watch", "--json", "--connect", Steady.strap], on: bus)
        _ = try await next(of: watch, "the heart rate") { $0.isReading(of: "heart_rate", 72) }
        try await bus.please("quiet hr")
        try await bus.please("burst hr 1000")
        // The burst counts up in the eight bits of the heart rate, of which 0 and 255 are no measurements.
        var reading = try await next(of: watch, "the burst") {
            $0.event == "reading" && $0.text("state") == "no_measurement"
        }
        for number in 1..<1000 {
            reading = try await next(of: watch, "value \(number) of the burst") { $0.event == "reading" }
            let rate = number % 256
            try #require(reading.number("value") == (rate == 0 || rate == 255 ? nil : Double(rate)))
        }
        try await bus.please("loud hr")
        reading = try await next(of: watch, "what follows the burst") { $0.event == "reading" }
        #expect(reading.number("value") == 72, "\(reading.fields)")
    }
}
