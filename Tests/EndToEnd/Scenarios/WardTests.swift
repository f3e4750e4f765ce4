import Foundation
import TestSupport
import Testing

/// A bed that is published to a broker, and the collector of what it records, with the real mosquitto.
@Suite(
    "A bed on a broker", .startsPrograms, .serialized,
    .enabled(if: PrivateBroker.isHere && PythonScript.isHere(with: "paho.mqtt")))
struct WardTests {
    /// Prints every message as a line of JSON; written by somebody else: paho-mqtt.
    private static let reader = """
        import json, sys
        import paho.mqtt.client as mqtt
        def connected(client, *rest): client.subscribe("bedside/#", 1)
        def received(client, data, message):
            print(json.dumps({"topic": message.topic, "retain": bool(message.retain),
                "payload": json.loads(message.payload)}), flush=True)
        client = mqtt.Client(protocol=mqtt.MQTTv311)
        client.on_connect = connected
        client.on_subscribe = lambda *rest: print(json.dumps({"topic": "ready", "retain": False, "payload": {}}), flush=True)
        client.on_message = received
        client.reconnect_delay_set(1, 1)
        client.connect("127.0.0.1", int(sys.argv[1]))
        client.loop_forever()
        """

    /// A message as the reader prints it.
    private struct Message {
        var topic: String
        var isRetained: Bool
        var payload: [String: Any]

        func text(_ key: String) -> String? { payload[key] as? String }
    }

    private func startReader(_ broker: PrivateBroker) async throws -> ProgramWithPipes {
        let reader = try await ProgramWithPipes.start(
            ["-c", Self.reader, "\(broker.port)"], program: "/usr/bin/python3")
        _ = try await next(reader) { $0.topic == "ready" }
        return reader
    }

    /// The next message that satisfies a condition.
    private func next(_ reader: ProgramWithPipes, _ condition: (Message) -> Bool) async throws -> Message {
        while let line = try await reader.nextLine() {
            guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                let topic = object["topic"] as? String, let payload = object["payload"] as? [String: Any]
            else { throw HarnessError("the reader printed \(line)") }
            let message = Message(topic: topic, isRetained: object["retain"] as? Bool ?? false, payload: payload)
            if condition(message) { return message }
        }
        throw HarnessError("the reader has ended")
    }

    private func configuration(_ broker: PrivateBroker, _ more: String = "", in folder: TemporaryFolder) throws
        -> String
    {
        try folder.write(
            "[ward]\n\(broker.settings)site = \"ward-2\"\nbed = \"12\"\n\(more)\n", to: "bedside.toml")
    }

    private func startBed(
        _ file: String, _ folder: TemporaryFolder, _ command: String = "record", scenario: String = "steady"
    ) async throws -> ProgramWithPipes {
        try await ProgramWithPipes.start(
            [command] + (command == "watch" ? ["--json"] : [])
                + ["--simulate=\(scenario)", "--connect", "all", "--config", file],
            environment: ["XDG_DATA_HOME": folder.path + "/data"])
    }

    @Test("publishes its presence, the full picture, values and heartbeats, all marked as simulated, and its end")
    func publishing() async throws {
        let (broker, folder) = (try PrivateBroker(), try TemporaryFolder())
        let reader = try await startReader(broker)
        let bed = try await startBed(try configuration(broker, in: folder), folder)
        let base = "bedside/v1/ward-2/12"
        let presence = try await next(reader) { $0.topic == "\(base)/session" }
        #expect(presence.text("state") == "online")
        let session = try #require(presence.text("session"))
        let birth = try await next(reader) { $0.topic == "\(base)/birth" }
        #expect(birth.text("session") == session)
        var topics: Set<String> = []
        while !topics.isSuperset(of: ["\(base)/vital/heart_rate", "\(base)/vital/spo2", "\(base)/heartbeat"]) {
            let message = try await next(reader) { $0.text("session") == session }
            #expect(message.payload["simulated"] as? Bool == true)
            #expect(!message.isRetained)
            topics.insert(message.topic)
        }
        await bed.send(signal: SIGTERM)
        let end = try await next(reader) { $0.topic == "\(base)/session" && $0.text("state") == "offline" }
        #expect(end.text("reason") == "closed" && end.text("session") == session)
        #expect(try await bed.waitForExit().status == .exited(0))
    }

