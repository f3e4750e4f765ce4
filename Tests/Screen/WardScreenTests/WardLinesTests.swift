import Foundation
import JSON
import TestSupport
import Testing
import Vitals

@testable import Ward
@testable import WardMessages
@testable import WardScreen

@Suite("Lines of a ward for programs")
struct WardLinesTests {
    /// The lines of a ward, and what a program knows after them.
    struct Follower {
        var lines = WardLines()
        var texts: [String] = []
        var values: [String] = []
        /// The present value of each vital; `nil` once a line has said that it is no longer present.
        var present: [Vital: Double] = [:]

        mutating func follow(_ effects: [WardEffect], _ ward: WardState, of bed: WardBed?, at now: Moment) throws {
            lines.write(effects, ward, of: bed, at: now)
            if lines.isEmpty { return }
            for line in lines.takeLines({ String(decoding: $0, as: UTF8.self) }).split(separator: "\n") {
                texts.append(String(line))
                let object = try JSON5Parser.parse(Array(line.utf8), .json)
                guard let vital = object["vital"]?.text.flatMap({ Vital(rawValue: $0) }) else { continue }
                switch object["event"]?.text {
                case "reading": present[vital] = object["value"]?.number
                case "freshness": present[vital] = nil
                default: break
                }
            }
        }

        func events(_ name: String) -> [String] { texts.filter { $0.contains("\"event\":\"\(name)\"") } }
    }

    /// Lets time pass as ``SmallWard`` does, and follows the lines.
    private func pass(_ seconds: Int, _ small: inout SmallWard, _ follower: inout Follower, isHeard: Bool = true) throws
    {
        for _ in 0..<seconds * 5 {
            small.effects = []
            small.now += 200
            let time = small.now
            for message in small.monitor.run(to: time) where isHeard { small.deliver(message) }
            small.handle(small.ward.advance(to: small.moment))
            try follower.follow(small.effects, small.ward, of: nil, at: small.moment)
            // A program that follows the lines never has a value that the screen would not show as present.
            for vital in Vital.allCases {
                let isPresent = small.state?.shown(vital, at: small.moment, small.ward.settings).isPresent == true
                #expect((follower.present[vital] != nil) == isPresent, "\(vital)")
            }
        }
    }

