import Formats
import JSON
import Monitoring
import TestSupport
import Testing
import Vitals

@testable import WardMessages

@Suite("Messages between beds and wards")
struct WardCodingTests {
    @Test("are read as they were written")
    func roundTrip() throws {
        for (subject, payload, message) in Samples.all {
            #expect(try WardDecoder.decode(subject, payload) == message, "\(String(decoding: payload, as: UTF8.self))")
        }
    }

    @Test("have every field of the lines of watch, with the same values")
    func sameAsWatch() throws {
        var state = MonitorState(start: Moment(monotonicNanoseconds: 0, wallMilliseconds: Samples.wall))
        var now = state.now
        var compared = (readings: 0, alarms: 0)
        for second in 0..<120 {
            now = now.advanced(by: .seconds(1))
            let reading = Reading(
                sensor: Samples.oximeter, vital: .oxygenSaturation,
                outcome: second % 50 == 49
                    ? .noMeasurement(.searching) : .measured(VitalValue(whole: second > 30 ? 84 : 97), .questionable),
                moment: now, site: .finger)
            var encoder = WardEncoder()
            for effect in state.apply(MonitorEvent(moment: now, kind: .reading(reading))) {
                guard case .alarm(let alarm, _) = effect, alarm.state != .pending else { continue }
                let message = WardAlarmMessage(stamp: stamp(now), alarm: WardAlarm(alarm, at: now))
                try expectFields(of: line { $0.write(effect) }, in: encoder.encode(message, isSimulated: false))
                compared.alarms += 1
            }
            let vital = WardVital(reading: reading, ageMilliseconds: 0, intervalMilliseconds: 1000)
            let message = WardVitalMessage(stamp: stamp(now), vital: vital, isSimulated: false)
            try expectFields(
                of: line { $0.write(MonitorEvent(moment: now, kind: .reading(reading))) }, in: encoder.encode(message))
            compared.readings += 1
        }
        #expect(compared.readings == 120)
        #expect(compared.alarms >= 2)
    }

    private func stamp(_ now: Moment) -> WardStamp {
        WardStamp(
            session: Samples.session, sequence: 1, bootMilliseconds: now.monotonicNanoseconds / 1_000_000,
            wallMilliseconds: now.wallMilliseconds)
    }

    private func line(_ write: (inout WatchEncoder) -> Void) -> [UInt8] {
        var encoder = WatchEncoder(isSimulated: false)
        write(&encoder)
        return encoder.takeLines { $0 }
    }

    private func expectFields(of line: [UInt8], in payload: [UInt8]) throws {
        let message = try JSON5Parser.parse(payload, .json)
        for member in try JSON5Parser.parse(line, .json).members ?? [] {
            let found = message[member.name]
            #expect(found.map { text($0) } == text(member.value), "\(member.name)")
        }
    }

    /// A value without its positions.
    private func text(_ value: JSON5Value) -> String {
        switch value.content {
        case .array(let elements): elements.map { text($0) }.joined(separator: ",")
        case .object(let members): members.map { "\($0.name):\(text($0.value))" }.joined(separator: ",")
        default: "\(value.content)"
        }
    }

    @Test("ignore fields that are not known, and refuse another version")
    func versions() throws {
        for (subject, payload, message) in Samples.all {
            let text = String(decoding: payload, as: UTF8.self)
            let newer = text.replacing("{\"v\":1,", with: "{\"v\":1,\"newer\":{\"a\":[1,2]},")
            #expect(try WardDecoder.decode(subject, Array(newer.utf8)) == message)
            let other = text.replacing("{\"v\":1,", with: "{\"v\":2,")
            let error = #expect(throws: WardMessageError.self) { try WardDecoder.decode(subject, Array(other.utf8)) }
            #expect(error?.description.contains("version 2") == true)
        }
    }

