import Testing

extension BothBackEnds {
    @Suite("A sensor's services change while it is connected")
    struct ServicesTests {
        @Test("they are subscribed to again at their new handles, and every vital continues")
        func moved() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.streaming(in: world)
            try await world.please("services-changed all")
            try await world.please("hr 81")
            try await world.please("spo2 95")
            try await world.please("temp 37.2")
            try await bedside.waitUntil("all three vitals have their new values") { screen in
                screen.number(of: "HEART RATE") == "81" && screen.number(of: "SpO₂") == "95"
                    && screen.number(of: "TEMPERATURE") == "37.2"
            }
            // Service after service, not link after link.
            #expect(try await world.connectedSensors() == 3)
        }
    }
}
