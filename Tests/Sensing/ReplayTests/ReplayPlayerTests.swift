import Replay
import TestSupport
import Testing
import Vitals

@Suite("The player of recordings")
struct ReplayPlayerTests {
    private static let second: Int64 = 1_000_000_000

    private func player(
        _ speed: ReplaySpeed = .times(1), from: Int64? = nil, to: Int64? = nil
    ) throws -> ReplayPlayer {
        try #require(try ReplayPlayer(CaptureReplay(steadyRoom), from: from, to: to, speed: speed, nanoseconds: 0))
    }

    /// Plays to the end as a loop would, waking when something is due; answers what was handed out and when.
    private func play(
        _ player: inout ReplayPlayer, from start: Int64 = 0, limit: Int = 16
    ) throws -> [(event: MonitorEvent, nanoseconds: Int64)] {
        var played: [(MonitorEvent, Int64)] = []
        var now = start
        while let due = player.nextDue(at: now) {
            now = max(now, due)
            try player.due(at: now, limit: limit) { played.append(($0, now)) }
        }
        return played
    }

    @Test("hands out the same, whatever the speed", arguments: [0.5, 1, 3, 10, 600, 99_999, .infinity])
    func speeds(_ number: Double) throws {
        var usual = try player()
        let speed: ReplaySpeed = number == .infinity ? .unlimited : .times(number)
        var other = try player(speed)
        let first = other.now(at: 0)
        let played = try play(&other)
        #expect(played.map(\.event) == (try play(&usual)).map(\.event))
        #expect(other.hasEnded && usual.hasEnded)
        guard case .times(let rate) = speed else { return }
        // Nothing comes early, and nothing more than a hair late.
        for (event, nanoseconds) in played {
            let exact = Double(event.moment.monotonicNanoseconds - first.monotonicNanoseconds) / rate
            #expect(Double(nanoseconds) >= exact - 1 && Double(nanoseconds) <= exact + 2)
        }
    }

    @Test("shows the time of the recording, never beyond what has not been handed out")
    func time() throws {
        var player = try player(.times(2))
        let start = player.now(at: 0)
        #expect(start.wallMilliseconds == player.range.lowerBound)
        let next = try #require(player.nextDue(at: 0))
        #expect(player.now(at: 1000 * Self.second) <= start.advanced(by: .nanoseconds(2 * next + 2)))
        let played = try play(&player)
        #expect(player.now(at: 2000 * Self.second) == played.last?.event.moment)
        #expect(player.now(at: 0).wallMilliseconds == player.range.upperBound)
        #expect(player.time(of: start) == nil)
    }

    @Test("stands still while it is paused, and continues from there")
    func pause() throws {
        var player = try player()
        try player.due(at: 5 * Self.second, limit: 1000) { _ in }
        player.pause(true, nanoseconds: 5 * Self.second)
        let moment = player.now(at: 5 * Self.second)
        #expect(player.nextDue(at: 100 * Self.second) == nil)
        #expect(player.now(at: 100 * Self.second) == moment)
        player.pause(false, nanoseconds: 100 * Self.second)
        #expect(player.now(at: 100 * Self.second) == moment)
        let due = try #require(player.nextDue(at: 100 * Self.second))
        #expect(due >= 100 * Self.second && due < 102 * Self.second)
    }

    @Test("changes its speed without a jump in time")
    func speedChange() throws {
        var player = try player()
        try player.due(at: 5 * Self.second, limit: 1000) { _ in }
        let before = player.now(at: 5 * Self.second)
        player.play(at: .times(60), nanoseconds: 5 * Self.second)
        #expect(player.now(at: 5 * Self.second) == before)
        #expect(player.speed == .times(60))
    }

