import Foundation
import Testing

extension BothBackEnds {
    /// Sensors that must be conversed with, played by code that shares nothing with ours.
    @Suite("A sensor that must be conversed with")
    struct ConversingTests {
        /// The names of the sensors in the world "conversing".
        private enum Name {
            static let cuff = "BM 54"
            static let meter = "Contour 4711"
            static let bridge = "miaomiao"
        }

        /// A place for what the program keeps from one start to the next.
        private struct Home {
            let folder: TemporaryFolder

            init() throws { folder = try TemporaryFolder() }

            var environment: [String: String] {
                ["XDG_DATA_HOME": folder.path + "/data", "XDG_STATE_HOME": folder.path + "/state"]
            }

            var store: String { folder.path + "/data/bedside/store.sqlite" }

            /// The rows of a query of the store; none before there is one.
            func rows(_ query: String) async throws -> [[String]] {
                guard FileManager.default.fileExists(atPath: store) else { return [] }
                return try await SQLiteTool.rows(query, in: store)
            }
        }

        /// What the sensors were told, the oldest first.
        private static func told(_ who: String, in world: World) async throws -> [String] {
            let text = try await world.please("events 500")
            let events = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String] ?? []
            return events.compactMap { event in
                event.firstRange(of: " \(who) ").map { String(event[$0.upperBound...]) }
            }
        }