    @Test("say what is present, and when it no longer is, in the order in which it happens")
    func story() throws {
        var (small, follower) = (try SmallWard(isSimulated: true), Follower())
        small.ward = WardState(
            settings: {
                var settings = WardSettings(); settings.showsSimulated = true; return settings
            }(),
            name: small.bed.site, start: small.moment)
        try follower.follow([], small.ward, of: nil, at: small.moment)
        #expect(follower.texts.count == 1 && follower.texts[0].contains(#""event":"broker","state":"connecting""#))
        small.handle(small.ward.brokerChanged(.connected, at: small.moment))
        try pass(4, &small, &follower)
        #expect(follower.events("bed").last?.contains(#""state":"live""#) == true)
        let readings = follower.events("reading")
        #expect(readings.count >= 6)
        #expect(readings.allSatisfy { $0.contains(#""ward":"north","bed":"12""#) && $0.contains(#""simulated":true"#) })

        // Silence: stale, then no link, from which nothing is present.
        let count = readings.count
        try pass(7, &small, &follower, isHeard: false)
        #expect(follower.events("reading").count == count)
        #expect(follower.events("freshness").contains { $0.contains(#""state":"stale""#) })
        #expect(follower.events("freshness").last?.contains(#""state":"unknown""#) == true)
        #expect(follower.events("bed").last?.contains(#""state":"no_link""#) == true)
        #expect(follower.events("alarm").last?.contains(#""origin":"ward","change":"active""#) == true)
        try pass(3, &small, &follower)
        #expect(follower.events("reading").count > count)

        // An edge of an alarm, once.
        small.effects = []
        var random = SeededGenerator(seed: 7)
        let time = small.now
        let alarm = small.monitor.changeAlarm(&random, time)
        small.deliver(alarm)
        small.deliver(alarm)
        try follower.follow(small.effects, small.ward, of: small.bed, at: small.moment)
        let edges = follower.events("alarm").filter { $0.contains(#""origin":"bed""#) }
        #expect(edges.count == 1, "\(follower.events("alarm"))")
        #expect(edges.first?.contains(#""change":"active""#) == true && edges.first?.contains(#""session":""#) == true)

        // What a broker has kept is reported, and is no reading.
        let later = small.now + 1000
        var kept = small.monitor.run(to: later)
        small.effects = []
        for index in kept.indices {
            kept[index].isRetained = true
            small.deliver(kept[index])
        }
        let before = follower.events("reading").count
        try follower.follow(small.effects, small.ward, of: small.bed, at: small.moment)
        #expect(follower.events("warning").last?.contains("retained") == true)
        #expect(follower.events("reading").count == before)

        small.effects = []
        small.handle(small.ward.brokerChanged(.lost("the broker does not answer"), at: small.moment))
        try follower.follow(small.effects, small.ward, of: nil, at: small.moment)
        #expect(follower.present.isEmpty)
        #expect(
            follower.events("broker").last?.contains(#""state":"lost","reason":"the broker does not answer""#) == true)
        try expectDocumented(follower.texts + [summaryLine(small)])
    }

    private func summaryLine(_ small: SmallWard) -> String {
        var lines = WardLines()
        lines.write(WardSummary(small.ward), text: "12 beds", at: small.moment)
        return lines.takeLines { String(decoding: $0, as: UTF8.self) }
    }

    /// Expects the article to list every field.
    private func expectDocumented(_ lines: [String]) throws {
        let articles = try [
            "Sources/Program/bedside/Bedside.docc/Ward.md",
            "Sources/Exchange/WardMessages/WardMessages.docc/WardMessages.md",
        ]
        .map { try UserDocuments.text($0) }
        var documented: Set<String> = []
        for line in articles.joined(separator: "\n").split(separator: "\n") where line.hasPrefix("| `") {
            let cell = line.split(separator: "|")[0]
            for match in cell.matches(of: /`([a-z_]+)`/) { documented.insert(String(match.1)) }
        }
        for line in lines {
            for member in try JSON5Parser.parse(Array(line.utf8), .json).members ?? [] {
                #expect(documented.contains(member.name), "\(member.name) in \(line)")
            }
        }
    }

    @Test("never leave a program with a value that is not present, among faults", .computing, arguments: 1...2)
    func faults(seed: UInt64) throws {
        var world = FaultyWorld(beds: 3, seed: seed)
        var lines = WardLines()
        var present: [WardBed: [Vital: Double]] = [:]
        var count = 0
        for step in 0..<1500 {
            if step % 8 == 0 { world.fault() }
            world.step(200)
            lines.write([], world.ward, of: nil, at: world.moment)
            let text = lines.takeLines { String(decoding: $0, as: UTF8.self) }
            for line in text.split(separator: "\n") {
                let object = try JSON5Parser.parse(Array(line.utf8), .json)
                guard let bed = world.beds.first(where: { $0.bed.text == object["bed"]?.text }),
                    let vital = object["vital"]?.text.flatMap({ Vital(rawValue: $0) })
                else { continue }
                let isReading = object["event"]?.text == "reading"
                present[bed, default: [:]][vital] = isReading ? object["value"]?.number : nil
                count += isReading ? 1 : 0
            }
            for bed in world.beds {
                for vital in [Vital.heartRate, .bodyTemperature] {
                    let shown = world.ward[bed]?.shown(vital, at: world.moment, world.ward.settings)
                    var value: Double?
                    if case .present(let number, _, _) = shown { value = Double(number.hundredths) / 100 }
                    #expect(present[bed]?[vital] == value)
                }
            }
        }
        #expect(count > 300)
    }

    @Test("a ward is summarized by what is worst, and a silent bed is never calm")
    func summary() throws {
        var small = try SmallWard()
        func line() -> String {
            WardStatusLine(small.ward, glyphs: .ascii, timeZoneOffset: 0, now: small.moment).text
        }
        #expect(!small.ward.isSettled(at: small.moment))
        small.pass(3)
        #expect(small.ward.isSettled(at: small.moment))
        #expect(WardSummary(small.ward).condition == .calm)
        #expect(line() == "1 bed, all live; no alarms")
        var random = SeededGenerator(seed: 7)
        let now = small.now
        let alarm = small.monitor.changeAlarm(&random, now)
        small.deliver(alarm)
        let priority = small.monitor.worstAlarm?.priority
        #expect(WardSummary(small.ward).condition == (priority == .high ? .highAlarm : .alarm))
        #expect(line().contains("1 alarm, 1 unanswered; ") && line().contains("bed 12 Alarm 1 of pc-12"))
        small.pass(7, isHeard: false)
        #expect(WardSummary(small.ward).condition == .notHeard)
        #expect(line().hasPrefix("1 bed, 0 live; not heard: bed 12; 1 alarm, 1 unanswered; "))
        small.handle(small.ward.brokerChanged(.lost("the broker does not answer"), at: small.moment))
        #expect(WardSummary(small.ward).condition == .noBroker)
        #expect(line() == "no broker: the broker does not answer")
    }
}
