import Glibc
import TestSupport
import Testing

/// The sensors that converse, as the simulator plays them.
@Suite("Sensors that converse", .startsPrograms)
struct ConversingSensorTests {
    @Test("each device of the scenario 'devices' is connected to, and what it measures is told")
    func everyDevice() async throws {
        let world = try await World.simulated("devices")
        let folder = try TemporaryFolder()
        let bedside = try await ProgramWithPipes.start(
            ["watch", "--json", "--connect", "all"], on: world, environment: ["XDG_DATA_HOME": folder.path])
        var missing: Set<String> = [
            "O2Ring 0418 spo2", "VTM 20F spo2", "My Oximeter pulse_rate", "BerryMed pulse_rate", "CGM 3344 glucose",
            "miaomiao 4F glucose", "Contour 7890 glucose", "BM 54 measured", "BF 710 measured",
            "xDrip bridge connected",
            "Nonin3230_502 needed", "DexcomDE nearby", "Spot 1822 spo2",
        ]
        _ = try await bedside.next("something of each device", within: .seconds(240)) { line in
            let what = line.text("vital") ?? line.text("state") ?? ""
            if line.event != "reading" || line.text("state") == "measured" { missing.remove("\(line.sensor) \(what)") }
            return missing.isEmpty
        }
        await bedside.send(signal: SIGTERM)
        #expect(try await bedside.waitForExit().status == .exited(0))
    }

    @Test("a MiaoMiao's glucose is on the screen with its arrow, and is gone when the sensor is taken off")
    func miaoMiao() async throws {
        let folder = try TemporaryFolder()
        let world = try await World.simulated(
            try folder.write(
                """
                { sensors: [{
                  name: 'miaomiao 4F', address: 'C0:52:49:18:00:09', kind: 'miaoMiao', interval: 2,
                  quantities: { glucose: [[-1800, 125], [0, 170], [1800, 215]] },
                }] }
                """, to: "rising.json5"))
        let bedside = try await ProgramInTerminal.start(
            ["--connect", "all"], on: world, environment: ["XDG_DATA_HOME": folder.path])
        try await bedside.waitUntil("a glucose that rises by 1.5 mg/dL a minute") { screen in
            screen.text.contains("mg/dL") && screen.text.contains("↗")
        }
        try await world.please("off all")
        try await bedside.waitFor("NOT MEASURED: GLU")
        try await world.please("on all")
        try await bedside.waitUntil("it is measured again") { !$0.text.contains("NOT MEASURED: GLU") }
        #expect(try await bedside.quit() == .exited(0))
    }

    @Test("an O2Ring is polled, is OFF when it is taken off, and comes back")
    func ring() async throws {
        let folder = try TemporaryFolder()
        let world = try await World.simulated(
            try folder.write(
                """
                { sensors: [{
                  name: 'O2Ring 0418', address: 'C0:52:49:18:00:01', kind: 'oximeterRing',
                  oxygenSaturation: 96, pulseRate: 64,
                }] }
                """, to: "ring.json5"))
        let bedside = try await ProgramInTerminal.start(
            ["--connect", "all"], on: world, environment: ["XDG_DATA_HOME": folder.path])
        try await bedside.waitFor("64 bpm")
        try await world.please("off all")
        try await bedside.waitFor("SpO₂ OFF")
        try await world.please("on all")
        try await bedside.waitUntil("it is measured again") { !$0.text.contains("SpO₂ OFF") }
        #expect(try await bedside.quit() == .exited(0))
    }

    @Test("a thermometer says how often it measures, and takes another interval unless it is out of its range")
    func interval() async throws {
        let folder = try TemporaryFolder()
        let world = try await World.simulated(
            try folder.write(
                "{ sensors: [{ name: 'Ear 1', address: 'C0:52:49:18:00:10', kind: 'thermometer', interval: 5 }] }",
                to: "thermometer.json5"))
        let bedside = try await ProgramInTerminal.start(
            ["--connect", "all"], on: world, environment: ["XDG_DATA_HOME": folder.path])
        try await bedside.waitFor("Ear 1")
        await bedside.type("i")
        try await bedside.waitFor("measures every 5s")
        for (typed, answer) in [("4000", "does not take 4000 s; perhaps"), ("2", "measures every 2s")] {
            await bedside.type("I")
            try await bedside.waitFor("Seconds between values")
            await bedside.type(typed)
            await bedside.press(.enter)
            try await bedside.waitFor(answer)
        }
        try await bedside.closePage()
        #expect(try await bedside.quit() == .exited(0))
        let log = try await ProgramWithPipes.run(
            ["alarms", "--store", folder.path + "/bedside/simulated/store.sqlite"],
            environment: ["XDG_DATA_HOME": folder.path])
        for seconds in [4000, 2] {
            #expect(log.output.contains("Ear 1 told by hand to measure every \(seconds) s"), "\(log.output)")
        }
    }

