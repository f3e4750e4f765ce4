import Replay
import TestSupport
import Testing
import Vitals

@testable import Recording

/// What a clock that was set, a flipped bit or a long pause makes of a recording.
@Suite("A recording whose times jump")
struct JumpTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    /// A strap that sends a value a second; before each value the clock jumps by a number of microseconds.
    private func capture(_ jumps: [Int64]) throws -> String {
        var script = CaptureScript(at: 1_767_323_045_000_000)
        script.connect("C0:52:49:00:00:02", link: 64)
        script.discover(link: 64, [(16, CaptureScript.little(0x2A37, 2))])
        for jump in jumps {
            script.microseconds += 1_000_000 + jump
            script.notify(link: 64, handle: 16, [0x06, 99])
        }
        return try folder.write(script)
    }

    private static let day: Int64 = 86_400_000_000
    private static let years: Int64 = 56 * 365 * day

    private static let wild: [Int64] = [
        .max / 2, .min / 2, 1 << 52, -(1 << 52), 253_402_300_800_000_000, -62_167_219_200_000_001,
    ]

    private static let readings: [Int64] = [.max, .min, .max - 1, 0, -1]

    private func gaps(_ events: [MonitorEvent]) -> [Gap] {
        events.compactMap { if case .gap(let gap) = $0.kind { gap } else { nil } }
    }

    @Test("plays a clock that is set forward by decades as a gap, after which values go on")
    func forward() throws {
        var replay = try CaptureReplay(capture([0, 0, Self.years, 0, 0]))
        let events = try replay.all()
        let gap = try #require(gaps(events).first)
        #expect(gaps(events).count == 1 && gap.reason == .program)
        #expect(gap.to.wallMilliseconds - gap.from.wallMilliseconds == Self.years / 1000 + 1000)
        #expect(events.readings.count == 5)
        // Farther than trends reach back, and not so far that several of them would use up the clock.
        #expect(gap.to.since(gap.from) > .seconds(48 * 3600) && gap.to.since(gap.from) <= .seconds(7 * 86_400))
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.moment <= $1.moment })
    }

    @Test("plays a day without any packet as time that passes, and a longer pause as a gap")
    func pause() throws {
        var silent = try CaptureReplay(capture([0, Self.day - 2_000_000, 0]))
        #expect(try gaps(silent.all()).isEmpty)
        var longer = try CaptureReplay(capture([0, Self.day, 0]))
        #expect(try gaps(longer.all()).count == 1)
    }

    @Test(
        "survives every time stamp, one after the other",
        arguments: wild)
    func extremes(_ jump: Int64) throws {
        for place in 0..<3 {
            var jumps: [Int64] = [0, 0, 0, 0]
            jumps[place] = jump
            jumps[place + 1] = -jump
            let path = try capture(jumps)
            var player = try #require(try ReplayPlayer(CaptureReplay(path), speed: .unlimited, nanoseconds: 0))
            var events: [MonitorEvent] = []
            while player.nextDue(at: 0) != nil { try player.due(at: 0, limit: 16) { events.append($0) } }
            #expect(events.readings.count == 4)
            #expect(zip(events, events.dropFirst()).allSatisfy { $0.moment <= $1.moment })
            let shown = -62_167_219_200_000...253_402_300_799_999
            #expect(events.allSatisfy { shown.contains(Int($0.moment.wallMilliseconds)) })
        }
    }

    @Test("is not waited for: the clock of the player jumps over a gap at any speed, by no more and no less")
    func notWaitedFor() throws {
        let path = try capture([0, 0, Self.years, 0, 0])
        for speed in [ReplaySpeed.times(1), .times(60)] {
            var player = try #require(try ReplayPlayer(CaptureReplay(path), speed: speed, nanoseconds: 0))
            var (now, played): (Int64, [(MonitorEvent, Int64)]) = (0, [])
            while let due = player.nextDue(at: now) {
                now = max(now, due)
                try player.due(at: now, limit: 16) { played.append(($0, now)) }
            }
            // Five seconds, of which the jump itself is one.
            #expect(now <= 5_000_000_010)
            let gap = try #require(played.firstIndex { if case .gap = $0.0.kind { true } else { false } })
            #expect(played[gap].1 == played[gap - 1].1)
            let rates = played.filter { if case .reading = $0.0.kind { true } else { false } }.map(\.1)
            let paces = zip(rates, rates.dropFirst()).map { $1 - $0 }
            #expect(paces[3] == paces[0])
        }
    }

    @Test("is searched step by step: no step reads the whole of a long file")
    func steps() throws {
        var script = CaptureScript()
        for _ in 0..<5000 { script.packet(1, [0, 0, 0], .sent) }
        script.connect("C0:52:49:00:00:02", link: 64)
        script.discover(link: 64, [(16, CaptureScript.little(0x2A37, 2))])
        script.notify(link: 64, handle: 16, [0x06, 99])
        var replay = try CaptureReplay(try folder.write(script))
        replay.seek(to: .min)
        var searches = 0
        while try replay.next() == .searching { searches += 1 }
        #expect(searches >= 4)
    }

    @Test("inside of a store is a gap, too")
    func store() throws {
        let store = try WrittenStore()
        try store.write((0..<3).map { Reading.rate(60, at: .at(milliseconds: $0 * 1000)) })
        try store.write((0..<3).map { Reading.rate(70, at: .at(milliseconds: 10 * 86_400_000 + $0 * 1000)) })
        var replay = try StoreReplay(store.path)
        let events = try replay.all()
        let gap = try #require(gaps(events).first)
        #expect(gaps(events).count == 1 && gap.reason == .program)
        #expect(gap.to.since(gap.from) == .seconds(7 * 86_400))
        #expect(events.readings.count == 6)
    }

    @Test("inside of a store survives every clock reading", arguments: readings)
    func storeExtremes(_ monotonic: Int64) throws {
        let store = try WrittenStore()
        try store.write((0..<20).map { Reading.rate(60, at: .at(milliseconds: $0 * 1000)) })
        let database = try SQLiteDatabase(path: store.path)
        for sql in [
            "UPDATE OR IGNORE reading SET drift_ns = \(monotonic) WHERE n % 2 = 0 AND value = 6000 AND wall_ms % 3000 = 0",
            "UPDATE epoch SET monotonic_ns = \(monotonic)",
            "UPDATE OR IGNORE reading SET wall_ms = \(monotonic) WHERE wall_ms % 7000 = 0",
            "UPDATE epoch SET wall_ms = \(monotonic), last_wall_ms = \(0 &- monotonic)",
        ] {
            try database.execute(sql)
            var player = try #require(try ReplayPlayer(StoreReplay(store.path), speed: .unlimited, nanoseconds: 0))
            var events: [MonitorEvent] = []
            while player.nextDue(at: 0) != nil { try player.due(at: 0, limit: 16) { events.append($0) } }
            #expect(player.hasEnded)
            #expect(zip(events, events.dropFirst()).allSatisfy { $0.moment <= $1.moment })
        }
    }

    @Test("rows of a store that cannot be read hide none that can")
    func unreadableRows() throws {
        let store = try WrittenStore()
        try store.write((0..<9000).map { Reading.rate(60, at: .at(milliseconds: Int64($0) * 100)) })
        try SQLiteDatabase(path: store.path).execute(
            "UPDATE reading SET value = 9223372036854775807 WHERE wall_ms % 1000 = 0")
        var replay = try StoreReplay(store.path)
        #expect(try replay.all().readings.count == 8100)
    }
}
