import TestSupport
import Testing

@testable import EventLoops

@Suite("Clocks that jump")
struct ClockWatchTests {
    /// What is reported after a number of seconds by each clock.
    private func jumps(bootTime: Double, awake: Double, wall: Double) -> [ClockJump] {
        func nanoseconds(_ seconds: Double) -> Int64 { Int64(seconds * 1_000_000_000) }
        let start = ClockReadings(bootTime: 5_000, awake: 3_000, wall: 1_700_000_000_000_000_000)
        let end = ClockReadings(
            bootTime: start.bootTime + nanoseconds(bootTime), awake: start.awake + nanoseconds(awake),
            wall: start.wall + nanoseconds(wall))
        return end.jumps(since: start)
    }

    @Test("time that passes is none")
    func none() {
        #expect(jumps(bootTime: 100_000, awake: 100_000, wall: 100_000.1) == [])
    }

    @Test("a sleep is reported with its length, and is no setting of the clock")
    func slept() {
        #expect(jumps(bootTime: 3700, awake: 100, wall: 3700) == [.slept(nanoseconds: 3_600_000_000_000)])
    }

    @Test("a clock that is set is reported with the difference, forwards and back")
    func wasSet() {
        #expect(jumps(bootTime: 10, awake: 10, wall: 3610) == [.wasSet(milliseconds: 3_600_000)])
        #expect(jumps(bootTime: 10, awake: 10, wall: -50) == [.wasSet(milliseconds: -60_000)])
    }

    @Test("both at once are reported as both")
    func both() {
        #expect(
            jumps(bootTime: 20, awake: 10, wall: 25) == [
                .slept(nanoseconds: 10_000_000_000), .wasSet(milliseconds: 5000),
            ])
    }

    @Test("a watch begins and ends on its loop, and keeps no descriptor")
    func lifetime() async throws {
        let running = RunningLoop()
        let loop = running.loop
        await Task(executorPreference: loop) {
            let watch = ClockWatch(on: loop) { _ in }
            #expect(watch != nil)
            watch?.stop()
        }.value
    }
}
