import Foundation
import TestSupport
import Testing

/// What is heard of alarms and of the pulse, with a sound card that is a file.
@Suite("Sound", .startsPrograms)
struct SoundTests {
    @Test("is the bell alone where there is no sound card, and the header says so")
    func bellOnly() async throws {
        let world = try await World.simulated("steady")
        let bedside = try await ProgramInTerminal.start(
            ["--connect", Steady.thermometer], on: world, columns: 140, rows: 40)
        try await bedside.waitFor("36.8")
        try await bedside.waitFor("NO LOUDSPEAKER – bell only")
        #expect(try await bedside.quit() == .exited(0))
    }

    @Test("of watch and record comes from the speakers only when they are told so", arguments: ["watch", "record"])
    func headless(command: String) async throws {
        let world = try await World.simulated("steady")
        for isTold in [false, true] {
            let card = try SoundCard()
            let folder = try TemporaryFolder()
            let alarms = folder.path + "/alarms.jsonl"
            let program = try await ProgramWithPipes.start(
                [command, "--connect", Steady.strap, "--set", "alarms.hook=cat >>'\(alarms)'"]
                    + (isTold ? ["--sound"] : []), on: world, environment: card.environment)
            try await world.waitUntil("the strap is connected") { try await world.sensor("hr").isConnected }
            try await world.please("hr 150")
            try await world.waitUntil("there is an alarm") {
                (try? String(contentsOfFile: alarms, encoding: .utf8))?.contains("severe_high") ?? false
            }
            if isTold {
                try await world.waitUntil("it sounds") { card.isHeard }
            } else {
                #expect(SoundCard.process(of: await program.processIdentifier) == nil)
                #expect(card.bytes.isEmpty)
            }
            await program.send(signal: SIGTERM)
            #expect(try await program.waitForExit().status == .exited(0))
            try await world.please("hr 72")
        }
    }

    @Test(
        "of an alarm comes again and again, and not while it is paused, held for care or acknowledged", .calm,
        .enabled(if: SoundMeasurement.isPossible, "Debian's package python3-scipy is missing"))
    func answers() async throws {
        let world = try await World.simulated("steady")
        let card = try SoundCard()
        let script = try SoundMeasurement.script()
        let bedside = try await ProgramInTerminal.start(
            ["--connect", Steady.strap], on: world, environment: card.environment, columns: 140, rows: 40)
        try await bedside.waitFor("SOUND: speakers")
        try await bedside.waitUntil("there is a heart rate") { $0.number(of: "HEART RATE") == "72" }
        try await world.please("hr 150")
        try await world.waitUntil("the alarm sounds") { card.isHeard }
        try await card.awaitSound(milliseconds: 8000, in: world)
        #expect(await !bedside.hasWritten("\u{07}"))

        // Longer than any burst is away from the next one.
        func expectSilence() async throws {
            try await world.waitUntil("it is silent") { card.isSilent }
            let begin = card.milliseconds
            try await card.awaitSound(milliseconds: 5500, in: world)
            #expect(try script.answer(to: "silent \(card.path) \(begin) \(begin + 5500)") == "ok")
        }
        await bedside.type("p")
        try await bedside.waitFor("SOUND PAUSED")
        try await expectSilence()
        await bedside.type("p")
        try await bedside.waitUntil("the pause is over") { !$0.shows("SOUND PAUSED") }
        try await world.waitUntil("the alarm sounds again") { !card.isSilent }
        try await bedside.select(Steady.strap)
        await bedside.type("c")
        try await bedside.waitFor("CARE Polar H10")
        try await expectSilence()
        await bedside.type("c")
        try await bedside.waitUntil("the care is over") { !$0.shows("CARE Polar H10") }
        try await world.waitUntil("the alarm sounds after the care") { !card.isSilent }
        await bedside.type("a")
        try await expectSilence()
        #expect(try await bedside.quit() == .exited(0))

        let bursts = try script.answer(to: "bursts \(card.path) high cardiac").split(separator: " ")
        let starts = bursts.compactMap { Int($0) }
        // Two before the pause, and at least one after it and after the care.
        #expect(starts.count == bursts.count && starts.count >= 4, "\(bursts)")
        // What the conventions allow, and that the next one is not early.
        let first = try #require(starts.first)
        let second = try #require(starts.dropFirst().first)
        #expect((4900...15_000).contains(second - first), "\(bursts)")
    }

