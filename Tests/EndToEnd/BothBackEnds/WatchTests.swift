import Glibc
import Testing

extension BothBackEnds {
    /// The lines of `bedside watch --json`, as another program reads them.
    @Suite("bedside watch --json")
    struct WatchTests {
        @Test("reports what the sensors measure, that a strap is off, what is malformed and that a link is lost")
        func events() async throws {
            let world = try await World.start()
            let watch = try await ProgramWithPipes.start(["watch", "--json", "--connect", "all"], on: world)
            let bare = try await watch.next("the bus") { $0.event == "bus" }
            #expect(bare.text("state") == "connected")

            var missing = ["heart_rate": 72.0, "pulse_rate": 71, "spo2": 98, "body_temperature": 36.8]
            while !missing.isEmpty {
                let reading = try await watch.next("\(missing)") { line in
                    missing.contains { line.isReading(of: $0.key, $0.value) }
                }
                let vital = try #require(reading.text("vital"))
                let units = ["heart_rate": "/min", "pulse_rate": "/min", "spo2": "%", "body_temperature": "Cel"]
                #expect(reading.text("unit") == units[vital])
                missing[vital] = nil
            }

            try await world.please("contact off")
            let absence = try await watch.next("the strap off the body") {
                $0.event == "reading" && $0.text("state") == "no_measurement"
            }
            #expect(absence.text("vital") == "heart_rate")
            #expect(absence.text("reason") == "no_contact")
            #expect(absence.fields["value"] == nil)
            #expect(absence.sensor == Steady.strap)

            try await world.please("raw spo2 1F")
            let malformed = try await watch.next("the malformed octets") { $0.event == "malformed" }
            #expect(malformed.text("characteristic") == "2A5F")
            #expect(malformed.text("octets")?.uppercased() == "1F")
            #expect(malformed.sensor == Steady.oximeter)

            try await world.please("drop temp")
            let lost = try await watch.next("the lost link") {
                $0.event == "connection" && $0.sensor == Steady.thermometer && $0.text("reason") == "link_lost"
            }
            #expect(["waiting", "disconnected"].contains(lost.text("state")))
            _ = try await watch.next("the thermometer again") { $0.isReading(of: "body_temperature", 36.8) }

            await watch.send(signal: SIGTERM)
            #expect(try await watch.waitForExit().status == .exited(0))
            try await world.waitUntilNothingIsConnected()
        }

        @Test("ends when its output is closed")
        func closedPipe() async throws {
            let world = try await World.start()
            let watch = try await ProgramWithPipes.start(["watch", "--json", "--connect", "all"], on: world)
            _ = try await watch.next("a reading") { $0.event == "reading" }
            await watch.closeOutput()
            #expect(try await watch.waitForExit().status == .exited(0))
            try await world.waitUntilNothingIsConnected()
        }

        @Test("neither omits nor repeats a value in a burst")
        func burst() async throws {
            let world = try await World.start()
            let watch = try await ProgramWithPipes.start(["watch", "--json", "--connect", Steady.strap], on: world)
            _ = try await watch.next("the heart rate") { $0.isReading(of: "heart_rate", 72) }
            try await world.please("quiet hr")
            try await world.please("burst hr 1000")
            // The burst counts up in the eight bits of the heart rate, of which 0 to 19 and 255 are no measurements.
            var reading = try await watch.next("the burst") {
                $0.isFromSensor && $0.text("state") == "no_measurement"
            }
            for number in 1..<1000 {
                reading = try await watch.next("value \(number) of the burst") { $0.isFromSensor }
                let rate = number % 256
                try #require(reading.number("value") == ((20...254).contains(rate) ? Double(rate) : nil))
            }
            try await world.please("loud hr")
            reading = try await watch.next("what follows the burst") { $0.isFromSensor }
            #expect(reading.number("value") == 72, "\(reading.fields)")
        }
    }
}
