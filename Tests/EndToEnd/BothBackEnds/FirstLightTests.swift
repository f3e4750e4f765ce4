import Glibc
import Testing

extension BothBackEnds {
    /// The main job of the program, as a carer does it.
    @Suite("A carer at the keyboard")
    struct FirstLightTests {
        @Test("scans, connects three sensors, reads them, sees a strap come off and a fever come, and leaves")
        func firstLight() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.start(on: world)

            try await bedside.waitUntil("three sensors are nearby") { screen in
                Steady.all.allSatisfy { screen.row(of: $0, says: "nearby") }
            }
            for sensor in Steady.all { try await bedside.connect(sensor) }
            try await bedside.waitForSteadyValues()

            try await world.please("contact off")
            try await bedside.waitUntil("a banner says why there is no heart rate, and what to do") {
                $0.shows("NO MEASUREMENT") && $0.shows("sensor reports no skin contact")
                    && $0.shows("moisten and refit the strap") && $0.number(of: "HEART RATE") == "OFF"
            }
            try await world.please("contact on")
            try await bedside.waitUntil("the heart rate is back and the banner gone") {
                $0.number(of: "HEART RATE") == "72" && !$0.shows("NO MEASUREMENT")
            }

            try await world.please("temp 38.6")
            let alert = try await bedside.waitFor("FEVER 38.6 °C ≥ 38.3")
            // It flashes: half of the time its ground is dark.
            try await bedside.waitUntil("the fever alert is lit") {
                $0.cells(of: "FEVER").contains { $0.isBold && $0.isReversed || $0.background != .standard }
            }
            #expect(alert.lines.firstIndex { $0.contains("FEVER") } == 1)
            await bedside.type("a")
            try await bedside.waitUntil("the fever alert is acknowledged") {
                $0.line(showing: "FEVER")?.contains("acknowledged") == true
            }

            await bedside.type("u")
            try await bedside.waitUntil("the temperature is shown in °F") { $0.number(of: "TEMPERATURE") == "101.5" }
            await bedside.type("?")
            try await bedside.waitFor("HELP")
            await bedside.press(.escape)
            try await bedside.waitUntil("the help is closed") { !$0.shows("HELP") }

            try await bedside.select(Steady.oximeter)
            try await bedside.disconnect()
            try await bedside.waitUntil("the oximeter is disconnected") {
                !$0.row(of: Steady.oximeter, says: "connected") && $0.number(of: "SpO₂").isEmpty
            }

            try await bedside.quitWhenAsked()
            #expect(try await bedside.waitForExit() == .exited(0))
            #expect(await bedside.damageToTerminal.isEmpty)
        }

        @Test("stops and starts the scan with a key")
        func scanning() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.start(on: world)
            try await bedside.waitUntil("the program scans by itself") { $0.lines[0].contains("● scanning") }
            await bedside.type("s")
            try await bedside.waitUntil("the scan is off") { $0.lines[0].contains("not scanning") }
            await bedside.type("s")
            try await bedside.waitUntil("the scan is on again") { $0.lines[0].contains("● scanning") }
        }
    }
}
