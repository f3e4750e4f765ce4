import Testing

extension BothBackEnds {
    @Suite("Another program uses the same sensors")
    struct OtherProgramTests {
        @Test("it has connected a sensor first; we read it too, and leave it connected when we go")
        func foreignLink() async throws {
            let world = try await World.start()
            let other = try await world.otherProgram()
            try await other.connect(Steady.strap)
            let bedside = try await ProgramInTerminal.streaming(in: world)
            #expect(try await bedside.quit() == .exited(0))
            try await world.waitUntil("only the strap is connected") { try await world.connectedSensors() == 1 }
            #expect(try await world.sensor("hr").isConnected)
        }

        @Test("it subscribes to the same values, which BlueZ then signals twice; each counts once")
        func doubled() async throws {
            let world = try await World.start()
            let watch = try await ProgramWithPipes.start(["watch", "--json", "--connect", Steady.strap], on: world)
            _ = try await watch.next("the heart rate") { $0.isReading(of: "heart_rate", 72) }
            let other = try await world.otherProgram()
            try await other.call("StartNotify", of: "2a37", Steady.strap)
            // From here on every value is signalled twice. The numbers count up, so a doubled one would be seen.
            try await world.please("quiet hr")
            try await world.please("burst hr 50 20")
            var rates: [Double] = []
            while rates.last != 49 {
                let reading = try await watch.next("the burst after \(rates)") { $0.event == "reading" }
                if let rate = reading.number("value"), rate < 60 { rates.append(rate) }
            }
            // Below 20 there is no rate. The first copies, which on a busy computer may come too late to be distinguished from a
            // quick sensor's next value, are among those.
            #expect(rates == (20...49).map(Double.init))
            await other.leave()
        }

        @Test("it disconnects a sensor of ours, which comes back")
        func disconnected() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.streaming(in: world)
            let other = try await world.otherProgram()
            try await world.please("hr 81")
            try await other.disconnect(Steady.strap)
            try await bedside.waitUntil("the heart rate is back") { $0.number(of: "HEART RATE") == "81" }
        }

        @Test("it removes a connected sensor from BlueZ behind our back, which is found again and comes back")
        func removed() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.streaming(in: world)
            let other = try await world.otherProgram()
            try await world.please("hr 81")
            try await other.forget(Steady.strap)
            try await bedside.waitUntil("the heart rate is back") { $0.number(of: "HEART RATE") == "81" }
        }

        @Test("it discovers too, and stops; our discovery continues")
        func discovers() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.start(on: world)
            try await bedside.waitUntil("the program scans") { $0.lines[0].contains("● scanning") }
            let other = try await world.otherProgram()
            try await other.startDiscovery()
            try await other.stopDiscovery()
            try await bedside.waitUntil("three sensors are nearby") { screen in
                Steady.all.allSatisfy { screen.row(of: $0, says: "nearby") }
            }
            #expect(try await other.adapter("Discovering")?.isTrue == true)
        }
    }
}
