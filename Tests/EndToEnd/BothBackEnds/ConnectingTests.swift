import Testing

extension BothBackEnds {
    @Suite("An attempt to connect goes wrong in every known way, and the sensor streams in the end")
    struct ConnectingTests {
        @Test("the sensor vanishes between the scan and the attempt, which is never answered")
        func neverAnswered() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.start(on: world)
            try await bedside.select(Steady.strap)
            try await world.please("vanish hr")
            await bedside.press(.enter)
            try await bedside.waitUntil("the attempt is shown") { $0.row(of: Steady.strap, says: "connecting") }
            try await world.please("return hr")
            try await bedside.waitUntil("the heart rate is there") { $0.number(of: "HEART RATE") == "72" }
        }

        @Test("the sensor stays away: the attempt is given up, reported, and repeated when the sensor is heard")
        func givenUp() async throws {
            let world = try await World.start()
            let watch = try await ProgramWithPipes.start(["watch", "--json", "--connect", Steady.strap], on: world)
            _ = try await watch.next("the heart rate") { $0.isReading(of: "heart_rate", 72) }
            try await world.please("vanish hr")
            _ = try await watch.next("an attempt that is given up") {
                $0.event == "connection" && $0.text("state") == "waiting" && $0.text("reason") == "timeout"
            }
            try await world.please("hr 81")
            try await world.please("return hr")
            _ = try await watch.next("the heart rate again") { $0.isReading(of: "heart_rate", 81) }
        }

        @Test("the link fails to be established three times: le-connection-abort-by-local")
        func refused() async throws {
            let world = try await World.start()
            try await world.please("refuse hr 3")
            let bedside = try await ProgramInTerminal.start(["--connect", Steady.strap], on: world)
            try await bedside.waitUntil("the heart rate is there") { $0.number(of: "HEART RATE") == "72" }
        }

        @Test("BlueZ forgets the device while it is being waited for: UnknownObject")
        func unknownObject() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.start(on: world)
            try await bedside.select(Steady.strap)
            let other = try await world.otherProgram()
            try await world.please("vanish hr")
            await bedside.press(.enter)
            // Forgotten before, its row would be gone, and the key meant for another one.
            try await bedside.waitUntil("the attempt is shown") { $0.row(of: Steady.strap, says: "connecting") }
            try await other.forget(Steady.strap)
            try await world.please("return hr")
            try await bedside.waitUntil("the heart rate is there") { $0.number(of: "HEART RATE") == "72" }
        }

        @Test("the adapter is switched off during the attempt: NotReady")
        func notReady() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.start(on: world)
            try await bedside.select(Steady.strap)
            let other = try await world.otherProgram()
            try await world.please("vanish hr")
            await bedside.press(.enter)
            try await bedside.waitUntil("the attempt is shown") { $0.row(of: Steady.strap, says: "connecting") }
            try await other.setPower(false)
            try await bedside.waitFor("BLUETOOTH IS OFF")
            try await world.please("return hr")
            try await other.setPower(true)
            try await bedside.waitUntil("the heart rate is there") { $0.number(of: "HEART RATE") == "72" }
        }

        @Test("another program's attempt is pending already: Operation already in progress")
        func inProgress() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.start(on: world)
            try await bedside.select(Steady.strap)
            let other = try await world.otherProgram()
            try await world.please("vanish hr")
            let pending = Task { try await other.connect(Steady.strap) }
            try await world.waitUntil("the other program's attempt is pending, or has succeeded") {
                try await other.isTrying(Steady.strap)
            }
            await bedside.press(.enter)
            try await bedside.waitUntil("the attempt is shown") { $0.row(of: Steady.strap, says: "nearby") == false }
            try await world.please("return hr")
            try await bedside.waitUntil("the heart rate is there") { $0.number(of: "HEART RATE") == "72" }
            _ = try? await pending.value
        }
    }
}
