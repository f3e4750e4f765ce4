import TestSupport
import Testing

/// Whatever happens in whatever order, the monitor says nothing that is not so.
@Suite("Random stories of a night")
struct HonestyTests {
    /// The number of stories, other ones each day; `make fuzz` wants more.
    static let count = UInt64(RandomCases.count("BEDSIDE_STORIES", usually: 25_000))
    private static let blocks: UInt64 = 64

    @Test(
        "what is shown as now is live, every alarm's words are true, and no vital changes its sensor by itself",
        .computing,
        arguments: 0..<blocks)
    func state(block: UInt64) async throws {
        var liveValues = 0
        var alarms = 0
        var malfunctions = 0
        for seed in stride(from: block, to: Self.count, by: Int(Self.blocks)) {
            var run = Run(seed: RandomCases.firstSeed &+ seed)
            try await run.report(steps: 10)
            liveValues += run.oracle.liveValues
            alarms += run.oracle.alarms
            malfunctions += run.oracle.malfunctions
            if let fault = run.fault {
                Issue.record("story \(run.seed): \(fault)")
                return
            }
        }
        #expect(liveValues > 0 && alarms > 0 && malfunctions > 0)
    }

    @Test(
        "screens of six sizes, lines, status and views say the same, and nothing else", .computing,
        arguments: UInt64(0)..<8)
    func witnesses(block: UInt64) async throws {
        var liveNumbers = 0
        for seed in stride(from: block, to: Self.count / 500, by: 8) {
            var run = Run(seed: RandomCases.firstSeed &+ 1_000_000_000 + seed, isWitnessed: true)
            try await run.report(steps: 12)
            liveNumbers += run.liveNumbers
            if let fault = run.fault {
                Issue.record("story \(run.seed): \(fault)")
                return
            }
        }
        #expect(liveNumbers > 0)
    }

    @Test("store and export have all that was said and nothing else, and what must outlive a restart does", .computing)
    func stores() async throws {
        let running = RunningLoop()
        var (readings, outlived) = (0, 0)
        for seed in 0..<max(50, Self.count / 1000) {
            let store = try StoreWitness(on: running.loop)
            var run = Run(seed: RandomCases.firstSeed &+ 2_000_000_000 + seed, store: store)
            try await run.report(steps: 60)
            readings += store.readings
            outlived += store.outlived
            if let fault = run.fault {
                Issue.record("story \(run.seed): \(fault)")
                return
            }
        }
        #expect(readings > 0 && outlived > 0)
    }
}