    @Test("is known to be gone when its program is killed, by the last will of its session")
    func killed() async throws {
        let (broker, folder) = (try PrivateBroker(), try TemporaryFolder())
        let reader = try await startReader(broker)
        let bed = try await startBed(try configuration(broker, in: folder), folder)
        let presence = try await next(reader) { $0.topic.hasSuffix("/session") && $0.text("state") == "online" }
        await bed.send(signal: SIGKILL)
        let end = try await next(reader) { $0.topic.hasSuffix("/session") && $0.text("state") == "offline" }
        #expect(end.text("reason") == "lost" && end.text("session") == presence.text("session"))
    }

    @Test("beats no more while its program is stopped", .enabled(if: PrivateBroker.endsSilentConnections))
    func stopped() async throws {
        let (broker, folder) = (try PrivateBroker(), try TemporaryFolder())
        let reader = try await startReader(broker)
        let bed = try await startBed(try configuration(broker, in: folder), folder)
        _ = try await next(reader) { $0.topic.hasSuffix("/heartbeat") }
        await bed.send(signal: SIGSTOP)
        // The broker's patience is one and a half keep-alives.
        let end = try await next(reader) { $0.topic.hasSuffix("/session") && $0.text("state") == "offline" }
        #expect(end.text("reason") == "lost")
        await bed.send(signal: SIGCONT)
        let again = try await next(reader) { $0.topic.hasSuffix("/session") && $0.text("state") == "online" }
        #expect(again.text("session") != end.text("session"))
    }

    @Test("goes on without the broker, says so, and is back by itself with another session")
    func brokerGone() async throws {
        let (broker, folder) = (try PrivateBroker(), try TemporaryFolder())
        let first = try await startReader(broker)
        let bed = try await startBed(try configuration(broker, in: folder), folder, "watch")
        let presence = try await next(first) { $0.topic.hasSuffix("/session") }
        broker.setStopped(true)
        // Values come as before, and one alarm of low priority says what is missing.
        var readings = 0
        while true {
            let line = try #require(try await bed.nextLine())
            if line.contains("\"event\":\"reading\"") { readings += 1 }
            if line.contains("\"kind\":\"ward_lost\"") {
                #expect(line.contains("\"priority\":\"low\"") && line.contains("alarms here are not affected"))
                break
            }
        }
        #expect(readings > 10)
        broker.kill()
        try broker.start()
        let second = try await startReader(broker)
        let again = try await next(second) { $0.topic.hasSuffix("/session") && $0.text("state") == "online" }
        #expect(again.text("session") != presence.text("session"))
        _ = try await next(second) { $0.topic.hasSuffix("/heartbeat") }
    }

