import Glibc
import TestSupport
import Testing

/// All beds of a ward on one screen, with the real mosquitto and real monitors.
@Suite("The screen of a ward", .startsPrograms, .enabled(if: PrivateBroker.isHere))
struct WardViewTests {
    private func startBed(_ bed: String, _ broker: PrivateBroker, _ folder: TemporaryFolder) async throws
        -> ProgramWithPipes
    {
        try await ProgramWithPipes.start(
            [
                "record", "--simulate=steady", "--connect", "all", "--set", "ward.site=north", "--set",
                "ward.bed=\(bed)",
            ] + broker.options, environment: ["XDG_DATA_HOME": folder.path + "/data-\(bed)"])
    }

    @Test("shows two beds, one that is killed and one without its broker as dark, and both again")
    func faults() async throws {
        let (broker, folder) = (try PrivateBroker(), try TemporaryFolder())
        let first = try await startBed("1", broker, folder)
        let second = try await startBed("2", broker, folder)
        let ward = try await ProgramInTerminal.start(
            ["ward", "--simulate"] + broker.options, columns: 100, rows: 30)
        try await ward.waitUntil("both beds are live") {
            $0.shows("· 2 beds") && $0.shows("● broker") && $0.hasLiveBed && !$0.shows("NO LINK")
        }
        #expect(await ward.screen.shows("Alarms sound at the bed; this screen informs."))
        #expect(await ward.screen.shows("SIMULATED"))

        await second.send(signal: SIGKILL)
        try await ward.waitUntil("the killed bed is dark") {
            $0.shows("1 of 2 beds live") && $0.shows("bed 2 NO LINK") && $0.shows("last heard")
        }

        broker.kill()
        try await ward.waitUntil("no bed is live without the broker") {
            $0.shows("0 of 2 beds live") && $0.shows("NO BROKER") && !$0.hasLiveBed
        }
        try broker.start()
        try await ward.waitFor("1 of 2 beds live")

        // Worst first: the killed bed has just come to the front, where a key is for it only once it has been seen there
        // for half a second, or was chosen, as Home does.
        await ward.type("\u{1B}OH\r")
        try await ward.waitFor("WARD VIEW · bed 2")
        await ward.type("q")
        try await ward.waitUntil("the beds are back") { !$0.shows("WARD VIEW") }
        await ward.type("q")
        #expect(try await ward.waitForExit() == .exited(0))
        await first.send(signal: SIGTERM)
        #expect(try await first.waitForExit().status == .exited(0))
    }

    @Test("refuses simulated beds unless it is asked for them")
    func simulated() async throws {
        let (broker, folder) = (try PrivateBroker(), try TemporaryFolder())
        let bed = try await startBed("1", broker, folder)
        let ward = try await ProgramInTerminal.start(
            ["ward"] + broker.options, columns: 100, rows: 30)
        try await ward.waitUntil("the bed is there without a value") { $0.shows("bed 1") && $0.shows("SIMULATED") }
        #expect(await !ward.screen.hasLiveBed)
        await ward.type("q")
        #expect(try await ward.waitForExit() == .exited(0))
        await bed.send(signal: SIGTERM)
        _ = try await bed.waitForExit()
    }

    @Test("has lines for programs, in which a killed bed is no longer present, and a status for scripts")
    func lines() async throws {
        let (broker, folder) = (try PrivateBroker(), try TemporaryFolder())
        let options = ["--simulate"] + broker.options
        // Nobody knows anything of a ward without beds.
        let empty = try await ProgramWithPipes.run(["ward", "status"] + options)
        #expect(empty.status == .exited(3) && empty.output == "no bed has been heard of\n")

        let bed = try await startBed("1", broker, folder)
        let lines = try await ProgramWithPipes.start(["ward", "--json"] + options)
        func wait(_ parts: String...) async throws {
            while let line = try await lines.nextLine() {
                if parts.allSatisfy({ line.contains($0) }) { return }
            }
            throw HarnessError("the lines have ended before \(parts)")
        }
        try await wait(#""event":"broker","state":"connected""#)
        try await wait(
            #""event":"reading""#, #""simulated":true"#, #""ward":"north","bed":"1""#, #""vital":"heart_rate""#)
        // A busy computer may have kept the bed from monitoring for a moment.
        try await awaitCondition("there is no alarm") {
            let calm = try await ProgramWithPipes.run(["ward", "status"] + options)
            return calm.status == .exited(0) && calm.output == "1 bed, all live; SIMULATED: bed 1; no alarms\n"
        }

        await bed.send(signal: SIGKILL)
        try await wait(#""event":"bed""#, #""state":"no_link""#)
        try await wait(#""event":"freshness""#, #""state":"unknown""#)
        let silent = try await ProgramWithPipes.run(["ward", "status", "--json"] + options)
        #expect(silent.status == .exited(3))
        #expect(silent.output.contains(#""state":"not_heard","beds":1,"live":0,"not_heard":["north/1"]"#))

        broker.kill()
        try await wait(#""event":"broker","state":"lost","reason":"#)
        let gone = try await ProgramWithPipes.run(["ward", "status"] + options)
        #expect(gone.status == .exited(69) && gone.errorOutput.hasPrefix("bedside: no broker: "))
        await lines.send(signal: SIGTERM)
        #expect(try await lines.waitForExit().status == .exited(0))
    }

    @Test(
        "has a place for a bed among 300 presences that the broker has kept, and is not calm where one has none", .calm)
    func places() async throws {
        let (broker, folder) = (try PrivateBroker(), try TemporaryFolder())
        let options = ["--simulate"] + broker.options
        let crowd = try await ProgramWithPipes.start(
            ["\(broker.port)", "300"].withPeer("crowd.py"), program: "/usr/bin/python3")
        #expect(try await crowd.nextLine() == "ready")
        let bed = try await startBed("1", broker, folder)
        let lines = try await ProgramWithPipes.start(["ward", "--json"] + options)
        while let line = try await lines.nextLine(), !line.contains(#""event":"reading""#) {}
        let calm = try await ProgramWithPipes.run(["ward", "status"] + options)
        #expect(calm.status == .exited(0))
        #expect(calm.output.hasPrefix("301 beds, 1 live; SIMULATED: bed 1; closed: old-0, "))

        await crowd.write("\n")
        while let line = try await lines.nextLine(), !line.contains(#""kind":"no_place""#) {}
        let full = try await ProgramWithPipes.run(["ward", "status"] + options)
        #expect(full.status == .exited(2))
        #expect(full.output.hasPrefix("NO PLACE for beds that are heard: "), "\(full.output)")
        for program in [crowd, lines, bed] { await program.send(signal: SIGTERM) }
        for program in [crowd, lines, bed] { _ = try await program.waitForExit() }
    }

    @Test("says what is missing where no broker is named")
    func noBroker() async throws {
        let outcome = try await ProgramWithPipes.run(["ward"])
        #expect(outcome.status == .exited(64))
        #expect(outcome.errorOutput.contains("no broker is named"))
    }
}
