import Glibc
import TestSupport
import Testing

/// A bed that is silent as long as a ward screen sounds for it, with the real mosquitto and sound cards that are files.
@Suite("A bed that is silent as planned", .startsPrograms, .enabled(if: PrivateBroker.isHere))
struct SilentBedTests {
    /// A bed and a ward screen, each with a sound card of its own.
    private struct Pair {
        let world: World
        let broker: PrivateBroker
        let bedCard: SoundCard
        let wardCard: SoundCard
        let bed: ProgramInTerminal
        let ward: ProgramInTerminal

        init() async throws {
            world = try await World.simulated("steady")
            broker = try PrivateBroker()
            (bedCard, wardCard) = (try SoundCard(), try SoundCard())
            ward = try await ProgramInTerminal.start(
                ["ward", "--simulate"] + broker.options, environment: wardCard.environment, columns: 120, rows: 30)
            bed = try await Self.startBed(broker, bedCard, world)
            try await ward.waitUntil("the ward has the bed") { $0.hasLiveBed && $0.shows("SOUND: speakers") }
        }

        /// Starts the bed once more.
        func startBed() async throws -> ProgramInTerminal { try await Self.startBed(broker, bedCard, world) }

        private static func startBed(
            _ broker: PrivateBroker, _ card: SoundCard, _ world: World
        ) async throws -> ProgramInTerminal {
            let bed = try await ProgramInTerminal.start(
                ["--connect", Steady.strap, "--set", "ward.site=north", "--set", "ward.bed=7"] + broker.options,
                on: world, environment: card.environment, columns: 160, rows: 40)
            try await bed.waitUntil("the bed measures, sounds and is in a ward") {
                $0.number(of: "HEART RATE") == "72" && $0.shows("SOUND: speakers") && $0.shows("WARD ●")
            }
            return bed
        }

        /// The nurse plans an hour of silence, which the ward screen confirms.
        func plan() async throws {
            // On a busy computer the sound may be proven too late for once; then the nurse asks again.
            for _ in 0..<3 where await !bed.screen.shows("SILENT until") {
                await bed.type("Z")
                try await bed.waitFor("Be silent for how long?")
                await bed.type("1")
                try await bed.waitUntil("the bed waits, or is silent") {
                    $0.shows("not silent yet") || $0.shows("SILENT until")
                }
                try await bed.waitUntil("the bed waits no more") { !$0.shows("not silent yet") }
            }
            try await bed.waitUntil("the bed is silent") { $0.shows("SILENT until") && $0.shows("sounded by") }
            try await ward.waitFor("ONLY THIS SCREEN SOUNDS for bed 7 until")
        }

        /// The heart races: only the ward is heard.
        func race() async throws {
            try await world.please("hr 150")
            try await world.waitUntil("the alarm sounds at the ward") { wardCard.isHeard }
            try await bed.waitFor("SILENT until")
            #expect(!bedCard.isHeard)
        }

        func awaitSound() async throws {
            try await bed.waitUntil("the bed is silent no more") { !$0.shows("SILENT until") }
            try await world.waitUntil("the alarm sounds at the bed") { bedCard.isHeard }
        }

        func end() async throws {
            _ = try await bed.quit()
            _ = try await ward.quit()
        }
    }

    @Test(
        "lets the ward sound its alarms, and sounds them itself when the ward screen is killed, or hangs",
        arguments: [SIGKILL, SIGSTOP])
    func lost(signal: Int32) async throws {
        let pair = try await Pair()
        try await pair.plan()
        try await pair.race()
        await pair.ward.send(signal: signal)
        try await pair.awaitSound()
        if signal == SIGSTOP { await pair.ward.send(signal: SIGKILL) }
        _ = try await pair.bed.quit()
    }

    @Test("sounds itself at once when the ward's sound is paused, and is silent again only when it is asked to be")
    func muted() async throws {
        let pair = try await Pair()
        try await pair.plan()
        try await pair.race()
        await pair.ward.type("p")
        try await pair.awaitSound()
        try await pair.ward.waitUntil("the ward sounds for nobody") { !$0.shows("ONLY THIS SCREEN SOUNDS") }
        await pair.ward.type("p")
        try await pair.ward.waitFor("SOUND: speakers")
        try await pair.plan()
        // The process that sounds is gone: what is to sound is proven again and again.
        kill(try #require(SoundCard.process(of: await pair.ward.processIdentifier)), SIGSTOP)
        try await pair.bed.waitUntil("the bed is silent no more") { !$0.shows("SILENT until") }
        try await pair.end()
    }

    @Test("sounds itself after it was killed and started again")
    func restarted() async throws {
        let pair = try await Pair()
        try await pair.plan()
        await pair.bed.send(signal: SIGKILL)
        _ = try await pair.bed.waitForExit()
        let bed = try await pair.startBed()
        #expect(await !bed.screen.shows("SILENT"))
        try await pair.world.please("hr 150")
        try await pair.world.waitUntil("the alarm sounds at the bed") { pair.bedCard.isHeard }
        _ = try await pair.ward.quit()
        _ = try await bed.quit()
    }

    @Test("sounds itself without the broker")
    func broker() async throws {
        let pair = try await Pair()
        try await pair.plan()
        try await pair.race()
        pair.broker.kill()
        try await pair.awaitSound()
        try await pair.end()
    }

    @Test("is not silent where only a terminal's bell would sound, which proves nothing")
    func bell() async throws {
        let world = try await World.simulated("steady")
        let (broker, card) = (try PrivateBroker(), try SoundCard(isPluggedIn: false))
        let ward = try await ProgramInTerminal.start(
            ["ward", "--simulate"] + broker.options, environment: card.environment, columns: 120, rows: 30)
        let bed = try await ProgramInTerminal.start(
            ["--connect", Steady.strap, "--set", "ward.site=north", "--set", "ward.bed=7"] + broker.options,
            on: world, columns: 160, rows: 40)
        try await bed.waitUntil("the bed is in a ward") { $0.number(of: "HEART RATE") == "72" && $0.shows("WARD ●") }
        try await ward.waitUntil("the ward has the bed") { $0.hasLiveBed }
        await bed.type("Z")
        try await bed.waitFor("Be silent for how long?")
        await bed.type("8")
        await bed.type("L")
        try await bed.waitFor("not silent: no ward screen confirmed that it sounds")
        #expect(await !bed.screen.shows("SILENT until"))
        await bed.type("q")
        try await bed.waitUntil("the log is closed") { !$0.shows("ALARM LOG") }
        _ = try await ward.quit()
        _ = try await bed.quit()
    }
}
