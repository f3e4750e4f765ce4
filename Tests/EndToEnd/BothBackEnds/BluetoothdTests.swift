import Testing

extension BothBackEnds {
    @Suite("bluetoothd goes away, and the sensors that were wanted come back by themselves")
    struct BluetoothdTests {
        static let trouble = "BLUETOOTH NOT RUNNING"
        static let remedy = "sudo systemctl start bluetooth"

        @Test("it does not run at the start")
        func missing() async throws {
            let world = try await World.start()
            try await world.please("bluez-stop")
            let bedside = try await ProgramInTerminal.start(["--connect", "all"], on: world)
            try await bedside.waitFor(trouble: Self.trouble, remedy: Self.remedy)
            try await world.please("bluez-start")
            try await bedside.expectRecovery(from: Self.trouble, in: world)
        }

        @Test("it is killed, or stopped in order, and started again", arguments: ["bluez-kill", "bluez-stop"])
        func ended(how: String) async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.streaming(in: world)
            try await world.please(how)
            try await bedside.waitFor(trouble: Self.trouble, remedy: Self.remedy)
            try await world.please("bluez-start")
            try await bedside.expectRecovery(from: Self.trouble, in: world)
        }

        @Test("it is restarted by others, faster than anybody could read of it")
        func restarted() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.streaming(in: world)
            try await world.please("bluez-restart")
            try await bedside.expectRecovery(from: Self.trouble, in: world)
        }

        @Test("it is killed and back before the kernel has given its links up")
        func backAtOnce() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.streaming(in: world)
            try await world.please("bluez-kill")
            try await world.please("bluez-start")
            try await bedside.expectRecovery(from: Self.trouble, in: world)
        }

        @Test("it is killed while it discovers, and refuses to discover until the kernel has done with its scan")
        func killedScanning() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.start(on: world)
            try await bedside.waitUntil("three sensors are nearby") { screen in
                Steady.all.allSatisfy { screen.row(of: $0, says: "nearby") }
            }
            try await world.please("bluez-kill")
            try await bedside.waitFor(trouble: Self.trouble, remedy: Self.remedy)
            try await world.please("rename temp CORE [2B]")
            try await world.please("bluez-start")
            try await bedside.waitUntil("the sensors are heard again, one with another name") { screen in
                !screen.shows(Self.trouble)
                    && ["CORE [2B]", Steady.strap, Steady.oximeter].allSatisfy { screen.row(of: $0, says: "nearby") }
            }
        }

        @Test("watch --json reports its end, its return and the sensors that stream again")
        func watched() async throws {
            let world = try await World.start()
            let watch = try await ProgramWithPipes.start(["watch", "--json", "--connect", "all"], on: world)
            _ = try await watch.next("the oxygen saturation") { $0.isReading(of: "spo2", 98) }
            try await world.please("bluez-kill")
            _ = try await watch.next("the end") { $0.event == "daemon" && $0.text("state") == "gone" }
            try await world.please("spo2 97")
            try await world.please("bluez-start")
            _ = try await watch.next("the return") { $0.event == "daemon" && $0.text("state") == "running" }
            _ = try await watch.next("the oxygen saturation again") { $0.isReading(of: "spo2", 97) }
        }
    }
}