    @Test(
        // A tone that stumbles, because the compiler runs, is measured as another one.
        "of the pulse tells each measured saturation, and is silent when it is no longer measured", .calm,
        .enabled(if: SoundMeasurement.isPossible, "Debian's package python3-scipy is missing"))
    func pulse() async throws {
        let world = try await World.simulated("steady")
        let card = try SoundCard()
        let script = try SoundMeasurement.script()
        let watch = try await ProgramWithPipes.start(
            [
                "watch", "--json", "--sound", "--connect", Steady.oximeter, "--set", "alarms.pulse_tone=true", "--set",
                "limits.spo2.low=off", "--set", "limits.spo2.severe_low=off", "--set", "limits.spo2.fall=off",
            ], on: world, environment: card.environment)
        let saturations = [98, 97, 96, 91, 90, 89, 84, 96, 99]
        for saturation in saturations {
            try await world.please("spo2 \(saturation)")
            _ = try await watch.next("the saturation") { $0.isReading(of: "spo2", Double(saturation)) }
            // A second one, in case that the first came between saturation and pulse.
            for _ in 1...2 { _ = try await watch.next("the pulse") { $0.isReading(of: "pulse_rate", 71) } }
        }
        try await world.please("off spo2")
        _ = try await watch.next("no measurement") { $0.text("state") == "no_measurement" }
        try await world.waitUntil("it is silent") { card.isSilent }
        let begin = card.milliseconds
        try await card.awaitSound(milliseconds: 3000, in: world)
        await watch.send(signal: SIGTERM)
        #expect(try await watch.waitForExit().status == .exited(0))
        #expect(try script.answer(to: "silent \(card.path) \(begin) \(begin + 3000)") == "ok")
        // Each is heard several times.
        var heard: [String] = []
        for tone in try script.answer(to: "pulses \(card.path)").split(separator: " ") where heard.last != String(tone)
        {
            heard.append(String(tone))
        }
        #expect(heard == saturations.map { "\($0)" + ($0 < 97 ? "t" : "") + ($0 < 90 ? "b" : "") })
    }

    @Test("is spoken where the settings say so: values at a key, and alarms until they are answered")
    func speech() async throws {
        let world = try await World.simulated("steady")
        let folder = try TemporaryFolder()
        let dispatcher = try StandInDispatcher(path: folder.path + "/speech.sock")
        let bedside = try await ProgramInTerminal.start(
            [
                "--connect", Steady.thermometer, "--set", "limits.body_temperature.high_delay=0s", "--set",
                "alarms.speech=de",
            ], on: world, environment: ["SPEECHD_ADDRESS": "unix_socket:\(folder.path)/speech.sock"], columns: 140,
            rows: 40)
        try await bedside.waitFor("36.8")
        await bedside.type("Y")
        let values = "simuliert: Temperatur 36,8"
        try await bedside.waitFor("Spoken: \(values).")
        try await world.waitUntil("the values are spoken") { dispatcher.received.contains(values) }
        try await world.please("temp 38.2")
        let alarm = "simuliert: Alarm: Temperatur hoch, 38,2"
        try await world.waitUntil("the alarm is spoken") { dispatcher.received.contains(alarm) }
        await bedside.type("p")
        try await world.waitUntil("it falls silent") { dispatcher.received.last == "CANCEL self" }
        dispatcher.end()
        try await bedside.waitFor("Alarms are not spoken: speech-dispatcher has ended the connection.")
        #expect(try await bedside.quit() == .exited(0))
    }
}