    @Test("a glucose meter with a thousand records hands over each once, also after a restart, and soon after another")
    func thousandRecords() async throws {
        let folder = try TemporaryFolder()
        let world = try await World.simulated(
            try folder.write(
                """
                { sensors: [{
                  name: 'Contour 7890', address: 'C0:52:49:18:00:07', kind: 'glucoseMeter', sleepsAfter: 120,
                  records: {
                    from: '2A18', octets: '03 {u16 sequence} {time} 00 00 {sfloat glucose e-5} 11', control: '2A52',
                    count: 1000, every: 600,
                  },
                }] }
                """, to: "meter.json5"))
        // A busy computer finds it late: until then it must not be asleep.
        try await world.please("latency 0.001")
        let store = folder.path + "/data/bedside/simulated/store.sqlite"
        let query = "SELECT count(*), count(DISTINCT sequence) FROM record_entry WHERE sensor_name = 'Contour 7890'"
        try await Self.fetch([1001], query, store, world, folder)
        // The second is measured while the meter still advertises because of the first.
        try await Self.fetch([1002, 1003], query, store, world, folder)
    }

    @Test(
        "the clip of the article on transmitters, which nobody knows yet, is explored: it answers what is written to it"
    )
    func explorer() async throws {
        let article = try UserDocuments.text("Sources/Sensing/Sensors/Sensors.docc/AddingASensor.md")
        let scenario = try #require(
            article.components(separatedBy: "```json5\n").last?.components(separatedBy: "```").first)
        let folder = try TemporaryFolder()
        let world = try await World.simulated(try folder.write(scenario, to: "clip.json5"))
        let bedside = try await ProgramInTerminal.start(
            ["--connect", "C0:52:49:00:00:3C"], on: world, environment: ["XDG_DATA_HOME": folder.path])
        await bedside.type("o")
        try await bedside.waitFor("PulseClip")
        await bedside.type("i")
        try await bedside.waitFor("FFF2")
        try await Self.explore("FFF2", "s", in: bedside)
        try await bedside.waitFor("subscribed until the link ends")
        try await Self.explore("FFF1", "w", in: bedside)
        try await bedside.waitFor("Octets for FFF1")
        await bedside.type("01")
        await bedside.press(.enter)
        try await bedside.waitFor("FFF1: written, and confirmed")
        await bedside.type("G")
        try await bedside.waitFor("61 48 A9")
        try await bedside.closePage()
        #expect(try await bedside.quit() == .exited(0))
    }

    /// Selects a characteristic, and answers what to do with it.
    private static func explore(_ uuid: String, _ answer: String, in bedside: ProgramInTerminal) async throws {
        for _ in 0..<12 where await !bedside.screen.text.contains("▶ \(uuid)") {
            let before = await bedside.screen.text.components(separatedBy: "▶ ").last?.prefix(4)
            await bedside.press(.tab)
            try await bedside.waitUntil("another one is selected") { screen in
                screen.text.contains("▶ ") && screen.text.components(separatedBy: "▶ ").last?.prefix(4) != before
            }
        }
        await bedside.type("E")
        try await bedside.waitFor("\(uuid): do what?")
        await bedside.type(answer)
    }

    /// Starts Bedside, lets somebody measure several times, and awaits so many records in the store after each.
    private static func fetch(
        _ counts: [Int], _ query: String, _ store: String, _ world: World, _ folder: TemporaryFolder
    ) async throws {
        let bedside = try await ProgramInTerminal.start(
            ["--connect", "all"], on: world, environment: ["XDG_DATA_HOME": folder.path + "/data"])
        try await bedside.waitFor("hci0")
        for count in counts {
            try await world.please("measure all")
            try await world.waitUntil("\(count) records are stored") {
                let rows = try? await SQLiteTool.rows(query, in: store)
                return (rows?.first?.first.flatMap { Int($0) } ?? 0) >= count
            }
            try await bedside.waitFor("asleep")
        }
        #expect(try await bedside.quit() == .exited(0))
        let count = counts.last.map(String.init) ?? ""
        #expect(try await SQLiteTool.rows(query, in: store) == [[count, count]])
    }
}