    @Test("of a newer bed are read without the vitals that only it knows, with its alarms about them")
    func newerVitals() throws {
        var seen = 0
        for (subject, payload, message) in Samples.all {
            guard case .birth(let birth) = message, !birth.vitals.isEmpty, !birth.alarms.isEmpty else { continue }
            seen += 1
            var text = String(decoding: payload, as: UTF8.self)
            for list in ["vitals", "limits", "trends"] {
                let newer = "{\"vital\":\"etco2\",\"newer\":true}," + "{\"vital\":\"etco2\"},"
                text = text.split(separator: "\"\(list)\":[{", maxSplits: 1).joined(separator: "\"\(list)\":[\(newer){")
            }
            #expect(text.utf8.count > payload.count)
            #expect(try WardDecoder.decode(subject, Array(text.utf8)) == message)
            // All of its vitals and alarms may be of that kind.
            for vital in Vital.allCases {
                text = text.replacing("\"vital\":\"\(vital.rawValue)\"", with: "\"vital\":\"new_vital\"")
            }
            guard case .birth(let other) = try WardDecoder.decode(subject, Array(text.utf8)) else {
                Issue.record("no birth")
                continue
            }
            #expect(other.vitals.isEmpty && other.limits.isEmpty && other.trends.isEmpty)
            #expect(other.alarms.map(\.id) == birth.alarms.map(\.id) && other.alarms.allSatisfy { $0.vital == nil })
            #expect(WardDigest(other.alarms) == WardDigest(birth.alarms))
        }
        #expect(seen > 0)
    }

    @Test("with more vitals than any version knows are refused")
    func tooManyVitals() {
        for (subject, payload, message) in Samples.all {
            guard case .birth(let birth) = message, !birth.vitals.isEmpty else { continue }
            let flood = String(repeating: "{\"vital\":\"etco2\"},", count: 64)
            let text = String(decoding: payload, as: UTF8.self)
                .replacing("\"vitals\":[{", with: "\"vitals\":[\(flood){")
            let error = #expect(throws: WardMessageError.self) { try WardDecoder.decode(subject, Array(text.utf8)) }
            #expect(error?.description.contains("64 are the most") == true)
        }
    }

    @Test("about a vital that only a newer bed knows count as messages of its session")
    func newerReading() throws {
        for (subject, payload, message) in Samples.all {
            guard case .vital(let vital) = message, subject == .vital(vital.vital.reading.vital) else { continue }
            let topic = try #require(WardTopic("bedside/v1/site/bed/vital/etco2"))
            #expect(topic.text == "bedside/v1/site/bed/vital/etco2")
            guard case .unknownVital(let stamp) = try WardDecoder.decode(topic.subject, payload) else {
                Issue.record("no message of its session")
                continue
            }
            #expect(stamp.session == vital.stamp.session && stamp.sequence == vital.stamp.sequence)
        }
    }

    @Test("are refused where a field that is needed is missing")
    func missingFields() throws {
        for (subject, payload, message) in Samples.all {
            guard case .vital = message else { continue }
            for field in [
                "vital", "state", "sensor", "session", "seq", "boot_ms", "age_ms", "interval_ms", "t", "value",
            ] {
                let text = String(decoding: payload, as: UTF8.self).replacing("\"\(field)\":", with: "\"x\(field)\":")
                #expect(throws: WardMessageError.self, "\(field)") { try WardDecoder.decode(subject, Array(text.utf8)) }
            }
        }
    }

