import Testing

extension BothBackEnds {
    @Suite("What strangers send")
    struct HostileAirTests {
        @Test("in a name is shown as harmless text")
        func hostileName() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.start(on: world)
            try await bedside.waitUntil("the strap is listed") { $0.row(of: Steady.strap) != nil }
            try await world.please("rename hr \u{1B}]0;owned\u{07}\u{1B}[2J\u{1B}[?1000h\u{9B}31mRed\u{202E}")
            let screen = try await bedside.waitFor("�]0;owned��[2J")
            #expect(screen.lines[0].contains("BEDSIDE"))
            #expect(screen.modes.title == nil)
            #expect(!screen.modes.isMouseReported)
            #expect(await !bedside.hasWritten("\u{1B}]0;owned"))
            #expect(await !bedside.hasWritten("\u{9B}"))
            #expect(await !bedside.hasWritten("\u{202E}"))
        }

        @Test("as a measurement and is none is counted on the sensor's row, and is neither a value nor off-body")
        func malformed() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.start(["--connect", "all"], on: world)
            try await bedside.waitForSteadyValues()
            try await world.please("raw hr 06")
            try await world.please("raw hr 07 FF")
            let screen = try await bedside.waitUntil("two malformed values are counted") {
                $0.row(of: Steady.strap)?.contains("2 malformed") == true
            }
            #expect(!screen.shows("NO MEASUREMENT"))
            #expect(screen.number(of: "HEART RATE") == "72")
        }

        @Test("as zero or as a special value is no measurement", arguments: ["hr 0", "spo2 nan", "temp nan"])
        func special(command: String) async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.start(["--connect", "all"], on: world)
            try await bedside.waitForSteadyValues()
            try await world.please(command)
            try await bedside.waitFor("NO MEASUREMENT")
        }
    }
}
