import Testing

extension BothBackEnds {
    @Suite("The adapter disappears or is switched off, each is distinguished, and everything recovers by itself")
    struct AdapterTests {
        static let missing = (trouble: "NO BLUETOOTH ADAPTER", remedy: "plug in an adapter")
        static let off = (trouble: "BLUETOOTH IS OFF", remedy: "bluetoothctl power on")
        static let blocked = (trouble: "BLUETOOTH BLOCKED", remedy: "rfkill unblock bluetooth")

        @Test("there is none at the start")
        func none() async throws {
            let world = try await World.start()
            try await world.please("unplug")
            let bedside = try await ProgramInTerminal.start(["--connect", "all"], on: world)
            try await bedside.waitFor(trouble: Self.missing.trouble, remedy: Self.missing.remedy)
            try await world.please("plug")
            try await bedside.expectRecovery(from: Self.missing.trouble, in: world)
        }

        @Test("it is unplugged while sensors stream, and plugged in again")
        func unplugged() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.streaming(in: world)
            try await world.please("unplug")
            try await bedside.waitFor(trouble: Self.missing.trouble, remedy: Self.missing.remedy)
            try await world.please("plug")
            try await bedside.expectRecovery(from: Self.missing.trouble, in: world)
        }

        @Test("another program switches it off, and on again")
        func switchedOff() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.streaming(in: world)
            let other = try await world.otherProgram()
            try await other.setPower(false)
            let screen = try await bedside.waitUntil("the adapter is shown as off, with how to switch it on") {
                $0.shows(Self.off.trouble) && $0.shows(Self.off.remedy)
            }
            #expect(!screen.shows(Self.blocked.trouble))
            try await other.setPower(true)
            try await bedside.expectRecovery(from: Self.off.trouble, in: world)
        }

        @Test("it is off at the start")
        func offAtStart() async throws {
            let world = try await World.start()
            let other = try await world.otherProgram()
            try await other.setPower(false)
            let bedside = try await ProgramInTerminal.start(["--connect", "all"], on: world)
            try await bedside.waitFor(trouble: Self.off.trouble, remedy: Self.off.remedy)
            try await other.setPower(true)
            try await bedside.expectRecovery(from: Self.off.trouble, in: world)
        }

        @Test("it is blocked by rfkill, which is another trouble with another remedy, and unblocked")
        func blocked() async throws {
            let world = try await World.withRadioSwitch()
            let bedside = try await ProgramInTerminal.streaming(in: world)
            try await world.please("rfkill block")
            try await bedside.waitFor(trouble: Self.blocked.trouble, remedy: Self.blocked.remedy)
            try await world.please("rfkill unblock")
            try await bedside.expectRecovery(from: Self.blocked.trouble, in: world)
        }

        @Test("watch --json distinguishes the states of the adapter")
        func watched() async throws {
            let world = try await World.withRadioSwitch()
            let watch = try await ProgramWithPipes.start(["watch", "--json"], on: world)
            _ = try await watch.next("the adapter") { $0.event == "adapter" && $0.text("state") == "ready" }
            let other = try await world.otherProgram()
            try await other.setPower(false)
            _ = try await watch.next("the power off") { $0.event == "adapter" && $0.text("state") == "off" }
            try await other.setPower(true)
            _ = try await watch.next("the power on") { $0.event == "adapter" && $0.text("state") == "ready" }
            try await world.please("rfkill block")
            _ = try await watch.next("the block") { $0.event == "adapter" && $0.text("state") == "blocked" }
            try await world.please("rfkill unblock")
            _ = try await watch.next("the end of the block") { $0.event == "adapter" && $0.text("state") == "ready" }
            try await world.please("unplug")
            _ = try await watch.next("no adapter") { $0.event == "adapter" && $0.text("state") == "missing" }
            try await world.please("plug")
            _ = try await watch.next("the adapter again") { $0.event == "adapter" && $0.text("state") == "ready" }
        }
    }
}
