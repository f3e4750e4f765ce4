import Testing

extension BothBackEnds {
    @Suite("A sensor's link or voice goes, and comes back by itself")
    struct LinkTests {
        @Test("the link is lost for a moment; the drop is counted")
        func dropped() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.streaming(in: world)
            try await world.please("hr 81")
            try await world.please("drop hr")
            // One drop, or two when the first attempt to connect again comes to nothing.
            try await bedside.waitUntil("the drop is counted and the strap measures again") {
                $0.row(of: Steady.strap)?.contains(/lost (once|2x) in/) == true && $0.number(of: "HEART RATE") == "81"
            }
        }

        @Test("the sensor is carried out of range and back")
        func outOfRange() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.streaming(in: world)
            try await world.please("vanish hr")
            try await bedside.waitUntil("the strap is being waited for, and its number is gone") {
                !$0.row(of: Steady.strap, says: "connected") && $0.number(of: "HEART RATE") == "LOST"
                    && $0.number(of: "SpO₂") == "98"
            }
            try await world.please("hr 81")
            try await world.please("return hr")
            try await bedside.waitUntil("the heart rate is back") { $0.number(of: "HEART RATE") == "81" }
        }

        @Test("the sensor is away for so long that BlueZ forgets it, and comes back")
        func forgotten() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.streaming(in: world)
            let other = try await world.otherProgram()
            try await world.please("vanish hr")
            // An unpaired device is removed 30 s after its link has ended, unless an attempt to connect keeps it.
            try await other.forget(Steady.strap)
            try await world.please("hr 81")
            try await world.please("return hr")
            try await bedside.waitUntil("the heart rate is back") { $0.number(of: "HEART RATE") == "81" }
        }

        @Test("the sensor hangs up, as one that is switched off, and is switched on again")
        func hungUp() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.streaming(in: world)
            try await world.please("adv spo2 off")
            try await world.please("bye spo2")
            try await bedside.waitUntil("the oximeter is gone") { $0.number(of: "SpO₂") == "LOST" }
            try await world.please("spo2 97")
            try await world.please("adv spo2 on")
            try await bedside.waitUntil("the oxygen saturation is back") { $0.number(of: "SpO₂") == "97" }
        }

        @Test("the sensor reboots: it hangs up and is back at once")
        func rebooted() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.streaming(in: world)
            try await world.please("temp 37.1")
            try await world.please("bye temp")
            try await bedside.waitUntil("the temperature has come back") { $0.number(of: "TEMPERATURE") == "37.1" }
        }

        @Test("the sensor is silent though connected")
        func silent() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.streaming(in: world)
            try await world.please("quiet spo2")
            try await bedside.waitFor("connected, but nothing arrives")
            try await world.please("loud spo2")
            try await bedside.waitUntil("the oxygen saturation is back") { $0.number(of: "SpO₂") == "98" }
        }

        @Test("the sensor accepts the subscription, and never notifies")
        func neverNotifies() async throws {
            let world = try await World.start()
            try await world.please("quiet hr")
            let bedside = try await ProgramInTerminal.start(["--connect", "all"], on: world)
            try await world.waitUntil("the strap has a subscriber") {
                try await world.sensor("hr").subscribed.contains("2a37")
            }
            try await bedside.waitFor("connected, but nothing arrives")
            try await world.please("loud hr")
            try await bedside.waitUntil("the heart rate is there") { $0.number(of: "HEART RATE") == "72" }
        }

        @Test("watch --json names what happened to the link, and says when it will be tried again")
        func watched() async throws {
            let world = try await World.start()
            let watch = try await ProgramWithPipes.start(["watch", "--json", "--connect", Steady.strap], on: world)
            _ = try await watch.next("the heart rate") { $0.isReading(of: "heart_rate", 72) }
            try await world.please("vanish hr")
            _ = try await watch.next("the loss") { $0.event == "connection" && $0.text("reason") == "link_lost" }
            try await world.please("hr 81")
            try await world.please("return hr")
            _ = try await watch.next("the strap ready") { $0.event == "connection" && $0.text("state") == "ready" }
            _ = try await watch.next("the heart rate again") { $0.isReading(of: "heart_rate", 81) }
        }
    }
}
