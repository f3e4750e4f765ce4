import Testing
import Vitals
import Waves

@Suite("Unread waves")
struct UnreadWavesTests {
    private static func sensor(_ number: Int) -> SensorIdentity {
        SensorIdentity(address: "A0:9E:1A:00:00:0\(number)", name: "Strap", kind: .heartRateStrap)
    }

    private static func block(_ number: Int, count: Int, at second: Int = 0) -> WaveUpdate {
        let moment = Moment(monotonicNanoseconds: Int64(second) * 1_000_000_000, wallMilliseconds: 0)
        return .block(
            WaveBlock(
                sensor: sensor(number), kind: .plethysmogram, samples: Array(repeating: 1, count: count),
                start: moment.monotonic, interval: 1e7, arrived: moment))
    }

    @Test("updates are taken once, in order")
    func order() {
        var queue = UnreadWaves()
        let updates: [WaveUpdate] = [
            .state(Self.sensor(1), .plethysmogram, .wanted), Self.block(1, count: 3), Self.block(2, count: 3),
            .state(Self.sensor(1), .plethysmogram, .off),
        ]
        for update in updates { queue.append(update) }
        let (taken, rest) = (queue.takeAll(), queue.takeAll())
        #expect(taken == updates)
        #expect(rest.isEmpty)
    }

    @Test("of a stream that nobody takes the oldest samples go, counted, and no other stream loses one")
    func bound() {
        var queue = UnreadWaves(limit: 100)
        queue.append(Self.block(2, count: 90))
        for second in 0..<50 { queue.append(Self.block(1, count: 10, at: second)) }
        let taken = queue.takeAll()
        #expect(taken.count == 11)
        #expect(taken.first == Self.block(2, count: 90))
        #expect(taken.last == Self.block(1, count: 10, at: 49))
        let blocks = taken.compactMap { if case .block(let block) = $0 { block } else { nil } }
        #expect(blocks[1].start.nanoseconds == 40_000_000_000)
        #expect(blocks[1].lost == 400)
        #expect(blocks.map(\.isContinuing) == [true, false] + Array(repeating: true, count: 9))
        #expect(queue.dropped(of: WaveStream(Self.sensor(1).address, .plethysmogram)) == 400)
        #expect(queue.dropped(of: WaveStream(Self.sensor(2).address, .plethysmogram)) == 0)
    }

    @Test("what was dropped is missing before the next block, even if that comes later")
    func missing() {
        var queue = UnreadWaves(limit: 5)
        queue.append(Self.block(1, count: 9))
        queue.append(Self.block(1, count: 3, at: 1))
        queue.append(Self.block(1, count: 1, at: 2))
        let blocks = queue.takeAll().compactMap { if case .block(let block) = $0 { block } else { nil } }
        #expect(blocks.map(\.lost) == [9, 0])
        #expect(blocks.map(\.isContinuing) == [false, true])
    }

    @Test("a beat that was found in what was dropped is not marked")
    func lateBeat() {
        var queue = UnreadWaves(limit: 5)
        queue.append(Self.block(1, count: 5))
        guard case .block(var late) = Self.block(1, count: 4, at: 1) else { return }
        late.beats = [-3, 2]
        queue.append(.block(late))
        let blocks = queue.takeAll().compactMap { if case .block(let block) = $0 { block } else { nil } }
        #expect(blocks.map(\.beats) == [[2]])
    }

    @Test("a flood of states keeps the newest")
    func states() {
        var queue = UnreadWaves()
        for _ in 0..<1000 { queue.append(.state(Self.sensor(1), .plethysmogram, .streaming)) }
        queue.append(.state(Self.sensor(1), .plethysmogram, .ended))
        let taken = queue.takeAll()
        #expect(taken.count <= 16)
        #expect(taken.last == .state(Self.sensor(1), .plethysmogram, .ended))
    }
}