        @Test(
            "a cuff is set by our clock, inflates, hands over what it measured, goes, and raises no alarm",
            .only(.independent))
        func cuff() async throws {
            let world = try await World.inMachine("conversing")
            let home = try Home()
            let bedside = try await ProgramInTerminal.start(
                ["--connect", Name.cuff], on: world, environment: home.environment)
            try await world.please("wake cuff")
            try await bedside.waitFor("ready to measure")
            try await world.please("inflate 150")
            try await bedside.waitFor("150 mmHg")
            try await world.please("measure cuff 128 84 66 4")
            try await bedside.waitFor("BP 128/84")
            try await bedside.waitFor("irregular pulse")
            try await bedside.waitUntil("it is asleep") { $0.row(of: Name.cuff)?.contains("asleep until") == true }
            // It had advertised three hours ahead.
            #expect(try await Self.told("cuff", in: world).contains { $0.hasPrefix("clock set to") })
            try await world.please("sleep 300")
            try await bedside.waitFor("No alarms")
            #expect(await bedside.screen.shows("BP 128/84"))
            #expect(try await bedside.quit() == .exited(0))

            let query = "SELECT systolic, diastolic, mean, pulse, sensor, remark, time_known FROM record_entries"
            #expect(
                try await home.rows(query)
                    == [["128", "84", "99", "66", Name.cuff, "irregular pulse detected", "1"]])
            let alarms = try await ProgramWithPipes.run(["alarms", "--json"], environment: home.environment)
            #expect(alarms.status == .exited(0) && alarms.output.isEmpty, "\(alarms.output)")
            let export = try await ProgramWithPipes.run(
                ["export", "--format", "jsonl"], environment: home.environment)
            let lines = export.output.split(separator: "\n").filter { $0.contains("\"event\":\"blood_pressure\"") }
            #expect(lines.count == 1 && lines.allSatisfy { $0.contains("\"systolic\":128,\"diastolic\":84,") })
        }

        @Test("a cuff that was measured with far from us hands over what it has stored, once", .only(.independent))
        func stored() async throws {
            let world = try await World.inMachine("conversing")
            let home = try Home()
            try await world.please("measure cuff 118 79 61")
            try await world.please("measure cuff 121 80 62")
            // Its window is over; it will send both when it is awake again.
            try await world.please("sleep 600")
            let watch = try await ProgramWithPipes.start(
                ["watch", "--json", "--connect", Name.cuff], on: world, environment: home.environment)
            _ = try await watch.next("the bus") { $0.event == "bus" }
            try await world.please("wake cuff")
            for systolic in [118.0, 121] {
                let line = try await watch.next("the pressure") { $0.event == "blood_pressure" }
                #expect(line.number("systolic") == systolic)
                #expect(line.sensor == Name.cuff)
                // Ten minutes old by the cuff's clock, which was three hours ahead.
                let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
                let taken = try format.parse(try #require(line.text("t")))
                let entered = try format.parse(try #require(line.text("entered")))
                #expect((600...700).contains(entered.timeIntervalSince(taken)))
            }
            _ = try await watch.next("its sleep") { $0.event == "connection" && $0.text("reason") == "asleep" }
            await watch.send(signal: SIGTERM)
            #expect(try await watch.waitForExit().status == .exited(0))
            #expect(try await home.rows("SELECT count(*) FROM record_entries") == [["2"]])
        }

        /// Reads lines until the record of a meter with a number; returns the numbers of all records up to it.
        private static func sequences(in watch: ProgramWithPipes, until last: Double) async throws -> [Double] {
            var numbers: [Double] = []
            _ = try await watch.next("record \(last)") { line in
                if line.event == "reading", line.sensor == Name.meter, let number = line.number("sequence") {
                    numbers.append(number)
                }
                return numbers.last == last
            }
            return numbers
        }

        private static let meterQuery = """
            SELECT count(*), count(DISTINCT sequence), CAST(sum(value) AS INTEGER) FROM record_entries
            """

        @Test(
            "a glucose meter hands over a thousand records once, and after a reconnection and a restart only new ones",
            .only(.independent))
        func thousandRecords() async throws {
            let world = try await World.inMachine("conversing")
            let home = try Home()
            func start() async throws -> ProgramWithPipes {
                let watch = try await ProgramWithPipes.start(
                    ["watch", "--json", "--connect", Name.meter], on: world, environment: home.environment)
                _ = try await watch.next("the bus") { $0.event == "bus" }
                return watch
            }
            func asked() async throws -> [String] {
                try await Self.told("meter", in: world).filter { $0.hasPrefix("asked") }
            }
            try await world.please("records 1000")
            let first = try await start()
            try await world.please("wake meter")
            #expect(try await Self.sequences(in: first, until: 1000) == (1...1000).map(Double.init))
            #expect(try await asked() == ["asked 0101"])
            // The sum of 70 + n mod 100 for every n.
            try await world.waitUntil("all are in the store") {
                try await home.rows(Self.meterQuery) == [["1000", "1000", "119500"]]
            }

            // It is left alone for a minute after it has handed over everything.
            try await world.please("sleep 120")
            try await world.please("wake meter")
            try await world.waitUntil("it was asked for new ones, and for the last one") {
                try await asked() == ["asked 0101", "asked 010301e903", "asked 0106"]
            }
            try await world.please("sleep 120")
            try await world.please("measure meter 142 after")
            #expect(try await Self.sequences(in: first, until: 1001) == [1001])
            await first.send(signal: SIGTERM)
            #expect(try await first.waitForExit().status == .exited(0))
            try await world.please("sleep 120")

            let second = try await start()
            try await world.please("measure meter 61 before")
            #expect(try await Self.sequences(in: second, until: 1002) == [1002])
            #expect(try await asked().last == "asked 010301ea03")
            await second.send(signal: SIGTERM)
            #expect(try await second.waitForExit().status == .exited(0))
            #expect(try await home.rows(Self.meterQuery) == [["1002", "1002", "119703"]])
            let newest = "SELECT value, remark, time_known FROM record_entries WHERE sequence > 1000 ORDER BY sequence"
            #expect(try await home.rows(newest) == [["142.0", "after a meal", "1"], ["61.0", "before a meal", "1"]])
        }

        @Test(
            "a glucose meter that sends each record twice, the newest first, and breaks off, hands over each once",
            .only(.independent))
        func unorderedRecords() async throws {
            let world = try await World.inMachine("conversing")
            let home = try Home()
            for command in ["records 1000", "repeat 2", "backwards on", "break-after 1300"] {
                try await world.please(command)
            }
            let watch = try await ProgramWithPipes.start(
                ["watch", "--json", "--connect", Name.meter], on: world, environment: home.environment)
            _ = try await watch.next("the bus") { $0.event == "bus" }
            try await world.please("wake meter")
            #expect(try await Self.sequences(in: watch, until: 1) == (1...1000).reversed().map(Double.init))
            try await world.waitUntil("all are in the store") {
                try await home.rows(Self.meterQuery) == [["1000", "1000", "119500"]]
            }
            await watch.send(signal: SIGTERM)
            #expect(try await watch.waitForExit().status == .exited(0))
        }

        @Test(
            "a MiaoMiao on a new sensor: its glucose has an arrow, and goes when there is no sensor",
            .only(.independent))
        func bridge() async throws {
            let world = try await World.inMachine("conversing")
            try await world.please("libre unknown")
            try await world.please("glucose 120 2.4")
            // Nobody is asked; `ConversingSensorTests` answer by the key.
            let bedside = try await ProgramInTerminal.start(
                ["--connect", Name.bridge, "--set", "sensors.new_glucose_sensor=always"], on: world)
            try await bedside.waitFor("mg/dL ↑ +12")
            #expect(await bedside.screen.number(of: "GLUCOSE") == "120")
            #expect(try await Self.told("miaomiao", in: world).filter { $0.hasPrefix("told d3") } == ["told d301"])

            // A packet with a wrong octet shows nothing; the one that is asked for in its place is right.
            try await world.please("damage 1")
            try await world.please("glucose 110 -4")
            try await bedside.waitFor("mg/dL ⇊ -20", within: .seconds(400))

            try await world.please("libre missing")
            try await bedside.waitUntil("nothing is below it", within: .seconds(400)) {
                $0.number(of: "GLUCOSE") == "OFF"
            }
            try await world.please("libre active")
            try await world.please("glucose 95")
            try await bedside.waitUntil("its glucose again", within: .seconds(400)) {
                $0.number(of: "GLUCOSE") == "95"
            }
            #expect(try await bedside.quit() == .exited(0))
        }
    }
}