    @Test("does not start to publish where a setting is missing, and monitors all the same")
    func wrongSettings() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("[ward]\nbroker = \"mqtt://127.0.0.1:1\"\n", to: "bedside.toml")
        let bed = try await startBed(file, folder)
        try await bed.waitForWarning("This bed is not published to a ward: the setting ward.bed is needed")
        try await bed.waitForWarning("CORE [1A] connected")
    }

    // MARK: The collector

    private static let kills = Int(ProcessInfo.processInfo.environment["BEDSIDE_KILLS"] ?? "") ?? 8

    private static let rows =
        "SELECT reading.wall_ms, n, epoch.monotonic_ns + (reading.wall_ms - epoch.wall_ms) * 1000000 + drift_ns, address, "
        + "vital.text, value FROM reading JOIN sensor ON sensor.id = sensor JOIN word AS vital ON vital.id = vital "
        + "JOIN epoch ON epoch.id = epoch ORDER BY reading.wall_ms, n"

    /// What else is recorded and collected: the RR intervals, and what happened to alarms and was done.
    private static let others = [
        "SELECT rr.wall_ms, n, epoch.monotonic_ns + (rr.wall_ms - epoch.wall_ms) * 1000000 + drift_ns, address, "
            + "hex(intervals) FROM rr JOIN sensor ON sensor.id = sensor JOIN epoch ON epoch.id = epoch "
            + "ORDER BY rr.wall_ms, n",
        "SELECT epoch, wall_ms, monotonic_ns, episode, log.kind, state, address, vital, value, action, episodes, text "
            + "FROM alarm_log AS log LEFT JOIN sensor ON sensor.id = log.sensor ORDER BY log.id",
    ]

    private func startCollector(_ file: String, _ folder: TemporaryFolder) async throws -> ProgramWithPipes {
        let collector = try await ProgramWithPipes.start(
            ["collect", "--config", file, "--folder", folder.path + "/ward"])
        #expect(try await collector.nextLine()?.contains("collecting from") == true)
        return collector
    }

    /// The collector's only store.
    private func store(_ folder: TemporaryFolder) throws -> String? {
        let place = folder.path + "/ward/simulated/ward-2/12"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        let stores = names.filter { $0.hasSuffix(".sqlite") }
        #expect(stores.count <= 1)
        return stores.first.map { place + "/" + $0 }
    }

    /// Whether the collector's store is whole: its file exists a moment before its tables.
    private func hasTables(_ path: String) async throws -> Bool {
        try await SQLiteTool.rows("SELECT 1 FROM sqlite_master WHERE name = 'alarm_log'", in: path) == [["1"]]
    }

    @Test("is collected without loss and without doubles, though collector, broker and bed are killed again and again")
    func collecting() async throws {
        let (broker, folder) = (try PrivateBroker(), try TemporaryFolder())
        let file = try configuration(broker, in: folder)
        var random = SeededGenerator(seed: 20)
        // A rate that raises an alarm.
        let scenario = try folder.write(
            """
            { sensors: [
              { name: 'Polar H10', address: 'C0:52:49:00:00:02', kind: 'heartRateStrap', heartRate: 190 },
              { name: 'CORE 1A2B', address: 'C0:52:49:00:00:01', kind: 'core', temperature: 36.9 },
            ] }
            """, to: "evening.json5")
        var bed = try await startBed(file, folder, scenario: scenario)
        for kill in 0..<Self.kills {
            let collector = try await startCollector(file, folder)
            try await Task.sleep(for: .milliseconds(Int.random(in: 100...1500, using: &random)))
            await collector.send(signal: SIGKILL)
            _ = try await collector.waitForExit()
            if kill % 3 == 1 {
                broker.kill()
                try broker.start()
            }
            if kill % 4 == 2 {
                await bed.send(signal: SIGKILL)
                _ = try await bed.waitForExit()
                bed = try await startBed(file, folder, scenario: scenario)
            }
        }
        let own = folder.path + "/data/bedside/simulated/store.sqlite"
        try await awaitCondition("enough is recorded", within: .seconds(600)) {
            for query in Self.others where try await SQLiteTool.rows(query, in: own).isEmpty { return false }
            return try await SQLiteTool.rows(Self.rows, in: own).count > 40
        }
        await bed.send(signal: SIGTERM)
        #expect(try await bed.waitForExit().status == .exited(0))
        let recorded = try await SQLiteTool.rows(Self.rows, in: own)
        #expect(recorded.count > 20)
        var others: [[[String]]] = []
        for query in Self.others { others.append(try await SQLiteTool.rows(query, in: own)) }
        // What is missing yet comes after the next start, before anything new.
        bed = try await startBed(file, folder, scenario: scenario)
        let collector = try await startCollector(file, folder)
        try await awaitCondition("everything is collected", within: .seconds(600)) {
            guard let path = try store(folder), try await hasTables(path) else { return false }
            for (query, rows) in zip([Self.rows] + Self.others, [recorded] + others) {
                if try await SQLiteTool.rows(query, in: path).count < rows.count { return false }
            }
            return true
        }
        await collector.send(signal: SIGTERM)
        #expect(try await collector.waitForExit().status == .exited(0))
        await bed.send(signal: SIGTERM)
        _ = try await bed.waitForExit()
        let path = try #require(try store(folder))
        let collected = try await SQLiteTool.rows(Self.rows, in: path)
        #expect(Array(collected.prefix(recorded.count)) == recorded)
        for (query, rows) in zip(Self.others, others) {
            #expect(try await Array(SQLiteTool.rows(query, in: path).prefix(rows.count)) == rows)
        }
        let sums = try await SQLiteTool.rows(
            "SELECT (SELECT count(*) FROM reading) - (SELECT sum(readings + absences) FROM minute)", in: path)
        #expect(sums == [["0"]])
        // The same tables: every other command reads it.
        let history = try await ProgramWithPipes.run(["history", "--store", path])
        #expect(history.status == .exited(0) && history.output.contains("heart rate"))
        #expect(history.output.contains("SIMULATED SENSORS"))
        let alarms = try await ProgramWithPipes.run(["alarms", "--json", "--store", path])
        #expect(alarms.output.contains("\"simulated\":true"), "\(alarms.output)\(alarms.errorOutput)")
        let export = try await ProgramWithPipes.run(["export", "--store", path])
        #expect(export.output.split(whereSeparator: \.isNewline).count == collected.count + 1)
    }
}
