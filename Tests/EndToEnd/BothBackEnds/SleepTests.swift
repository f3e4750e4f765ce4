import Testing

extension BothBackEnds {
    @Suite("The computer sleeps")
    struct SleepTests {
        @Test("and wakes up: the sleep is a gap, and the sensors stream again", .only(.suspend))
        func suspended() async throws {
            let world = try await World.start()
            let watch = try await ProgramWithPipes.start(["watch", "--json", "--connect", "all"], on: world)
            for (vital, value) in [("heart_rate", 72.0), ("spo2", 98), ("body_temperature", 36.8)] {
                _ = try await watch.next(vital) { $0.isReading(of: vital, value) }
            }
            try await world.please("suspend 20")
            _ = try await watch.next("the gap") { $0.event == "gap" && $0.text("reason") == "asleep" }
            try await world.please("hr 81")
            _ = try await watch.next("the heart rate again") { $0.isReading(of: "heart_rate", 81) }
        }
    }
}
