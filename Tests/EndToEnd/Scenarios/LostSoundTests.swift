import Foundation
import TestSupport
import Testing

/// What becomes of alarms and readings when what sounds fails.
@Suite("Sound that fails", .startsPrograms)
struct LostSoundTests {
    /// Waits until the bell has rung once more, if it has rung before.
    private func awaitBell(of bedside: ProgramInTerminal, after count: Int, in world: World) async throws {
        try await world.waitUntil("the bell rings") { await bedside.bellCount > count }
    }

    @Test("a killed process is replaced, and the bell rings meanwhile", .calm)
    func replaced() async throws {
        let world = try await World.simulated("steady")
        let card = try SoundCard()
        let bedside = try await ProgramInTerminal.start(
            ["--connect", Steady.strap], on: world, environment: card.environment, columns: 140, rows: 40)
        try await bedside.waitFor("SOUND: speakers")
        try await world.please("hr 150")
        try await world.waitUntil("the alarm sounds") { card.isHeard }
        #expect(await bedside.bellCount == 0)
        let process = await bedside.processIdentifier
        let first = try #require(SoundCard.process(of: process))
        kill(first, SIGKILL)
        try await awaitBell(of: bedside, after: 0, in: world)
        try await world.waitUntil("another process sounds") {
            SoundCard.process(of: process).map { $0 != first } ?? false
        }
        try await bedside.waitFor("SOUND: speakers")
        #expect(try await bedside.quit() == .exited(0))
    }

    @Test(
        "a card that appears later is used; one that disappears during an alarm is an alarm of its own, until it is back"
    )
    func card() async throws {
        let world = try await World.simulated("steady")
        let card = try SoundCard(isPluggedIn: false)
        let bedside = try await ProgramInTerminal.start(
            ["--connect", Steady.strap], on: world, environment: card.environment, columns: 140, rows: 40)
        try await bedside.waitUntil("there is a heart rate") { $0.number(of: "HEART RATE") == "72" }
        try await bedside.waitFor("NO LOUDSPEAKER – bell only")
        try await world.please("hr 150")
        try await awaitBell(of: bedside, after: 0, in: world)

        try card.plugIn()
        try await bedside.waitFor("SOUND: speakers")
        try await world.waitUntil("the alarm sounds") { card.isHeard }

        let count = await bedside.bellCount
        try card.pullOut()
        // A device that is open stays so in a file: the process that has it must go with it.
        kill(try #require(SoundCard.process(of: await bedside.processIdentifier)), SIGKILL)
        try await awaitBell(of: bedside, after: count, in: world)
        try await bedside.waitFor("Sound lost")
        try await bedside.waitFor("NO LOUDSPEAKER – bell only")

        try FileManager.default.removeItem(atPath: card.path)
        try card.plugIn()
        try await bedside.waitFor("SOUND: speakers")
        try await bedside.waitUntil("the alarm is over") { !$0.shows("▲▲  Sound lost") && !$0.shows("SOUND LOST") }
        try await world.waitUntil("the alarm sounds again") { card.isHeard }
        #expect(try await bedside.quit() == .exited(0))
    }

    /// Reads the numbered values that a strap sends in a burst, and expects all of them, none of them late.
    private func expectBursts(_ rounds: Int, of count: Int, from watch: ProgramWithPipes) async throws {
        var readings: [WatchLine] = []
        while readings.count < rounds * count {
            readings.append(
                try await watch.next("value \(readings.count) of the bursts") {
                    $0.isFromSensor && $0.text("vital") == "heart_rate"
                })
        }
        // The numbers count up in the eight bits of the heart rate, of which 0 to 19 and 255 are no measurements.
        let burst = (0..<count).map { (20...254).contains($0 % 256) ? Double($0 % 256) : nil }
        #expect(readings.map { $0.number("value") } == (0..<rounds).flatMap { _ in burst })
        #expect(readings.allSatisfy { $0.text("late") == nil })
    }

    /// Lets the strap send only what a test has it send, and reads what it had sent until then.
    private func quieten(_ world: World, _ watch: ProgramWithPipes) async throws {
        try await world.please("quiet hr")
        try await world.please("burst hr 1")
        _ = try await watch.next("the mark") {
            $0.isFromSensor && $0.text("vital") == "heart_rate" && $0.number("value") == nil
        }
    }

    @Test(
        "a process that is killed 50 times during an alarm sounds again each time, and no reading is late or missing",
        .calm)
    func killed() async throws {
        let world = try await World.simulated("steady")
        let card = try SoundCard()
        let watch = try await ProgramWithPipes.start(
            [
                "watch", "--json", "--sound", "--connect", Steady.thermometer, "--connect", Steady.strap, "--set",
                "limits.body_temperature.high_delay=0s",
            ], on: world, environment: card.environment)
        _ = try await watch.next("the heart rate") { $0.isReading(of: "heart_rate", 72) }
        try await quieten(world, watch)
        try await world.please("temp 38.6")
        try await world.waitUntil("the alarm sounds") { card.isHeard }
        let process = await watch.processIdentifier
        let (rounds, count) = (50, 40)
        for round in 1...rounds {
            // The next process writes a file of its own.
            try FileManager.default.removeItem(atPath: card.path)
            kill(try #require(SoundCard.process(of: process)), SIGKILL)
            try await world.please("burst hr \(count) 2")
            try await world.waitUntil("it sounds for the \(round)th time again") { card.isHeard }
        }
        try await expectBursts(rounds, of: count, from: watch)
        await watch.send(signal: SIGTERM)
        let outcome = try await watch.waitForExit()
        #expect(outcome.status == .exited(0))
        // What the program would say by its own clock, had a reading been lost, or had the program stood still.
        for trouble in ["not_monitored", "readings_dropped", "\"event\":\"gap\"", "link_lost"] {
            #expect(!outcome.output.contains(trouble), "\(trouble)")
        }
    }

    @Test("a sound system that hangs delays neither a reading nor an alarm", .calm, arguments: [true, false])
    func hanging(isFull: Bool) async throws {
        let world = try await World.simulated("steady")
        // Nobody reads the pipe: to open it hangs; or the pipe is open, and to write hangs as soon as it is full.
        let card = try SoundCard.pipe()
        let reader = isFull ? open(card.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1
        defer { if isFull { close(reader) } }
        let watch = try await ProgramWithPipes.start(
            ["watch", "--json", "--sound", "--connect", Steady.strap], on: world, environment: card.environment)
        _ = try await watch.next("the heart rate") { $0.isReading(of: "heart_rate", 72) }
        try await world.please("hr 150")
        _ = try await watch.next("the alarm") { $0.event == "alarm" && $0.text("state") == "active" }
        let process = await watch.processIdentifier
        try await world.waitUntil("a process tries to sound") { SoundCard.process(of: process) != nil }
        if isFull {
            try await world.waitUntil("the pipe is full") {
                var count: Int32 = 0
                let (usualSize, page) = (65_536, 4096)
                return ioctl(reader, UInt(FIONREAD), &count) == 0 && count >= usualSize - page
            }
        }
        try await quieten(world, watch)
        try await world.please("burst hr 1000")
        try await expectBursts(1, of: 1000, from: watch)
        await watch.send(signal: SIGTERM)
        #expect(try await watch.waitForExit().status == .exited(0))
    }
}
