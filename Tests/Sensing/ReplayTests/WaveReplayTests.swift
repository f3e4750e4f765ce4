import TestSupport
import Testing
import Vitals
import Waves

@testable import Recording
@testable import Replay

@Suite("The waves of a store, replayed")
struct WaveReplayTests {
    private let store: WrittenStore

    private var path: String { store.path }

    init() throws {
        store = try WrittenStore()
        try store.write((0..<120).map { .rate(60, at: .at(milliseconds: $0 * 1000)) })
        try store.write { (store) throws(StoreError) in
            for second in [10..<30, 40..<100].flatMap({ $0 }) {
                try store.append(WaveRow(Self.segment(second)))
            }
        }
    }

    /// A second whose samples say when they were taken, in hundredths of a second.
    private static func segment(_ second: Int) -> WaveSegment {
        WaveSegment(
            sensor: .strap, kind: .electrocardiogram, start: .at(milliseconds: Int64(second) * 1000),
            samples: (0..<100).map { Int32(second * 100 + $0) }, spans: [.init(count: 100, nanoseconds: 1_000_000_000)],
            isContinuing: second != 10 && second != 40)
    }

    /// A replay that a test drives by the computer's time.
    private struct Playing {
        var player: ReplayPlayer
        var waves: ReplayWaves
        var updates: [WaveUpdate] = []

        init(_ path: String, speed: Double) throws {
            player = try #require(
                try ReplayPlayer(StoreReplay(path), speed: .times(speed), nanoseconds: 0))
            waves = try #require(player.waves())
        }

        /// Plays until a time of the computer, in seconds.
        mutating func play(_ seconds: Range<Double>, step: Double = 0.05) throws {
            for time in stride(from: seconds.lowerBound, to: seconds.upperBound, by: step) {
                let now = Int64(time * 1e9)
                try player.due(at: now, limit: 1000) { _ in }
                if player.isSeeking { continue }
                let moment = player.now(at: now)
                for update in try waves.due(at: moment, ofEpoch: player.waveEpoch) {
                    if case .block(let block) = update { try check(block, at: moment) }
                    updates.append(update)
                }
            }
        }

        /// Every sample has its time by the clock of the replay, and none is of the future.
        private func check(_ block: WaveBlock, at now: Moment) throws {
            #expect(block.end.nanoseconds <= now.monotonicNanoseconds)
            #expect(block.arrived == now)
            #expect(block.count <= 26)
            for (index, value) in block.samples.enumerated() {
                let wall = Moment.at(milliseconds: Int64(value) * 10).wallMilliseconds
                let age = now.monotonic.nanoseconds(since: block.time(of: index)) / 1_000_000
                #expect(abs(now.wallMilliseconds - age - wall) <= 6)
            }
        }

        var samples: [Int32] {
            updates.flatMap { update -> [Int32] in if case .block(let block) = update { block.samples } else { [] } }
        }

        var endings: Int { updates.count { if case .state(_, _, .ended) = $0 { true } else { false } } }
    }

    @Test("come at the time of the replay, whole and once, and end where they ended", arguments: [1.0, 3.0])
    func played(speed: Double) throws {
        var playing = try Playing(path, speed: speed)
        try playing.play(0..<(119 / speed))
        #expect(playing.samples == (1000..<3000).map { Int32($0) } + (4000..<10_000).map { Int32($0) })
        #expect(playing.endings == 2)
        let blocks = playing.updates.compactMap { if case .block(let block) = $0 { block } else { nil } }
        #expect(blocks.count { !$0.isContinuing } == 2)
        #expect(playing.waves.nextDue == nil)
    }

    @Test("stand still while the replay is paused, and go on without a gap")
    func paused() throws {
        var playing = try Playing(path, speed: 1)
        try playing.play(0..<20)
        playing.player.pause(true, nanoseconds: 19_950_000_000)
        let count = playing.samples.count
        try playing.play(20..<25)
        #expect(playing.samples.count == count)
        #expect(playing.endings == 0)
        playing.player.pause(false, nanoseconds: 25_000_000_000)
        try playing.play(25..<30)
        #expect(playing.samples == (1000..<1000 + Int32(playing.samples.count)).map { $0 })
        #expect(playing.samples.count > 1400)
    }

    @Test("end at a jump, and after it no sample of before comes", arguments: [-10, 40])
    func jump(seconds: Int) throws {
        var playing = try Playing(path, speed: 1)
        try playing.play(0..<25)
        try playing.player.jump(by: Int64(seconds) * 1000, nanoseconds: 25_000_000_000)
        playing.updates = playing.waves.interrupt()
        #expect(playing.updates == [.state(.strap, .electrocardiogram, .ended)])
        #expect(playing.waves.isInterrupted)
        try playing.play(25..<30)
        let target = Int32(25 + seconds) * 100
        let first = try #require(playing.samples.first)
        #expect((target - 25...target + 25).contains(first))
        #expect(playing.samples == (first..<first + Int32(playing.samples.count)).map { $0 })
        guard case .block(let block) = playing.updates[1] else {
            Issue.record("no block after the jump")
            return
        }
        #expect(!block.isContinuing)
    }

    @Test("are none of a store without them, and of a capture")
    func none() throws {
        let store = try WrittenStore()
        try store.write((0..<9).map { .rate(60, at: .at(milliseconds: $0 * 1000)) })
        var playing = try Playing(store.path, speed: 1)
        try playing.play(0..<8)
        #expect(playing.updates.isEmpty)
        #expect(playing.waves.nextDue == nil)
        #expect(try CaptureReplay(steadyRoom).waves() == nil)
    }
}
