import Testing

extension BothBackEnds {
    @Suite("The message bus goes away, and the program says so and finds its way back")
    struct BusTests {
        @Test("there is none at the start")
        func missing() async throws {
            let world = try await World.start()
            try await world.please("dbus-stop")
            let bedside = try await ProgramInTerminal.start(["--connect", "all"], on: world)
            try await bedside.waitFor(trouble: "NO MESSAGE BUS", remedy: "sudo systemctl start dbus")
            await bedside.type("?")
            try await bedside.waitFor("HELP")
            await bedside.type("?")
            try await world.please("dbus-start")
            try await world.please("bluez-start")
            try await bedside.expectRecovery(from: "NO MESSAGE BUS", in: world)
            #expect(try await bedside.quit() == .exited(0))
            #expect(await bedside.damageToTerminal.isEmpty)
        }

        @Test("it is ended while sensors stream, and comes back with bluetoothd")
        func returns() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.streaming(in: world)
            try await world.please("dbus-stop")
            try await bedside.waitFor(trouble: "NO MESSAGE BUS", remedy: "sudo systemctl start dbus")
            try await world.please("dbus-start")
            try await bedside.waitFor(trouble: "BLUETOOTH NOT RUNNING", remedy: "sudo systemctl start bluetooth")
            try await world.please("bluez-start")
            try await bedside.expectRecovery(from: "BLUETOOTH NOT RUNNING", in: world)
        }

        @Test("it never comes back, and the program can be left all the same")
        func leaving() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.streaming(in: world)
            try await world.please("dbus-stop")
            try await bedside.waitFor("NO MESSAGE BUS")
            #expect(try await bedside.quit() == .exited(0))
            #expect(await bedside.damageToTerminal.isEmpty)
        }

        @Test("watch --json reports the loss and the recovery")
        func watched() async throws {
            let world = try await World.start()
            let watch = try await ProgramWithPipes.start(["watch", "--json", "--connect", "all"], on: world)
            _ = try await watch.next("the heart rate") { $0.isReading(of: "heart_rate", 72) }
            try await world.please("dbus-stop")
            _ = try await watch.next("the loss") { $0.event == "bus" && $0.text("state") == "lost" }
            try await world.please("dbus-start")
            try await world.please("bluez-start")
            try await world.please("hr 81")
            _ = try await watch.next("the bus again") { $0.event == "bus" && $0.text("state") == "connected" }
            _ = try await watch.next("the heart rate again") { $0.isReading(of: "heart_rate", 81) }
        }
    }
}
