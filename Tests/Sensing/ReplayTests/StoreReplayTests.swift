import Replay
import TestSupport
import Testing
import Vitals

@testable import Recording

@Suite("A store that is played")
struct StoreReplayTests {
    private let store: WrittenStore

    init() throws {
        store = try WrittenStore()
    }

    private func events(from start: Int64 = .min) throws -> [MonitorEvent] {
        var replay = try StoreReplay(store.path)
        replay.seek(to: start)
        var events: [MonitorEvent] = []
        while let event = try replay.nextEvent() { events.append(event) }
        return events
    }

    @Test("hands out its readings with their wall times and their distances, and the sensor as connected")
    func readings() throws {
        let written = (0..<20).map { Reading.rate(60 + $0, at: .at(milliseconds: Int64($0) * 1000)) }
        try store.write(written)
        let events = try events()
        #expect(events.readings.map(\.outcome) == written.map(\.outcome))
        #expect(events.readings.map(\.site) == written.map(\.site))
        #expect(events.readings.map(\.moment.wallMilliseconds) == written.map(\.moment.wallMilliseconds))
        let first = try #require(events.readings.first?.moment)
        #expect(events.readings.map { $0.moment.since(first) } == (0..<20).map { .seconds($0) })
        #expect(events.connections.first == "Polar H10 1234 ready")
    }

    @Test("needs no more than some pages, whatever there is between them", arguments: [4096, 4097, 10_000])
    func pages(_ count: Int) throws {
        try store.write((0..<count).map { Reading.rate(60 + $0 % 90, at: .at(milliseconds: Int64($0 / 3) * 1000)) })
        let readings = try events().readings
        #expect(readings.count == count)
        #expect(readings.map(\.outcome) == (0..<count).map { .measured(VitalValue(whole: 60 + $0 % 90), .good) })
    }

