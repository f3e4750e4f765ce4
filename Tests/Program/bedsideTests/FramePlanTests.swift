import Testing

@testable import bedside

@Suite("The plan of frames")
struct FramePlanTests {
    private static let times: [Int64] = [0, 1, 149_999_999, 150_000_000, 150_000_001, 1_000_000_000, .max]

    @Test("a waiting change and flashing are never late, and an age is at most 150 ms late", arguments: times, times)
    func tolerances(change: Int64, age: Int64) throws {
        for flash in Self.times {
            let plan = FramePlan(change: change, age: age, flash: flash)
            guard let timer = plan.timer else {
                #expect(min(change, age, flash) == .max)
                continue
            }
            #expect(timer.time == min(change, age, flash))
            let latest = timer.time + timer.tolerance
            #expect(latest <= min(change, flash))
            #expect(age == .max || latest <= age + FramePlan.ageTolerance)
        }
    }

    @Test("an age alone waits for the value that is about to come")
    func ageAlone() throws {
        let timer = try #require(FramePlan(age: 5).timer)
        #expect(timer.time == 5)
        #expect(timer.tolerance == FramePlan.ageTolerance)
    }

    @Test("waves are never late, and an age is drawn with them where it tolerates that")
    func waves() throws {
        let alone = try #require(FramePlan(waves: 7).timer)
        #expect(alone.time == 7 && alone.tolerance <= FramePlan.ageTolerance)
        let timer = try #require(FramePlan(age: 5, waves: 9).timer)
        #expect(timer.time == 5 && timer.tolerance == 4)
        #expect(!FramePlan(waves: 5).isFrameDue(at: 5))
    }

    @Test("a frame is due for a change or an age, and not for what flashes")
    func frames() {
        #expect(FramePlan(change: 5).isFrameDue(at: 5))
        #expect(FramePlan(age: 5).isFrameDue(at: 5))
        #expect(!FramePlan(change: 5, age: 5).isFrameDue(at: 4))
        #expect(!FramePlan(flash: 5).isFrameDue(at: 5))
    }
}