    @Test("steps to the next reading and pauses there")
    func step() throws {
        var player = try player()
        for _ in 0..<5 {
            var stepped: [MonitorEvent] = []
            player.step(nanoseconds: 0)
            while player.nextDue(at: 0) != nil { try player.due(at: 0, limit: 3) { stepped.append($0) } }
            let moments = Set(stepped.readings.map(\.moment))
            #expect(moments.count == 1 && stepped.last?.moment == moments.first)
            #expect(player.isPaused && player.now(at: 7 * Self.second) == moments.first)
        }
    }

    @Test("goes back by playing all anew, and arrives at the same state as without the jump")
    func back() throws {
        var player = try player(.unlimited)
        _ = try play(&player)
        let end = player.now(at: 0).wallMilliseconds
        player.play(at: .times(1), nanoseconds: 0)
        try player.jump(by: -20_000, nanoseconds: 0)
        var anew: [MonitorEvent] = []
        while player.isSeeking { try player.due(at: 0, limit: 10) { anew.append($0) } }
        #expect(anew.first?.kind == .restarted)
        #expect(player.now(at: 0).wallMilliseconds == end - 20_000)
        var direct = try self.player(to: end - 20_001)
        let expected = try play(&direct).map(\.event).filter { $0.kind != .tick }
        #expect(Array(anew.dropFirst()) == expected)
        #expect(!player.hasEnded)
        #expect(try play(&player).isEmpty == false)
    }

    @Test("goes forward by playing what lies between, and no farther than to the end")
    func forward() throws {
        var player = try player()
        try player.jump(by: 10_000, nanoseconds: 0)
        var between: [MonitorEvent] = []
        while player.isSeeking { try player.due(at: 0, limit: 10) { between.append($0) } }
        #expect(player.now(at: 0).wallMilliseconds == player.range.lowerBound + 10_000)
        #expect(!between.contains { $0.kind == .restarted })
        #expect(between.allSatisfy { $0.moment.wallMilliseconds < player.range.lowerBound + 10_000 })
        try player.jump(by: 3_600_000, nanoseconds: 0)
        while player.nextDue(at: 0) != nil { try player.due(at: 0, limit: 1000) { _ in } }
        #expect(player.hasEnded && !player.isSeeking)
        try player.jump(by: 10_000, nanoseconds: 0)
        #expect(player.hasEnded && player.nextDue(at: 0) == nil)
    }

    @Test("plays a part, to its very end")
    func part() throws {
        let whole = try player().range
        let (from, to) = (whole.lowerBound + 10_000, whole.lowerBound + 20_000)
        var player = try player(.unlimited, from: from, to: to)
        let played = try play(&player).map(\.event)
        #expect(player.range == from...to)
        #expect(played.allSatisfy { (from...to).contains($0.moment.wallMilliseconds) })
        #expect(played.last?.moment.wallMilliseconds == to)
        #expect(
            try ReplayPlayer(CaptureReplay(steadyRoom), from: whole.upperBound + 1, speed: .unlimited, nanoseconds: 0)
                == nil)
    }

    @Test("understands speeds as people write them, and steps through them")
    func speedText() {
        #expect(
            ReplaySpeed("10") == .times(10) && ReplaySpeed("10x") == .times(10) && ReplaySpeed("0.5") == .times(0.5))
        #expect(ReplaySpeed("max") == .unlimited && ReplaySpeed("MAX") == .unlimited)
        for text in ["", "x", "0", "-1", "nan", "inf", "1e9", "fast", "200000", "1.2.3"] {
            #expect(ReplaySpeed(text) == nil)
        }
        #expect(ReplaySpeed.times(1).faster == .times(2) && ReplaySpeed.times(1).slower == .times(0.5))
        #expect(ReplaySpeed.times(7).faster == .times(10) && ReplaySpeed.times(7).slower == .times(5))
        #expect(ReplaySpeed.unlimited.faster == .unlimited && ReplaySpeed.unlimited.slower == .times(600))
        #expect(ReplaySpeed.times(0.25).text == "0.25" && ReplaySpeed.times(10).text == "10")
    }
}
