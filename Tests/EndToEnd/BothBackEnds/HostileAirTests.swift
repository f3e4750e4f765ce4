import Testing

extension BothBackEnds {
    @Suite("What strangers send")
    struct HostileAirTests {
        /// An advertisement has room for no more.
        @Test(
            "in a name is shown as harmless text",
            arguments: [
                ("\u{1B}]0;own\u{07}\u{1B}[2J\u{9B}1m\u{202E}", "�]0;own��[2J"), ("\u{1B}[?1000hRed", "�[?1000hRed"),
            ])
        func hostileName(name: String, harmless: String) async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.start(on: world)
            try await bedside.waitUntil("the strap is listed") { $0.row(of: Steady.strap) != nil }
            try await world.please("rename hr \(name)")
            let screen = try await bedside.waitFor(harmless)
            #expect(screen.lines[0].contains("BEDSIDE"))
            // The title is ours: it says what is measured.
            #expect(screen.modes.title?.hasSuffix("- Bedside") != false)
            #expect(!screen.modes.isMouseReported)
            #expect(await !bedside.hasWritten("\u{1B}]0;own"))
            #expect(await !bedside.hasWritten("\u{1B}[?1000hRed"))
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
