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
            "Nonin3230_502 needed", "DexcomDE nearby", "Spot 1822 spo2", "Spot 1822 heart_rate",
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

    @Test("a MiaoMiao on a new sensor sends nothing until somebody accepts it by the key")
    func newSensor() async throws {
        let folder = try TemporaryFolder()
        let (writing, notifying) = (
            "6E400002-B5A3-F393-E0A9-E50E24DCCA9E", "6E400003-B5A3-F393-E0A9-E50E24DCCA9E"
        )
        let packet =
            "28 01 6B {u16be seconds/60} 20 93 69 05 00 A0 07 E0 5C 00 07 10 01 {libre-memory glucose} 29"
        let world = try await World.simulated(
            try folder.write(
                """
                { sensors: [{
                  name: 'miaomiao 4F', address: 'C0:52:49:18:00:09', kind: 'generic', interval: 3600,
                  quantities: { glucose: 122 },
                  services: [{ uuid: '6E400001-B5A3-F393-E0A9-E50E24DCCA9E', characteristics: [
                    { uuid: '\(writing)', flags: ['write-without-response'] },
                    { uuid: '\(notifying)', flags: ['notify'] },
                  ] }],
                  conversation: [
                    { written: '\(writing)', octets: 'F0', answers: [{ from: '\(notifying)', octets: '32' }] },
                    { written: '\(writing)', octets: 'D3 01', answers: [
                      { from: '\(notifying)', after: 2, pieces: 20, octets: '\(packet)' }] },
                  ],
                }] }
                """, to: "new.json5"))
        let bedside = try await ProgramInTerminal.start(
            ["--connect", "all"], on: world, environment: ["XDG_DATA_HOME": folder.path])
        try await bedside.waitFor("accept it? B")
        await bedside.type("B")
        try await bedside.waitFor("is on a new sensor. Use it?")
        await bedside.type("y")
        try await bedside.waitFor("GLUC 122")
        await bedside.type("i")
        try await bedside.waitFor("firmware 0007 · hardware 1001")
        try await bedside.closePage()
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

    /// An oximeter that has stored spot-checks with far too low values.
    private static let spot = """
        { sensors: [{
          name: 'Spot 1822', address: 'C0:52:49:18:00:0D', kind: 'oximeter',
          oxygenSaturation: { value: 97, status: true }, pulseRate: 67, perfusion: 4,
          services: [
            { uuid: '1805', characteristics: [{ uuid: '2A2B', flags: ['read', 'write'], value: '{time} 00 00 00' }] },
          ],
          records: {
            from: '2A5E', control: '2A52', count: 5, every: 60,
            octets: '07 {sfloat sequence+60} {sfloat sequence+200} {time} 00 02 00 00 00',
          },
        }] }
        """

    @Test("an oximeter off the body hands over five spot-checks, after a restart none twice, and none raises an alarm")
    func spotChecks() async throws {
        let folder = try TemporaryFolder()
        let world = try await World.simulated(try folder.write(Self.spot, to: "spot.json5"))
        try await world.please("off all")
        let store = folder.path + "/data/bedside/simulated/store.sqlite"
        let query = """
            SELECT count(*), count(DISTINCT sensor_time), min(value), max(value) FROM record_entries
            WHERE sensor = 'Spot 1822' AND kind = 'spo2'
            """
        for (run, highest) in [(0, "65.0"), (1, "66.0")] {
            // The second run sees one more, the last that is handed over.
            if run == 1 { try await world.please("measure all") }
            let bedside = try await ProgramInTerminal.start(
                ["--connect", "all"], on: world, environment: ["XDG_DATA_HOME": folder.path + "/data"])
            let count = "\(5 + run)"
            try await world.waitUntil("\(count) spot-checks are stored") {
                (try? await SQLiteTool.rows(query, in: store))?.first?.first == count
            }
            try await bedside.waitFor("SpO₂ OFF")
            #expect(await !bedside.screen.text.contains("SpO₂ LOW"))
            #expect(await !bedside.screen.text.contains("PR HIGH"))
            #expect(try await bedside.quit() == .exited(0))
            #expect(try await SQLiteTool.rows(query, in: store) == [[count, count, "61.0", highest]])
        }
        // None of the stored values, in hundredths, is a reading.
        let readings = "SELECT count(*) FROM reading WHERE value BETWEEN 6000 AND 7000 OR value > 20000"
        #expect(try await SQLiteTool.rows(readings, in: store) == [["0"]])
        let alarms = try await ProgramWithPipes.run(
            ["alarms", "--json", "--store", store], environment: ["XDG_DATA_HOME": folder.path])
        #expect(!alarms.output.contains("physiological"), "\(alarms.output)")
        let export = try await ProgramWithPipes.run(
            ["export", "--format", "jsonl", "--store", store], environment: ["XDG_DATA_HOME": folder.path])
        #expect(export.output.split(separator: "\n").count { $0.contains("\"device_time\"") } == 12, "\(export.output)")
    }

    /// An oximeter that answers what nobody asked, counts wrongly, and hangs up in the middle of its records.
    private static let liar = """
        { sensors: [{
          name: 'Liar', address: 'C0:52:49:18:00:0E', kind: 'generic', advertises: ['1822'],
          services: [{
            uuid: '1822',
            characteristics: [
              { uuid: '2A60', flags: ['read'], value: '0C 00' },
              { uuid: '2A5F', flags: ['notify'], values: ['00 61 00 43 00'] },
              { uuid: '2A5E', flags: ['indicate'] },
              { uuid: '2A52', flags: ['write', 'indicate'] },
            ],
          }],
          conversation: [{
            written: '2A52', octets: '01 01',
            answers: [
              { from: '2A52', octets: '06 00 04 01' }, { from: '2A52', octets: '05 00 FF FF' },
              { from: '2A52', octets: '06' },
              { from: '2A5E', octets: '01 3C 00 C8 00 EA 07 01 02 03 04 05' },
              { from: '2A5E', octets: '01 3D 00' },
              { from: '2A5E', octets: '01 3D 00 C9 00 EA 07 01 02 03 04 06' },
              { hangUp: true, after: 1.5 },
            ],
          }],
        }] }
        """

    @Test("what a broken transfer has handed over comes once, whatever else is answered, and the values go on")
    func brokenTransfer() async throws {
        let folder = try TemporaryFolder()
        let world = try await World.simulated(try folder.write(Self.liar, to: "liar.json5"))
        let watch = try await ProgramWithPipes.start(
            ["watch", "--json", "--connect", "all"], on: world, environment: ["XDG_DATA_HOME": folder.path])
        var (links, entered, values): (Int, [Double], Set<Double>) = (0, [], [])
        _ = try await watch.next("the third link, and values on it", within: .seconds(120)) { line in
            if line.event == "connection", line.text("state") == "ready" { (links, values) = (links + 1, []) }
            guard line.event == "reading", let value = line.number("value") else { return false }
            if line.text("entered") != nil { entered.append(value) } else { values.insert(value) }
            return links >= 3 && values == [97, 67]
        }
        #expect(entered == [60, 200, 61, 201])
        await watch.send(signal: SIGTERM)
        #expect(try await watch.waitForExit().status == .exited(0))
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
        let article = try UserDocuments.text(
            "Libraries/Sources/Sensing/KnownSensors/KnownSensors.docc/AddingASensor.md")
        let scenario = try #require(
            article.components(separatedBy: "```json5\n").last?.components(separatedBy: "```").first)
        let folder = try TemporaryFolder()
        let world = try await World.simulated(try folder.write(scenario, to: "clip.json5"))
        let bedside = try await ProgramInTerminal.start(
            ["--connect", "C0:52:49:00:00:3C"], on: world, environment: ["XDG_DATA_HOME": folder.path])
        await bedside.type("o")
        try await bedside.waitFor("PulseClip")
        await bedside.type("i")
        try await bedside.waitFor("2A05 Service Changed")
        try await Self.explore("FFF2", "s", in: bedside)
        try await bedside.waitFor("subscribed until the link ends")
        try await Self.explore("FFF1", "w", in: bedside)
        try await bedside.waitFor("Octets for FFF1")
        await bedside.type("01")
        await bedside.press(.enter)
        try await bedside.waitFor("Write 01?")
        await bedside.type("y")
        try await bedside.waitFor("FFF1: written, and confirmed")
        await bedside.type("G")
        try await bedside.waitFor("61 48 A9")
        try await bedside.closePage()
        #expect(try await bedside.quit() == .exited(0))
    }

    /// Selects a characteristic, and answers what to do with it.
    private static func explore(_ uuid: String, _ answer: String, in bedside: ProgramInTerminal) async throws {
        try await bedside.selectCharacteristic(uuid)
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
