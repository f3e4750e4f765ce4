import Foundation
import Replay
import TestSupport
import Testing
import VitalDecoders
import Vitals

@Suite("A capture that is played")
struct CaptureReplayTests {
    private let folder: ScratchFolder
    private let address = "C0:52:49:00:00:02"

    init() throws {
        folder = try ScratchFolder()
    }

    /// What `bedside watch --json` printed of a reading, limited to what a capture contains.
    private struct Line: Hashable {
        var sensor, vital, outcome: String
        var site: String?
    }

    @Test("plays what the live stream reported while it was captured: every reading of every sensor, in time")
    func likeLive() throws {
        var replay = try CaptureReplay(steadyRoom)
        var live: [(line: Line, milliseconds: Double)] = []
        let format = ISO8601DateFormatter()
        format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        for text in try String(contentsOfFile: captures + "/steady-room.jsonl", encoding: .utf8).split(separator: "\n")
        {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            guard object["event"] as? String == "reading" else { continue }
            let sensor = try #require(object["sensor"] as? [String: String])
            // Silence and lost links are concluded by the monitor, not reported by a sensor.
            if let reason = object["reason"] as? String, reason == "link_lost" || reason == "silent" { continue }
            var outcome = object["reason"] as? String
            if outcome == nil {
                let value = try #require(object["value"] as? Double)
                outcome = "\(Int((value * 100).rounded()))"
            }
            let (address, name, kind) = (sensor["address"] ?? "", sensor["name"] ?? "", sensor["kind"] ?? "")
            let line = Line(
                sensor: "\(address) \(name) \(kind)", vital: try #require(object["vital"] as? String),
                outcome: outcome ?? "", site: object["site"] as? String)
            let text = try #require(object["t"] as? String)
            let date = try #require(format.date(from: text))
            live.append((line, date.timeIntervalSince1970 * 1000))
        }
        let played = try replay.all().readings.map { reading in
            let outcome =
                switch reading.outcome {
                case .measured(let value, _): "\(value.hundredths)"
                case .noMeasurement(let reason): reason.rawValue
                }
            return (
                line: Line(
                    sensor: "\(reading.sensor.address) \(reading.sensor.name) \(reading.sensor.kind.rawValue)",
                    vital: reading.vital.rawValue, outcome: outcome, site: reading.site?.rawValue),
                milliseconds: Double(reading.moment.wallMilliseconds)
            )
        }
        #expect(replay.warnings.isEmpty)
        #expect(live.count > 150)
        for sensor in Set(live.map(\.line.sensor)) {
            let (printed, replayed) = (
                live.filter { $0.line.sensor == sensor }, played.filter { $0.line.sensor == sensor }
            )
            // Until the sensors are let go they go on for a moment after the last line.
            #expect(replayed.map(\.line).prefix(printed.count) == printed.map(\.line)[...])
            #expect(replayed.count - printed.count <= 4)
            for (one, other) in zip(printed, replayed) { #expect(abs(one.milliseconds - other.milliseconds) < 250) }
        }
    }

    @Test("reports links as the supervisor does, and the battery once for each")
    func links() throws {
        var replay = try CaptureReplay(steadyRoom)
        let events = try replay.all()
        let strap = events.connections.filter { $0.hasPrefix("Polar") }
        #expect(
            strap == [
                "Polar H10 1234 connected", "Polar H10 1234 ready", "Polar H10 1234 disconnected link_lost",
                "Polar H10 1234 connected", "Polar H10 1234 ready", "Polar H10 1234 disconnected user",
            ])
        let batteries = events.count { if case .battery = $0.kind { true } else { false } }
        #expect(batteries == 4)
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.moment <= $1.moment })
    }

    @Test("begins anew at any point, with those connected who were")
    func seeking() throws {
        var replay = try CaptureReplay(steadyRoom)
        let all = try replay.all()
        let range = try #require(replay.range)
        let middle = (range.lowerBound + range.upperBound) / 2
        replay.seek(to: middle)
        var later: [MonitorEvent] = []
        while let event = try replay.nextEvent() { later.append(event) }
        #expect(
            later.prefix(3).connections.sorted() == ["CORE [1A] ready", "Polar H10 1234 ready", "e-Oximeter ready"])
        let expected = all.readings.filter { $0.moment.wallMilliseconds >= middle }
        #expect(later.readings.map(\.outcome) == expected.map(\.outcome))
        #expect(later.readings.map(\.site) == expected.map(\.site))
    }

    @Test("says which handles nothing names, and takes the user's word for them")
    func unnamedHandles() throws {
        var script = CaptureScript()
        script.connect(address, link: 0x40)
        for rate: UInt8 in 70..<75 {
            script.wait(milliseconds: 1000)
            script.notify(link: 0x40, handle: 0x10, [0x06, rate])
        }
        let path = try folder.write(script)
        var silent = try CaptureReplay(path)
        #expect(try silent.all().readings.isEmpty)
        #expect(
            silent.warnings == [
                "\(path): it does not say what handle 0x0010 of C0:52:49:00:00:02 is (5 values), because the sensor was discovered before; if you know it, add an option such as --handle 0x0010=2A37."
            ])
        var named = try CaptureReplay(path, handles: [0x10: BluetoothUUID(0x2A37)])
        let readings = try named.all().readings
        #expect(readings.map(\.outcome) == (70..<75).map { .measured(VitalValue(whole: $0), .good) })
        #expect(readings.allSatisfy { $0.sensor.kind == .heartRateStrap && $0.sensor.address == address })
        #expect(named.warnings.isEmpty)
    }

    @Test(
        "says so where nothing in it can be read, whatever else was notified",
        arguments: [("FF02", [UInt8]([0xEB, 1, 6]), true), ("2A37", [0x06, 72], false), ("2A19", [80], true)])
    func nothingReadable(uuid: String, octets: [UInt8], isSilent: Bool) throws {
        var script = CaptureScript()
        script.connect(address, link: 0x40)
        for _ in 0..<5 {
            script.wait(milliseconds: 1000)
            script.notify(link: 0x40, handle: 0x10, octets)
        }
        let path = try folder.write(script)
        let characteristic = try #require(BluetoothUUID(uuid))
        var replay = try CaptureReplay(path, handles: [0x10: characteristic])
        #expect(try replay.all().readings.isEmpty == isSilent)
        #expect(replay.warnings == (isSilent ? ["\(path): it holds no value of a sensor."] : []))
    }

    @Test("is read up to the damage, and reports where it ends early")
    func damaged() throws {
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: steadyRoom)))
        let path = try folder.write(Array(bytes.prefix(20_001)), to: "cut.btsnoop")
        var replay = try CaptureReplay(path)
        #expect(try replay.all().readings.count > 50)
        let warning = try #require(replay.warnings.first)
        #expect(
            warning.hasPrefix("\(path): at octet ")
                && warning.hasSuffix("the file ends within a record; what lies before it is played."))
    }

    @Test("that is not a capture, is empty, or is not a file, is refused with a sentence")
    func refused() throws {
        let text = try folder.write("Dear nurse\n and so on", to: "letter.txt")
        let empty = try folder.write("", to: "empty")
        for (path, words) in [
            (text, "cannot be played: at octet 0 there is no capture file's beginning"),
            (empty, "the file is empty"), (folder.path, "is not a file"), (folder.path + "/none", "No such file"),
        ] {
            let failure = #expect(throws: ReplayError.self) { try CaptureReplay(path) }
            #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
        }
    }

    @Test("continues in time where the capturing computer's clock was set back, and says so")
    func clockSetBack() throws {
        var script = CaptureScript()
        script.connect(address, link: 0x40)
        script.discover(link: 0x40, [(0x10, [0x37, 0x2A])])
        script.notify(link: 0x40, handle: 0x10, [0x06, 70])
        script.wait(milliseconds: -3_600_000)
        script.notify(link: 0x40, handle: 0x10, [0x06, 71])
        script.wait(milliseconds: 1000)
        script.notify(link: 0x40, handle: 0x10, [0x06, 72])
        var replay = try CaptureReplay(try folder.write(script))
        let events = try replay.all()
        let gaps = events.compactMap { if case .gap(let gap) = $0.kind { gap } else { nil } }
        #expect(gaps.map(\.reason) == [.clockSet])
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.moment <= $1.moment })
        let moments = events.readings.map(\.moment)
        #expect(moments[2].since(moments[1]) == .seconds(1))
        #expect(moments[1].wallMilliseconds == moments[0].wallMilliseconds - 3_600_000)
    }

    @Test("makes names from the air harmless")
    func hostileName() throws {
        var script = CaptureScript()
        script.advertise(address, name: "\u{1B}[2J\nx", services: [0x180D])
        var replay = try CaptureReplay(try folder.write(script))
        let names = try replay.all().compactMap { event -> String? in
            if case .nearby(let sensor, _, _) = event.kind { sensor.name } else { nil }
        }
        #expect(names == ["\u{FFFD}[2J\u{FFFD}x"])
    }
}