    @Test("never trap, whatever bytes come, and what is accepted is bounded")
    func hostile() {
        var random = SeededGenerator(seed: 20)
        let samples = Samples.all
        let pieces = [
            "9e999", "-1", "1e18", "null", "[]", "{}", "\"\\u0000\\u001b[31m\"",
            "\"" + String(repeating: "x", count: 5000) + "\"",
        ]
        var accepted = 0
        for round in 0..<30_000 {
            let sample = samples[round % samples.count]
            var payload = sample.payload
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                let place = Int.random(in: 0..<payload.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: payload[place] = UInt8.random(in: .min ... .max, using: &random)
                case 1: payload.remove(at: place)
                case 2: payload.insert(contentsOf: Array(pieces[place % pieces.count].utf8), at: place)
                default:
                    // A value replaced as a whole.
                    guard let colon = payload[place...].firstIndex(of: UInt8(ascii: ":")),
                        let end = payload[colon...].firstIndex(of: UInt8(ascii: ","))
                    else { continue }
                    payload.replaceSubrange(colon + 1..<end, with: Array(pieces[place % pieces.count].utf8))
                }
                if payload.isEmpty { break }
            }
            guard let message = try? WardDecoder.decode(sample.subject, payload) else { continue }
            accepted += 1
            #expect(Self.isHarmless(message), "\(String(decoding: payload, as: UTF8.self))")
        }
        // Otherwise the changes would be too coarse to test anything.
        #expect(accepted > 1000)
    }

    /// Whether its texts can be shown, and its numbers are computed with safely.
    static func isHarmless(_ message: WardMessage) -> Bool {
        func isShown(_ texts: String?...) -> Bool {
            texts.allSatisfy { text in
                guard let text else { return true }
                return text.unicodeScalars.count <= 161
                    && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
            }
        }
        switch message {
        case .session(let session): return isShown(session.facts.program, session.facts.host)
        case .birth(let birth):
            return isShown(birth.patient)
                && birth.alarms.allSatisfy { isShown($0.text, $0.acknowledgedBy, $0.going?.who) }
                && birth.sensors.allSatisfy { isShown($0.sensor.name) }
                && birth.vitals.allSatisfy { $0.ageMilliseconds >= 0 }
                && isShown(birth.pressure?.entry.facts.remark) && birth.pressure?.ageMilliseconds ?? 0 >= 0
        case .unknownVital: return true
        case .vital(let vital): return isShown(vital.vital.reading.sensor.name) && vital.vital.ageMilliseconds >= 0
        case .alarm(let alarm): return isShown(alarm.alarm.text, alarm.alarm.kindName)
        case .command(let command): return isShown(command.answer?.who, command.answer?.place)
        case .commandResult(let result): return isShown(result.refusal)
        case .history(let batch):
            return batch.refusals.allSatisfy { isShown($0.reason) }
                && batch.rows.allSatisfy { row in
                    guard case .entry(let entry, _) = row.content else { return true }
                    return isShown(entry.sensor.name, entry.facts.remark, entry.origin?.key)
                        && entry.taken <= entry.enteredAt
                }
        case .historyAcknowledgement(let answer): return isShown(answer.reason)
        case .heartbeat: return true
        }
    }

    @Test("are refused beyond their size, without being parsed")
    func sizes() {
        let payload = [UInt8](repeating: UInt8(ascii: "["), count: 5000)
        let error = #expect(throws: WardMessageError.self) { try WardDecoder.decode(.heartbeat, payload) }
        #expect(error?.description.contains("5000 bytes") == true)
    }

    @Test("of a bed with hundreds of sensors and alarms stay within what is accepted, and keep the worst alarm")
    func manySensors() throws {
        var birth = Samples.birth
        birth.sensors = (0..<512).map { _ in Samples.birth.sensors[0] }
        birth.alarms = (0..<300).map { number in
            var alarm = Samples.acknowledged
            alarm.id = number
            alarm.text = String(repeating: "long text ", count: 40)
            return alarm
        }
        birth.alarms.append(Samples.alarm)
        birth.alarms[birth.alarms.count - 1].id = 999
        birth.trends = Vital.allCases.map { vital in
            WardTrend(
                vital: vital, stepSeconds: 15,
                points: (0..<500).map { _ in
                    .init(low: VitalValue(hundredths: 9155), high: VitalValue(hundredths: 9999))
                })
        }
        var encoder = WardEncoder()
        let payload = encoder.encode(birth)
        guard case .birth(let read) = try WardDecoder.decode(.birth, payload) else { return }
        #expect(read.alarms.first?.id == 999)
        #expect(read.alarms.count == 64)
    }
}

@Suite("The digest of alarm states")
struct WardDigestTests {
    @Test("is that of the documented text")
    func documented() {
        // The empty text, and `7 medium active g` with a line feed, by an FNV-1a of 64 bits elsewhere.
        #expect(WardDigest([]).description == "cbf29ce484222325")
        #expect(WardDigest([Samples.alarm]).description == Self.fnv("7 medium active g\n"))
        #expect(
            WardDigest([Samples.alarm, Samples.acknowledged]).description
                == Self.fnv("5 low suspended ahs\n7 medium active g\n"))
    }

    private static func fnv(_ text: String) -> String {
        var hash: UInt64 = 14_695_981_039_346_656_037
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    @Test("depends on neither order nor values, and changes with every state that a screen shows")
    func changes() {
        let alarms = [Samples.alarm, Samples.acknowledged]
        #expect(WardDigest(alarms) == WardDigest(alarms.reversed()))
        var other = Samples.alarm
        other.value = VitalValue(whole: 80)
        other.text = "another"
        #expect(WardDigest([other]) == WardDigest([Samples.alarm]))
        let changes: [(inout WardAlarm) -> Void] = [
            { $0.state = .acknowledged }, { $0.priority = .high }, { $0.isAcknowledged = true }, { $0.isHeld = true },
            { $0.isSnoozed = true }, { $0.going = nil }, { $0.state = .suspended }, { $0.id = 8 },
        ]
        for change in changes {
            var changed = Samples.alarm
            change(&changed)
            #expect(WardDigest([changed]) != WardDigest([Samples.alarm]))
        }
        var pending = Samples.alarm
        pending.state = .pending
        #expect(WardDigest([pending]) == WardDigest([]))
    }
}