    @Test("lets a sensor whose readings end without a word go, calmly")
    func disconnected() throws {
        try store.write((0..<5).map { .rate(70, at: .at(milliseconds: $0 * 1000)) })
        try store.write((600..<605).map { .rate(71, at: .at(milliseconds: $0 * 1000)) })
        let events = try events()
        #expect(
            events.connections == [
                "Polar H10 1234 ready", "Polar H10 1234 disconnected user", "Polar H10 1234 ready",
                "Polar H10 1234 disconnected user",
            ])
        let ended = try #require(
            events.first { if case .connection(_, let state) = $0.kind { state.phase == .disconnected } else { false } }
        )
        #expect(ended.moment.since(events[0].moment) == .seconds(5))
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.moment <= $1.moment })
    }

    @Test("leaves silence to the monitor, and reports a lost link as one")
    func absencesByTime() throws {
        try store.write((0..<5).map { .rate(70, at: .at(milliseconds: $0 * 1000)) })
        try store.write([.noRate(.silent, at: .at(milliseconds: 14_000))])
        try store.write([.rate(70, at: .at(milliseconds: 60_000)), .noRate(.linkLost, at: .at(milliseconds: 60_500))])
        try store.write([.rate(72, at: .at(milliseconds: 70_000))])
        let events = try events()
        #expect(events.readings.count == 7)
        #expect(
            events.connections == [
                "Polar H10 1234 ready", "Polar H10 1234 disconnected link_lost", "Polar H10 1234 ready",
                "Polar H10 1234 disconnected user",
            ])
    }

    @Test("keeps gaps: a sleep has its length, and no sensor stays connected from one run to the next")
    func gaps() throws {
        try store.write([.rate(70, at: .at(milliseconds: 0)), .rate(70, at: .at(milliseconds: 1000))])
        try store.write { (store) throws(StoreError) in
            try store.append(
                Gap(from: .at(milliseconds: 1500), to: .at(milliseconds: 61_500), reason: .asleep), reason: "asleep")
            try store.append(.rate(71, at: .at(milliseconds: 62_000)))
        }
        // After a restart of the computer the other clock begins anew.
        let later = Moment(
            monotonicNanoseconds: 7, wallMilliseconds: Moment.at(milliseconds: 3_600_000).wallMilliseconds)
        try store.restart(at: later)
        try store.write([.rate(72, at: later.advanced(by: .seconds(2)))])
        let events = try events()
        let first = events[0].moment
        let gaps = events.compactMap { if case .gap(let gap) = $0.kind { gap } else { nil } }
        #expect(gaps.map(\.reason) == [.asleep, .program])
        #expect(gaps.map { $0.to.since(first) } == [.milliseconds(61_500), .seconds(3600)])
        #expect(events.readings.map { $0.moment.since(first) } == [.zero, .seconds(1), .seconds(62), .seconds(3602)])
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.moment <= $1.moment })
        let programGap = try #require(
            events.firstIndex { if case .gap(let gap) = $0.kind { gap.reason == .program } else { false } })
        #expect(events[..<programGap].connections.last == "Polar H10 1234 disconnected user")
    }

    @Test("plays both passes of an hour that a clock set back has made twice, one after the other")
    func clockSetBack() throws {
        try store.write((0..<10).map { .rate(60 + Int($0), at: .at(milliseconds: $0 * 1000)) })
        let (before, after) = (Moment.at(milliseconds: 10_000), Moment.at(milliseconds: 10_000))
        let set = Moment(
            monotonicNanoseconds: after.monotonicNanoseconds, wallMilliseconds: after.wallMilliseconds - 7000)
        try store.write { (store) throws(StoreError) in
            try store.append(Gap(from: before, to: set, reason: .clockSet), reason: "clock_set")
            for second in 0..<10 { try store.append(.rate(80 + second, at: set.advanced(by: .seconds(second)))) }
        }
        let events = try events()
        let rates = Array(60..<70) + Array(80..<90)
        #expect(events.readings.map(\.outcome) == rates.map { .measured(VitalValue(whole: $0), .good) })
        let first = events[0].moment
        #expect(events.readings.map { $0.moment.since(first) } == (0..<20).map { .seconds($0) })
    }

    @Test("makes readings anew of the octets that were kept, with what only the stored ones know")
    func notifications() throws {
        let moments = (0..<4).map { Moment.at(milliseconds: $0 * 1000) }
        try store.write { (store) throws(StoreError) in
            for moment in moments {
                try store.append(
                    RawNotification(
                        source: .address(SensorIdentity.strap.address), characteristic: "2A37", octets: [0x06, 99],
                        moment: moment))
                // What an older version has made of them.
                try store.append(.rate(98, at: moment))
            }
            // Octets that were not kept.
            try store.append(.rate(97, at: .at(milliseconds: 4000)))
            try store.append(
                RawNotification(
                    source: .sensor(.strap), characteristic: "2A37", octets: [0x06], moment: .at(milliseconds: 5000),
                    mistake: "too short"))
        }
        let events = try events()
        #expect(
            events.readings.map(\.outcome)
                == [99, 99, 99, 99, 97].map { .measured(VitalValue(whole: $0), .good) })
        #expect(events.readings.allSatisfy { $0.site == .chest && $0.sensor == .strap })
        #expect(events.contains { if case .malformed = $0.kind { true } else { false } })
    }

    @Test("begins at any time")
    func seeking() throws {
        try store.write((0..<100).map { .rate(60 + Int($0), at: .at(milliseconds: $0 * 1000)) })
        let events = try events(from: Moment.at(milliseconds: 90_000).wallMilliseconds)
        #expect(events.readings.map(\.outcome) == (150..<160).map { .measured(VitalValue(whole: $0), .good) })
    }

    @Test("without readings has nothing to play, and one of another program is refused")
    func nothing() throws {
        #expect(try StoreReplay(store.path).range == nil)
        let folder = try ScratchFolder()
        let path = folder.path + "/other.sqlite"
        try SQLiteDatabase(path: path).execute("CREATE TABLE other (id)")
        let failure = #expect(throws: ReplayError.self) { try StoreReplay(path) }
        #expect(failure?.kind == .malformed)
    }
}
